//! Webhooks, received by a small LMS that each test runs itself.

mod admin;
mod crash;
mod fair;
mod retries;
mod versions;

#[path = "webhooks"]
mod edge {
    use super::*;

    mod dead;
    mod targets;
}

#[path = "webhooks"]
mod either_provider {
    use super::*;

    mod message;
}

use serde_json::{Value, json};

use crate::hall::{Bank, Caller, Hall, Receiver, eventually};

/// A hall whose webhooks may reach this machine.
async fn hall_with_receiver() -> (Hall, Receiver) {
    (Hall::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await, Receiver::open().await)
}

/// A finished test with a webhook link.
fn finished(bank: &Bank, url: &str) -> Value {
    let ids = bank.ids();
    let lines: Vec<Value> = ids[..10]
        .iter()
        .map(|id| json!({ "questionId": id, "selected": bank.key(id), "correct": bank.key(id), "isCorrect": true }))
        .collect();
    json!({
        "grade": 5, "startedAt": "2026-01-05T09:00:00.000Z", "baseUrl": "https://exam.example", "webhookUrl": url, "annotations": { "studentId": "s-17" },
        "result": { "score": 800, "correctAnswers": 10, "totalQuestions": 10, "timeTaken": 60, "topicBreakdown": [], "difficultyBreakdown": [], "answers": lines },
    })
}

/// Stores a finished test with a webhook link; returns its id.
async fn finish(hall: &Hall, url: &str) -> String {
    let answer = hall.anonymous().post_json("/api/sessions", &finished(&hall.bank(5).await, url)).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["sessionId"].as_str().unwrap().to_owned()
}

/// The delivery of a session.
async fn delivery(hall: &Hall, admin: &Caller, session_id: &str) -> Value {
    let found: Vec<Value> =
        hall.deliveries(admin).await.into_iter().filter(|delivery| delivery["sessionId"] == session_id).collect();
    assert_eq!(found.len(), 1, "one delivery for a session: {found:?}");
    found[0].clone()
}

/// The delivery of a session, once its first attempt has ended.
async fn attempted(hall: &Hall, admin: &Caller, session_id: &str) -> Value {
    let has_ended = |delivery: &Value| {
        delivery["attempts"] == 1 && !(delivery["lastStatus"].is_null() && delivery["lastError"].is_null())
    };
    eventually("the first attempt has ended", async || Some(delivery(hall, admin, session_id).await).filter(has_ended))
        .await
}

/// The delivery of a session, once its latest attempt has ended with this status. The attempt before must have ended
/// with another one: while an attempt is under way, the delivery still shows how that one ended.
async fn answered(hall: &Hall, admin: &Caller, session_id: &str, attempts: usize, status: u16) -> Value {
    let has_ended = |delivery: &Value| delivery["attempts"] == attempts && delivery["lastStatus"] == status;
    eventually(&format!("attempt {attempts} has ended"), async || {
        Some(delivery(hall, admin, session_id).await).filter(has_ended)
    })
    .await
}

/// The delivery of a session, once it has this status.
async fn reached(hall: &Hall, admin: &Caller, session_id: &str, status: &str) -> Value {
    let probe = async || Some(delivery(hall, admin, session_id).await).filter(|delivery| delivery["status"] == status);
    eventually(&format!("the delivery is {status}"), probe).await
}
