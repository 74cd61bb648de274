//! What a proctor sees happen: each change of a row, and never more than four frames a second.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{grade, test_of, watching};
use crate::hall::{Hall, Heard, Proctor, answer, eventually};

#[tokio::test]
async fn each_change_is_seen() {
    let hall = Hall::open().await;
    let mut proctor = watching(&hall).await;
    let mut ada = hall.sit(test_of("Ada")).await;
    let id = ada.session_id.clone();
    let shows = async |proctor: &mut Proctor, what: &str, expected: Value| {
        proctor
            .until(what, |proctor| {
                proctor
                    .rows
                    .get(&id)
                    .is_some_and(|row| expected.as_object().unwrap().iter().all(|(name, value)| row[name] == *value))
            })
            .await;
    };
    shows(&mut proctor, "the start", json!({ "connected": true, "answered": 0, "student": "Ada" })).await;
    let (first, second) = (ada.paper[0].clone(), ada.paper[1].clone());
    ada.send(answer(&first, "A")).await;
    shows(&mut proctor, "an answer", json!({ "answered": 1, "currentQuestionId": first })).await;
    ada.send(json!({ "type": "visit", "questionId": second })).await;
    ada.send(json!({ "type": "mark", "questionId": second, "marked": true })).await;
    shows(&mut proctor, "a mark", json!({ "answered": 1, "marked": 1, "currentQuestionId": second })).await;
    ada.send(json!({ "type": "answer", "questionId": first, "selected": null })).await;
    shows(&mut proctor, "a cleared answer", json!({ "answered": 0 })).await;
    ada.socket().send(&json!({ "type": "focus", "away": true })).await;
    shows(&mut proctor, "the lost focus", json!({ "away": true, "awayCount": 1 })).await;
    ada.socket().send(&json!({ "type": "focus", "away": false })).await;
    shows(&mut proctor, "the focus", json!({ "away": false, "awayCount": 1 })).await;
    ada.settle().await;
    ada.cut();
    shows(&mut proctor, "the lost connection", json!({ "connected": false })).await;
    ada.resume().await;
    shows(&mut proctor, "the connection", json!({ "connected": true, "state": "active" })).await;
    let score = ada.submit().await["result"]["score"].clone();
    shows(&mut proctor, "the end", json!({ "state": "submitted", "score": score, "connected": false })).await;
    assert_eq!(proctor.rows[&id]["currentQuestionId"], Value::Null);
}

#[tokio::test]
async fn the_second_stage_is_seen() {
    let hall = Hall::open().await;
    let mut proctor = watching(&hall).await;
    let mut ada = hall.sit(json!({ "grade": 5, "mode": "adaptive" })).await;
    ada.next().await;
    let id = ada.session_id.clone();
    proctor
        .until("stage 2", |proctor| proctor.rows.get(&id).is_some_and(|row| row["stage"] == 2 && row["total"] == 40))
        .await;
}

#[tokio::test]
async fn orders_are_seen_also_of_those_who_are_away() {
    let mut hall = Hall::open().await;
    let ada = hall.sit(test_of("Ada")).await;
    hall.restart().await;
    let mut proctor = watching(&hall).await;
    let before = proctor.row(&ada.session_id)["deadline"].clone();
    assert_eq!(proctor.done(json!({ "type": "extend", "sessionId": ada.session_id, "minutes": 5 })).await, 1);
    proctor.until("the new deadline", |proctor| proctor.row(&ada.session_id)["deadline"] != before).await;
    assert_eq!(proctor.done(json!({ "type": "pause", "sessionId": "*" })).await, 1);
    proctor.until("the pause", |proctor| proctor.row(&ada.session_id)["state"] == "paused").await;
    let history = proctor.command(json!({ "type": "history", "sessionId": ada.session_id })).await;
    assert_eq!(history["type"], "history", "{history}");
    let kinds: Vec<&str> =
        history["events"].as_array().unwrap().iter().map(|event| event["kind"].as_str().unwrap()).collect();
    assert!(kinds.len() >= 3, "{kinds:?}");
}

#[tokio::test]
async fn changes_come_at_most_four_times_a_second() {
    let hall = Hall::open().await;
    let mut proctor = watching(&hall).await;
    // Taken before the first change, because frames that are sent now and read later count as well.
    let begun = Instant::now();
    let frames = proctor.frames.len();
    let mut ada = hall.sit(test_of("Ada")).await;
    let paper = ada.paper.clone();
    for round in 0..20 {
        ada.send(answer(&paper[round % 10], ["A", "B"][round / 10])).await;
        let _ = proctor.hear_within(Duration::from_millis(60)).await;
    }
    ada.settle().await;
    let id = ada.session_id.clone();
    proctor.until("the last answer", |proctor| proctor.rows.get(&id).is_some_and(|row| row["answered"] == 10)).await;
    let most = 2 + begun.elapsed().as_millis() / 250;
    let frames = proctor.frames.len() - frames;
    assert!(frames as u128 <= most, "{frames} frames in {:?}", begun.elapsed());
}

#[tokio::test]
async fn a_quiet_room_tells_that_it_lives() {
    let hall = Hall::open().await;
    hall.sit(test_of("Ada")).await;
    let mut proctor = watching(&hall).await;
    while proctor.hear_within(super::A_WHILE).await.is_some() {}
    let frames = proctor.frames.len();
    assert!(proctor.hear_within(super::A_WHILE).await.is_none(), "nothing has changed");
    hall.clock.advance(Duration::from_secs(10));
    proctor.until("a sign of life", |proctor| proctor.frames.len() > frames).await;
}

#[tokio::test]
async fn who_has_submitted_leaves_after_an_hour() {
    let hall = Hall::open().await;
    let mut ada = hall.sit(test_of("Ada")).await;
    ada.submit().await;
    let mut proctor = watching(&hall).await;
    assert_eq!(proctor.row(&ada.session_id)["state"], "submitted");
    hall.clock.advance(Duration::from_secs(3_601));
    proctor.until("the row is removed", |proctor| proctor.rows.is_empty()).await;
    // The seat's last report may come after the first look, and then goes at the next one.
    let token = hall.token("admin").await;
    eventually("nobody is in the room", async || {
        Proctor::roster(&hall.base(), &token, &grade()).await.is_empty().then_some(())
    })
    .await;
}

#[tokio::test]
async fn the_restart_is_told() {
    let mut hall = Hall::open().await;
    let mut socket = super::socket(&hall, &hall.token("admin").await).await;
    hall.stop().await;
    assert!(matches!(socket.hear().await, Heard::Frame(frame) if frame["type"] == "restarting"));
    assert_eq!(super::closed(&mut socket).await, Some(1012));
}

#[tokio::test]
async fn a_picture_stays_that_of_a_fresh_roster() {
    let hall = Hall::open().await;
    let mut proctor = watching(&hall).await;
    let mut students = Vec::new();
    for name in ["Ada", "Bob", "Cay", "Dan"] {
        students.push(hall.sit(test_of(name)).await);
    }
    for round in 0..8 {
        for (index, student) in students.iter_mut().enumerate() {
            let question = student.paper[(round + index) % 10].clone();
            student.send(answer(&question, "C")).await;
        }
    }
    for student in &mut students {
        student.settle().await;
    }
    students[1].cut();
    students[2].submit().await;
    eventually("the submission is stored", async || {
        Some(hall.anonymous().get(&format!("/api/sessions/{}", students[2].session_id)).await.status)
            .filter(|status| *status == 200)
    })
    .await;
    proctor.until_alike(&hall.base()).await;
}
