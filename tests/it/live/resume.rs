//! `resume`: everything comes back, to whoever holds the token and to nobody else, on one socket at a time.

use serde_json::json;

use super::{row, selected, short_test};
use crate::hall::{Hall, answer};

#[tokio::test]
async fn resumed_says_what_started_said_and_more() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let question = candidate.paper[3].clone();
    candidate.answer(&question, "B").await;
    let resumed = candidate.resume().await;
    for name in [
        "sessionId",
        "token",
        "grade",
        "mode",
        "stage",
        "stages",
        "questionIds",
        "durationMinutes",
        "startedAt",
        "deadline",
    ] {
        assert_eq!(resumed[name], candidate.started[name], "{name}");
    }
    assert_eq!((&resumed["seq"], &resumed["state"], &resumed["drawings"]), (&json!(1), &json!("active"), &json!({})));
    assert!([&resumed, &candidate.started].iter().all(|frame| frame.get("calculator").is_none()), "without a template");
    assert_eq!(resumed["answers"].as_array().unwrap().len(), 1);
    assert_eq!(row(&resumed, &question).unwrap()["seq"], 1);
    assert!(resumed["remainingMs"].as_i64().unwrap() <= candidate.started["remainingMs"].as_i64().unwrap());
    assert!(resumed.get("band").is_none_or(serde_json::Value::is_null), "no band before the second stage: {resumed}");
}

#[tokio::test]
async fn a_wrong_token_closes() {
    let hall = Hall::open().await;
    let (one, other) = (hall.sit(short_test()).await, hall.sit(short_test()).await);
    let longer = format!("{}A", one.token);
    for token in [other.token.as_str(), "", "x", &one.token[1..], &longer, &one.token.to_lowercase(), &one.session_id] {
        let mut socket = hall.socket().await;
        socket.send(&json!({ "type": "resume", "sessionId": one.session_id, "token": token })).await;
        socket.expect_error("bad_token").await;
        socket.expect_close(4403).await;
    }
}

#[tokio::test]
async fn an_unknown_session_closes() {
    let hall = Hall::open().await;
    let candidate = hall.sit(short_test()).await;
    for id in [uuid::Uuid::new_v4().to_string().as_str(), "nothing", "", "nul\0"] {
        let mut socket = hall.socket().await;
        socket.send(&json!({ "type": "resume", "sessionId": id, "token": candidate.token })).await;
        socket.expect_error("unknown_session").await;
        socket.expect_close(4404).await;
    }
}

#[tokio::test]
async fn a_second_socket_takes_over() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let (first, second) = (candidate.paper[0].clone(), candidate.paper[1].clone());
    candidate.answer(&first, "A").await;
    let mut taking = hall.socket().await;
    taking.send(&candidate.resume_frame()).await;
    let resumed = taking.expect("resumed").await;
    assert_eq!(selected(&resumed, &first).as_deref(), Some("A"));
    candidate.socket().expect("superseded").await;
    candidate.socket().expect_close(4001).await;
    taking.send(&json!({ "type": "answer", "seq": 2, "questionId": second, "selected": "B" })).await;
    taking.expect_saved(2).await;
    let state = candidate.state().await;
    assert_eq!((selected(&state, &first).as_deref(), selected(&state, &second).as_deref()), (Some("A"), Some("B")));
    taking.sync().await;
}

#[tokio::test]
async fn many_takeovers_leave_one_socket() {
    let hall = Hall::open().await;
    let candidate = hall.sit(short_test()).await;
    let mut sockets = Vec::new();
    for _ in 0..10 {
        let mut socket = hall.socket().await;
        socket.send(&candidate.resume_frame()).await;
        sockets.push(socket);
    }
    // Each is the one for a moment, in whatever order they come to the seat.
    for socket in &mut sockets {
        socket.expect("resumed").await;
    }
    let mut alive = 0;
    for socket in &mut sockets {
        socket.send(&json!({ "type": "sync", "t": 7 })).await;
        loop {
            match socket.hear().await {
                crate::hall::Heard::Frame(frame) if frame["type"] == "time" => break alive += 1,
                crate::hall::Heard::Frame(frame) => assert_eq!(frame["type"], "superseded"),
                crate::hall::Heard::Closed(code) => break assert_eq!(code, Some(4001)),
            }
        }
    }
    assert_eq!(alive, 1);
}

