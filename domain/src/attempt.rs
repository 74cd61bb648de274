//! The pure state of one student's live test: which commands it takes, what they change, and how it is graded.
//!
//! Latest wins, key by key: each choice, mark, visit and drawing of a question keeps the `seq` that set it, and a
//! command whose `seq` is not above it changes nothing (`live.md` 1.2). So resending is always harmless.

mod cell;
mod mode;
mod terms;

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::band::Band;
use super::question::KeyedQuestion;
use super::room::row::Presence;
use super::scoring::{self, Response};
use super::time::moment::Moment;
use super::time::timer::Timer;
use super::time::times::{Adopted, AttemptTimes};
pub use cell::{AnswerChange, CellKey, QuestionCell, ValueKind};
pub use mode::Mode;
pub use terms::{Ending, Reason, Terms};

/// Questions of an adaptive test, and of each of its stages.
pub const ADAPTIVE_QUESTIONS: usize = 40;
/// Questions of each stage of an adaptive test.
pub const ADAPTIVE_STAGE_QUESTIONS: usize = 20;
/// Minutes of an adaptive test.
pub const ADAPTIVE_MINUTES: u32 = 70;
/// Minutes that a standard test of a grade may have.
pub const STANDARD_MINUTES: RangeInclusive<i64> = 15..=70;
/// Seconds on one question that a client may report.
pub const TIME_TAKEN_SECONDS_MAX: u32 = 86_400;
/// The highest `seq`: what every JSON reader keeps exactly.
pub const SEQ_MAX: u64 = (1 << 53) - 1;

/// What came of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applied {
    /// This value is new and must be stored.
    Set(CellKey),
    /// A later or the same command has set the value already.
    Superseded,
}

/// Why a command is refused; the codes of `live.md` 1.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandRefusal {
    /// Not on the paper, or of a finished stage.
    UnknownQuestion,
    /// After the deadline and its grace.
    Late,
    /// A proctor has paused the test.
    Paused,
    /// The test is over.
    AlreadySubmitted,
    /// `next` in a test of one stage.
    NoSecondStage,
}

/// One student's live test.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// What was agreed at the start.
    pub terms: Terms,
    /// Its clock.
    pub timer: Timer,
    /// What proctors see of the student beside the answers.
    pub presence: Presence,
    paper: Vec<Arc<KeyedQuestion>>,
    cells: Vec<QuestionCell>,
    /// Where stage 2 begins, once it has.
    second_stage_from: Option<usize>,
    band: Option<Band>,
    ending: Option<Ending>,
}

impl Attempt {
    /// A new attempt with the questions of its first stage.
    #[must_use]
    pub fn new(terms: Terms, paper: Vec<Arc<KeyedQuestion>>, now: Moment) -> Self {
        let timer =
            Timer::new(terms.duration_minutes, AttemptTimes::new(terms.started_at, terms.duration_minutes), now);
        let cells = vec![QuestionCell::default(); paper.len()];
        let presence = Presence::since(terms.started_at);
        Self { terms, timer, presence, paper, cells, second_stage_from: None, band: None, ending: None }
    }

    /// Applies one change to a question of the current stage.
    ///
    /// # Errors
    /// The refusal, when nothing was changed.
    pub fn apply(
        &mut self,
        question_id: &str,
        change: &AnswerChange,
        seq: u64,
        now: Moment,
    ) -> Result<Applied, CommandRefusal> {
        self.accepts(now)?;
        let position = self.open_position(question_id).ok_or(CommandRefusal::UnknownQuestion)?;
        let kind = change.kind();
        let cell = self.cells.get_mut(position).ok_or(CommandRefusal::UnknownQuestion)?;
        if seq <= cell.seq(kind) {
            return Ok(Applied::Superseded);
        }
        cell.set(change, seq);
        Ok(Applied::Set(CellKey { position, kind }))
    }

