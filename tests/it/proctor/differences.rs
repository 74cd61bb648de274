//! Proctors who are told differences: they see what others see, in fewer bytes, and of far rows what matters.

use std::time::Duration;

use serde_json::{Value, json};

use super::{grade, next, socket, test_of, watching};
use crate::hall::{Hall, Heard, Proctor, answer};

async fn watching_differences(hall: &Hall) -> Proctor {
    let room = json!({ "grade": 5, "differences": true });
    Proctor::watching(&hall.base(), &hall.token("admin").await, &room).await
}

/// Waits until a row has these values.
async fn shows(proctor: &mut Proctor, id: &str, expected: Value) {
    let what = expected.to_string();
    proctor
        .until(&what, |proctor| {
            proctor
                .rows
                .get(id)
                .is_some_and(|row| expected.as_object().unwrap().iter().all(|(name, value)| row[name] == *value))
        })
        .await;
}

#[tokio::test]
async fn differences_lead_to_the_same_picture() {
    let hall = Hall::open().await;
    let mut proctor = watching_differences(&hall).await;
    let mut ada = hall.sit(test_of("Ada")).await;
    let mut ben = hall.sit(test_of("Ben")).await;
    let (first, second) = (ada.paper[0].clone(), ada.paper[1].clone());
    shows(&mut proctor, &ada.session_id, json!({ "connected": true, "student": "Ada" })).await;
    ada.send(answer(&first, "A")).await;
    shows(&mut proctor, &ada.session_id, json!({ "answered": 1, "currentQuestionId": first })).await;
    ada.send(json!({ "type": "mark", "questionId": second, "marked": true })).await;
    shows(&mut proctor, &ada.session_id, json!({ "marked": 1 })).await;
    proctor.done(json!({ "type": "extend", "sessionId": ben.session_id, "minutes": 5 })).await;
    proctor.done(json!({ "type": "pause", "sessionId": ben.session_id })).await;
    shows(&mut proctor, &ben.session_id, json!({ "state": "paused" })).await;
    ben.settle().await;
    ben.cut();
    shows(&mut proctor, &ben.session_id, json!({ "connected": false })).await;
    let score = ada.submit().await["result"]["score"].clone();
    shows(&mut proctor, &ada.session_id, json!({ "state": "submitted", "score": score })).await;
    proctor.until_alike(&hall.base()).await;
    let whole = watching(&hall).await;
    for (id, row) in &whole.rows {
        assert!(row["n"].is_null(), "whole rows have no numbers");
        assert_eq!(proctor.row(id)["deadline"], row["deadline"]);
    }
    assert_eq!(proctor.rows.len(), whole.rows.len());
}

#[tokio::test]
async fn of_rows_out_of_view_progress_waits_and_all_else_does_not() {
    let hall = Hall::open().await;
    let (mut ada, mut ben) = (hall.sit(test_of("Ada")).await, hall.sit(test_of("Ben")).await);
    let (ada_id, ben_id) = (ada.session_id.clone(), ben.session_id.clone());
    let mut proctor = watching_differences(&hall).await;
    proctor.view(Some(&[&ada_id])).await;
    proctor.until("the progress of the row in view", |proctor| proctor.progress_frames > 0).await;
    ada.send(answer(&ada.paper[0].clone(), "A")).await;
    ben.send(answer(&ben.paper[0].clone(), "A")).await;
    ben.settle().await;
    shows(&mut proctor, &ada_id, json!({ "answered": 1 })).await;
    proctor.until("both answers are counted", |proctor| proctor.counts["questions"][0][1] == 2).await;
    assert_eq!(proctor.counts["rows"], 2);
    assert_eq!(proctor.counts["states"], json!({ "active": 2 }));
    assert_eq!(proctor.row(&ben_id)["answered"], 0, "this row is out of view");
    ben.socket().send(&json!({ "type": "focus", "away": true })).await;
    shows(&mut proctor, &ben_id, json!({ "away": true, "answered": 0 })).await;
    // It comes into view, and is up to date at once.
    proctor.view(Some(&[&ben_id])).await;
    shows(&mut proctor, &ben_id, json!({ "answered": 1 })).await;
    ada.send(answer(&ada.paper[1].clone(), "A")).await;
    ada.settle().await;
    proctor.until("all answers are counted", |proctor| proctor.counts["questions"][1][1] == 1).await;
    assert_eq!(proctor.row(&ada_id)["answered"], 1);
    // Half a minute later everyone knows.
    hall.clock.advance(Duration::from_secs(31));
    shows(&mut proctor, &ada_id, json!({ "answered": 2 })).await;
    // All rows again.
    ada.send(answer(&ada.paper[2].clone(), "A")).await;
    ada.settle().await;
    let rosters = proctor.rosters;
    proctor.view(None).await;
    proctor.until("whole rows", |proctor| proctor.rosters > rosters).await;
    shows(&mut proctor, &ada_id, json!({ "answered": 3 })).await;
    ben.send(answer(&ben.paper[1].clone(), "A")).await;
    shows(&mut proctor, &ben_id, json!({ "answered": 2 })).await;
}

