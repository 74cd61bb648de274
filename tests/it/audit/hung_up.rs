//! Who hangs up before the answer has done nothing, or it is on record: on every route that the record knows. What
//! can't be recorded is not done either. These tests break off connections for some milliseconds each, so they take
//! longer than others.

mod courses;
mod done;
mod prepared;
mod requests;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use examhall::http::audit::{AUDITED, READ};
use reqwest::Method;
use serde_json::{Value, json};
use socket2::SockRef;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::entries;
use crate::hall::course_services::CourseServices;
use crate::hall::{Answer, Caller, Hall, Receiver};
use prepared::Prepared;
use requests::Row;

/// The request of each row that is made while nothing can be recorded.
const UNRECORDED: usize = 0;
/// The request of each row that waits for its answer.
const PATIENT: usize = 1;
/// The first of those that are hung up on, after none to six milliseconds.
const HUNG_UP: usize = 2;
const PAUSES: usize = 7;
/// Requests of each row.
const REQUESTS: usize = HUNG_UP + PAUSES;
/// The only action that reaches the world before anything is stored.
const SENT_AT_ONCE: &str = "webhook.tested";

/// An action and what it was done to.
type Deed = (String, String);

/// A server, and the token of its admin, which survives a restart.
struct Office {
    hall: Hall,
    token: String,
    receiver: Receiver,
    /// The courses of a learning platform.
    course: CourseServices,
}

impl Office {
    async fn open() -> Self {
        let hall = Hall::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
        let token = hall.token("admin").await;
        let course = CourseServices::open(&hall.base(), &hall.clock).await;
        Self { hall, token, receiver: Receiver::open().await, course }
    }

    fn admin(&self) -> Caller {
        self.hall.bearer(&self.token)
    }

    async fn did(&self, method: Method, path: &str, body: Value) -> Value {
        let answer = Answer::to(self.admin().request(method, path).json(&body)).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()
    }

    async fn read(&self, path: &str) -> Value {
        let answer = self.admin().get(path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()
    }

    /// Makes one request of a row and waits for its answer.
    async fn ask(&self, row: &Row, number: usize) -> Answer {
        let (kind, body) = row.body(number);
        let request = self.admin().request(row.method.parse().unwrap(), &row.path(number));
        Answer::to(request.header("content-type", kind).body(body.to_vec())).await
    }

    /// Sends one request of a row whole, and resets its connection after a pause. Returns whether the beginning of a
    /// good answer had arrived by then.
    async fn hang_up_on(&self, row: &Row, number: usize) -> bool {
        let (kind, body) = row.body(number);
        let head = self.head(row.method, &row.path(number), kind, body.len());
        let stream = self.sent(&[head.as_bytes(), body].concat()).await;
        tokio::time::sleep(Duration::from_millis((number - HUNG_UP) as u64)).await;
        // 200 or 201.
        let mut arrived = [0; 11];
        let is_answered = stream.try_read(&mut arrived).is_ok_and(|count| arrived[..count] == *b"HTTP/1.1 20");
        reset(&stream);
        is_answered
    }

    fn head(&self, method: &str, path: &str, kind: &str, length: usize) -> String {
        format!(
            "{method} {path} HTTP/1.1\r\nHost: exam.localhost\r\nAuthorization: Bearer {}\r\n\
             Content-Type: {kind}\r\nContent-Length: {length}\r\n\r\n",
            self.token
        )
    }

    async fn sent(&self, bytes: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(self.hall.base().trim_start_matches("http://")).await.unwrap();
        stream.set_nodelay(true).unwrap();
        stream.write_all(bytes).await.unwrap();
        stream
    }

    /// The number of the last entry; 0 if there is none.
    async fn last_entry(&self) -> i64 {
        entries(&self.admin(), "").await.first().map_or(0, |entry| entry["id"].as_i64().unwrap())
    }

    /// What is on record after that entry, but for what was only read to be shown.
    async fn recorded_since(&self, last: i64) -> Vec<Deed> {
        let shown: BTreeSet<&str> = READ.iter().map(|route| route.action).collect();
        let mut found = Vec::new();
        for page in 1.. {
            let entries = entries(&self.admin(), &format!("?page={page}")).await;
            let is_new = |entry: &&Value| entry["id"].as_i64().unwrap() > last;
            let new: Vec<&Value> = entries.iter().take_while(is_new).collect();
            let deed = |entry: &Value| known_by(entry["action"].as_str().unwrap(), entry["subject"].as_str().unwrap());
            found.extend(new.iter().map(|entry| deed(entry)).filter(|(action, _)| !shown.contains(&**action)));
            if new.len() < entries.len() || entries.is_empty() {
                break;
            }
        }
        found
    }
}

/// How a deed is compared: two changes of the school share one number, and a test event has no subject of its own.
fn known_by(action: &str, subject: &str) -> Deed {
    match action.split_once('.') {
        Some(("school", _)) => ("school".to_owned(), String::new()),
        _ if action == SENT_AT_ONCE => (action.to_owned(), String::new()),
        _ => (action.to_owned(), subject.to_owned()),
    }
}

fn reset(stream: &TcpStream) {
    SockRef::from(stream).set_linger(Some(Duration::ZERO)).unwrap();
}

fn action_of(row: &Row) -> &'static str {
    AUDITED.iter().find(|route| (route.method, route.path) == (row.method, row.pattern)).unwrap().action
}

