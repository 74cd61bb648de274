//! The state of one student's live test, without I/O: which commands it accepts, what they change, and how it is
//! graded.
//!
//! Latest wins, key by key: the choice, the mark, the visit, the drawing and the eliminations of a question each keep
//! the line and the `seq` that set them. A command of an older line changes nothing, nor does one of the same line
//! whose `seq` is not higher (`docs/live-protocol.md#commands`). So it is always safe to send a command again.

mod cell;
mod eliminations;
mod late;
mod lines;
mod mode;
mod presence;
mod run;
mod terms;
mod trouble;

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::band::Band;
use super::correction::{Correction, rulings};
use super::question::KeyedQuestion;
use super::scoring::{self, Response};
use super::time::moment::Moment;
use super::time::timer::Timer;
use super::time::times::AttemptTimes;
pub use cell::{AnswerChange, CellKey, QuestionCell, Stamp, ValueKind};
pub use eliminations::Eliminations;
pub use late::{KeptOut, LATE_BYTES_MAX, LATE_COMMANDS_MAX, LATE_MILLISECONDS_MAX, LateCommand, MergedWork};
pub use lines::{Comer, DeviceLine, DeviceLines, FIRST_LINE, LINE_MAX};
pub use mode::Mode;
pub use presence::Presence;
pub use run::AttemptRun;
pub use terms::{Ending, Reason, SittingPlace, Terms};
pub use trouble::{Trouble, Troubles};

/// Questions of an adaptive test, in both stages together.
pub const ADAPTIVE_QUESTIONS: usize = 40;
/// Questions of each stage of an adaptive test.
pub const ADAPTIVE_STAGE_QUESTIONS: usize = 20;
/// Minutes of an adaptive test, for both stages together.
pub const ADAPTIVE_MINUTES: u32 = 70;
/// The minutes that a standard test may last.
pub const STANDARD_MINUTES: RangeInclusive<i64> = 15..=70;
/// The longest time on one question that a client may report, in seconds: a day.
pub const TIME_TAKEN_SECONDS_MAX: u32 = 86_400;
/// The highest `seq`: the largest integer that every JSON reader keeps exactly.
pub const SEQ_MAX: u64 = (1 << 53) - 1;

/// The result of an accepted command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applied {
    /// The value was set and must be stored.
    Set(CellKey),
    /// The same or a later command of the same line has already set the value.
    Superseded,
    /// A device of a newer line has set the value.
    SupersededBy(CellKey),
}

/// Why a command is refused; the codes are in `docs/live-protocol.md#errors`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandRefusal {
    /// The question is not on the paper, or its stage is finished.
    UnknownQuestion,
    /// The deadline and its grace are over.
    Late,
    /// A proctor has paused the test.
    Paused,
    /// The test is over.
    AlreadySubmitted,
    /// `next` in a test that has only one stage.
    NoSecondStage,
    /// The time has not begun to count.
    NotBegun,
    /// The question has options, and the answer is none of their letters.
    InvalidAnswer,
}

/// One student's live test.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// What is fixed at the start.
    pub terms: Terms,
    /// The attempt's clock.
    pub timer: Timer,
    /// What proctors see of the student apart from the answers.
    pub presence: Presence,
    paper: Vec<Arc<KeyedQuestion>>,
    cells: Vec<QuestionCell>,
    /// The position of the first question of stage 2; `None` in stage 1.
    second_stage_from: Option<usize>,
    band: Option<Band>,
    ending: Option<Ending>,
}

impl Attempt {
    /// A new attempt with these times and the questions of its first stage.
    #[must_use]
    pub fn new(terms: Terms, times: AttemptTimes, paper: Vec<Arc<KeyedQuestion>>, now: Moment) -> Self {
        let cells = vec![QuestionCell::default(); paper.len()];
        Self {
            terms,
            timer: Timer::new(times, now),
            presence: Presence::since(now.min(times.begins_at)),
            paper,
            cells,
            second_stage_from: None,
            band: None,
            ending: None,
        }
    }

    /// Applies one change to a question of the current stage.
    ///
    /// # Errors
    /// Why the command is refused; the attempt is unchanged then.
    pub fn apply(
        &mut self,
        question_id: &str,
        change: &AnswerChange,
        stamp: Stamp,
        now: Moment,
    ) -> Result<Applied, CommandRefusal> {
        self.accepts(now)?;
        let position = self.open_position(question_id).ok_or(CommandRefusal::UnknownQuestion)?;
        if self.paper.get(position).is_none_or(|question| !change.fits(&question.answer)) {
            return Err(CommandRefusal::InvalidAnswer);
        }
        let kind = change.kind();
        let cell = self.cells.get_mut(position).ok_or(CommandRefusal::UnknownQuestion)?;
        // Each kind of value has a line and a `seq` of its own, so a command that is repeated or overtaken undoes
        // nothing.
        let (key, stored) = (CellKey { position, kind }, cell.stamp(kind));
        if stamp.line < stored.line {
            return Ok(Applied::SupersededBy(key));
        }
        if stamp <= stored {
            return Ok(Applied::Superseded);
        }
        cell.set(change, stamp);
        Ok(Applied::Set(key))
    }

