//! The record of a live session, as admins read it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use futures_util::future::join_all;

use super::{fresh_key, short_test};
use crate::hall::{Caller, Hall, LiveSocket, eventually, time_of};

async fn events(admin: &Caller, session_id: &str) -> Vec<Value> {
    let answer = admin.get(&format!("/api/live/sessions/{session_id}/events")).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["events"].as_array().unwrap().clone()
}

#[tokio::test]
async fn what_happens_is_recorded_in_order() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let mut candidate = hall.sit(json!({ "grade": 5, "mode": "adaptive" })).await;
    let after_start = eventually("the start is recorded", async || {
        Some(events(&admin, &candidate.session_id).await).filter(|events| !events.is_empty())
    })
    .await
    .len();
    candidate.socket().send(&json!({ "type": "focus", "away": true })).await;
    let after_focus = grown(&admin, &candidate.session_id, after_start).await;
    candidate.socket().send(&json!({ "type": "focus", "away": false })).await;
    let after_return = grown(&admin, &candidate.session_id, after_focus).await;
    candidate.cut();
    let after_cut = grown(&admin, &candidate.session_id, after_return).await;
    candidate.resume().await;
    let after_resume = grown(&admin, &candidate.session_id, after_cut).await;
    candidate.next().await;
    let after_next = grown(&admin, &candidate.session_id, after_resume).await;
    candidate.submit().await;
    grown(&admin, &candidate.session_id, after_next).await;
    let events = events(&admin, &candidate.session_id).await;
    assert_shape(&events);
    let kinds: BTreeSet<&str> = events.iter().map(|event| event["kind"].as_str().unwrap()).collect();
    assert!(kinds.len() >= 6, "start, away, back, lost, stage and submission differ: {kinds:?}");
}

#[tokio::test]
async fn the_record_begins_with_the_start() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let token = hall.token("student").await;
    let authorization = format!("Bearer {token}");
    let mut socket = LiveSocket::connect(&hall.base(), &[("authorization", &authorization)]).await.unwrap();
    socket.send(&json!({ "type": "start", "grade": 5, "key": fresh_key() })).await;
    let by_socket = socket.expect("started").await;
    let key = json!({ "grade": 5, "key": fresh_key() });
    // Of a hundred starts with one key there is one test, and one start on its record.
    let answers = join_all((0..100).map(|_| async { hall.bearer(&token).post_json("/api/live", &key).await })).await;
    let by_https = answers[0].json();
    let anonymous = hall.anonymous().post_json("/api/live", &short_test()).await.json();
    for (started, detail) in
        [(&by_socket, "websocket, student@exam.test"), (&by_https, "https, student@exam.test"), (&anonymous, "https")]
    {
        let events = events(&admin, started["sessionId"].as_str().unwrap()).await;
        let starts: Vec<&Value> = events.iter().filter(|event| event["kind"] == "started").collect();
        let expected = json!({ "at": started["startedAt"], "kind": "started", "by": "student", "detail": detail });
        assert_eq!((starts.len(), &events[0]), (1, &expected), "{events:?}");
    }
}

async fn grown(admin: &Caller, session_id: &str, count: usize) -> usize {
    eventually("one event more", async || Some(events(admin, session_id).await.len()).filter(|now| *now > count)).await
}

fn assert_shape(events: &[Value]) {
    for event in events {
        let names: BTreeSet<&str> = event.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(names, BTreeSet::from(["at", "by", "detail", "kind"]));
    }
    let times: Vec<_> = events.iter().map(|event| time_of(&event["at"])).collect();
    assert!(times.is_sorted(), "{events:?}");
}

#[tokio::test]
async fn only_those_who_may_see_the_record() {
    let hall = Hall::open().await;
    let candidate = hall.sit(short_test()).await;
    let path = format!("/api/live/sessions/{}/events", candidate.session_id);
    hall.anonymous().get(&path).await.assert_fault(401, "Unauthorized", "sign_in_required");
    candidate.caller().get(&path).await.assert_fault(401, "Unauthorized", "sign_in_required");
    hall.signed_in("student").await.get(&path).await.assert_some_error(403);
    let admin = hall.signed_in("admin").await;
    for id in [uuid::Uuid::new_v4().to_string(), "nothing".to_owned()] {
        admin.get(&format!("/api/live/sessions/{id}/events")).await.assert_fault(
            404,
            "Session not found",
            "unknown_session",
        );
    }
}
