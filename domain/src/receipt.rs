//! Receipts: what a student can prove to have handed in. A receipt says what was chosen and drawn, and nothing of what
//! is right. How it is signed is up to the server (`docs/decisions/0076-receipts.md`).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::attempt::{Attempt, ValueKind};
use crate::question::Selected;
use crate::scoring::AnswerLine;
use crate::session::Session;
use crate::time::moment::Moment;

/// The beginning of the hash of a drawing, as in Subresource Integrity.
pub const DRAWING_HASH_PREFIX: &str = "sha256-";

/// What a receipt says. The names and the order of its fields are a contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReceiptContent {
    /// The public address of the server.
    pub iss: String,
    /// The session.
    pub session_id: Uuid,
    /// The version of the finished test; `None` while it runs.
    pub version: Option<u32>,
    /// The highest number of a command that had set a value.
    pub seq: u64,
    /// When this was so.
    pub at: Moment,
    /// When the time was up; `None` for a test that was not sat here.
    pub deadline: Option<Moment>,
    /// Every question of the paper so far, in its order.
    pub answers: Vec<ReceiptAnswer>,
    /// The questions with a drawing, by their ids.
    pub drawings: Vec<ReceiptDrawing>,
}

/// A question, what was chosen or typed, and the number of the command that had set it: 0 if none had. An answer that
/// was cleared is null with a number above 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceiptAnswer(pub String, pub Option<Selected>, pub u64);

/// A question with a drawing, and the hash of the drawing's JSON as the client sent it: `sha256-` and base64, as in
/// Subresource Integrity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceiptDrawing(pub String, pub String);

impl ReceiptContent {
    /// The answers of an attempt as it is now.
    #[must_use]
    pub fn answers_of(attempt: &Attempt) -> Vec<ReceiptAnswer> {
        let cells = attempt.cells();
        cells.map(|(asked, cell)| answer(&asked.id, cell.selected.clone(), cell.seq(ValueKind::Choice))).collect()
    }

    /// The answers of a finished test. `seqs` are the numbers of its commands by position, as far as they are known.
    /// Whoever was ended while they waited had no part in the paper, so such a test has none.
    #[must_use]
    pub fn answers_of_session(session: &Session, seqs: &BTreeMap<usize, u64>) -> Vec<ReceiptAnswer> {
        if session.ended_unbegun() {
            return Vec::new();
        }
        let seq = |position: usize| seqs.get(&position).copied().unwrap_or_default();
        let lines = session.result.inside_the_server().answers.iter().enumerate();
        lines.map(|(place, line)| answer(&line.question_id, selected(line), seq(place))).collect()
    }
}

/// What was answered. A line has an empty text where nothing was.
fn selected(line: &AnswerLine) -> Option<Selected> {
    Selected::parse(&line.selected)
}

fn answer(question_id: &str, selected: Option<Selected>, seq: u64) -> ReceiptAnswer {
    ReceiptAnswer(question_id.to_owned(), selected, seq)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shape_is_that_of_the_documents() {
        let content = ReceiptContent {
            iss: "https://exam.example".to_owned(),
            session_id: Uuid::nil(),
            version: None,
            seq: 41,
            at: Moment::from_milliseconds(1_767_603_600_000),
            deadline: None,
            answers: vec![
                answer("g5-001", Selected::parse("B"), 41),
                answer("g5-002", None, 17),
                answer("g5-003", Selected::parse("2 1/2"), 12),
            ],
            drawings: vec![ReceiptDrawing("g5-001".to_owned(), "sha256-x".to_owned())],
        };
        let json = r#"{"iss":"https://exam.example","sessionId":"00000000-0000-0000-0000-000000000000","version":null,"seq":41,"at":"2026-01-05T09:00:00.000Z","deadline":null,"answers":[["g5-001","B",41],["g5-002",null,17],["g5-003","2 1/2",12]],"drawings":[["g5-001","sha256-x"]]}"#;
        assert_eq!(serde_json::to_string(&content).unwrap(), json);
        assert_eq!(serde_json::from_str::<ReceiptContent>(json).unwrap(), content);
    }
}
