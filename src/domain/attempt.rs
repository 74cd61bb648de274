//! The pure state of one student's live test: which commands it takes, what they change, and how it is graded.
//!
//! Latest wins, key by key: each choice, mark, visit and drawing of a question keeps the `seq` that set it, and a
//! command whose `seq` is not above it changes nothing (`live.md` 1.2). So resending is always harmless.

use std::sync::Arc;

use uuid::Uuid;

use super::band::Band;
use super::grade::Grade;
use super::moment::Moment;
use super::question::{Choice, KeyedQuestion};
use super::scoring::{self, Response};
use super::timer::Timer;

/// Questions of an adaptive test, and of each of its stages.
pub const ADAPTIVE_QUESTIONS: usize = 40;
/// Questions of each stage of an adaptive test.
pub const ADAPTIVE_STAGE_QUESTIONS: usize = 20;
/// Minutes of an adaptive test.
pub const ADAPTIVE_MINUTES: u32 = 70;
/// Seconds on one question that a client may report.
pub const TIME_TAKEN_SECONDS_MAX: u32 = 86_400;
/// The highest `seq`: what every JSON reader keeps exactly.
pub const SEQ_MAX: u64 = (1 << 53) - 1;

/// One stage, or two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// One list of questions.
    Standard,
    /// A second list follows, whose difficulty depends on the first.
    Adaptive,
}

impl Mode {
    /// `standard` or `adaptive`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Adaptive => "adaptive",
        }
    }

    /// The mode of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Standard, Self::Adaptive].into_iter().find(|mode| mode.name() == name)
    }

    /// How many stages it has.
    #[must_use]
    pub const fn stages(self) -> u8 {
        match self {
            Self::Standard => 1,
            Self::Adaptive => 2,
        }
    }
}

/// Who ended an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The student submitted.
    Student,
    /// The time was up.
    Deadline,
}

impl Reason {
    /// `student` or `deadline`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Student => "student",
            Self::Deadline => "deadline",
        }
    }

    /// The reason of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Student, Self::Deadline].into_iter().find(|reason| reason.name() == name)
    }
}

/// What was agreed at the start and never changes.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Also the id of the stored session.
    pub session_id: Uuid,
    /// The grade tested.
    pub grade: Grade,
    /// One stage or two.
    pub mode: Mode,
    /// Whole minutes.
    pub duration_minutes: u32,
    /// The server's time of the start.
    pub started_at: Moment,
    /// The caller's object, as JSON text.
    pub annotations: Box<str>,
    /// Where the completion is told.
    pub webhook_url: Option<Box<str>>,
    /// What the report's link begins with.
    pub base_url: Box<str>,
    /// The template that it was started from.
    pub template_id: Option<Uuid>,
}

/// One of the four values that each question has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
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
pub struct Key {
    /// From 0; stage 2 goes on after stage 1.
    pub position: usize,
    /// Which value.
    pub kind: Kind,
}

/// What a command sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
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

impl Change {
    /// Which value it sets.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Choice { .. } => Kind::Choice,
            Self::Mark(_) => Kind::Mark,
            Self::Visit => Kind::Visit,
            Self::Drawing(_) => Kind::Drawing,
        }
    }
}

/// What came of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applied {
    /// This value is new and must be stored.
    Set(Key),
    /// A later or the same command has set the value already.
    Superseded,
}

/// Why a command is refused; the codes of `live.md` 1.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Not on the paper, or of a finished stage.
    UnknownQuestion,
    /// After the deadline and its grace.
    Late,
    /// The test is over.
    AlreadySubmitted,
    /// `next` in a test of one stage.
    NoSecondStage,
}

/// The values of one question, each with the `seq` that set it (0: never).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
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

impl Cell {
    /// The `seq` that set this value; 0 when it was never set.
    #[must_use]
    pub fn seq(&self, kind: Kind) -> u64 {
        self.seqs.get(kind as usize).copied().unwrap_or(0)
    }

    fn set(&mut self, change: &Change, seq: u64) {
        match *change {
            Change::Choice { selected, time_taken } => {
                self.selected = selected;
                self.time_taken = time_taken.or(self.time_taken);
            }
            Change::Mark(marked) => self.marked = marked,
            Change::Visit => self.visited = true,
            Change::Drawing(drawn) => self.drawn = drawn,
        }
        if let Some(stored) = self.seqs.get_mut(change.kind() as usize) {
            *stored = seq;
        }
    }
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who ended it.
    pub reason: Reason,
    /// When it ended.
    pub at: Moment,
}

