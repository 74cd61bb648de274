//! Live exams: each file tests one part of the protocol, which `docs/live-protocol.md` describes.

mod commands;
mod events;
mod holding;
mod idempotency;
mod journey;
mod late;
mod late_files;
mod limits;
mod lines;
mod model;
mod moves;
mod outage;
mod receipts;
mod reopening;
mod resume;
mod shuffled;
mod shuffled_starts;
mod storage;
mod time;

#[path = "live"]
mod edge {
    use super::*;

    mod adaptive;
    mod connection;
    mod https;
}

#[path = "live"]
mod either_provider {
    use super::*;

    mod ending;
    mod start;
}

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::hall::{Bank, Candidate, answer};

/// A row of `answers` in `resumed`; an untouched question has none.
fn row<'a>(resumed: &'a Value, question_id: &str) -> Option<&'a Value> {
    let rows: Vec<&Value> =
        resumed["answers"].as_array().unwrap().iter().filter(|row| row["questionId"] == question_id).collect();
    assert!(rows.len() <= 1, "{rows:?}");
    rows.first().copied()
}

/// The letter that is stored for a question.
fn selected(resumed: &Value, question_id: &str) -> Option<String> {
    row(resumed, question_id)?["selected"].as_str().map(str::to_owned)
}

/// Answers some questions rightly and all others of the paper wrongly; gives the choices.
async fn answer_all(candidate: &mut Candidate, bank: &Bank, right: &[String]) -> BTreeMap<String, String> {
    let mut choices = BTreeMap::new();
    for id in candidate.paper.clone() {
        let choice = if right.contains(&id) { bank.key(&id) } else { bank.wrong(&id) };
        candidate.send(answer(&id, choice)).await;
        choices.insert(id, choice.to_owned());
    }
    candidate.settle().await;
    choices
}

/// A key of a `start` that nobody else has.
fn fresh_key() -> String {
    uuid::Uuid::new_v4().to_string()
}

/// A test of ten questions of grade 5.
fn short_test() -> Value {
    json!({ "grade": 5, "questionCount": 10 })
}
