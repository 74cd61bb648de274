//! Corrected keys where the data is in the external service: the tests that this server has follow all the same, and
//! each of their versions is sent on. The question is mended there first.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use super::sending::PUT;
use super::{FAILED, admin};
use crate::hall::{Browser, Call, External, Hall, Told, eventually};

const CORRECTIONS: &str = "/api/manager/corrections";
/// Where questions are mended.
const MEND: &str = "PUT /v1/questions/override";
/// Longer than the server ever waits between two tries.
const LATER: Duration = Duration::from_secs(31);

/// Somebody has answered the first question of a live test wrongly; the ids of the test and of the question.
async fn sit(hall: &Hall) -> (String, String) {
    let asked = json!({ "grade": 5, "questionCount": 10 });
    let started = hall.anonymous().post_json("/api/live", &asked).await;
    assert_eq!(started.status, 200, "{}", started.text());
    let started = started.json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let (id, question) = (text(&started["sessionId"]), text(&started["questionIds"][0]));
    let commands = json!({ "commands": [
        { "type": "answer", "seq": 1, "questionId": question, "selected": "A", "timeTaken": 7 },
        { "type": "submit", "seq": 2 },
    ] });
    let seat = hall.bearer(started["token"].as_str().unwrap());
    let ended = seat.post_json(&format!("/api/live/{id}/commands"), &commands).await;
    assert_eq!((ended.status, &ended.json()["state"]), (200, &json!("submitted")), "{}", ended.text());
    (id, question)
}

/// A correction of all tests of the grade by which the wrong option counts as well.
fn body(hall: &Hall, question: &str) -> Value {
    let scope = json!({ "grade": 5, "from": hall.clock.now().plus(-3_600_000), "to": "2100-01-01" });
    json!({ "questionId": question, "kind": "also", "options": ["A"], "scope": scope })
}

/// Waits until all tests have followed what was done with the only correction.
async fn followed(hall: &Hall, admin: &mut Browser, version: &Value) {
    eventually("the tests have followed", async || {
        hall.clock.advance(Duration::from_secs(1));
        let list = admin.get(CORRECTIONS).await.json();
        let only = &list["corrections"][0];
        (only["version"] == *version && only["progress"]["finished"] == true).then_some(())
    })
    .await;
}

fn versions(calls: &[Call]) -> Vec<Value> {
    let told = |call: &Call| {
        let sent = call.json();
        json!([sent["version"], sent["reason"], sent["result"]["correctAnswers"]])
    };
    let mut told: Vec<Value> = calls.iter().map(told).collect();
    told.dedup();
    told
}

#[tokio::test]
async fn each_version_that_a_correction_makes_is_sent_in_its_order() {
    let external = External::open().await;
    let hall = external.hall().await;
    hall.bank(5).await;
    let mut admin = admin(&hall, &external).await;
    let (id, question) = sit(&hall).await;
    let line = format!("{PUT}{id}");
    // It takes none while all of them are made.
    external.on(&line, Told::error(500, "Oh"));
    let made = admin.fetch(Method::POST, CORRECTIONS, Some(&body(&hall, &question))).await;
    assert_eq!(made.status, 200, "{}", made.text());
    followed(&hall, &mut admin, &made.json()["version"]).await;
    let stored = hall.stored_session(&id).await;
    assert_eq!((&stored["version"], &stored["reason"]), (&json!(2), &json!("key_corrected")));
    assert_eq!(stored["result"]["correctAnswers"], 1);
    let path = format!("{CORRECTIONS}/{}", made.json()["id"].as_str().unwrap());
    let reverted = admin.fetch(Method::DELETE, &path, None).await;
    assert_eq!(reverted.status, 200, "{}", reverted.text());
    followed(&hall, &mut admin, &reverted.json()["version"]).await;
    external.on(&line, Told::done());
    let sent = eventually("the last version is sent", async || {
        hall.clock.advance(LATER);
        Some(versions(&external.calls(&line))).filter(|sent| sent.last().is_some_and(|last| last[0] == 3))
    })
    .await;
    let expected = [json!([1, null, 0]), json!([2, "key_corrected", 1]), json!([3, "reverted", 0])];
    assert_eq!(sent, expected);
}

#[tokio::test]
async fn a_question_is_mended_there_before_its_correction_is_stored() {
    let external = External::open().await;
    let hall = external.hall().await;
    hall.bank(5).await;
    let mut admin = admin(&hall, &external).await;
    let (id, question) = sit(&hall).await;
    let mut body = body(&hall, &question);
    body["kind"] = json!("key");
    body["edit"] = json!({ "grade": 5, "updates": { "answer": "A" }, "before": { "answer": "B" } });
    external.on(MEND, Told::error(500, "Oh"));
    let refused = admin.fetch(Method::POST, CORRECTIONS, Some(&body)).await;
    refused.assert_error(502, FAILED);
    assert_eq!(admin.get(CORRECTIONS).await.json()["corrections"], json!([]));
    assert_eq!(hall.stored_session(&id).await["version"], 1);
    external.on(MEND, Told::done());
    external.forget();
    let made = admin.fetch(Method::POST, CORRECTIONS, Some(&body)).await;
    assert_eq!(made.status, 200, "{}", made.text());
    let mended = external.calls(MEND);
    let sent: Vec<String> = mended.iter().map(|call| String::from_utf8_lossy(&call.body).into_owned()).collect();
    assert!(sent.len() == 1 && sent[0].contains(&question), "{sent:?}");
    followed(&hall, &mut admin, &made.json()["version"]).await;
    let stored = hall.stored_session(&id).await;
    assert_eq!((&stored["version"], &stored["result"]["correctAnswers"]), (&json!(2), &json!(1)));
}
