//! `GET /api/sessions/{id}`: the stored session, the payload of its webhook, and what keeps them private.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{create, honest};
use crate::hall::{Answer, Hall, time_of};

fn names(value: &Value) -> BTreeSet<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[tokio::test]
async fn a_stored_session_has_the_fields_of_the_specification() {
    let hall = Hall::open().await;
    let mut body = honest(&hall.bank(5).await);
    body["webhookUrl"] = json!("https://lms.invalid/secret-hook");
    let id = create(&hall.anonymous(), &body).await;
    let answer = hall.anonymous().get(&format!("/api/sessions/{id}")).await;
    let stored = answer.json();
    let expected = [
        "annotations",
        "completedAt",
        "grade",
        "origin",
        "reportUrl",
        "result",
        "sessionId",
        "startedAt",
        "timestamp",
        "verified",
        "version",
        "webhookSent",
    ];
    assert_eq!(names(&stored), expected.into());
    assert!(!answer.text().contains("secret-hook"), "the webhook's address is nobody's business");
    assert_eq!(
        (&stored["sessionId"], &stored["grade"], &stored["webhookSent"]),
        (&json!(id), &json!(5), &json!(false))
    );
    assert_eq!(stored["annotations"], body["annotations"]);
    assert_eq!(stored["startedAt"], "2026-01-05T09:00:00.000Z");
    assert_eq!(time_of(&stored["timestamp"]), time_of(&stored["completedAt"]));
}

#[tokio::test]
async fn times_of_other_zones_become_utc() {
    let hall = Hall::open().await;
    for (sent, kept) in [
        ("2026-01-05T10:00:00+01:00", "2026-01-05T09:00:00.000Z"),
        ("2026-01-05T09:00:00.123456Z", "2026-01-05T09:00:00.123Z"),
        ("2026-01-05T09:00:00Z", "2026-01-05T09:00:00.000Z"),
    ] {
        let mut body = honest(&hall.bank(5).await);
        body["startedAt"] = json!(sent);
        let id = create(&hall.anonymous(), &body).await;
        assert_eq!(hall.stored_session(&id).await["startedAt"], kept);
    }
}

#[tokio::test]
async fn the_payload_is_the_webhooks() {
    let hall = Hall::open().await;
    let id = create(&hall.anonymous(), &honest(&hall.bank(5).await)).await;
    let stored = hall.stored_session(&id).await;
    let payload = hall.anonymous().get(&format!("/api/sessions/{id}?payload=1")).await.json();
    let expected = [
        "annotations",
        "completedAt",
        "event",
        "grade",
        "origin",
        "reportUrl",
        "result",
        "sessionId",
        "startedAt",
        "timestamp",
        "verified",
        "version",
    ];
    assert_eq!(names(&payload), expected.into());
    assert_eq!(payload["event"], "test.completed");
    assert_eq!(payload["result"]["accuracy"].as_f64(), Some(100.0));
    for name in names(&payload).into_iter().filter(|name| *name != "event") {
        assert_eq!(payload[name], stored[name], "{name}");
    }
}

#[tokio::test]
async fn answers_about_a_session_are_not_kept_or_found() {
    let hall = Hall::open().await;
    let id = create(&hall.anonymous(), &honest(&hall.bank(5).await)).await;
    for path in [format!("/api/sessions/{id}"), format!("/api/sessions/{id}?payload=1")] {
        assert_private(&hall.anonymous().get(&path).await);
    }
}

fn assert_private(answer: &Answer) {
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(answer.header("referrer-policy"), "no-referrer");
    assert_eq!(answer.header("x-robots-tag"), "noindex");
}

#[tokio::test]
async fn an_unknown_session_is_not_found() {
    let hall = Hall::open().await;
    let unknown = uuid::Uuid::new_v4();
    for path in [
        format!("{unknown}"),
        format!("{unknown}?payload=1"),
        "nothing".to_owned(),
        "1".to_owned(),
        "00000000-0000-0000-0000-000000000000".to_owned(),
    ] {
        hall.anonymous().get(&format!("/api/sessions/{path}")).await.assert_error(404, "Session not found");
    }
}

#[tokio::test]
async fn sessions_outlive_the_server() {
    let mut hall = Hall::open().await;
    let id = create(&hall.anonymous(), &honest(&hall.bank(5).await)).await;
    let before = hall.stored_session(&id).await;
    hall.restart().await;
    assert_eq!(hall.stored_session(&id).await, before);
}

mod own_tables {
    use super::*;

    #[tokio::test]
    async fn the_list_of_sessions_is_not_kept_or_found() {
        let hall = Hall::open().await;
        assert_private(&hall.signed_in("admin").await.get("/api/sessions").await);
    }
}
