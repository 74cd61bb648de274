//! Without forms and with options as they stand in the bank, every frame and every document is as it was before there
//! were any: clients that know nothing of them meet nothing of them.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use reqwest::Method;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use super::super::School;
use super::super::entrant::{Entrant, access_codes};
use super::student::id;
use crate::hall::{Answer, Caller};

/// Whatever was added for forms and for orders of options.
const NEW: [&str; 8] =
    ["form", "formBy", "forms", "formLists", "formQuestions", "optionOrder", "parallelForms", "shuffleOptions"];

const STARTED: &str = "type sessionId token grade mode stage stages questionIds durationMinutes startedAt deadline \
                       serverTime remainingMs timeVersion pausedMs seq line";
const PROGRESS: &str = "answers drawings band state name title";
const OPENED: &str = "sittingId sealed keys";
const WAITING: &str = "type sessionId token line sittingId sitting grade mode stages name room seat minutes givenMs \
                       start startsAt beginsAt serverTime ready sealed";
const PERFORMED: &str = "saved replies remainingMs deadline timeVersion pausedMs state";
const STORED: &str = "sessionId grade timestamp startedAt completedAt webhookSent reportUrl annotations result verified \
                      origin version";
/// Of an exam, which has a name.
const NAMED: &str = "sessionId grade timestamp startedAt completedAt webhookSent reportUrl annotations result verified \
                     origin version exam";
const PAYLOAD: &str = "event sessionId grade timestamp startedAt completedAt reportUrl annotations result verified \
                       origin version";
const REPORT: &str = "questions changed removed replaced withheld";
const RUNNER: &str = "id name grades mode durationMinutes calculator standardQuestions";
const TEMPLATE: &str = "id name grades mode durationMinutes calculator standardTargets standardQuestions createdAt \
                        updatedAt createdBy begunByLink";
const CANDIDATE: &str = "id externalId name room seat factor extraMinutes startsAt endsAt note state sessionId \
                         hasAccessCode grantedMs";
const RESULT: &str = "sessionId student account candidateId room seat state score right questions time submittedAt \
                      version reason report hasDrawings answers";
const TABLE: &str = "student,account,room,seat,state,score,right,questions,time (s),submittedAt (UTC),sessionId,\
                     reportUrl,1: ";
const TABLE_OF_SITTING: &str = "name,email,externalId,room,seat,state,factor (%),extraMinutes,sessionId,score,right,\
                                questions,time (s),reportUrl";

/// Frames as the pages have them as examples, byte for byte.
const FILE: &str = "web/src/exam/testing/golden_frames.ts";
const FRAMES: [&str; 4] = [
    r#"{"type":"begin","startedAt":"2026-01-05T09:30:00.000Z","keys":{"1":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}},"#,
    r#"{"type":"started","sessionId":"0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e90","token":"mZ3","grade":5,"mode":"standard","stage":1,"stages":1,"questionIds":["g5-001","g5-002"],"durationMinutes":30,"startedAt":"2026-01-05T09:00:00.000Z","deadline":"2026-01-05T09:30:00.000Z","serverTime":"2026-01-05T09:00:00.000Z","remainingMs":1800000,"timeVersion":0,"pausedMs":0,"seq":4,"line":1,"lateKey":"MIIBIj"},"#,
    r#"{"type":"waiting","sessionId":"0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e90","token":"mZ3","line":1,"lateKey":"MIIBIj","sittingId":"0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e92","sitting":"Finals","grade":5,"mode":"standard","stages":1,"name":"Ada","room":null,"seat":"14","minutes":75.0,"givenMs":4500000,"start":"clock","startsAt":"2026-01-05T09:30:00.000Z","beginsAt":"2026-01-05T09:30:00.000Z","serverTime":"2026-01-05T09:00:00.000Z","ready":false,"sealed":[]},"#,
    r#""answers":[{"questionId":"g5-001","selected":"B","marked":true,"eliminated":["A","C"],"visited":false,"timeTaken":41,"seq":4},{"questionId":"g5-002","selected":null,"marked":false,"visited":true,"seq":3}],"drawings":{"g5-001":{"v":1,"size":[1100,640],"items":[]}},"band":null,"state":"active","name":null,"title":null},"#,
];

