//! The end of an attempt: it is graded, stored as a session together with its webhook, and reported to the student.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use actix::prelude::*;
use bytestring::ByteString;
use domain::attempt::{Ending, Reason, ValueKind};
use domain::scoring;
use domain::session::{Session, SessionOrigin, SessionVersion, SubmittedResult, VersionReason, report_url};
use domain::sight::{OpenResults, SeenScore, Sight, Untold};
use domain::time::moment::Moment;
use serde_json::value::RawValue;

use super::socket::Origin;
use super::{AfterCommit, Drawings, Seat, SeatServices};
use crate::live::protocol::write::{self, Outgoing};
use crate::live::store::{Finish, SUBMITTED, StoredResult, Write};
use crate::sessions::finished::Finished;
use crate::store::embargo::SeatTest;
use crate::store::reopenings;
use crate::store::version_rows::ReceiptFacts;

/// What became of an attempt.
pub(super) struct AttemptOutcome {
    pub(super) report_url: String,
    /// Whether the time had begun to count. A proctor may end the exam of someone who still waits.
    pub(super) has_begun: bool,
    result: SubmittedResult,
    /// Has another result after the commit if a corrected key has made one.
    stored_result: StoredResult,
    /// The receipt of what was handed in, if it has been made and its student may have it.
    receipt: Option<String>,
}

impl AttemptOutcome {
    pub(super) fn of(session: &Session, receipt: Option<String>) -> Self {
        let (report_url, result) = (session.report_url.clone(), session.submitted_result());
        let stored_result = StoredResult::default();
        Self { report_url, has_begun: !session.ended_unbegun(), result, stored_result, receipt }
    }
}

impl Seat {
    /// Ends the attempt once, for a command or a deadline of the moment `at`. Later calls get the same result.
    pub(super) fn finish(
        &mut self,
        reason: Reason,
        seq: Option<u64>,
        at: Moment,
        origin: Origin,
        context: &mut Context<Self>,
    ) {
        if self.outcome.is_some() {
            return self.with_release(context, move |actor, context| {
                actor.with_noted_answers(context, move |actor| actor.tell_submitted(seq, origin));
            });
        }
        if reason == Reason::Student
            && let Err(refusal) = self.attempt.accepts(at)
        {
            return self.refuse_to(origin, refusal, seq.unwrap_or_default());
        }
        // A proctor may have moved the deadline while this end waited for the database, or taken the end back.
        let is_off = match reason {
            Reason::Student => false,
            Reason::Deadline => !self.attempt.timer.is_over(at),
            Reason::Proctor => self.finish_by.is_none(),
        };
        if is_off {
            return;
        }
        self.is_ending = true;
        if !self.attempt.has_stage_to_come() {
            return self.end_with(Vec::new(), reason, seq, origin, context);
        }
        // An adaptive test always gets its second stage, even if the student leaves after the first
        // (docs/decisions/0005-an-adaptive-test-counts-forty-questions.md).
        self.with_second_stage(context, move |actor, stage, context| {
            actor.end_with(vec![stage], reason, seq, origin, context);
        });
    }

    /// Reads what the end says to the student, and ends the attempt with these writes.
    fn end_with(
        &mut self,
        writes: Vec<Write>,
        reason: Reason,
        seq: Option<u64>,
        origin: Origin,
        context: &mut Context<Self>,
    ) {
        self.with_release(context, move |actor, context| {
            actor.with_drawing_hashes(context, move |actor, context| {
                actor.commit_ending(writes, reason, seq, origin, context);
            });
        });
    }

    /// Reads whether the result may be seen before it calls `then`. Of a test without a sitting it may.
    pub(super) fn with_release(
        &mut self,
        context: &mut Context<Self>,
        then: impl FnOnce(&mut Self, &mut Context<Self>) + 'static,
    ) {
        let is_shown = self.open_results().are_shown();
        let Some(place) = self.attempt.terms.sitting.filter(|_| !is_shown) else { return then(self, context) };
        let reading = async move |services: &SeatServices| services.embargo.open_results(place.sitting_id).await;
        self.when_read(context, reading, move |actor, open, context| {
            actor.results_of_sitting = open;
            actor.report.renew_if(open.are_shown());
            then(actor, context);
        });
    }

