//! What one seat knows to be saved, and which commands still await an answer. This pure model is what the stored
//! answers are compared with.

use serde::Deserialize;
use serde_json::Value;
use std::collections::{HashMap, VecDeque};
use tokio::time::Instant;

/// Kinds of value of a question (`docs/live-protocol.md`) that these seats set: choice, mark, visit and drawing.
const KINDS: usize = 4;

/// Stands for a stored drawing that this generator did not send; it equals no number of a command.
const FOREIGN_STAMP: u32 = u32::MAX;

/// A command's sequence number. 32 bits are enough: no seat sends four billion commands.
pub type Seq = u32;

/// The effect of one command: a new value of one kind for one question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// `A` to `D`; `None` clears the choice.
    Choice(Option<char>),
    Mark(bool),
    Visited(bool),
    /// The stamp that the drawing carries; `None` clears the drawing.
    Drawing(Option<Seq>),
}

impl Change {
    /// The values of a question that nobody has touched, by kind.
    const UNSET: [Self; KINDS] = [Self::Choice(None), Self::Mark(false), Self::Visited(false), Self::Drawing(None)];

    /// The number of the kind, which the database has too.
    pub const fn kind(self) -> usize {
        match self {
            Self::Choice(_) => 0,
            Self::Mark(_) => 1,
            Self::Visited(_) => 2,
            Self::Drawing(_) => 3,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct SentCommand {
    pub seq: Seq,
    /// Index of the question on the paper.
    pub question: usize,
    pub change: Change,
    /// When its latency begins: the time it was sent, or the time it was due if it was held back.
    pub from: Instant,
}

/// The commands of one seat: the last saved value for each question and kind, and the commands without an answer.
pub struct Ledger {
    saved: Vec<[Option<Change>; KINDS]>,
    pending: VecDeque<SentCommand>,
}

impl Ledger {
    pub fn new(question_count: usize) -> Self {
        Self { saved: vec![[None; KINDS]; question_count], pending: VecDeque::new() }
    }

    /// Records a command. Call this before sending: a send that fails halfway may still reach the server.
    pub fn send(&mut self, sent: SentCommand) {
        self.pending.push_back(sent);
    }

    /// The number of commands without an answer.
    pub fn in_flight(&self) -> usize {
        self.pending.len()
    }

    /// The commands without an answer, in order: they are sent again on a new socket.
    pub fn pending(&self) -> impl Iterator<Item = &SentCommand> {
        self.pending.iter()
    }

    /// Applies a `saved` frame, which answers every command up to its number, and passes each of them to `each`.
    pub fn acknowledge(&mut self, up_to: Seq, mut each: impl FnMut(SentCommand)) {
        while let Some(sent) = self.pending.pop_front_if(|sent| sent.seq <= up_to) {
            let slot = self.saved.get_mut(sent.question).and_then(|question| question.get_mut(sent.change.kind()));
            if let Some(slot) = slot {
                *slot = Some(sent.change);
            }
            each(sent);
        }
    }

    /// Forgets a refused command, since the server did not apply it. Returns false when the command is not pending.
    pub fn refuse(&mut self, seq: Seq) -> bool {
        let found = self.pending.binary_search_by_key(&seq, |sent| sent.seq);
        found.is_ok_and(|index| self.pending.remove(index).is_some())
    }

    /// The last saved choice of each question.
    pub fn choices(&self) -> impl Iterator<Item = Option<char>> {
        self.saved.iter().map(|question| match question.first() {
            Some(Some(Change::Choice(choice))) => *choice,
            _ => None,
        })
    }

    /// Compares with what the server stores. A value is right when it is the last one saved, or a later one that was
    /// sent and not yet answered.
    pub fn compare(&self, question_ids: &[String], stored: &StoredAttempt) -> Comparison {
        let rows: HashMap<&str, &Answer> = stored.answers.iter().map(|row| (row.question_id.as_str(), row)).collect();
        let mut comparison = Comparison::default();
        for (question, (id, saved)) in question_ids.iter().zip(&self.saved).enumerate() {
            let stored_values = stored_values(rows.get(id.as_str()).copied(), stored.drawings.get(id));
            for ((saved, stored), unset) in saved.iter().zip(stored_values).zip(Change::UNSET) {
                comparison.values += u64::from(saved.is_some());
                comparison.missing += u64::from(!self.accepts(question, saved.unwrap_or(unset), stored));
            }
        }
        comparison
    }

    fn accepts(&self, question: usize, saved: Change, stored: Change) -> bool {
        // The server may count an answered question as visited, so an extra visit is right; only a lost visit is a
        // loss.
        stored == saved
            || stored == Change::Visited(true)
            || self.pending.iter().any(|sent| sent.question == question && sent.change == stored)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Values that were saved at least once; each was compared.
    pub values: u64,
    /// Values that are neither the last one saved nor a later one that was sent.
    pub missing: u64,
}

/// The part of the answer to `GET /api/live/{sessionId}` that is compared (`docs/live-protocol.md`).
#[derive(Debug, Default, Deserialize)]
pub struct StoredAttempt {
    answers: Vec<Answer>,
    #[serde(default)]
    drawings: HashMap<String, Value>,
    #[serde(default)]
    pub deadline: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    question_id: String,
    #[serde(default)]
    selected: Option<char>,
    #[serde(default)]
    marked: bool,
    #[serde(default)]
    visited: bool,
}

/// The stored values of one question, in the order of `Change::UNSET`.
fn stored_values(row: Option<&Answer>, drawing: Option<&Value>) -> [Change; KINDS] {
    [
        Change::Choice(row.and_then(|row| row.selected)),
        Change::Mark(row.is_some_and(|row| row.marked)),
        Change::Visited(row.is_some_and(|row| row.visited)),
        Change::Drawing(drawing.filter(|drawing| !drawing.is_null()).map(stamp_of)),
    ]
}

fn stamp_of(drawing: &Value) -> Seq {
    drawing.get("stamp").and_then(Value::as_u64).and_then(|stamp| Seq::try_from(stamp).ok()).unwrap_or(FOREIGN_STAMP)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn ledger(changes: &[Change]) -> Ledger {
        let mut ledger = Ledger::new(2);
        for (seq, &change) in (1..).zip(changes) {
            ledger.send(SentCommand { seq, question: 0, change, from: Instant::now() });
        }
        ledger
    }

    fn compared(ledger: &Ledger, stored: Value) -> Comparison {
        let ids = ["g5-001".to_owned(), "g5-002".to_owned()];
        ledger.compare(&ids, &serde_json::from_value(stored).unwrap())
    }

    fn selected(choice: Option<char>) -> Value {
        json!({ "answers": [{ "questionId": "g5-001", "selected": choice }] })
    }

    #[test]
    fn saved_is_cumulative_and_answers_each_command_once() {
        let mut ledger = ledger(&[Change::Choice(Some('A')), Change::Mark(true), Change::Visited(true)]);
        let mut answered = Vec::new();
        ledger.acknowledge(2, |sent| answered.push(sent.seq));
        ledger.acknowledge(2, |sent| answered.push(sent.seq));
        assert_eq!(answered, [1, 2]);
        assert_eq!(ledger.in_flight(), 1);
    }

    #[test]
    fn the_last_saved_value_or_a_later_sent_one_is_right() {
        let mut ledger = ledger(&[Change::Choice(Some('A')), Change::Choice(Some('B')), Change::Choice(Some('C'))]);
        ledger.acknowledge(2, |_| ());
        let right = Comparison { values: 1, missing: 0 };
        let lost = Comparison { values: 1, missing: 1 };
        assert_eq!(compared(&ledger, selected(Some('B'))), right);
        assert_eq!(compared(&ledger, selected(Some('C'))), right);
        assert_eq!(compared(&ledger, selected(Some('A'))), lost);
        assert_eq!(compared(&ledger, selected(None)), lost);
        assert_eq!(compared(&ledger, json!({ "answers": [] })), lost);
    }

    #[test]
    fn a_cleared_choice_must_stay_cleared() {
        let mut ledger = ledger(&[Change::Choice(Some('A')), Change::Choice(None)]);
        ledger.acknowledge(2, |_| ());
        assert_eq!(compared(&ledger, selected(None)).missing, 0);
        assert_eq!(compared(&ledger, selected(Some('A'))).missing, 1);
    }

    #[test]
    fn a_refused_command_must_not_be_stored() {
        let mut ledger = ledger(&[Change::Choice(Some('A')), Change::Choice(Some('B'))]);
        assert!(ledger.refuse(2));
        assert!(!ledger.refuse(2));
        ledger.acknowledge(2, |_| ());
        assert_eq!(compared(&ledger, selected(Some('A'))).missing, 0);
        assert_eq!(compared(&ledger, selected(Some('B'))).missing, 1);
    }

    #[test]
    fn every_kind_is_compared_and_a_value_nobody_sent_is_wrong() {
        let mut ledger = ledger(&[Change::Mark(true), Change::Visited(true), Change::Drawing(Some(3))]);
        ledger.acknowledge(3, |_| ());
        let row = json!({ "questionId": "g5-001", "selected": null, "marked": true, "visited": true });
        let whole = json!({ "answers": [row], "drawings": { "g5-001": { "stamp": 3 } } });
        assert_eq!(compared(&ledger, whole), Comparison { values: 3, missing: 0 });
        assert_eq!(compared(&ledger, json!({ "answers": [] })), Comparison { values: 3, missing: 3 });
        let foreign = json!({ "answers": [{ "questionId": "g5-002", "selected": "D" }] });
        assert_eq!(compared(&Ledger::new(2), foreign), Comparison { values: 0, missing: 1 });
    }

    #[test]
    fn an_answered_question_may_count_as_visited() {
        let visited = json!({ "answers": [{ "questionId": "g5-001", "selected": null, "visited": true }] });
        assert_eq!(compared(&Ledger::new(2), visited).missing, 0);
    }
}
