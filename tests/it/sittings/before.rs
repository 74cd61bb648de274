//! Before T0: everything that reaches candidates who wait is searched for everything that is on their paper.

use std::time::Duration;

use futures_util::future::join_all;
use regex::bytes::Regex;
use reqwest::Method;
use serde_json::{Value, json};

use super::entrant::{Entrant, access_codes, knock};
use super::{School, path};
use crate::hall::{Answer, Caller, Heard, LiveSocket, PROVIDER_KEY, Process};

const CANDIDATES: usize = 200;
/// Who enters at once.
const AT_ONCE: usize = 20;
/// Options shorter than this are in other texts by chance.
const OPTION_CHARACTERS_MIN: usize = 6;

/// Questions that the documents of the API have as examples.
const EXAMPLES: [&str; 2] = ["g5-001", "g5-002"];

/// What may be nowhere: texts and ids of the paper that are in nothing else of the bank, and its explanations.
async fn secrets(school: &School) -> Secrets {
    let template = school.admin.get(&format!("/api/admin/test-templates/{}", school.template)).await.json();
    let paper = template["template"]["standardQuestions"].as_array().unwrap().clone();
    let bank = school.admin.get("/api/admin/questions?grade=5").await.json().as_array().unwrap().clone();
    let is_own = |question: &&Value| paper.iter().all(|own| own["id"] != question["id"]);
    let rest = Value::from(bank.iter().filter(is_own).cloned().collect::<Vec<_>>()).to_string();
    let mut found = Secrets::default();
    for question in &paper {
        let options = question["options"].as_array().unwrap();
        let options = options.iter().filter(|option| inner(option).chars().count() >= OPTION_CHARACTERS_MIN);
        let all: Vec<&Value> = ["id", "question"].iter().map(|name| &question[*name]).chain(options).collect();
        let own: Vec<String> =
            all.into_iter().map(inner).filter(|text| !text.is_empty() && !rest.contains(text)).collect();
        assert!(own.contains(&inner(&question["id"])) && own.len() > 1, "{question}");
        found.paper.extend(own);
        let explanation = inner(&question["explanation"]);
        found.explanations.extend(Some(explanation).filter(|text| !text.is_empty() && !rest.contains(text)));
    }
    found
}

#[derive(Default)]
struct Secrets {
    /// Texts and ids that candidates get from T0 on.
    paper: Vec<String>,
    explanations: Vec<String>,
}

impl Secrets {
    fn all(&self) -> impl Iterator<Item = &str> {
        self.paper.iter().chain(&self.explanations).map(String::as_str)
    }

    /// Finds any of them in one pass.
    fn pattern(&self) -> Regex {
        Regex::new(&self.all().map(regex::escape).collect::<Vec<_>>().join("|")).unwrap()
    }
}

/// A text as it stands in JSON, without its quotes.
fn inner(text: &Value) -> String {
    text.to_string().trim_matches('"').to_owned()
}

/// Everything that has reached someone.
#[derive(Default)]
struct Bytes(Vec<(String, Vec<u8>)>);

impl Bytes {
    fn add(&mut self, road: &str, bytes: impl Into<Vec<u8>>) {
        self.0.push((road.to_owned(), bytes.into()));
    }

    async fn of(&mut self, road: &str, caller: &Caller, method: Method, path: &str) -> Answer {
        let answer = Answer::to(caller.request(method, path)).await;
        // The client asks for no compression.
        assert_eq!(answer.header("content-encoding"), "", "{road}");
        self.add(road, answer.body.clone());
        answer
    }

    /// Up to the answer to the last command, which comes after all others.
    async fn of_socket(&mut self, road: &str, socket: &mut LiveSocket) {
        loop {
            let Heard::Frame(frame) = socket.hear().await else { panic!("closed") };
            self.add(road, frame.to_string());
            if frame["type"] == "time" && frame["t"] == 1 {
                return;
            }
        }
    }

    fn assert_none(&self, secrets: &Secrets) {
        let pattern = secrets.pattern();
        for (road, bytes) in &self.0 {
            if let Some(found) = pattern.find(bytes) {
                let (secret, text) = (String::from_utf8_lossy(found.as_bytes()), String::from_utf8_lossy(bytes));
                panic!("{road} gives {secret:?}: {text}");
            }
        }
    }
}