fn counted(deeds: impl IntoIterator<Item = Deed>) -> BTreeMap<Deed, usize> {
    let mut counts = BTreeMap::new();
    for deed in deeds {
        *counts.entry(deed).or_default() += 1;
    }
    counts
}

#[tokio::test]
async fn every_change_is_made_with_its_entry_or_not_at_all() {
    let mut office = Office::open().await;
    let prepared = Prepared::by(&office).await;
    let rows = requests::of(&prepared, &office.receiver.url());
    let tested: BTreeSet<_> = rows.iter().map(|row| (row.method, row.pattern)).collect();
    let audited: BTreeSet<_> = AUDITED.iter().map(|route| (route.method, route.path)).collect();
    assert_eq!(tested, audited, "a row for each route that the record knows");
    let last = office.last_entry().await;

    office.hall.alter("ALTER TABLE audit_entries RENAME TO hidden_entries").await;
    for row in rows.iter().filter(|row| action_of(row) != SENT_AT_ONCE) {
        let answer = office.ask(row, UNRECORDED).await;
        // The record itself can't even be read now.
        let refused = if row.pattern == "/api/admin/audit/export" { 500 } else { 503 };
        assert_eq!(answer.status, refused, "{} {}: {}", row.method, row.pattern, answer.text());
    }
    office.hall.alter("ALTER TABLE hidden_entries RENAME TO audit_entries").await;

    let mut answered: BTreeMap<Deed, usize> = BTreeMap::new();
    for row in &rows {
        let answer = office.ask(row, PATIENT).await;
        assert!(matches!(answer.status, 200 | 201), "{} {}: {}", row.method, row.pattern, answer.text());
        let mut good_answers = 1;
        for number in HUNG_UP..REQUESTS {
            good_answers += usize::from(office.hang_up_on(row, number).await);
        }
        if row.only_reads {
            *answered.entry(known_by(action_of(row), row.place(PATIENT))).or_default() += good_answers;
        }
    }
    // A planned stop waits for all that is under way.
    office.hall.restart().await;
    let mut recorded = counted(office.recorded_since(last).await);
    for (reading, good_answers) in answered {
        let entries = recorded.remove(&reading).unwrap_or_default();
        assert!(entries >= good_answers, "{reading:?}: {good_answers} have read it, and {entries} are on record");
    }
    let done = prepared.done(&office).await;
    let patient = rows.iter().filter(|row| !row.only_reads).count();
    assert!(done.len() > patient, "nobody who has hung up has done anything");
    assert_eq!(counted(done), recorded);
}

#[tokio::test]
async fn half_a_request_changes_nothing_and_holds_nothing_up() {
    let mut office = Office::open().await;
    let last = office.last_entry().await;
    for number in 0..REQUESTS * 3 {
        let body = json!({ "role": "reviewer" }).to_string();
        let path = format!("/api/admin/users/person{number}@exam.test");
        let head = office.head("PUT", &path, "application/json", body.len());
        let stream = office.sent(format!("{head}{}", &body[..8]).as_bytes()).await;
        tokio::time::sleep(Duration::from_millis((number % PAUSES) as u64)).await;
        reset(&stream);
    }
    office.hall.restart().await;
    assert_eq!(office.recorded_since(last).await, []);
    assert_eq!(office.read("/api/admin/users").await.as_array().unwrap().len(), 1);
}