    /// Whether any command may still change the attempt.
    ///
    /// # Errors
    /// `Late` after the deadline, `AlreadySubmitted` after a submission, `Paused` while a proctor has it stand.
    pub fn accepts(&self, now: Moment) -> Result<(), CommandRefusal> {
        match self.ending {
            Some(Ending { reason: Reason::Deadline, .. }) => Err(CommandRefusal::Late),
            Some(_) => Err(CommandRefusal::AlreadySubmitted),
            None if self.timer.is_paused() => Err(CommandRefusal::Paused),
            None if self.timer.is_over(now) => Err(CommandRefusal::Late),
            None => Ok(()),
        }
    }

    /// Goes by these times from now on; gives what is new in them.
    pub fn adopt(&mut self, times: AttemptTimes, now: Moment) -> Vec<Adopted> {
        let changes = self.timer.times().changes_to(&times);
        if !changes.is_empty() {
            self.timer.adopt(times, now);
        }
        changes
    }

    /// Puts back a value that was stored.
    pub fn restore(&mut self, key: CellKey, change: &AnswerChange, seq: u64) {
        if let Some(cell) = self.cells.get_mut(key.position) {
            cell.set(change, seq);
        }
    }

    /// Begins stage 2 with these questions; does nothing when it has begun.
    pub fn begin_second_stage(&mut self, band: Band, questions: Vec<Arc<KeyedQuestion>>) {
        if self.second_stage_from.is_none() {
            self.second_stage_from = Some(self.paper.len());
            self.band = Some(band);
            self.cells.resize(self.paper.len() + questions.len(), QuestionCell::default());
            self.paper.extend(questions);
        }
    }

    /// Ends the attempt; the first ending stays.
    pub fn end(&mut self, ending: Ending) {
        self.ending.get_or_insert(ending);
    }

    /// How it ended, when it has.
    #[must_use]
    pub const fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// The band of stage 1 as it stands now.
    #[must_use]
    pub fn band_reached(&self) -> Band {
        let (earned, max) = scoring::points(&self.responses());
        Band::of(earned, max)
    }

    /// The band that stage 2 was made for.
    #[must_use]
    pub const fn band(&self) -> Option<Band> {
        self.band
    }

    /// 1 or 2.
    #[must_use]
    pub const fn stage(&self) -> u8 {
        if self.second_stage_from.is_some() { 2 } else { 1 }
    }

    /// Whether a second stage is still to come.
    #[must_use]
    pub fn has_stage_to_come(&self) -> bool {
        self.terms.mode == Mode::Adaptive && self.second_stage_from.is_none()
    }

    /// All questions so far, in order.
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

    /// The values of the question at that position.
    #[must_use]
    pub fn cell(&self, position: usize) -> Option<&QuestionCell> {
        self.cells.get(position)
    }

    /// The highest `seq` that set a value; 0 when none has.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.cells.iter().flat_map(|cell| cell.seqs).max().unwrap_or(0)
    }

    /// The question that was opened or answered last, by the numbers of the commands.
    #[must_use]
    pub fn current_question(&self) -> Option<&Arc<KeyedQuestion>> {
        let touched = |cell: &QuestionCell| cell.seq(ValueKind::Choice).max(cell.seq(ValueKind::Visit));
        let (question, cell) = self.cells().max_by_key(|(_, cell)| touched(cell))?;
        (touched(cell) > 0).then_some(question)
    }

    /// What is graded: one response for each question so far.
    #[must_use]
    pub fn responses(&self) -> Vec<Response> {
        let response = |(question, cell): (&Arc<KeyedQuestion>, &QuestionCell)| Response {
            question: Arc::clone(question),
            selected: cell.selected,
            time_taken: cell.time_taken,
        };
        self.cells().map(response).collect()
    }

    /// Whole seconds from the start to this moment, without the pauses.
    #[must_use]
    pub fn seconds_until(&self, moment: Moment) -> u32 {
        let pauses = self.timer.times().paused_milliseconds(self.terms.started_at, self.terms.duration_minutes, moment);
        let worked = moment.since(self.terms.started_at).saturating_sub(pauses).max(0);
        u32::try_from(worked / 1_000).unwrap_or(u32::MAX)
    }

    fn open_position(&self, question_id: &str) -> Option<usize> {
        let first = self.second_stage_from.unwrap_or(0);
        self.stage_paper().iter().position(|question| &*question.id == question_id).map(|index| first + index)
    }
}

#[cfg(test)]
mod tests;