    /// Stores that the student is shown the key, if they are to be and that is not stored yet, and calls `then`. Of a
    /// test that goes on by now nothing is stored, and nothing shown.
    fn with_noted_answers(&mut self, context: &mut Context<Self>, then: impl FnOnce(&mut Self) + 'static) {
        let is_shown = self.outcome.as_ref().is_some_and(|outcome| self.sight(outcome).shows_keys());
        if self.has_seen_answers || !is_shown {
            return then(self);
        }
        let (session_id, now) = (self.attempt.terms.session_id, self.services.clock.now());
        let noting = async move |services: &SeatServices| {
            reopenings::note_answers_seen(&services.database, session_id, now).await
        };
        self.when_read(context, noting, move |actor, is_noted, _| {
            actor.has_seen_answers = is_noted;
            then(actor);
        });
    }

    /// Calls `then` with the drawings. After the end it is read again whether the result may be seen.
    pub(super) fn with_standing(
        &mut self,
        context: &mut Context<Self>,
        then: impl FnOnce(&mut Self, Drawings, &mut Context<Self>) + 'static,
    ) {
        if self.outcome.is_none() {
            return self.with_drawings(context, then);
        }
        self.with_release(context, move |actor, context| actor.with_drawings(context, then));
    }

    fn open_results(&self) -> OpenResults {
        self.attempt.terms.sitting.map_or(OpenResults::WITHOUT_SITTING, |_| self.results_of_sitting)
    }

    /// What the student may see of what became of the attempt: nothing before the release of their sitting, and while
    /// an exam withholds a question of this test, or a template keeps its keys.
    fn sight(&self, outcome: &AttemptOutcome) -> Sight {
        let terms = &self.attempt.terms;
        let sitting_id = terms.sitting.map(|place| place.sitting_id);
        let test = SeatTest { session_id: terms.session_id, sitting_id, template_id: terms.template_id };
        let ids = self.attempt.paper().iter().map(|question| &*question.id);
        self.services.embargo.sight_of_seat(test, self.open_results(), outcome.has_begun, &ids)
    }

    /// The link to the report, and whether the student is not told the result yet.
    pub(super) fn told_report(&self) -> Option<(&str, bool)> {
        let outcome = self.outcome.as_ref()?;
        Some((&outcome.report_url, !self.sight(outcome).shows_result()))
    }

    /// The score, as far as anyone may see it who watches, and the version of the test that has it.
    pub(super) fn shown_score(&self) -> Option<(SeenScore, u32)> {
        let result = &self.outcome.as_ref()?.result;
        Some((result.score(self.open_results())?, result.version()))
    }

    fn commit_ending(
        &mut self,
        mut writes: Vec<Write>,
        reason: Reason,
        seq: Option<u64>,
        origin: Origin,
        context: &mut Context<Self>,
    ) {
        let now = self.services.clock.now();
        let timer = &self.attempt.timer;
        let at = if reason == Reason::Student { now } else { timer.end().map_or(now, |end| now.min(end)) };
        let ending = Ending { reason, at };
        let session = match self.session(ending) {
            Ok(session) => session,
            Err(error) => {
                tracing::error!(%error, "an attempt cannot be made a session");
                return self.give_up(context);
            }
        };
        let receipt = self.final_receipt(&session);
        self.attempt.end(ending);
        let is_silent = self.reopening.as_ref().is_some_and(|reopening| reopening.is_silent);
        let outcome = AttemptOutcome::of(&session, receipt.clone().filter(|_| !is_silent));
        let is_told = self.channels.has_socket() || matches!(origin, Origin::Request(_));
        let shows_answers = is_told && self.sight(&outcome).shows_keys();
        self.has_seen_answers |= shows_answers;
        let begins_stage = writes.iter().any(|write| matches!(write, Write::Stage { .. }));
        let by = match (reason, &self.finish_by) {
            (Reason::Student, _) => "student".into(),
            (Reason::Proctor, Some(proctor)) => Cow::from(proctor.clone()),
            (Reason::Proctor | Reason::Deadline, _) => "server".into(),
        };
        self.storing.note(at, SUBMITTED, by, reason.name().to_owned());
        let drawn = self.attempt.cells().enumerate().filter(|(_, (_, cell))| cell.drawn);
        let drawn: BTreeMap<usize, Arc<str>> =
            drawn.map(|(position, (question, _))| (position, Arc::clone(&question.id))).collect();
        let webhook_url = self.attempt.terms.webhook_url.as_deref().map(str::to_owned);
        let (finished, stored_result) = (Finished { session, receipt, webhook_url }, outcome.stored_result.clone());
        let reopening = self.reopening.clone();
        let standing = reopening.as_ref().map(|_| Box::new(self.attempt.clone()));
        writes.push(Write::Finish(Box::new(Finish {
            finished,
            ending,
            drawn,
            reopening,
            standing,
            shows_answers,
            begins_stage,
            stored_result,
        })));
        self.commit(writes, AfterCommit::Submitted { seq, origin, outcome }, context);
    }

