//! The five values of one question of an attempt, and the changes that a command makes to them.

use super::eliminations::Eliminations;
use crate::question::{Key, Selected};

/// The kinds of value that each question has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ValueKind {
    /// The answer: the chosen option, or the number that was typed.
    Choice,
    /// Whether the question is flagged for review.
    Mark,
    /// Whether the student has opened the question.
    Visit,
    /// The question's drawing.
    Drawing,
    /// The options that are crossed out.
    Elimination,
}

/// Identifies one value: the question's position on the paper, and the kind of value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellKey {
    /// Counted from 0; the questions of stage 2 follow those of stage 1.
    pub position: usize,
    /// The kind of value.
    pub kind: ValueKind,
}

/// The change that a command makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerChange {
    /// Sets or clears the answer.
    Choice {
        /// The option, or what was typed; `None` clears the answer.
        selected: Option<Selected>,
        /// Whole seconds spent on this question so far; `None` when the client did not report them.
        time_taken: Option<u32>,
    },
    /// Sets or removes the flag for review.
    Mark(bool),
    /// Records that the student has opened the question.
    Visit,
    /// Records whether there is a drawing. Its content goes straight to the database: grading does not need it, and it
    /// can be large.
    Drawing(bool),
    /// Replaces the options that are crossed out. They have no part in grading, and any of them can still be chosen.
    Elimination(Eliminations),
}

impl AnswerChange {
    /// The kind of value that it sets.
    #[must_use]
    pub const fn kind(&self) -> ValueKind {
        match self {
            Self::Choice { .. } => ValueKind::Choice,
            Self::Mark(_) => ValueKind::Mark,
            Self::Visit => ValueKind::Visit,
            Self::Drawing(_) => ValueKind::Drawing,
            Self::Elimination(_) => ValueKind::Elimination,
        }
    }

    /// Returns whether it says something that can be said of a question with this key: one with options is answered by
    /// a letter.
    #[must_use]
    pub fn fits(&self, key: &Key) -> bool {
        match self {
            Self::Choice { selected: Some(selected), .. } => key.takes(selected),
            _ => true,
        }
    }
}

/// Which command has set a value. Of two commands the one of the newer line is the later; within a line, the one with
/// the higher number. The order of the fields is that order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stamp {
    /// The line of the device that has made the command; 0 for clients that know no lines.
    pub line: u16,
    /// The number of the command; 0 where no command has set the value.
    pub seq: u64,
}

impl Stamp {
    /// Of a command that names no line.
    #[must_use]
    pub const fn without_line(seq: u64) -> Self {
        Self { line: 0, seq }
    }
}

/// The values of one question, each with the command that set it (number 0: never set).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuestionCell {
    /// The chosen option, or the number as it was typed.
    pub selected: Option<Selected>,
    /// Whole seconds on this question, as the client last reported them.
    pub time_taken: Option<u32>,
    /// Whether it is flagged for review.
    pub marked: bool,
    /// Whether the student has opened it.
    pub visited: bool,
    /// Whether it has a drawing.
    pub drawn: bool,
    /// The options that are crossed out.
    pub eliminated: Eliminations,
    /// The `seq` of each value, in the order of [`ValueKind`].
    pub seqs: [u64; 5],
    /// The line of each value, in the same order. Apart from the numbers, so that a seat stays small.
    pub lines: [u16; 5],
}

impl QuestionCell {
    /// How far the student has come with the question, as proctors see it: `-` not opened, `v` opened, `a` answered,
    /// `M` flagged for review, `A` both.
    #[must_use]
    pub const fn sign(&self) -> char {
        match (self.selected.is_some(), self.marked, self.visited) {
            (true, true, _) => 'A',
            (true, false, _) => 'a',
            (false, true, _) => 'M',
            (false, false, true) => 'v',
            (false, false, false) => '-',
        }
    }

    /// The `seq` that set this value; 0 when it was never set.
    #[must_use]
    pub fn seq(&self, kind: ValueKind) -> u64 {
        self.seqs.get(kind as usize).copied().unwrap_or(0)
    }

    /// Which command has set this value.
    #[must_use]
    pub fn stamp(&self, kind: ValueKind) -> Stamp {
        Stamp { line: self.lines.get(kind as usize).copied().unwrap_or(0), seq: self.seq(kind) }
    }

    /// Whether the value stands already as this change would set it. What a drawing shows is not known here, and the
    /// seconds on a question are no answer.
    pub(super) fn says(&self, change: &AnswerChange) -> bool {
        match change {
            AnswerChange::Choice { selected, .. } => self.selected == *selected,
            AnswerChange::Mark(marked) => self.marked == *marked,
            AnswerChange::Visit => true,
            AnswerChange::Drawing(drawn) => !drawn && !self.drawn,
            AnswerChange::Elimination(eliminated) => self.eliminated == *eliminated,
        }
    }

    pub(super) fn set(&mut self, change: &AnswerChange, stamp: Stamp) {
        match change {
            AnswerChange::Choice { selected, time_taken } => {
                self.selected.clone_from(selected);
                self.time_taken = time_taken.or(self.time_taken);
            }
            AnswerChange::Mark(marked) => self.marked = *marked,
            AnswerChange::Visit => self.visited = true,
            AnswerChange::Drawing(drawn) => self.drawn = *drawn,
            AnswerChange::Elimination(eliminated) => self.eliminated = *eliminated,
        }
        let kind = change.kind() as usize;
        if let (Some(seq), Some(line)) = (self.seqs.get_mut(kind), self.lines.get_mut(kind)) {
            (*seq, *line) = (stamp.seq, stamp.line);
        }
    }
}