    /// Checks that commands may still change the attempt.
    ///
    /// # Errors
    /// `NotBegun` before the beginning, `Late` after the deadline, `AlreadySubmitted` after a submission, `Paused`
    /// while a proctor has paused the test.
    pub fn accepts(&self, now: Moment) -> Result<(), CommandRefusal> {
        match self.ending {
            Some(Ending { reason: Reason::Deadline, .. }) => Err(CommandRefusal::Late),
            Some(_) => Err(CommandRefusal::AlreadySubmitted),
            None if self.timer.is_waiting(now) => Err(CommandRefusal::NotBegun),
            None if self.timer.is_over(now) => Err(CommandRefusal::Late),
            None if self.timer.is_paused() => Err(CommandRefusal::Paused),
            None => Ok(()),
        }
    }

    /// Replaces the questions of an attempt whose time has not begun to count.
    pub fn replace_paper(&mut self, paper: Vec<Arc<KeyedQuestion>>) {
        // Nothing is lost: before the beginning no command counts.
        self.cells = vec![QuestionCell::default(); paper.len()];
        self.paper = paper;
    }

    /// Restores a value that was read from the database.
    pub fn restore(&mut self, key: CellKey, change: &AnswerChange, stamp: Stamp) {
        if let Some(cell) = self.cells.get_mut(key.position) {
            cell.set(change, stamp);
        }
    }

    /// Begins stage 2 with these questions; does nothing when it has already begun.
    pub fn begin_second_stage(&mut self, band: Band, questions: Vec<Arc<KeyedQuestion>>) {
        // A repeated `next` must not replace questions that are being answered.
        if self.second_stage_from.is_none() {
            self.second_stage_from = Some(self.paper.len());
            self.band = Some(band);
            self.cells.resize(self.paper.len() + questions.len(), QuestionCell::default());
            self.paper.extend(questions);
        }
    }

    /// Ends the attempt. The first ending stays, since a deadline and a submission may meet.
    pub fn end(&mut self, ending: Ending) {
        self.ending.get_or_insert(ending);
    }

    /// How the attempt ended; `None` while it lasts.
    #[must_use]
    pub const fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// The band that the answers so far have reached, by these corrections of keys, in the order in which they were
    /// made.
    #[must_use]
    pub fn band_reached(&self, corrections: &[&Correction]) -> Band {
        let responses = self.responses();
        let (earned, max) = scoring::points_by(&responses, &rulings(&responses, corrections));
        Band::of(earned, max)
    }

    /// The band that stage 2 was drawn for.
    #[must_use]
    pub const fn band(&self) -> Option<Band> {
        self.band
    }

    /// The current stage, 1 or 2.
    #[must_use]
    pub const fn stage(&self) -> u8 {
        if self.second_stage_from.is_some() { 2 } else { 1 }
    }

    /// Whether a second stage follows.
    #[must_use]
    pub fn has_stage_to_come(&self) -> bool {
        self.terms.mode == Mode::Adaptive && self.second_stage_from.is_none()
    }

    /// All questions of the stages so far, in order.
    #[must_use]
    pub fn paper(&self) -> &[Arc<KeyedQuestion>] {
        &self.paper
    }

    /// The questions of the current stage.
    #[must_use]
    pub fn stage_paper(&self) -> &[Arc<KeyedQuestion>] {
        self.paper.get(self.second_stage_from.unwrap_or(0)..).unwrap_or_default()
    }

    /// The values of each question, in the order of the paper.
    pub fn cells(&self) -> impl Iterator<Item = (&Arc<KeyedQuestion>, &QuestionCell)> {
        self.paper.iter().zip(&self.cells)
    }

    /// The values of the question at this position.
    #[must_use]
    pub fn cell(&self, position: usize) -> Option<&QuestionCell> {
        self.cells.get(position)
    }

    /// The highest `seq` that set a value; 0 when none has.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.cells.iter().flat_map(|cell| cell.seqs).max().unwrap_or(0)
    }

    /// The newest line that set a value; 0 when none has.
    #[must_use]
    pub fn newest_line(&self) -> u16 {
        self.cells.iter().flat_map(|cell| cell.lines).max().unwrap_or(0)
    }

    /// The position of the question that was opened or answered last, by `seq`.
    #[must_use]
    pub fn current_position(&self) -> Option<usize> {
        let touched = |cell: &QuestionCell| cell.seq(ValueKind::Choice).max(cell.seq(ValueKind::Visit));
        let (position, cell) = self.cells.iter().enumerate().max_by_key(|(_, cell)| touched(cell))?;
        (touched(cell) > 0).then_some(position)
    }

    /// The responses to grade, one for each question so far.
    #[must_use]
    pub fn responses(&self) -> Vec<Response> {
        let response = |(question, cell): (&Arc<KeyedQuestion>, &QuestionCell)| Response {
            question: Arc::clone(question),
            selected: cell.selected.clone(),
            time_taken: cell.time_taken,
        };
        self.cells().map(response).collect()
    }

    /// When the time began or begins to count.
    #[must_use]
    pub const fn started_at(&self) -> Moment {
        self.timer.times().begins_at
    }

    /// Whole seconds from the start to this moment, without the pauses, which are not the student's time.
    #[must_use]
    pub fn seconds_until(&self, moment: Moment) -> u32 {
        let pauses = self.timer.times().pauses_until(moment);
        let worked = moment.since(self.started_at()).saturating_sub(pauses).max(0);
        u32::try_from(worked / 1_000).unwrap_or(u32::MAX)
    }

    fn open_position(&self, question_id: &str) -> Option<usize> {
        let first = self.second_stage_from.unwrap_or(0);
        self.stage_paper().iter().position(|question| &*question.id == question_id).map(|index| first + index)
    }
}

#[cfg(test)]
mod tests;
