//! Finished tests in the simulated database: their versions, events, receipts and corrections, as in
//! `src/sessions/finished.rs` and `src/sessions/versions.rs`.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::attempt::{LateCommand, QuestionCell, ValueKind};
use domain::correction::{Correction, TestPlace, grade};
use domain::question::KeyedQuestion;
use domain::receipt::ReceiptContent;
use domain::scoring::{Response, TestResult};
use domain::session::{Session, SessionVersion, VersionReason};
use domain::sight::{EmbargoState, OpenResults, Untold};
use domain::sitting::values::ResultsRule;
use domain::time::moment::Moment;
use examhall::live::store::Finish;
use examhall::webhooks::events::{RESULT_CHANGED, RESULT_RELEASED, TEST_COMPLETED};
use uuid::Uuid;

use super::bug::Bug;
use super::exam::receipt_leaf;
use super::store::{DeliveryRow, Store, TestRow};

/// How long a claimed delivery is left alone.
const CLAIM_MILLISECONDS: i64 = 60_000;

impl Store {
    /// How far the results of the exam are open.
    pub fn open_results(&self) -> OpenResults {
        if self.is_sitting {
            OpenResults::of(ResultsRule::Held, self.tables.released_at)
        } else {
            OpenResults::WITHOUT_SITTING
        }
    }

    /// What the embargo says of a finished test.
    pub fn embargo(&self, session: &Session) -> EmbargoState {
        let is_held = self.open_results().holds(!session.ended_unbegun());
        if is_held { EmbargoState::Held } else { EmbargoState::Open }
    }

    fn graded(&self, session: &Session) -> Option<TestResult> {
        let held: Vec<&Correction> = self.held_of(session).collect();
        session.regraded(&held)
    }

    /// The corrections that hold for a test.
    pub fn held_of(&self, session: &Session) -> impl Iterator<Item = &Correction> {
        let place = TestPlace::of(session);
        self.tables.corrections.iter().map(|one| &**one).filter(move |one| one.scope.covers(&place))
    }

    /// Stores the session of an end with its event, or another version of the session that is there.
    pub(super) fn record(&mut self, finish: &Finish, now: Moment) {
        let session = &finish.finished.session;
        let session_id = session.session_id;
        let is_there = self.test(session_id).is_some();
        if finish.reopening.is_some() && is_there {
            let result = session.result.inside_the_server().clone();
            return self.append(session_id, VersionReason::Reopened, result, session.completed_at, now);
        }
        let is_doubled = self.bug == Some(Bug::DoubleSubmit);
        if is_there && !is_doubled {
            return;
        }
        let mut session = session.clone();
        if let Some(result) = self.graded(&session) {
            session.result = Untold::of(result);
        }
        self.log(&session);
        self.tables.tests.push(TestRow { session_id, versions: vec![Arc::new(session)] });
        self.queue(session_id, TEST_COMPLETED, 1, now);
    }

    fn queue(&mut self, session_id: Uuid, event: &'static str, version: u32, now: Moment) {
        let is_it = |row: &DeliveryRow| row.session_id == session_id && row.event == event && row.version == version;
        if self.tables.deliveries.iter().any(is_it) && self.bug != Some(Bug::DoubleSubmit) {
            return;
        }
        let id = self.chance.uuid();
        let next_attempt_at = Some(now);
        let row = DeliveryRow { id, session_id, event, version, attempts: 0, next_attempt_at, is_delivered: false };
        self.tables.deliveries.push(row);
    }

    /// Puts the receipt of a version into the log.
    fn log(&mut self, session: &Session) {
        let of_choices = self.values_of(session.session_id).filter(|(key, _)| key.kind == ValueKind::Choice);
        let seqs: BTreeMap<usize, u64> = of_choices.map(|(key, row)| (key.position, row.stamp.seq)).collect();
        let seq = self.values_of(session.session_id).map(|(_, row)| row.stamp.seq).max().unwrap_or(0);
        let answers = ReceiptContent::answers_of_session(session, &seqs);
        let at = session.version.at.unwrap_or(session.completed_at);
        self.tables.log.push(receipt_leaf(session.session_id, session.version.number, seq, at, answers));
    }

    /// Appends a version to a session, graded by the corrections that hold.
    fn append(&mut self, id: Uuid, reason: VersionReason, result: TestResult, completed_at: Moment, now: Moment) {
        let Some(place) = self.tables.tests.iter().position(|test| test.session_id == id) else { return };
        let Some(before) = self.tables.tests[place].versions.last().map(|newest| (**newest).clone()) else { return };
        let version = SessionVersion {
            number: before.version.number + 1,
            reason,
            at: Some(now),
            by: None,
            comment: None,
            previous_score: Some(before.score()),
            previous_facts: None,
        };
        let mut session = Session { completed_at, result: Untold::of(result), version, ..before };
        if let Some(result) = self.graded(&session) {
            session.result = Untold::of(result);
        }
        self.log(&session);
        let is_held = self.embargo(&session) == EmbargoState::Held;
        let goes_on = self.tables.seats.contains_key(&id) && reason != VersionReason::Reopened;
        let number = session.version.number;
        self.tables.tests[place].versions.push(Arc::new(session));
        if !is_held && !goes_on {
            self.queue(id, RESULT_CHANGED, number, now);
        }
    }