/// A sitting whose doors are open, with people who enter by codes.
async fn opened(settings: &[(&str, &str)], count: usize) -> (School, Value, Vec<String>) {
    let school = School::with(settings).await;
    draw_without_examples(&school).await;
    let sitting = school.sitting(30, json!({ "doorsAt": school.at(-1), "publish": true })).await;
    let person = |number| json!({ "externalId": format!("s-{number}"), "name": format!("Student {number:03}") });
    school.enrol(&sitting, Value::from((0..count).map(person).collect::<Vec<_>>())).await;
    let codes = access_codes(&school, &sitting).await.into_values().collect();
    (school, sitting, codes)
}

/// Draws the template until no question of it is an example in the documents of the API, which all may read.
async fn draw_without_examples(school: &School) {
    let template = format!("/api/admin/test-templates/{}", school.template);
    while school.admin.get(&template).await.json()["template"]["standardQuestions"]
        .as_array()
        .unwrap()
        .iter()
        .any(|question| EXAMPLES.iter().any(|example| question["id"] == *example))
    {
        let drawn = Answer::to(school.admin.request(Method::POST, &format!("{template}/generate"))).await;
        assert_eq!(drawn.status, 200, "{}", drawn.text());
    }
}

/// All that one of those who wait can get over HTTPS.
async fn walk(bytes: &mut Bytes, school: &School, sitting: &Value, entrant: &Entrant) {
    let (session, sitting_id) = (&entrant.session_id, sitting["id"].as_str().unwrap());
    let template = &school.template;
    let callers = [entrant.caller(), Caller::new(&entrant.base, None)];
    let roads = [
        format!("/api/live/{session}"),
        format!("/api/sessions/{session}"),
        format!("/api/sessions/{session}?payload=1"),
        format!("/api/report/{session}/questions"),
        format!("/api/report/{session}/pdf"),
        "/api/questions?grade=5".to_owned(),
        format!("/api/test-templates/{template}"),
        format!("/api/test-templates/{template}?sessionId={session}"),
        "/api/sittings".to_owned(),
        format!("/api/sittings/{sitting_id}/paper/1"),
        format!("/api/sittings/{sitting_id}/paper/1?open"),
        format!("/api/sittings/{sitting_id}/calendar.ics"),
        "/api/live/mine".to_owned(),
        format!("/api/live/sessions/{session}/events"),
        format!("/wp-json/tribe/events/v1/events/{}", sitting["eventId"]),
        format!("/wp-json/tribe/events/v1/events/{}?ical=1", sitting["eventId"]),
        path(sitting),
    ];
    for caller in &callers {
        for road in &roads {
            bytes.of(road, caller, Method::GET, road).await;
            let head = bytes.of(road, caller, Method::HEAD, road).await;
            assert!(head.body.is_empty());
        }
        let commands = json!({ "commands": [{ "type": "answer", "seq": 9, "questionId": "x", "selected": "A" }] });
        let refused = caller.post_json(&format!("/api/live/{session}/commands"), &commands).await;
        bytes.add("commands", refused.body);
    }
}