    /// The receipt of the session that the attempt becomes; `None` if a drawing was changed in the last moment. Then it
    /// is made of what is stored.
    fn final_receipt(&self, session: &Session) -> Option<String> {
        let attempt = &self.attempt;
        let seqs = attempt.cells().enumerate().map(|(at, (_, cell))| (at, cell.seq(ValueKind::Choice)));
        let deadline = Some(attempt.timer.deadline());
        let facts = ReceiptFacts { seqs: seqs.collect(), seq: attempt.seq(), deadline };
        self.services.signer.of_version(session, &facts, &self.hashes_at_end()?).ok()
    }

    fn session(&self, ending: Ending) -> serde_json::Result<Session> {
        let terms = &self.attempt.terms;
        let responses = self.attempt.responses();
        Ok(Session {
            session_id: terms.session_id,
            grade: terms.grade,
            // A proctor may end the exam of someone who still waits.
            started_at: self.attempt.started_at().min(ending.at),
            completed_at: ending.at,
            webhook_sent: false,
            report_url: report_url(&terms.base_url, terms.session_id),
            annotations: RawValue::from_string(terms.annotations.to_string())?,
            result: Untold::of(scoring::grade(&responses, self.attempt.seconds_until(ending.at))),
            verified: true,
            origin: SessionOrigin::Live,
            account: terms.account.as_deref().map(str::to_owned),
            template_id: terms.template_id,
            sitting_id: terms.sitting.map(|place| place.sitting_id),
            form: terms.form,
            mark_scale: terms.mark_scale.clone(),
            // The keys have them.
            sent_orders: BTreeMap::new(),
            // The transaction adds the drawings, which a seat does not keep.
            drawings: None,
            graded_by: Untold::of(self.attempt.paper().to_vec()),
            version: self.version(ending.at),
        })
    }

    /// The version of the session: the first, or the next one of a test that has ended before.
    fn version(&self, at: Moment) -> SessionVersion {
        let first = SessionVersion::submitted(at);
        let Some(reopening) = &self.reopening else { return first };
        let number = reopening.version.saturating_add(1);
        SessionVersion { number, reason: VersionReason::Reopened, by: reopening.by.clone(), ..first }
    }

    pub(super) fn submitted(&mut self, seq: Option<u64>, origin: Origin, mut outcome: AttemptOutcome) {
        if let Some(result) = outcome.stored_result.take() {
            // A version that was made while the test went on has taken the number that the receipt names.
            outcome.receipt = outcome.receipt.filter(|_| result.version() == outcome.result.version());
            outcome.result = result;
        }
        self.outcome = Some(outcome);
        self.report.renew();
        self.tell_news();
        self.used_at = self.services.clock.now();
        self.services.outbox.wake();
        self.tell_submitted(seq, origin);
    }

    /// Sends the result to the student, and closes the socket, which has nothing more to carry.
    fn tell_submitted(&mut self, seq: Option<u64>, origin: Origin) {
        let is_told = matches!(origin, Origin::Socket(socket) if self.channels.is_attached(socket));
        if let Some(frame) = self.submitted_frame(seq) {
            self.answer(origin, frame, seq, true);
        }
        if !is_told && let Some(frame) = self.submitted_frame(None) {
            self.send(Outgoing::Text(frame));
        }
        self.send(Outgoing::Close(1000, "submitted"));
    }

    fn submitted_frame(&self, seq: Option<u64>) -> Option<ByteString> {
        let (outcome, ending) = (self.outcome.as_ref()?, self.attempt.ending()?);
        let reason = ending.reason.name();
        let result = outcome.result.json(self.sight(outcome)).filter(|_| self.has_seen_answers);
        let (session_id, receipt) = (self.attempt.terms.session_id, outcome.receipt.as_deref());
        Some(write::submitted(session_id, &outcome.report_url, reason, result, receipt, seq))
    }
}
