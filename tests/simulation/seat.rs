//! The shell of a seat, in the place of the actor in `src/live/seat.rs`: it does the same in the same order, with the
//! product's attempt, acknowledgements and unsaved changes in it.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::attempt::{AnswerChange, Applied, Attempt, CommandRefusal, Ending, QuestionCell, Reason, ValueKind};
use domain::merkle::TreeHash;
use domain::question::KeyedQuestion;
use domain::receipt::ReceiptContent;
use domain::room::row::{AttemptRow, RowVersion, VersionedRow};
use domain::session::Session;
use domain::sight::OpenResults;
use domain::time::moment::Moment;
use examhall::live::seat::acks::Acks;
use examhall::live::seat::unsaved::Unsaved;
use examhall::live::store::{Commit, Finish, Hold, Reopening, StoredResult, Write};
use examhall::sessions::finished::Finished;

use super::bug::Bug;
use super::exam::{Exam, receipt_leaf};
use super::frames::{ClientCommand, ToStudent};
use super::store::LoadedSeat;

/// The connection of a student.
#[derive(Debug, Default)]
struct Road {
    student: usize,
    connection: u64,
    acks: Acks,
}

/// What is done after a commit.
#[derive(Clone, Debug)]
pub enum AfterCommit {
    Nothing,
    Submitted(Arc<Session>),
}

/// An end that waits until no commit is under way.
#[derive(Clone, Copy, Debug)]
struct WaitingEnd {
    reason: Reason,
    seq: Option<u64>,
    at: Moment,
}

/// One attempt on one server.
pub struct Seat {
    /// Tells a seat from one that is built again.
    pub serial: u64,
    pub attempt: Attempt,
    pub hold: Hold,
    road: Option<Road>,
    pub finish_by: Option<String>,
    end: Option<WaitingEnd>,
    loaded_reopening: Option<Reopening>,
    unsaved: Unsaved,
    is_committing: bool,
    is_ending: bool,
    rows_told: u64,
}

/// What came of a command.
#[derive(Debug)]
pub enum Taken {
    Applied { is_set: bool },
    Superseded,
    Refused(CommandRefusal),
}

impl Seat {
    pub fn open(serial: u64, loaded: LoadedSeat, hold: Hold) -> Self {
        let LoadedSeat { mut attempt, finish_by, reopening } = loaded;
        attempt.timer = attempt.timer.of_version(hold.orders);
        Self {
            serial,
            attempt,
            hold,
            road: None,
            finish_by,
            end: None,
            loaded_reopening: reopening,
            unsaved: Unsaved::default(),
            is_committing: false,
            is_ending: false,
            rows_told: 0,
        }
    }

    pub fn attach(&mut self, student: usize, connection: u64) {
        self.road = Some(Road { student, connection, acks: Acks::default() });
    }

    /// Whether it has this connection.
    pub fn is_of(&self, connection: u64) -> bool {
        self.road.as_ref().is_some_and(|road| road.connection == connection)
    }

    /// The student and the connection that it has.
    pub fn road_of(&self) -> Option<(usize, u64)> {
        self.road.as_ref().map(|road| (road.student, road.connection))
    }

    /// The answers with the commands that have set them.
    pub fn answers(&self) -> Vec<ClientCommand> {
        let cells = self.attempt.cells().enumerate();
        let given = cells.filter(|(_, (_, cell))| cell.seq(ValueKind::Choice) > 0);
        let command = |(position, (_, cell)): (usize, (&Arc<KeyedQuestion>, &QuestionCell))| ClientCommand {
            stamp: cell.stamp(ValueKind::Choice),
            position,
            change: AnswerChange::Choice { selected: cell.selected.clone(), time_taken: cell.time_taken },
            at: self.attempt.started_at(),
        };
        given.map(command).collect()
    }

    /// Applies a command of the connection, or one without a connection of its own.
    pub fn take(&mut self, command: &ClientCommand, on_road: bool, now: Moment, bug: Option<Bug>) -> Taken {
        let question = Arc::clone(&self.attempt.paper()[command.position]);
        let now = if bug == Some(Bug::DeadlineOfClient) { command.at } else { now };
        let applied = match self.attempt.apply(&question.id, &command.change, command.stamp, now) {
            Ok(applied) => applied,
            Err(refusal) => return Taken::Refused(refusal),
        };
        let is_set = match applied {
            Applied::Set(key) => {
                self.unsaved.add(key, None);
                true
            }
            Applied::Superseded => false,
            Applied::SupersededBy(_) => return Taken::Superseded,
        };
        if let Some(road) = self.road.as_mut().filter(|_| on_road) {
            road.acks.carry(command.stamp.seq);
        }
        Taken::Applied { is_set }
    }

    /// Queues a submission.
    pub fn submit(&mut self, seq: u64, at: Moment) {
        if let Some(road) = &mut self.road {
            road.acks.hold(seq);
        }
        if self.end.is_none() && !self.is_ending {
            self.end = Some(WaitingEnd { reason: Reason::Student, seq: Some(seq), at });
        }
    }

