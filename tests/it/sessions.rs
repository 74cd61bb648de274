//! Stored sessions by REST: creation, the server's own grading, reading, the list, and bad input.

pub mod correction_kills;
mod corrections;
mod list;
mod migration;
mod pages;
mod results;
mod versions;

#[path = "sessions"]
mod edge {
    use super::*;

    mod closing;
    mod correction_oracle;
    mod mark_oracle;
    mod paths;
    mod roads;
}

#[path = "sessions"]
mod either_provider {
    use super::*;

    mod create;
    mod grading;
    mod origin;
    mod read;
    mod repeats;
}

use serde_json::{Value, json};

use crate::hall::{Bank, Caller, Hall};

/// A test of the first ten questions of a bank, all answered rightly, as an honest client reports it.
pub fn honest(bank: &Bank) -> Value {
    let ids = bank.ids();
    let lines: Vec<Value> = ids[..10].iter().map(|id| line(id, bank.key(id), bank.key(id))).collect();
    json!({
        "grade": 5, "startedAt": "2026-01-05T09:00:00.000Z", "baseUrl": "https://exam.example",
        "annotations": { "studentId": "s-17" },
        "result": {
            "score": 800, "correctAnswers": 10, "totalQuestions": 10, "timeTaken": 321,
            "topicBreakdown": [{ "topic": "Any", "correct": 10, "total": 10, "percentage": 100 }],
            "difficultyBreakdown": [{ "difficulty": 1, "correct": 10, "total": 10 }],
            "answers": lines,
        },
    })
}

fn line(id: &str, selected: &str, correct: &str) -> Value {
    json!({ "questionId": id, "selected": selected, "correct": correct, "isCorrect": selected == correct, "timeTaken": 5 })
}

/// Sits a live exam of ten questions of grade 5 over HTTPS and hands it in; returns its id.
async fn sit(hall: &Hall, caller: &Caller, start: Value) -> String {
    let mut body = json!({ "grade": 5, "questionCount": 10 });
    body.as_object_mut().unwrap().extend(start.as_object().unwrap().clone());
    let started = caller.post_json("/api/live", &body).await;
    assert_eq!(started.status, 200, "{}", started.text());
    let started = started.json();
    let id = started["sessionId"].as_str().unwrap().to_owned();
    let student = hall.bearer(started["token"].as_str().unwrap());
    let commands = json!({ "commands": [
        { "type": "answer", "seq": 1, "questionId": started["questionIds"][0], "selected": "A" },
        { "type": "submit", "seq": 2 },
    ] });
    let ended = student.post_json(&format!("/api/live/{id}/commands"), &commands).await;
    assert_eq!((ended.status, &ended.json()["state"]), (200, &json!("submitted")), "{}", ended.text());
    id
}

/// Stores a test; returns its id.
async fn create(caller: &Caller, body: &Value) -> String {
    let answer = caller.post_json("/api/sessions", body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["sessionId"].as_str().unwrap().to_owned()
}
