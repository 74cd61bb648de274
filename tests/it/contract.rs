//! The contract for external data providers, as this server offers it under `/v1`, and the command that checks
//! providers.

mod edit_log;
mod import;
mod people;
mod questions;
mod reviews;
mod sessions;
mod users;

#[path = "contract"]
mod edge {
    use super::*;

    mod checker;
    mod document;
    mod keys;
    mod limits;
}

use reqwest::Method;
use serde_json::{Value, json};

use crate::hall::{Answer, Hall};

/// What both sides know.
const KEY: &str = "a-key-of-both-services";

/// A hall that is the data service of others.
struct Service {
    hall: Hall,
}

impl Service {
    async fn open() -> Self {
        Self { hall: Hall::with(&[("PROVIDER_API_KEY", KEY)]).await }
    }

    async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> Answer {
        let request = self.hall.anonymous().request(method, &format!("/v1{path}")).header("x-api-key", KEY);
        match body {
            Some(body) => Answer::to(request.json(body)).await,
            None => Answer::to(request.header("content-type", "application/json")).await,
        }
    }

    async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, None).await
    }

    /// The JSON that is there.
    async fn read(&self, path: &str) -> Value {
        let answer = self.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        assert!(answer.header("content-type").starts_with("application/json"));
        answer.json()
    }

    async fn put(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::PUT, path, Some(body)).await
    }

    async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::POST, path, Some(body)).await
    }

    async fn patch(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::PATCH, path, Some(body)).await
    }

    async fn delete(&self, path: &str) -> Answer {
        self.send(Method::DELETE, path, None).await
    }

    /// The same with the body as it is.
    async fn send_text(&self, method: Method, path: &str, body: impl Into<String>) -> Answer {
        let request = self.hall.anonymous().request(method, &format!("/v1{path}")).header("x-api-key", KEY);
        Answer::to(request.header("content-type", "application/json").body(body.into())).await
    }

    /// The questions of a grade as they are, without what is said beside them.
    async fn bank(&self, grade: u8) -> Vec<Value> {
        let mut bank = self.entries(grade).await;
        for entry in &mut bank {
            let practice = entry.as_object_mut().unwrap().remove("practice");
            assert!(practice.is_some(), "what is said of its key is always there: {entry}");
        }
        bank
    }

    /// The entries of a grade.
    async fn entries(&self, grade: u8) -> Vec<Value> {
        self.read(&format!("/questions?grade={grade}")).await["questions"].as_array().unwrap().clone()
    }
}

impl Answer {
    /// Asserts that it is `{ "ok": true }`.
    #[track_caller]
    fn assert_done(&self) {
        assert_eq!((self.status, self.text().as_str()), (200, r#"{"ok":true}"#));
    }
}

/// JSON with one field set.
fn with(base: &Value, field: &str, value: Value) -> Value {
    let mut changed = base.clone();
    changed[field] = value;
    changed
}

/// JSON without a field.
fn without(base: &Value, field: &str) -> Value {
    let mut changed = base.clone();
    changed.as_object_mut().unwrap().remove(field);
    changed
}

/// A stored session with all its fields.
fn session(id: &str) -> Value {
    json!({
        "sessionId": id, "grade": 5, "timestamp": "2026-03-02T10:00:00.000Z", "startedAt": "2026-03-02T09:30:00.000Z", "completedAt": "2026-03-02T10:00:00.000Z",
        "webhookSent": false, "reportUrl": format!("https://exam.example/report/{id}"), "annotations": { "studentId": "s-17", "deep": { "list": [1, 2.5, null] } },
        "result": {
            "score": 500, "correctAnswers": 1, "totalQuestions": 2, "accuracy": 50.0, "timeTaken": 1800,
            "topicBreakdown": [{ "topic": "Decimals", "correct": 1, "total": 2, "percentage": 50 }],
            "difficultyBreakdown": [{ "difficulty": 1, "correct": 1, "total": 2 }],
            "answers": [
                { "questionId": "g5-001", "selected": "A", "correct": "A", "isCorrect": true, "timeTaken": 9 },
                { "questionId": "g5-002", "selected": "", "correct": "B", "isCorrect": false },
            ],
        },
        "verified": true, "origin": "live", "account": "ada@exam.test", "drawings": { "g5-001": { "strokes": [[0, 1], [2, 3]] } }, "version": 1,
    })
}