    /// Queues an end by the deadline, if it is due, or by an order.
    pub fn keep_time(&mut self, now: Moment) {
        if self.end.is_some() || self.is_ending {
            return;
        }
        let reason = match self.finish_by {
            Some(_) => Some(Reason::Proctor),
            None => self.attempt.timer.is_over(now).then_some(Reason::Deadline),
        };
        self.end = reason.map(|reason| WaitingEnd { reason, seq: None, at: now });
    }

    /// Goes on with what needs the database. Returns a commit for the journal and what the student is told.
    pub fn work(&mut self, now: Moment, bug: Option<Bug>, told: &mut Vec<ToStudent>) -> Option<(Commit, AfterCommit)> {
        if self.is_committing {
            return None;
        }
        if let Some(end) = self.end.take()
            && let Some(finish) = self.finish(end, now, told)
        {
            return Some(finish);
        }
        if self.unsaved.is_empty() {
            self.stage();
            self.settle(told);
            return None;
        }
        let commit = Commit { hold: Some(self.hold), writes: self.unsaved.take(&self.attempt) };
        self.is_committing = true;
        self.stage();
        if bug == Some(Bug::AcknowledgedBeforeCommit) {
            self.settle(told);
        }
        Some((commit, AfterCommit::Nothing))
    }

    fn finish(&mut self, end: WaitingEnd, now: Moment, told: &mut Vec<ToStudent>) -> Option<(Commit, AfterCommit)> {
        let WaitingEnd { reason, seq, at } = end;
        if reason == Reason::Student
            && let Err(refusal) = self.attempt.accepts(at)
        {
            let seq = seq.unwrap_or_default();
            if let Some(road) = &mut self.road {
                road.acks.release(seq, false);
            }
            told.push(ToStudent::Refused { seq, refusal });
            return None;
        }
        let is_off = match reason {
            Reason::Student => false,
            Reason::Deadline => !self.attempt.timer.is_over(at),
            Reason::Proctor => self.finish_by.is_none(),
        };
        if is_off {
            return None;
        }
        self.is_ending = true;
        let at = if reason == Reason::Student { now } else { self.attempt.timer.end().map_or(now, |end| now.min(end)) };
        let ending = Ending { reason, at };
        let session = Exam::session(&self.attempt, ending, self.loaded_reopening.as_ref());
        self.attempt.end(ending);
        let finish = Finish {
            finished: Finished { session: session.clone(), receipt: None, webhook_url: None },
            ending,
            drawn: BTreeMap::new(),
            reopening: self.loaded_reopening.clone(),
            standing: self.loaded_reopening.as_ref().map(|_| Box::new(self.attempt.clone())),
            shows_answers: false,
            begins_stage: false,
            stored_result: StoredResult::default(),
        };
        let mut writes = self.unsaved.take(&self.attempt);
        writes.push(Write::Finish(Box::new(finish)));
        self.is_committing = true;
        self.stage();
        Some((Commit { hold: Some(self.hold), writes }, AfterCommit::Submitted(Arc::new(session))))
    }

    /// The commit is stored: everything that is told from here on is in the database.
    pub fn committed(&mut self, told: &mut Vec<ToStudent>) {
        self.is_committing = false;
        self.settle(told);
    }

    fn stage(&mut self) {
        if let Some(road) = &mut self.road {
            road.acks.stage();
        }
    }

    fn settle(&mut self, told: &mut Vec<ToStudent>) {
        if let Some(seq) = self.road.as_mut().and_then(|road| road.acks.settle()) {
            told.push(ToStudent::Saved(seq));
        }
    }

    /// Whether everything that was applied is stored, so that a receipt may be given.
    pub fn is_saved(&self) -> bool {
        !self.is_committing && self.unsaved.is_empty()
    }

    /// Whether an end is being stored, to which orders are left.
    pub const fn is_ending(&self) -> bool {
        self.is_ending
    }

    /// The leaf of the receipt of what was handed in. Only that of a first end has a number that nothing else can take,
    /// and whoever was ended while they waited has answered nothing.
    pub fn final_receipt(&self, session: &Session) -> Option<TreeHash> {
        let is_first = self.loaded_reopening.is_none() && !session.ended_unbegun();
        let answers = ReceiptContent::answers_of(&self.attempt);
        is_first.then(|| receipt_leaf(session.session_id, 1, self.attempt.seq(), session.completed_at, answers))
    }

    /// The row that proctors are told.
    pub fn row(&mut self) -> VersionedRow {
        self.rows_told += 1;
        VersionedRow {
            version: RowVersion { fence: self.hold.fence, number: self.rows_told },
            is_held: true,
            ended_at: None,
            row: AttemptRow::of(&self.attempt, self.road.is_some(), None),
        }
    }
}

/// The row of an attempt as the database has it.
pub fn stored_row(attempt: &Attempt, fence: i64, newest: Option<&Session>, open: OpenResults) -> VersionedRow {
    let result = newest.filter(|_| attempt.ending().is_some()).map(Session::submitted_result);
    let scored = result.and_then(|result| Some((result.score(open)?, result.version())));
    VersionedRow {
        version: RowVersion { fence, number: 0 },
        is_held: false,
        ended_at: attempt.ending().map(|ending| ending.at),
        row: AttemptRow::of(attempt, false, scored),
    }
}
