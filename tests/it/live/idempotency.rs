//! `key`: a `start` that may be repeated.

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::fresh_key;
use crate::hall::{Hall, Heard, LiveSocket, eventually};

fn keyed(key: &str) -> Value {
    json!({ "grade": 5, "questionCount": 10, "key": key })
}

#[tokio::test]
async fn a_hundred_starts_with_one_key_make_one_session() {
    let hall = Hall::open().await;
    let (caller, body) = (hall.anonymous(), keyed(&fresh_key()));
    let answers = join_all((0..100).map(|_| caller.post_json("/api/live", &body))).await;
    let (mut sessions, mut started) = (BTreeSet::new(), 0);
    for answer in answers {
        assert_eq!(answer.status, 200, "{}", answer.text());
        let json = answer.json();
        started += usize::from(json["type"] == "started");
        sessions.insert((json["sessionId"].to_string(), json["token"].to_string(), json["questionIds"].to_string()));
    }
    assert_eq!((sessions.len(), started), (1, 1));
}

#[tokio::test]
async fn sockets_with_one_key_take_each_other_over() {
    let hall = Hall::open().await;
    let mut frame = keyed(&fresh_key());
    frame["type"] = json!("start");
    let mut sockets = join_all((0..20).map(|_| hall.socket())).await;
    join_all(sockets.iter_mut().map(|socket| socket.send(&frame))).await;
    let mut sessions = BTreeSet::new();
    let mut started = 0;
    for socket in &mut sockets {
        let Heard::Frame(answer) = socket.hear().await else { panic!("closed without an answer") };
        assert!(["started", "resumed"].contains(&answer["type"].as_str().unwrap()), "{answer}");
        started += usize::from(answer["type"] == "started");
        sessions.insert((answer["sessionId"].to_string(), answer["token"].to_string()));
    }
    assert_eq!((sessions.len(), started), (1, 1));
    let mut last = eventually("all but one are closed", async || {
        let mut open = Vec::new();
        for mut socket in sockets.drain(..) {
            if is_open(&mut socket).await {
                open.push(socket);
            }
        }
        sockets = open;
        if sockets.len() == 1 { sockets.pop() } else { None }
    })
    .await;
    last.sync().await;
}

/// Whether a socket is still open after all frames that have arrived on it.
async fn is_open(socket: &mut LiveSocket) -> bool {
    while let Some(heard) = socket.hear_within(Duration::from_millis(1)).await {
        if matches!(heard, Heard::Closed(_)) {
            return false;
        }
    }
    true
}

#[tokio::test]
async fn a_repeated_start_gives_back_what_was_answered() {
    let hall = Hall::open().await;
    let key = fresh_key();
    let mut candidate = hall.sit(keyed(&key)).await;
    let question = candidate.paper[0].clone();
    candidate.answer(&question, "B").await;
    let again = hall.anonymous().post_json("/api/live", &keyed(&key)).await.json();
    assert_eq!(
        (&again["type"], &again["sessionId"], &again["token"]),
        (&json!("resumed"), &json!(candidate.session_id), &json!(candidate.token))
    );
    assert_eq!(super::selected(&again, &question).as_deref(), Some("B"));
    candidate.socket().sync().await;
}

#[tokio::test]
async fn keys_differ_and_a_start_without_one_is_new() {
    let hall = Hall::open().await;
    let mut sessions = BTreeSet::new();
    for body in [keyed(&fresh_key()), keyed(&fresh_key()), json!({ "grade": 5 }), json!({ "grade": 5 })] {
        sessions.insert(hall.anonymous().post_json("/api/live", &body).await.json()["sessionId"].to_string());
    }
    assert_eq!(sessions.len(), 4);
}

#[tokio::test]
async fn a_key_outlives_a_restart_and_ends_after_a_day() {
    let mut hall = Hall::open().await;
    let body = keyed(&fresh_key());
    let first = hall.anonymous().post_json("/api/live", &body).await.json();
    hall.restart().await;
    hall.clock.advance(Duration::from_secs(23 * 3_600));
    let same = hall.anonymous().post_json("/api/live", &body).await.json();
    assert_eq!((&same["sessionId"], &same["token"]), (&first["sessionId"], &first["token"]));
    hall.clock.advance(Duration::from_secs(2 * 3_600));
    let other = hall.anonymous().post_json("/api/live", &body).await.json();
    assert_eq!(other["type"], "started");
    assert_ne!(other["sessionId"], first["sessionId"]);
}

#[tokio::test]
async fn a_key_of_a_submitted_session_gives_that_session() {
    let hall = Hall::open().await;
    let key = fresh_key();
    let mut candidate = hall.sit(keyed(&key)).await;
    candidate.submit().await;
    let again = hall.anonymous().post_json("/api/live", &keyed(&key)).await.json();
    assert_eq!((&again["sessionId"], &again["state"]), (&json!(candidate.session_id), &json!("submitted")));
}