#[tokio::test]
async fn a_superseded_socket_changes_nothing_more() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let question = candidate.paper[0].clone();
    let mut taking = hall.socket().await;
    taking.send(&candidate.resume_frame()).await;
    taking.expect("resumed").await;
    candidate.socket().expect("superseded").await;
    candidate.socket().send(&json!({ "type": "answer", "seq": 9, "questionId": question, "selected": "D" })).await;
    taking.send(&json!({ "type": "answer", "seq": 1, "questionId": question, "selected": "A" })).await;
    taking.expect_saved(1).await;
    assert_eq!(selected(&candidate.state().await, &question).as_deref(), Some("A"));
}

#[tokio::test]
async fn a_restart_costs_nothing() {
    let mut hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    for (place, id) in candidate.paper.clone().iter().enumerate() {
        candidate.send(answer(id, ["A", "B", "C", "D"][place % 4])).await;
    }
    let crossed_out = candidate.paper[4].clone();
    candidate.send(json!({ "type": "eliminate", "questionId": crossed_out, "eliminated": ["B", "D"] })).await;
    candidate.settle().await;
    let before = candidate.state().await;
    assert_eq!(row(&before, &crossed_out).unwrap()["eliminated"], json!(["B", "D"]));
    candidate.cut();
    hall.restart().await;
    candidate.move_to(&hall.base());
    let after = candidate.resume().await;
    for name in ["answers", "questionIds", "deadline", "startedAt", "seq", "stage", "state"] {
        assert_eq!(after[name], before[name], "{name}");
    }
    candidate.submit().await;
}

#[tokio::test]
async fn a_planned_stop_says_so_and_loses_nothing() {
    let mut hall = Hall::open().await;
    let mut candidate = hall.sit(json!({ "grade": 5, "questionCount": 40 })).await;
    for id in candidate.paper.clone() {
        candidate.send(answer(&id, "C")).await;
    }
    candidate.settle().await;
    hall.stop().await;
    candidate.socket().expect("restarting").await;
    candidate.socket().expect_close(1012).await;
    hall.begin().await;
    candidate.move_to(&hall.base());
    let resumed = candidate.resume().await;
    assert!(candidate.paper.iter().all(|id| selected(&resumed, id).as_deref() == Some("C")), "{resumed}");
}

#[tokio::test]
async fn a_planned_stop_is_told_to_those_who_have_not_started_too() {
    let mut hall = Hall::open().await;
    let mut idle = hall.socket().await;
    hall.stop().await;
    idle.expect("restarting").await;
    idle.expect_close(1012).await;
}

#[tokio::test]
async fn what_is_saved_during_a_planned_stop_is_there_afterwards() {
    let mut hall = Hall::open().await;
    let mut candidate = hall.sit(json!({ "grade": 5, "questionCount": 40 })).await;
    for id in candidate.paper.clone() {
        candidate.send(answer(&id, "B")).await;
    }
    hall.stop().await;
    let mut saved = 0;
    while let crate::hall::Heard::Frame(frame) = candidate.socket().hear().await {
        saved = frame["seq"].as_u64().filter(|_| frame["type"] == "saved").unwrap_or(saved);
    }
    hall.begin().await;
    candidate.move_to(&hall.base());
    let resumed = candidate.resume().await;
    let stored = candidate.paper.iter().filter(|id| selected(&resumed, id).is_some()).count();
    assert!(stored as u64 >= saved, "{saved} were saved, {stored} are there");
    candidate.settle().await;
}

#[tokio::test]
async fn what_is_sent_right_behind_resume_is_taken() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let (first, second) = (candidate.paper[0].clone(), candidate.paper[1].clone());
    // A drawing has to be read from the store before the answer to `resume`.
    candidate.send(json!({ "type": "drawing", "questionId": first, "drawing": { "strokes": [1, 2, 3] } })).await;
    candidate.settle().await;
    for selected_now in ["A", "B", "C", "D", "A", "B"] {
        let mut socket = hall.socket().await;
        let (answering, visiting) = (
            candidate.act(answer(&first, selected_now)),
            candidate.act(json!({ "type": "visit", "questionId": second })),
        );
        socket.send(&candidate.resume_frame()).await;
        socket
            .send(&json!({ "type": "answer", "seq": answering, "questionId": first, "selected": selected_now }))
            .await;
        socket.send(&json!({ "type": "visit", "seq": visiting, "questionId": second })).await;
        socket.expect("resumed").await;
        while socket.until("saved").await["seq"] != visiting {}
        assert_eq!(
            selected(&candidate.state().await, &first).as_deref(),
            Some(selected_now),
            "what `saved` covers is there"
        );
    }
}
