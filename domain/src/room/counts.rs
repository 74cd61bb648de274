//! The counts of a room, updated by each change.

use std::collections::BTreeMap;

use serde::Serialize;

use super::row::{AttemptRow, SessionState};

/// How many rows a room has in each state, and how many students are at each question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RoomCounts {
    /// All rows.
    pub rows: u32,
    /// Those with an open socket.
    pub connected: u32,
    /// Rows by state; a state without rows is left out.
    pub states: BTreeMap<SessionState, u32>,
    /// Rows that say how far they are, at work or not.
    pub with_progress: u32,
    /// By question, in the order of each paper.
    pub questions: Vec<QuestionCount>,
}

/// How many students are at a question and how many have answered it; in JSON an array of the two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct QuestionCount(pub u32, pub u32);

impl RoomCounts {
    pub(super) fn add(&mut self, row: &AttemptRow) {
        self.change(row, |count| count.saturating_add(1));
    }

    pub(super) fn remove(&mut self, row: &AttemptRow) {
        self.change(row, |count| count.saturating_sub(1));
        self.states.retain(|_, count| *count > 0);
    }

    fn change(&mut self, row: &AttemptRow, by: fn(u32) -> u32) {
        self.rows = by(self.rows);
        if row.connected {
            self.connected = by(self.connected);
        }
        let of_state = self.states.entry(row.state).or_default();
        *of_state = by(*of_state);
        if row.progress.is_empty() {
            return;
        }
        self.with_progress = by(self.with_progress);
        // Each sign is a single byte.
        if self.questions.len() < row.progress.len() {
            self.questions.resize(row.progress.len(), QuestionCount::default());
        }
        for (question, sign) in self.questions.iter_mut().zip(row.progress.bytes()) {
            if matches!(sign, b'a' | b'A') {
                question.1 = by(question.1);
            }
        }
        let is_at_work = matches!(row.state, SessionState::Active | SessionState::Paused);
        let at = row.at.filter(|_| is_at_work).and_then(|at| usize::try_from(at).ok());
        if let Some(question) = at.and_then(|at| self.questions.get_mut(at)) {
            question.0 = by(question.0);
        }
    }
}
