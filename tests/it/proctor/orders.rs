//! Commands that proctors send by their socket: each is done once, reaches the student within a second, or is refused
//! with a message.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{test_of, watching};
use crate::hall::{Candidate, Hall, Proctor, time_of};

/// From the proctor's command to the student's frame.
const TOLD_WITHIN: Duration = Duration::from_secs(1);

#[tokio::test]
async fn a_student_is_told_within_a_second() {
    let hall = Hall::open().await;
    let mut proctor = watching(&hall).await;
    let mut times = Vec::new();
    for name in ["Ada", "Bo", "Cay"] {
        times.push(give_every_order(&mut proctor, &mut hall.sit(test_of(name)).await).await);
    }
    // Other work on this machine can make a delivery slower, so one of three may be late.
    for order in 0..5 {
        let mut of_order: Vec<Duration> = times.iter().map(|times| times[order]).collect();
        of_order.sort();
        assert!(of_order[1] < TOLD_WITHIN, "order {order}: {of_order:?}");
    }
}

/// How long each order took to reach its student.
async fn give_every_order(proctor: &mut Proctor, student: &mut Candidate) -> [Duration; 5] {
    let id = student.session_id.clone();
    let orders = [
        (json!({ "type": "extend", "minutes": 5 }), "extended"),
        (json!({ "type": "pause" }), "paused"),
        (json!({ "type": "notice", "text": "Open the window" }), "notice"),
        (json!({ "type": "unpause" }), "unpaused"),
        (json!({ "type": "finish" }), "submitted"),
    ];
    let mut times = [Duration::MAX; 5];
    for (time, (mut command, frame)) in times.iter_mut().zip(orders) {
        command["sessionId"] = json!(id);
        let begun = Instant::now();
        assert_eq!(proctor.done(command).await, 1, "{frame}");
        student.socket().until(frame).await;
        *time = begun.elapsed();
        if frame == "paused" {
            proctor
                .until("the pause", |proctor| proctor.rows.get(&id).is_some_and(|row| row["state"] == "paused"))
                .await;
        }
    }
    proctor
        .until("the end", |proctor| {
            proctor.rows.get(&id).is_some_and(|row| row["state"] == "submitted" && !row["score"].is_null())
        })
        .await;
    times
}

#[tokio::test]
async fn what_cannot_be_ordered_is_refused_and_changes_nothing() {
    let hall = Hall::open().await;
    let ada = hall.sit(test_of("Ada")).await;
    let extend = |minutes: Value| json!({ "type": "extend", "minutes": minutes });
    let notice = |text: Value| json!({ "type": "notice", "text": text });
    for mut command in [
        extend(json!(0)),
        extend(json!(121)),
        extend(json!(1.5)),
        extend(json!(-121)),
        json!({ "type": "pause", "text": "é".repeat(201) }),
        json!({ "type": "pause", "text": "two\nlines" }),
        extend(json!("5")),
        extend(Value::Null),
        notice(json!("")),
        notice(json!("é".repeat(501))),
        notice(json!("a\u{0}b")),
        notice(json!(7)),
        json!({ "type": "notice" }),
    ] {
        // Ten of these close a socket.
        let mut proctor = watching(&hall).await;
        for session_id in [ada.session_id.as_str(), "*"] {
            command["sessionId"] = json!(session_id);
            let error = proctor.command(command.clone()).await;
            assert_eq!(
                (&error["type"], &error["code"]),
                (&json!("error"), &json!("bad_message")),
                "{command}: {error}"
            );
        }
    }
    assert_eq!(ada.state().await["deadline"], ada.started["deadline"]);
}

#[tokio::test]
async fn a_command_that_comes_again_on_another_connection_is_done_once() {
    let mut hall = Hall::open().await;
    let mut proctor = watching(&hall).await;
    let mut students = [hall.sit(test_of("Ada")).await, hall.sit(test_of("Bo")).await];
    let command = json!({ "type": "extend", "sessionId": "*", "minutes": 10, "id": "more" });
    assert_eq!(proctor.done(command.clone()).await, 2);
    drop(proctor);
    hall.restart().await;
    let mut proctor = watching(&hall).await;
    assert_eq!(proctor.done(command).await, 2);
    for student in &mut students {
        student.move_to(&hall.base());
        let moved = time_of(&student.resume().await["deadline"]) - time_of(&student.started["deadline"]);
        assert_eq!(moved.num_minutes(), 10);
    }
}

#[tokio::test]
async fn sessions_elsewhere_and_those_that_are_over_are_named() {
    let hall = Hall::open().await;
    let mut proctor = watching(&hall).await;
    let mut ada = hall.sit(test_of("Ada")).await;
    let other = hall.sit(json!({ "grade": 6, "questionCount": 10 })).await;
    ada.submit().await;
    for (session_id, code) in [
        (ada.session_id.as_str(), "already_submitted"),
        (other.session_id.as_str(), "unknown_session"),
        ("0b0e0000-0000-4000-8000-000000000001", "unknown_session"),
        ("none", "unknown_session"),
    ] {
        let error = proctor.command(json!({ "type": "pause", "sessionId": session_id })).await;
        assert_eq!((&error["type"], &error["code"]), (&json!("error"), &json!(code)), "{error}");
    }
}

#[tokio::test]
async fn a_code_is_made_for_a_session_of_the_room() {
    let hall = Hall::open().await;
    let ada = hall.sit(test_of("Ada")).await;
    let other = hall.sit(json!({ "grade": 6 })).await;
    let mut proctor = watching(&hall).await;
    let made = proctor.command(json!({ "type": "code", "id": "c", "sessionId": ada.session_id })).await;
    let names: Vec<&str> = made.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names.len(), 5, "{made}");
    assert_eq!((&made["type"], &made["id"], &made["sessionId"]), (&json!("code"), &json!("c"), &json!(ada.session_id)));
    time_of(&made["expiresAt"]);
    let moved = hall.anonymous().post_json("/api/live/move", &json!({ "code": made["code"] })).await;
    assert_eq!((moved.status, &moved.json()["sessionId"]), (200, &json!(ada.session_id)), "{}", moved.text());
    for session_id in [other.session_id.as_str(), "00000000-0000-4000-8000-000000000000", "*"] {
        let refused = proctor.command(json!({ "type": "code", "sessionId": session_id })).await;
        assert_eq!(refused["code"], "unknown_session", "{refused}");
    }
}
