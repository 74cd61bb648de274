//! What a proctor sees of a student's progress, of trouble with the computer, and of what cannot be saved.

use std::time::Duration;

use serde_json::{Value, json};

use super::{test_of, watching};
use crate::hall::{Hall, Heard, Hold, Proctor, answer};

/// Waits until the row of a session has these values.
async fn shows(proctor: &mut Proctor, id: &str, what: &str, expected: Value) {
    let is_shown = |proctor: &Proctor| {
        let row = proctor.rows.get(id);
        row.is_some_and(|row| expected.as_object().unwrap().iter().all(|(name, value)| row[name] == *value))
    };
    proctor.until(what, is_shown).await;
}

#[tokio::test]
async fn the_progress_is_seen_question_by_question() {
    let mut hall = Hall::open().await;
    let mut proctor = watching(&hall).await;
    let mut ada = hall.sit(test_of("Ada")).await;
    let id = ada.session_id.clone();
    let of_start = json!({ "progress": "----------", "at": null, "trouble": [], "refused": 0 });
    shows(&mut proctor, &id, "the start", of_start).await;
    let paper = ada.paper.clone();
    ada.send(answer(&paper[0], "A")).await;
    ada.send(answer(&paper[1], "B")).await;
    ada.send(json!({ "type": "mark", "questionId": paper[1], "marked": true })).await;
    ada.send(json!({ "type": "visit", "questionId": paper[2] })).await;
    ada.send(json!({ "type": "mark", "questionId": paper[3], "marked": true })).await;
    ada.send(json!({ "type": "visit", "questionId": paper[3] })).await;
    shows(&mut proctor, &id, "the work", json!({ "progress": "aAvM------", "at": 3 })).await;
    ada.send(json!({ "type": "answer", "questionId": paper[1], "selected": null })).await;
    shows(&mut proctor, &id, "a cleared answer", json!({ "progress": "aMvM------", "at": 1 })).await;
    ada.socket().send(&json!({ "type": "trouble", "trouble": ["clock", "storage", "heat"] })).await;
    shows(&mut proctor, &id, "trouble", json!({ "trouble": ["storage", "clock"] })).await;
    ada.settle().await;
    ada.cut();
    shows(&mut proctor, &id, "the lost connection", json!({ "connected": false, "trouble": ["storage", "clock"] }))
        .await;

    hall.restart().await;
    let mut proctor = watching(&hall).await;
    let of_work = json!({ "progress": "aMvM------", "at": 1, "trouble": ["storage", "clock"], "connected": false });
    shows(&mut proctor, &id, "the same from the database", of_work).await;
    ada.move_to(&hall.base());
    ada.state().await;
    shows(&mut proctor, &id, "and from a seat that was built again", json!({ "trouble": ["storage", "clock"] })).await;
    ada.resume().await;
    shows(&mut proctor, &id, "a new connection has none", json!({ "trouble": [], "connected": true })).await;
}

#[tokio::test]
async fn trouble_is_told_by_https_too() {
    let hall = Hall::open().await;
    let mut proctor = watching(&hall).await;
    let ada = hall.sit(test_of("Ada")).await;
    let id = ada.session_id.clone();
    let told = ada.try_post(&json!({ "commands": [], "trouble": ["storage"] })).await;
    assert_eq!((told.status, &told.json()["saved"]), (200, &json!(0)), "{}", told.text());
    shows(&mut proctor, &id, "trouble", json!({ "trouble": ["storage"] })).await;
    let work = answer(&ada.paper[0], "A");
    let mut command = work.clone();
    command["seq"] = json!(1);
    assert_eq!(ada.try_post(&json!({ "commands": [command] })).await.json()["saved"], 1);
    shows(&mut proctor, &id, "what was told stays", json!({ "answered": 1, "trouble": ["storage"] })).await;
    assert_eq!(ada.try_post(&json!({ "commands": [], "trouble": [] })).await.status, 200);
    shows(&mut proctor, &id, "the end of it", json!({ "trouble": [] })).await;
    for body in [json!({ "commands": [] }), json!({ "commands": [], "trouble": "storage" }), json!({ "trouble": [] })] {
        ada.try_post(&body).await.assert_some_error(400);
    }
    let admin = hall.signed_in("admin").await;
    let events = admin.get(&format!("/api/live/sessions/{id}/events")).await.json();
    let told: Vec<&Value> =
        events["events"].as_array().unwrap().iter().filter(|event| event["kind"] == "trouble").collect();
    assert_eq!(told.len(), 2, "{events}");
    assert_eq!(
        (&told[0]["detail"], &told[0]["by"], &told[1]["detail"]),
        (&json!("storage"), &json!("student"), &json!(""))
    );
}

#[tokio::test]
async fn what_cannot_be_saved_is_counted_until_it_is() {
    let hall = Hall::open().await;
    let mut proctor = watching(&hall).await;
    let mut ada = hall.sit(test_of("Ada")).await;
    let id = ada.session_id.clone();
    let on_postgres = "LOCK TABLE journal_entries IN ACCESS EXCLUSIVE MODE";
    let hold = Hold::take(&hall, "DELETE FROM journal_entries WHERE seq < 0", on_postgres).await;
    for question in ada.paper.clone().iter().take(3) {
        ada.send(answer(question, "D")).await;
    }
    let told = ada.socket().hear_within(Duration::from_secs(40)).await;
    let Some(Heard::Frame(error)) = told else { panic!("nobody was told: {told:?}") };
    assert_eq!(error["code"], "storage_unavailable", "{error}");
    shows(&mut proctor, &id, "what is not saved", json!({ "refused": 3 })).await;
    hold.release().await;
    shows(&mut proctor, &id, "that it is saved", json!({ "refused": 0, "answered": 3 })).await;
}
