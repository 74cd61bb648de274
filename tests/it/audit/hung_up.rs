//! Who hangs up before the answer has done nothing, or it is on record. These tests break off connections for some
//! milliseconds each, so they take longer than others.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{SecondsFormat, TimeDelta};
use reqwest::Method;
use serde_json::{Value, json};
use socket2::SockRef;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::told;
use crate::hall::{Answer, Caller, Hall};

/// Requests of each kind: four with each pause before the connection is reset.
const REQUESTS: usize = 28;
/// From none to six milliseconds.
const PAUSES: u64 = 7;

/// A server, and the token of its admin, which survives a restart.
struct Office {
    hall: Hall,
    token: String,
    template: String,
}

impl Office {
    async fn open() -> Self {
        let hall = Hall::open().await;
        let token = hall.token("admin").await;
        let targets = json!({ "1": 1, "2": 2, "3": 2, "4": 2, "5": 3 });
        let config = json!({ "name": "Paper", "grades": [5], "mode": "standard", "durationMinutes": 45, "standardTargets": targets });
        let made = hall.bearer(&token).post_json("/api/admin/test-templates", &config).await;
        assert_eq!(made.status, 200, "{}", made.text());
        let template = made.json()["template"]["id"].as_str().unwrap().to_owned();
        Self { hall, token, template }
    }

    fn admin(&self) -> Caller {
        self.hall.bearer(&self.token)
    }

    async fn done(&self, method: Method, path: &str, body: Value) -> Value {
        let answer = Answer::to(self.admin().request(method, path).json(&body)).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()
    }