/// The names of an object, in their order.
struct Names(Vec<String>);

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OfMap;
        impl<'de> Visitor<'de> for OfMap {
            type Value = Names;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Names, M::Error> {
                let mut names = Vec::new();
                while let Some(name) = map.next_key()? {
                    map.next_value::<IgnoredAny>()?;
                    names.push(name);
                }
                Ok(Names(names))
            }
        }
        deserializer.deserialize_map(OfMap)
    }
}

/// Asserts which fields a document has, in their order. The key for late work may come a second later.
#[track_caller]
fn assert_names(answer: &Answer, expected: &[&str]) {
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_nothing_new(&answer.json());
    let Names(names) = serde_json::from_slice(&answer.body).unwrap();
    let names: Vec<&str> = names.iter().map(String::as_str).filter(|name| *name != "lateKey").collect();
    assert_eq!(names, expected.join(" ").split_whitespace().collect::<Vec<_>>(), "{}", answer.text());
}

/// The same where the order is not known any more.
#[track_caller]
fn assert_fields(value: &Value, expected: &str) {
    assert_nothing_new(value);
    let names: BTreeSet<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, expected.split_whitespace().collect(), "{value}");
}

#[track_caller]
fn assert_nothing_new(value: &Value) {
    match value {
        Value::Object(fields) => {
            assert!(NEW.iter().all(|name| !fields.contains_key(*name)), "{value}");
            fields.values().for_each(assert_nothing_new);
        }
        Value::Array(list) => list.iter().for_each(assert_nothing_new),
        _ => {}
    }
}

async fn post(caller: &Caller, path: &str, body: Value) -> Answer {
    caller.post_json(path, &body).await
}

#[tokio::test]
async fn practice_is_as_before() {
    let school = School::open().await;
    let anyone = school.hall.anonymous();
    let starts = [json!({ "grade": 5, "questionCount": 10 }), json!({ "templateId": school.template })];
    // Said or not: there is nothing to shuffle.
    let said = json!({ "grade": 5, "questionCount": 10, "shuffleOptions": false });
    for start in starts.into_iter().chain([said]) {
        let stored = if start.get("templateId").is_some() { NAMED } else { STORED };
        let started = post(&anyone, "/api/live", start).await;
        assert_names(&started, &[STARTED]);
        let started = started.json();
        let (session, caller) = (id_of(&started), school.hall.bearer(started["token"].as_str().unwrap()));
        assert_names(&caller.get(&format!("/api/live/{session}")).await, &[STARTED, PROGRESS]);
        let answer = json!({ "type": "answer", "seq": 1, "questionId": started["questionIds"][0], "selected": "B" });
        let commands = json!({ "commands": [answer, { "type": "submit", "seq": 2 }] });
        let ended = post(&caller, &format!("/api/live/{session}/commands"), commands).await;
        assert_names(&ended, &[PERFORMED]);
        assert_fields(&ended.json()["replies"][0], "type seq sessionId reportUrl reason result receipt");
        assert_names(&anyone.get(&format!("/api/sessions/{session}")).await, &[stored]);
        assert_names(&anyone.get(&format!("/api/sessions/{session}?payload=1")).await, &[PAYLOAD]);
        assert_names(&anyone.get(&format!("/api/report/{session}/questions")).await, &[REPORT]);
    }
    let template = &school.template;
    assert_names(&anyone.get(&format!("/api/test-templates/{template}")).await, &[RUNNER]);
    let read = school.admin.get(&format!("/api/admin/test-templates/{template}")).await.json();
    assert_fields(&read["template"], TEMPLATE);
    let file = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE)).unwrap();
    for frame in FRAMES {
        assert!(file.contains(frame), "{FILE} has no longer {frame}");
    }
}