#[tokio::test]
async fn who_comes_back_goes_on_where_they_were() {
    let hall = Hall::open().await;
    let mut ada = hall.sit(test_of("Ada")).await;
    let id = ada.session_id.clone();
    let mut proctor = watching_differences(&hall).await;
    let rosters = proctor.rosters;
    ada.send(answer(&ada.paper[0].clone(), "A")).await;
    ada.settle().await;
    assert!(proctor.reconnect(&hall.base()).await);
    shows(&mut proctor, &id, json!({ "answered": 1 })).await;
    ada.send(answer(&ada.paper[1].clone(), "A")).await;
    shows(&mut proctor, &id, json!({ "answered": 2 })).await;
    assert_eq!(proctor.rosters, rosters, "only what was missed");
}

#[tokio::test]
async fn large_frames_are_compressed_for_those_who_ask() {
    let hall = Hall::open().await;
    let mut students = Vec::new();
    for number in 0..6 {
        students.push(hall.sit(test_of(&format!("Student {number}"))).await);
    }
    let room = json!({ "grade": 5, "differences": true, "compressed": true });
    let proctor = Proctor::watching(&hall.base(), &hall.token("admin").await, &room).await;
    let whole = watching(&hall).await;
    assert_eq!(proctor.rows.len(), 6);
    assert!(proctor.compressed_frames > 0 && whole.compressed_frames == 0);
    for (id, row) in &whole.rows {
        assert_eq!(proctor.row(id)["student"], row["student"]);
    }
}

#[tokio::test]
async fn a_view_needs_a_room_that_is_watched_by_differences() {
    let hall = Hall::open().await;
    let token = hall.token("admin").await;
    let mut socket = socket(&hall, &token).await;
    for watched in [None, Some(grade())] {
        if let Some(room) = watched {
            let mut frame = room;
            frame["type"] = json!("watch");
            socket.send(&frame).await;
            next(&mut socket, "roster").await;
        }
        socket.send(&json!({ "type": "view", "rows": [0] })).await;
        assert_eq!(next(&mut socket, "error").await["code"], "not_watching");
    }
    socket.send(&json!({ "type": "view", "rows": vec![0; 501] })).await;
    assert_eq!(next(&mut socket, "error").await["code"], "bad_message");
    socket.send(&json!({ "type": "watch", "grade": 5, "differences": true })).await;
    next(&mut socket, "roster").await;
    // Numbers that no row has are nobody's progress.
    socket.send(&json!({ "type": "view", "rows": [7, 4_000_000_000_u32] })).await;
    socket.send(&json!({ "type": "history", "id": 1, "sessionId": "0b0e0000-0000-4000-8000-000000000001" })).await;
    assert_eq!(next(&mut socket, "error").await["code"], "unknown_session");
    assert!(!matches!(socket.hear_within(Duration::from_millis(400)).await, Some(Heard::Closed(_))));
}