    async fn read(&self, path: &str) -> Value {
        let answer = self.admin().get(path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()
    }

    /// The ids of new sittings that begin in an hour.
    async fn sittings(&self) -> Vec<String> {
        let mut ids = Vec::new();
        for number in 0..REQUESTS {
            let starts_at = self.hall.clock.now().utc() + TimeDelta::hours(1);
            let starts_at = starts_at.to_rfc3339_opts(SecondsFormat::Millis, true);
            let body = json!({ "name": format!("Exam {number}"), "templateId": self.template, "startsAt": starts_at, "results": "held" });
            let made = self.done(Method::POST, "/api/admin/sittings", body).await;
            ids.push(made["sitting"]["id"].as_str().unwrap().to_owned());
        }
        ids
    }

    /// Those of these sittings that the test is true of.
    async fn sittings_that(&self, ids: &[String], is_so: impl Fn(&Value) -> bool) -> Vec<String> {
        let mut found = Vec::new();
        for id in ids {
            if is_so(&self.read(&format!("/api/admin/sittings/{id}")).await["sitting"]) {
                found.push(id.clone());
            }
        }
        found
    }

    /// Sends each request whole, and resets its connection a little later, or at once.
    async fn hang_up_on(&self, requests: impl IntoIterator<Item = (&str, String, Value)>) {
        for ((method, path, body), pause) in requests.into_iter().zip((0..PAUSES).cycle()) {
            let body = body.to_string();
            let head = self.head(method, &path, body.len());
            self.reset_after(format!("{head}{body}"), Duration::from_millis(pause)).await;
        }
    }

    fn head(&self, method: &str, path: &str, length: usize) -> String {
        format!(
            "{method} {path} HTTP/1.1\r\nHost: exam.localhost\r\nAuthorization: Bearer {}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n",
            self.token
        )
    }

    async fn reset_after(&self, bytes: String, pause: Duration) {
        let mut stream = TcpStream::connect(self.hall.base().trim_start_matches("http://")).await.unwrap();
        stream.set_nodelay(true).unwrap();
        stream.write_all(bytes.as_bytes()).await.unwrap();
        tokio::time::sleep(pause).await;
        SockRef::from(&stream).set_linger(Some(Duration::ZERO)).unwrap();
    }

    /// The subjects of an action on record, in order. A planned stop waits for all that is under way.
    async fn recorded(&mut self, action: &str) -> Vec<String> {
        self.hall.restart().await;
        let entries = told(&self.admin(), &format!("?action={action}")).await;
        in_order(entries.into_iter().map(|[_, _, subject, _]| subject))
    }
}

fn in_order(subjects: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut subjects: Vec<String> = subjects.into_iter().collect();
    subjects.sort();
    subjects
}

/// The texts of a field of the items of a list, of those items of which the test is true.
fn texts(list: &Value, field: &str, is_so: impl Fn(&Value) -> bool) -> Vec<String> {
    let items = list.as_array().unwrap().iter().filter(|item| is_so(item));
    in_order(items.map(|item| item[field].as_str().unwrap().to_owned()))
}

/// Something has been done, and all of it is on record.
#[track_caller]
fn assert_recorded(done: &[String], recorded: &[String]) {
    assert!(!done.is_empty(), "nothing has been done");
    assert_eq!(done, recorded);
}

fn address(number: usize) -> String {
    format!("person{number}@exam.test")
}

fn user_path(number: usize) -> String {
    format!("/api/admin/users/{}", address(number))
}

#[tokio::test]
async fn invitations_roles_and_removals() {
    let mut office = Office::open().await;
    let numbers = || 0..REQUESTS;
    office.hang_up_on(numbers().map(|number| ("PUT", user_path(number), json!({ "role": "reviewer" })))).await;
    let recorded = office.recorded("user.invited").await;
    let invited = texts(&office.read("/api/admin/users").await, "email", |user| user["role"] == "reviewer");
    assert_recorded(&invited, &recorded);
    for number in numbers().filter(|number| !invited.contains(&address(*number))) {
        office.done(Method::PUT, &user_path(number), json!({ "role": "reviewer" })).await;
    }
    office.hang_up_on(numbers().map(|number| ("PATCH", user_path(number), json!({ "role": "manager" })))).await;
    let recorded = office.recorded("user.role").await;
    let changed = texts(&office.read("/api/admin/users").await, "email", |user| user["role"] == "manager");
    assert_recorded(&changed, &recorded);
    office.hang_up_on(numbers().map(|number| ("DELETE", user_path(number), Value::Null))).await;
    let recorded = office.recorded("user.removed").await;
    let left = texts(&office.read("/api/admin/users").await, "email", |_| true);
    let removed = in_order(numbers().map(address).filter(|email| !left.contains(email)));
    assert_recorded(&removed, &recorded);
}

#[tokio::test]
async fn tokens() {
    let mut office = Office::open().await;
    let asked = |number| {
        ("POST", "/api/admin/tokens".to_owned(), json!({ "name": format!("hung {number}"), "role": "student" }))
    };
    office.hang_up_on((0..REQUESTS).map(asked)).await;
    let recorded = office.recorded("token.created").await;
    let is_ours = |token: &Value| token["name"].as_str().unwrap().starts_with("hung ");
    let made = texts(&office.read("/api/admin/tokens").await["tokens"], "id", is_ours);
    assert_recorded(&made, &recorded);
    let revoking = made.iter().cycle().take(REQUESTS);
    office.hang_up_on(revoking.map(|id| ("DELETE", format!("/api/admin/tokens/{id}"), Value::Null))).await;
    let recorded = office.recorded("token.revoked").await;
    let left = texts(&office.read("/api/admin/tokens").await["tokens"], "id", is_ours);
    let revoked = in_order(made.into_iter().filter(|id| !left.contains(id)));
    assert_recorded(&revoked, &recorded);
}

#[tokio::test]
async fn accommodations() {
    let mut office = Office::open().await;
    let path = |number| format!("/api/admin/accommodations/{}", address(number));
    office.hang_up_on((0..REQUESTS).map(|number| ("PUT", path(number), json!({ "factor": 125 })))).await;
    let recorded = office.recorded("accommodation.changed").await;
    let changed = texts(&office.read("/api/admin/accommodations").await["accommodations"], "email", |_| true);
    assert_recorded(&changed, &recorded);
    office.hang_up_on((0..REQUESTS).map(|number| ("DELETE", path(number), Value::Null))).await;
    let recorded = office.recorded("accommodation.removed").await;
    let left = texts(&office.read("/api/admin/accommodations").await["accommodations"], "email", |_| true);
    let removed = in_order(changed.into_iter().filter(|email| !left.contains(email)));
    assert_recorded(&removed, &recorded);
}

#[tokio::test]
async fn sittings_their_rosters_and_releases() {
    let mut office = Office::open().await;
    let ids = office.sittings().await;
    let path = |id: &String| format!("/api/admin/sittings/{id}");
    office.hang_up_on(ids.iter().map(|id| ("PATCH", path(id), json!({ "name": "Changed" })))).await;
    let recorded = office.recorded("sitting.changed").await;
    let changed = office.sittings_that(&ids, |sitting| sitting["name"] == "Changed").await;
    assert_recorded(&in_order(changed), &recorded);

    let one = |number: usize| json!({ "externalId": number.to_string(), "name": format!("Student {number}") });
    let added = (0..REQUESTS).map(|number| ("POST", format!("{}/candidates", path(&ids[0])), one(number)));
    office.hang_up_on(added).await;
    let recorded = office.recorded("candidate.added").await;
    let roster = office.read(&format!("{}/candidates", path(&ids[0]))).await;
    let there = roster["candidates"].as_array().unwrap().iter().map(|_| ids[0].clone());
    assert_recorded(&in_order(there), &recorded);
    let slips = format!("{}/slips.pdf?renew=true", path(&ids[0]));
    let before = office.read(&path(&ids[0])).await["sitting"]["version"].as_u64().unwrap();
    // A file takes longer to make, and one that is overtaken by another is refused.
    office.hang_up_on((0..PAUSES).map(|_| ("POST", slips.clone(), Value::Null))).await;
    let recorded = office.recorded("slips.printed").await;
    let after = office.read(&path(&ids[0])).await["sitting"]["version"].as_u64().unwrap();
    let renewed = (before..after).map(|_| ids[0].clone());
    assert_recorded(&in_order(renewed), &recorded);

    // All of these are over, and wait for their release.
    office.hall.clock.advance(Duration::from_secs(60 * 60 * 5));
    let releasing = ids[1..].iter().chain(&ids[1..2]);
    office.hang_up_on(releasing.map(|id| ("POST", format!("{}/release", path(id)), Value::Null))).await;
    let mut recorded = office.recorded("results.released").await;
    // A release that is repeated is recorded again.
    recorded.dedup();
    let released = office.sittings_that(&ids[1..], |sitting| sitting["released"] == true).await;
    assert_recorded(&in_order(released), &recorded);
}

#[tokio::test]
async fn settings_of_the_school() {
    let mut office = Office::open().await;
    let before = office.read("/api/admin/school").await["name"].as_str().unwrap().to_owned();
    let named = |number| ("PATCH", "/api/admin/school".to_owned(), json!({ "name": format!("School {number}") }));
    office.hang_up_on((0..REQUESTS).map(named)).await;
    office.hall.restart().await;
    // Each entry says the name before and after: a change that is not on record would break the chain.
    let entries = told(&office.admin(), "?action=school.changed").await;
    let step = |[_, _, _, detail]: &[String; 4]| {
        let (before, after) = detail.strip_prefix("name: ").unwrap().split_once(" → ").unwrap();
        (before.to_owned(), after.to_owned())
    };
    let steps: BTreeMap<String, String> = entries.iter().map(step).collect();
    let mut name = before;
    for _ in 0..entries.len() {
        name.clone_from(&steps[&name]);
    }
    assert_eq!(office.read("/api/admin/school").await["name"], json!(name), "{entries:?}");
    assert!(!entries.is_empty());
}

#[tokio::test]
async fn half_a_request_changes_nothing_and_holds_nothing_up() {
    let mut office = Office::open().await;
    for (number, pause) in (0..REQUESTS).zip((0..PAUSES).cycle()) {
        let body = json!({ "role": "reviewer" }).to_string();
        let head = office.head("PUT", &user_path(number), body.len());
        office.reset_after(format!("{head}{}", &body[..8]), Duration::from_millis(pause)).await;
    }
    assert_eq!(office.recorded("user.invited").await, Vec::<String>::new());
    assert_eq!(office.read("/api/admin/users").await.as_array().unwrap().len(), 1);
}