fn id_of(frame: &Value) -> String {
    frame["sessionId"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_sitting_is_as_before() {
    let school = School::open().await;
    let sitting = school.sitting(40, json!({})).await;
    let people = json!([
        { "externalId": "1", "name": "Ada", "room": "B12", "seat": "B4" },
        { "externalId": "2", "name": "Bo", "room": "B12", "seat": "B5" },
    ]);
    school.enrol(&sitting, people).await;
    assert_fields(&school.candidate(&sitting, "Ada").await, CANDIDATE);
    let codes = access_codes(&school, &sitting).await;
    school.advance(11);
    let anyone = school.hall.anonymous();
    let enter = |name: &str| json!({ "type": "enter", "sittingId": sitting["id"], "access": codes[name] });
    let ada = post(&anyone, "/api/live", enter("Ada")).await;
    assert_names(&ada, &[WAITING]);
    let (session, ada) = (id_of(&ada.json()), school.hall.bearer(ada.json()["token"].as_str().unwrap()));
    let state = format!("/api/live/{session}");
    assert_names(&ada.get(&state).await, &[WAITING]);
    let mut bo = Entrant::enter(&school.hall, enter("Bo")).await;
    let part = bo.waiting["sealed"][0].clone();
    assert_fields(&part, "part url sha256 bytes");
    let url = part["url"].as_str().unwrap();
    assert!(url.starts_with(&format!("/api/sittings/{}/paper/1?v=", id(&sitting))), "{url}");
    bo.prepare().await;
    school.advance(30);
    assert_fields(&bo.socket.until("begin").await, "type startedAt keys");
    assert_names(&ada.get(&format!("{state}?wait=begin")).await, &[STARTED, PROGRESS, OPENED]);
    let listed = school.admin.get(&format!("/api/live/sessions?sittingId={}", id(&sitting))).await.json();
    assert_nothing_new(&listed);
    bo.socket.send(&json!({ "type": "submit", "seq": 9 })).await;
    let submitted = bo.socket.until("submitted").await;
    assert_fields(&submitted, "type seq sessionId reportUrl reason held receipt");
    let commands = json!({ "commands": [{ "type": "submit", "seq": 1 }] });
    assert_names(&post(&ada, &format!("{state}/commands"), commands).await, &[PERFORMED]);
    assert_names(
        &ada.get(&state).await,
        &[STARTED, "answers drawings band state reportUrl reason held name title", OPENED],
    );
    let released = school.release(&sitting).await;
    assert_eq!(released.status, 200, "{}", released.text());

    let results = format!("/api/manager/results?sittingId={}", id(&sitting));
    let results = school.admin.get(&results).await.json();
    assert_fields(&results["rows"][0], RESULT);
    assert_nothing_new(&results);
    let base = format!("/api/admin/sittings/{}", id(&sitting));
    assert_nothing_new(&school.admin.get(&format!("{base}/results")).await.json());
    assert_nothing_new(&school.admin.get(&base).await.json());
    let table = school.admin.get(&format!("{base}/results.csv")).await.text();
    let head = table.trim_start_matches('\u{feff}').lines().next().unwrap();
    assert_eq!(head, TABLE_OF_SITTING);
    let table = school.admin.get(&format!("/api/manager/results.csv?sittingId={}", id(&sitting))).await.text();
    assert!(table.trim_start_matches('\u{feff}').starts_with(TABLE), "{table}");
    let slips = school.admin.request(Method::GET, &format!("{base}/slips.pdf"));
    let slips = super::super::slips::text(&Answer::to(slips).await);
    assert!(slips.contains("B12, seat B4") && !slips.contains("Form"), "{slips}");
    assert_names(&school.hall.anonymous().get(&format!("/api/sessions/{session}")).await, &[NAMED]);
    assert_names(&school.hall.anonymous().get(&format!("/api/report/{session}/questions")).await, &[REPORT]);
}