/// One student's live test.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// What was agreed at the start.
    pub terms: Terms,
    /// Its clock.
    pub timer: Timer,
    paper: Vec<Arc<KeyedQuestion>>,
    cells: Vec<Cell>,
    /// Where stage 2 begins, once it has.
    second_stage_from: Option<usize>,
    band: Option<Band>,
    ending: Option<Ending>,
}

impl Attempt {
    /// A new attempt with the questions of its first stage.
    #[must_use]
    pub fn new(terms: Terms, paper: Vec<Arc<KeyedQuestion>>, now: Moment) -> Self {
        let deadline = terms.started_at.plus(i64::from(terms.duration_minutes) * 60_000);
        let timer = Timer::new(terms.duration_minutes, deadline, now);
        let cells = vec![Cell::default(); paper.len()];
        Self { terms, timer, paper, cells, second_stage_from: None, band: None, ending: None }
    }

    /// Applies one change to a question of the current stage.
    ///
    /// # Errors
    /// The refusal, when nothing was changed.
    pub fn apply(&mut self, question_id: &str, change: &Change, seq: u64, now: Moment) -> Result<Applied, Refusal> {
        self.accepts(now)?;
        let position = self.open_position(question_id).ok_or(Refusal::UnknownQuestion)?;
        let kind = change.kind();
        let cell = self.cells.get_mut(position).ok_or(Refusal::UnknownQuestion)?;
        if seq <= cell.seq(kind) {
            return Ok(Applied::Superseded);
        }
        cell.set(change, seq);
        Ok(Applied::Set(Key { position, kind }))
    }

    /// Whether any command may still change the attempt.
    ///
    /// # Errors
    /// `Late` after the deadline, `AlreadySubmitted` after a submission.
    pub fn accepts(&self, now: Moment) -> Result<(), Refusal> {
        match self.ending {
            Some(Ending { reason: Reason::Deadline, .. }) => Err(Refusal::Late),
            Some(_) => Err(Refusal::AlreadySubmitted),
            None if self.timer.is_over(now) => Err(Refusal::Late),
            None => Ok(()),
        }
    }

    /// Puts back a value that was stored.
    pub fn restore(&mut self, key: Key, change: &Change, seq: u64) {
        if let Some(cell) = self.cells.get_mut(key.position) {
            cell.set(change, seq);
        }
    }

    /// Begins stage 2 with these questions; does nothing when it has begun.
    pub fn begin_second_stage(&mut self, band: Band, questions: Vec<Arc<KeyedQuestion>>) {
        if self.second_stage_from.is_none() {
            self.second_stage_from = Some(self.paper.len());
            self.band = Some(band);
            self.cells.resize(self.paper.len() + questions.len(), Cell::default());
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
    pub fn cells(&self) -> impl Iterator<Item = (&Arc<KeyedQuestion>, &Cell)> {
        self.paper.iter().zip(&self.cells)
    }

    /// The values of the question at that position.
    #[must_use]
    pub fn cell(&self, position: usize) -> Option<&Cell> {
        self.cells.get(position)
    }

    /// The highest `seq` that set a value; 0 when none has.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.cells.iter().flat_map(|cell| cell.seqs).max().unwrap_or(0)
    }

    /// What is graded: one response for each question so far.
    #[must_use]
    pub fn responses(&self) -> Vec<Response> {
        let response =
            |(question, cell): (&Arc<KeyedQuestion>, &Cell)| Response { question: Arc::clone(question), selected: cell.selected, time_taken: cell.time_taken };
        self.cells().map(response).collect()
    }

    /// Whole seconds from the start to this moment.
    #[must_use]
    pub fn seconds_until(&self, moment: Moment) -> u32 {
        u32::try_from(moment.since(self.terms.started_at).max(0) / 1_000).unwrap_or(u32::MAX)
    }

    fn open_position(&self, question_id: &str) -> Option<usize> {
        let first = self.second_stage_from.unwrap_or(0);
        self.stage_paper().iter().position(|question| &*question.id == question_id).map(|index| first + index)
    }
}

#[cfg(test)]
#[path = "attempt_tests.rs"]
mod tests;