#[tokio::test]
async fn no_byte_of_the_paper_reaches_those_who_wait() {
    let (school, sitting, codes) = opened(&[("PROVIDER_API_KEY", PROVIDER_KEY)], CANDIDATES).await;
    let secrets = secrets(&school).await;
    let mut bytes = Bytes::default();
    let mut entrants = Vec::new();
    for some in codes.chunks(AT_ONCE) {
        let enter = |access: &String| {
            let enter = json!({ "sittingId": sitting["id"], "access": access });
            let hall = &school.hall;
            async move {
                let mut entrant = Entrant::enter(hall, enter).await;
                entrant.prepare().await;
                entrant
            }
        };
        entrants.extend(join_all(some.iter().map(enter)).await);
    }
    assert_eq!(entrants.len(), CANDIDATES);
    // What makes the server talk: another time, a command that is too early, a second device, a wrong hash.
    assert_eq!(school.patch(&sitting, json!({ "startsAt": school.at(40) })).await.status, 200);
    for entrant in &mut entrants {
        bytes.add("waiting", entrant.waiting.to_string());
        for (part, sealed) in &entrant.sealed {
            bytes.add(part, sealed.clone());
        }
        let again = entrant.socket.until("waiting").await;
        assert_eq!(again["startsAt"], school.read(&sitting).await["startsAt"]);
        bytes.add("waiting again", again.to_string());
        for command in [
            json!({ "type": "answer", "seq": 7, "questionId": "x", "selected": "A" }),
            json!({ "type": "ready", "seq": 8, "sha256": "0".repeat(64) }),
            json!({ "type": "next", "seq": 9 }),
            json!({ "type": "sync", "t": 1 }),
        ] {
            entrant.socket.send(&command).await;
        }
    }
    // What a request is answered follows from the state of the caller's session, which is the same for all: one of each
    // group that entered walks.
    for entrant in entrants.iter().step_by(AT_ONCE) {
        walk(&mut bytes, &school, &sitting, entrant).await;
    }
    let sockets = entrants.iter_mut().map(async |entrant| {
        let mut bytes = Bytes::default();
        bytes.of_socket("the socket", &mut entrant.socket).await;
        bytes
    });
    bytes.0.extend(join_all(sockets).await.into_iter().flat_map(|bytes| bytes.0));
    for entrant in entrants.iter_mut().take(AT_ONCE) {
        bytes.add("resumed", entrant.resume("waiting").await.to_string());
        let waits = format!("/api/live/{}?wait=begin", entrant.session_id);
        let waiting = Answer::to(entrant.caller().request(Method::GET, &waits));
        if let Ok(answer) = tokio::time::timeout(Duration::from_millis(300), waiting).await {
            bytes.add("wait=begin", answer.body);
        }
    }
    let data = Answer::to(
        entrants[0].caller().request(Method::GET, "/v1/questions?grade=5").header("x-api-key", PROVIDER_KEY),
    );
    let data = data.await;
    assert_eq!(data.status, 200, "{}", data.text());
    bytes.add("/v1/questions", data.body);
    for road in ["/api/openapi.json", "/api/asyncapi.json", "/metrics", "/api/live/sessions?grade=5"] {
        bytes.of(road, &school.hall.anonymous(), Method::GET, road).await;
    }
    assert!(bytes.0.len() > CANDIDATES * 8, "{}", bytes.0.len());
    bytes.assert_none(&secrets);
    the_search_finds(&school, &sitting, &mut entrants[0], &secrets).await;
}

/// After T0 the same search finds what it has looked for.
async fn the_search_finds(school: &School, sitting: &Value, entrant: &mut Entrant, secrets: &Secrets) {
    school.advance(41);
    let begun = entrant.socket.until("begin").await;
    let clear = Value::from(entrant.open("1", &begun["keys"])).to_string();
    assert!(secrets.paper.iter().all(|secret| clear.contains(secret.as_str())), "{clear}");
    let open = format!("/api/sittings/{}/paper/1?open", sitting["id"].as_str().unwrap());
    let clear = entrant.caller().get(&open).await.text();
    assert!(secrets.paper.iter().all(|secret| clear.contains(secret.as_str())), "{clear}");
}

#[tokio::test]
async fn the_log_tells_nothing_of_the_paper() {
    let (school, sitting, codes) = opened(&[], 3).await;
    let secrets = secrets(&school).await;
    let mut settings = school.hall.settings().clone();
    settings.insert("LOG".to_owned(), "debug,sqlx=info,sqlx_core=info".to_owned());
    let process = Process::serve(&settings).await;
    let mut entrants = Vec::new();
    for access in &codes {
        let enter = json!({ "sittingId": sitting["id"], "access": access });
        let mut entrant = Entrant::enter_at(process.base(), &[], enter).await;
        entrant.prepare().await;
        let wrong = json!({ "type": "answer", "seq": 7, "questionId": "x", "selected": "A" });
        entrant.socket.send(&wrong).await;
        let mut bytes = Bytes::default();
        walk(&mut bytes, &school, &sitting, &entrant).await;
        bytes.assert_none(&secrets);
        entrants.push(entrant);
    }
    let mut refused = knock(process.base(), &[], json!({ "sittingId": sitting["id"], "access": "2222-2222" })).await;
    refused.expect_error("not_expected").await;
    let log = process.log();
    assert!(log.contains("request answered"), "{log}");
    for secret in secrets.all().chain(codes.iter().map(String::as_str)) {
        assert!(!log.contains(secret), "{secret}: {log}");
    }
}
