//! Stored sessions by REST: creation, the server's own grading, reading, the list, and bad input.

mod create;
mod grading;
mod paths;
mod read;

mod own_tables {
    use super::*;

    mod list;
}

use serde_json::{Value, json};

use crate::hall::{Bank, Caller};

/// A test of the first ten questions of a bank, all answered rightly, as an honest client reports it.
fn honest(bank: &Bank) -> Value {
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

/// Stores a test; returns its id.
async fn create(caller: &Caller, body: &Value) -> String {
    let answer = caller.post_json("/api/sessions", body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["sessionId"].as_str().unwrap().to_owned()
}
