//! The values of one question of an attempt, and what a command may set of them.

use crate::question::Choice;

/// One of the four values that each question has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ValueKind {
    /// The option chosen.
    Choice,
    /// Flagged for review.
    Mark,
    /// Opened by the student.
    Visit,
    /// Its drawing.
    Drawing,
}

/// One value's place: the question's position on the paper, and which of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellKey {
    /// From 0; stage 2 goes on after stage 1.
    pub position: usize,
    /// Which value.
    pub kind: ValueKind,
}

/// What a command sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerChange {
    /// The choice, or none; with the seconds on this question so far when the client told them.
    Choice {
        /// `None` clears the choice.
        selected: Option<Choice>,
        /// Whole seconds.
        time_taken: Option<u32>,
    },
    /// Flagged for review, or not.
    Mark(bool),
    /// Opened.
    Visit,
    /// Whether there is a drawing; its content is kept by who stores it.
    Drawing(bool),
}

impl AnswerChange {
    /// Which value it sets.
    #[must_use]
    pub const fn kind(&self) -> ValueKind {
        match self {
            Self::Choice { .. } => ValueKind::Choice,
            Self::Mark(_) => ValueKind::Mark,
            Self::Visit => ValueKind::Visit,
            Self::Drawing(_) => ValueKind::Drawing,
        }
    }
}

/// The values of one question, each with the `seq` that set it (0: never).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuestionCell {
    /// The option chosen.
    pub selected: Option<Choice>,
    /// Whole seconds, as the client last told.
    pub time_taken: Option<u32>,
    /// Flagged for review.
    pub marked: bool,
    /// Opened.
    pub visited: bool,
    /// Has a drawing.
    pub drawn: bool,
    /// The `seq` of each value, by kind.
    pub seqs: [u64; 4],
}

impl QuestionCell {
    /// The `seq` that set this value; 0 when it was never set.
    #[must_use]
    pub fn seq(&self, kind: ValueKind) -> u64 {
        self.seqs.get(kind as usize).copied().unwrap_or(0)
    }

    pub(super) fn set(&mut self, change: &AnswerChange, seq: u64) {
        match *change {
            AnswerChange::Choice { selected, time_taken } => {
                self.selected = selected;
                self.time_taken = time_taken.or(self.time_taken);
            }
            AnswerChange::Mark(marked) => self.marked = marked,
            AnswerChange::Visit => self.visited = true,
            AnswerChange::Drawing(drawn) => self.drawn = drawn,
        }
        if let Some(stored) = self.seqs.get_mut(change.kind() as usize) {
            *stored = seq;
        }
    }
}