    /// Makes or takes back a correction: all tests follow it.
    pub fn correct(&mut self, correction: Option<Correction>, now: Moment) {
        self.tables.number += 1;
        let reason = if correction.is_some() { VersionReason::KeyCorrected } else { VersionReason::Reverted };
        match correction {
            Some(correction) => self.tables.corrections.push(Arc::new(correction)),
            None => drop(self.tables.corrections.pop()),
        }
        let newest: Vec<Arc<Session>> =
            self.tables.tests.iter().filter_map(|test| test.versions.last().cloned()).collect();
        for session in newest {
            if let Some(result) = self.graded(&session) {
                self.append(session.session_id, reason, result, session.completed_at, now);
            }
        }
    }

    /// Keeps a command that came too late.
    pub fn keep_late(&mut self, session_id: Uuid, command: LateCommand) {
        self.tables.number += 1;
        self.tables.late.push((session_id, command));
    }

    /// Lets late work count. Returns whether there is another result by it.
    pub fn accept_late(&mut self, session_id: Uuid, now: Moment) -> bool {
        let Some(newest) = self.test(session_id).and_then(|test| test.versions.last()).cloned() else { return false };
        let is_over = !self.tables.seats.contains_key(&session_id);
        let has_late = self.tables.late.iter().any(|(id, _)| *id == session_id);
        let Some(merged) = self.merged(session_id, &newest).filter(|_| is_over && has_late) else { return false };
        let before = newest.result.inside_the_server();
        if merged.has_answers_of(before) {
            return false;
        }
        self.tables.number += 1;
        if let Some(row) = self.tables.attempts.get_mut(&session_id) {
            row.has_late_work = true;
        }
        self.append(session_id, VersionReason::LateWork, merged, newest.completed_at, now);
        true
    }

    /// The result of a test with all late work in it.
    pub fn merged(&self, session_id: Uuid, newest: &Session) -> Option<TestResult> {
        let keys = newest.graded_by.inside_the_server();
        let attempt = self.load(session_id, keys, newest.started_at)?.attempt;
        let late = self.tables.late.iter().filter(|(id, _)| *id == session_id).map(|(_, command)| command);
        let merged = attempt.with_late_work(late, false);
        let response = |(question, cell): (&Arc<KeyedQuestion>, QuestionCell)| Response {
            question: Arc::clone(question),
            selected: cell.selected,
            time_taken: cell.time_taken,
        };
        let responses: Vec<Response> = attempt.paper().iter().zip(merged.cells).map(response).collect();
        let held: Vec<&Correction> = self.held_of(newest).collect();
        Some(grade(&responses, &held, newest.result.inside_the_server().time_taken))
    }

    /// Releases the results. Tests that are over are told by an event each.
    pub fn release(&mut self, now: Moment) {
        if self.tables.released_at.is_some() {
            return;
        }
        self.tables.number += 1;
        self.tables.released_at = Some(now);
        if self.is_sitting {
            let newest: Vec<(Uuid, u32)> =
                self.tables.tests.iter().map(|test| (test.session_id, test.versions.len() as u32)).collect();
            for (session_id, version) in newest {
                self.queue(session_id, RESULT_RELEASED, version, now);
            }
        }
    }

    /// Claims the deliveries that are due and may go, as the outbox does.
    pub fn claim_due(&mut self, now: Moment) -> Vec<DeliveryRow> {
        let place = |row: &DeliveryRow| (row.version, row.event == RESULT_RELEASED);
        let rows = &self.tables.deliveries;
        let is_early = |row: &DeliveryRow| {
            let waits = |other: &DeliveryRow| other.session_id == row.session_id && other.next_attempt_at.is_some();
            let is_checked = row.event != TEST_COMPLETED && self.bug != Some(Bug::VersionOutOfOrder);
            is_checked && rows.iter().any(|other| waits(other) && place(other) < place(row))
        };
        let is_due = |row: &&DeliveryRow| row.next_attempt_at.is_some_and(|at| at <= now) && !is_early(row);
        let due: Vec<Uuid> = rows.iter().filter(is_due).map(|row| row.id).collect();
        let mut claimed = Vec::with_capacity(due.len());
        for row in self.tables.deliveries.iter_mut().filter(|row| due.contains(&row.id)) {
            row.attempts += 1;
            row.next_attempt_at = Some(now.plus(CLAIM_MILLISECONDS));
            claimed.push(row.clone());
        }
        claimed
    }

    /// Records how an attempt ended, unless another one has been claimed since.
    pub fn end_delivery(&mut self, id: Uuid, attempts: u32, again_at: Option<Moment>) {
        let is_it = |row: &&mut DeliveryRow| row.id == id && row.attempts == attempts && !row.is_delivered;
        if let Some(row) = self.tables.deliveries.iter_mut().find(is_it) {
            row.is_delivered = again_at.is_none();
            row.next_attempt_at = again_at;
        }
    }
}
