//! Work that came after the end of a test: which of it could count, and what the test would be with it. The rule is
//! that of work in time, "latest wins, key by key", so that a test whose work came late can become what it would have
//! been. Nothing here decides whether late work counts: people do (`docs/decisions/0072-late-work.md`).

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{AnswerChange, Attempt, CellKey, Mode, QuestionCell, Stamp};
use crate::time::moment::Moment;

/// Commands that are kept of one test.
pub const LATE_COMMANDS_MAX: usize = 2_000;
/// Bytes of their values, names and numbers that are kept of one test: room for one large drawing and all answers.
pub const LATE_BYTES_MAX: usize = 256 * 1_024;
/// How long after its end commands of a test are kept.
pub const LATE_MILLISECONDS_MAX: i64 = 48 * 60 * 60 * 1_000;

/// A command that came after the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LateCommand {
    /// The question that it names, which may be on no paper.
    pub question_id: Box<str>,
    /// `None` if it says nothing that a command could say.
    pub change: Option<AnswerChange>,
    /// The line and the number that it claims.
    pub stamp: Stamp,
    /// When the student acted, as the client claims.
    pub at: Option<Moment>,
    /// When the server received it.
    pub received_at: Moment,
}

impl LateCommand {
    /// When the student acted, as far as that is known: by the client's claim, and never after the command was
    /// received.
    #[must_use]
    pub fn acted_at(&self) -> Moment {
        self.at.map_or(self.received_at, |at| at.min(self.received_at))
    }
}

/// Why a command can't count, whoever decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeptOut {
    /// It says nothing that a command could say, or nothing that can be said of its question.
    Invalid,
    /// The question is not on the paper.
    UnknownQuestion,
    /// The question is of the second part, which the student never reached.
    StageNotReached,
    /// The question is of the first part, which the student has ended.
    StageClosed,
    /// A later command has set the same value.
    Superseded,
}

/// A test with late work in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergedWork {
    /// The values of each question, in the order of the paper.
    pub cells: Vec<QuestionCell>,
    /// For each of the commands, in their order, why it has no part in these values.
    pub kept_out: Vec<Option<KeptOut>>,
}

impl Attempt {
    /// What the test would be with these commands. `has_reached_second_stage` tells whether the student has gone on to
    /// the second part of an adaptive test: one that ended before has questions of that part which nobody saw.
    #[must_use]
    pub fn with_late_work<'a>(
        &self,
        commands: impl IntoIterator<Item = &'a LateCommand>,
        has_reached_second_stage: bool,
    ) -> MergedWork {
        let mut merged = MergedWork { cells: self.cells.clone(), kept_out: Vec::new() };
        let mut placed: Vec<(usize, CellKey, &LateCommand)> = Vec::new();
        for (index, command) in commands.into_iter().enumerate() {
            let place = self.late_place(command, has_reached_second_stage);
            merged.kept_out.push(place.err());
            if let Ok(key) = place {
                placed.push((index, key, command));
            }
        }
        // In the order of the student's work, whatever the order in which it came. Of two with one stamp the first
        // counts.
        placed.sort_by_key(|(_, _, command)| command.stamp);
        let mut setters: HashMap<(usize, usize), usize> = HashMap::new();
        for (index, key, command) in placed {
            let (Some(change), Some(cell)) = (&command.change, merged.cells.get_mut(key.position)) else { continue };
            if command.stamp <= cell.stamp(key.kind) {
                set(&mut merged.kept_out, index, KeptOut::Superseded);
                continue;
            }
            cell.set(change, command.stamp);
            if let Some(before) = setters.insert((key.position, key.kind as usize), index) {
                set(&mut merged.kept_out, before, KeptOut::Superseded);
            }
        }
        merged
    }

    /// Whether exactly this command has set the value that it is about: it came in time, and comes again.
    #[must_use]
    pub fn has_set(&self, command: &LateCommand) -> bool {
        let Some(change) = &command.change else { return false };
        let position = self.paper.iter().position(|question| *question.id == *command.question_id);
        let cell = position.and_then(|position| self.cells.get(position));
        cell.is_some_and(|cell| cell.stamp(change.kind()) == command.stamp)
    }

    /// Whether somebody has to decide about a command that came late: not about a visit, nor about what says no more
    /// than what stands, nor about a value that a later command has set. What cannot be read or placed is looked at.
    #[must_use]
    pub fn is_changed_by(&self, command: &LateCommand) -> bool {
        let Some(change) = &command.change else { return true };
        let position = self.paper.iter().position(|question| *question.id == *command.question_id);
        match position.and_then(|position| self.cells.get(position)) {
            Some(cell) => !cell.says(change) && command.stamp > cell.stamp(change.kind()),
            None => *change != AnswerChange::Visit,
        }
    }

    fn late_place(&self, command: &LateCommand, has_reached_second_stage: bool) -> Result<CellKey, KeptOut> {
        let change = command.change.as_ref().ok_or(KeptOut::Invalid)?;
        let position = self.paper.iter().position(|question| *question.id == *command.question_id);
        let position = position.ok_or(KeptOut::UnknownQuestion)?;
        if self.paper.get(position).is_none_or(|question| !change.fits(&question.answer)) {
            return Err(KeptOut::Invalid);
        }
        let second_stage_from = self.second_stage_from.filter(|_| self.terms.mode == Mode::Adaptive);
        match second_stage_from {
            Some(first) if has_reached_second_stage && position < first => Err(KeptOut::StageClosed),
            Some(first) if !has_reached_second_stage && position >= first => Err(KeptOut::StageNotReached),
            _ => Ok(CellKey { position, kind: change.kind() }),
        }
    }
}

fn set(kept_out: &mut [Option<KeptOut>], index: usize, reason: KeptOut) {
    if let Some(place) = kept_out.get_mut(index) {
        *place = Some(reason);
    }
}
