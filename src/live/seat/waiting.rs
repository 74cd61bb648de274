//! A seat in a sitting: what it knows of the sitting, and how its student waits and begins
//! (`docs/live-protocol.md#sittings`).
//!
//! When the time begins to count is decided by the sitting and the clock alone, so whatever wakes the seat after that
//! moment begins it: the bell, a tick, or a message about a change. A server that was stopped or cut off meanwhile
//! looks at the sitting first, since the beginning may have been moved.

use std::collections::BTreeSet;
use std::sync::Arc;

use actix::prelude::*;
use bytestring::ByteString;
use domain::attempt::{Attempt, FIRST_LINE, SittingPlace};
use domain::sitting::candidate::Candidate;
use domain::sitting::part::PaperPart;
use domain::time::moment::Moment;
use domain::time::times::{Adopted, AttemptTimes};

use super::Seat;
use crate::live::bell::messages::{AwaitBegin, Ring, RosterLook, SittingChanged, StopWaiting, WaitingSeat};
use crate::live::protocol::fault::{Code, Fault};
use crate::live::protocol::write::{self, Outgoing, OwnTerms, WaitingView};
use crate::sittings::entry::current::{CurrentSitting, decides};
use crate::sittings::entry::sealed_paper::SealedPaper;

/// The time over which the first `time` frames after a beginning are spread, so that they are not all sent at once.
const TIME_SPREAD_MILLISECONDS: u128 = 5_000;

/// What a seat knows of its sitting.
pub struct SittingSeat {
    place: SittingPlace,
    current: Arc<CurrentSitting>,
    candidate: Candidate,
    roster: RosterLook,
    /// Whether it is certain that the time counts.
    has_begun: bool,
    /// The parts of the paper that the student has verified.
    ready: BTreeSet<PaperPart>,
    /// Whether the student is to be told when the time begins to count.
    awaits_begin: bool,
    /// Of the socket, whose student gets it in each `waiting`, and the line of its device.
    token: String,
    line: u16,
}

impl SittingSeat {
    /// The seat of a candidate who has entered.
    #[must_use]
    pub fn new(place: SittingPlace, current: Arc<CurrentSitting>, candidate: Candidate) -> Self {
        let roster = RosterLook::beginning(&current, current.read_at());
        let (ready, token, line) = (BTreeSet::new(), String::new(), FIRST_LINE);
        Self { place, current, candidate, roster, has_begun: false, ready, awaits_begin: false, token, line }
    }

    /// Notes that the row says when the time began to count, if it does: then nothing moves that any more.
    pub fn note_written(&mut self, stored: &AttemptTimes, now: Moment) {
        self.has_begun |= !stored.is_waiting(now);
    }

    /// The times of the attempt as far as the sitting decides on them, with what proctors have given.
    #[must_use]
    pub fn times(&self, given: &AttemptTimes) -> AttemptTimes {
        let Some(plan) = self.current.sitting.times(&self.candidate, self.current.minutes) else { return *given };
        AttemptTimes { paused_at: given.paused_at, extended_minutes: given.extended_minutes, ..plan }
    }

    /// The same where the row has the times: it also has what an outage has given, and pauses that have ended.
    #[must_use]
    pub fn times_of_row(&self, row: &AttemptTimes) -> AttemptTimes {
        let AttemptTimes { hard_end, paused_milliseconds, .. } = *row;
        match row.begins_at {
            Moment::LAST => self.times(row),
            _ => AttemptTimes { hard_end, paused_milliseconds, ..self.times(row) },
        }
    }

    /// The name of the sitting.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.current.sitting.plan.name
    }

    /// The paper, once the doors have opened.
    #[must_use]
    pub fn paper(&self) -> Option<&SealedPaper> {
        self.current.paper.as_deref()
    }

    /// Gives an attempt its part of the paper as it is sealed now.
    pub fn give_paper(&self, attempt: &mut Attempt) {
        let Some(paper) = self.paper() else { return };
        let (form, list) = paper.first_list(&self.candidate, attempt.terms.form, attempt.terms.session_id);
        attempt.terms.form = form;
        attempt.replace_paper(list);
    }

    fn view<'a>(
        &'a self,
        attempt: &'a Attempt,
        times: &'a AttemptTimes,
        pause_text: Option<&'a str>,
    ) -> WaitingView<'a> {
        WaitingView {
            session_id: attempt.terms.session_id,
            token: self.token.as_str(),
            line: self.line,
            late_key: None,
            current: &self.current,
            candidate: &self.candidate,
            form: attempt.terms.form,
            times,
            is_ready: attempt.presence.is_ready,
            pause_text,
        }
    }
}

impl Seat {
    /// The paper of the seat's sitting.
    pub(super) fn sealed_paper(&self) -> Option<&SealedPaper> {
        self.sitting.as_ref().and_then(SittingSeat::paper)
    }

    /// Whether the time does not count yet, as far as is certain.
    pub(super) fn waits(&self, now: Moment) -> bool {
        self.attempt.timer.is_waiting(now) || self.has_to_look(now)
    }

    /// Whether the moment has come, and it has to be seen first whether it has been moved.
    pub(super) fn has_to_look(&self, now: Moment) -> bool {
        let begins_at = self.attempt.started_at();
        let is_uncertain = |sitting: &SittingSeat| {
            !sitting.has_begun && !decides(sitting.roster.known_at(&sitting.current), begins_at)
        };
        begins_at <= now && self.outcome.is_none() && self.sitting.as_ref().is_some_and(is_uncertain)
    }

    /// The frames for a socket that attaches while its student waits, or has entered after the beginning; `None` for
    /// those who are at work, and get `resumed`.
    pub(super) fn introduction(&mut self, own: OwnTerms<'_>, is_new: bool, now: Moment) -> Option<ByteString> {
        let is_waiting = self.waits(now);
        let sitting = self.sitting.as_mut().filter(|_| self.outcome.is_none())?;
        if !is_waiting && !is_new && !sitting.awaits_begin {
            return None;
        }
        sitting.awaits_begin = true;
        own.token.clone_into(&mut sitting.token);
        sitting.line = own.line;
        self.waiting_frame(own, now)
    }

    /// What the student sees while they wait.
    pub(super) fn waiting_frame(&self, own: OwnTerms<'_>, now: Moment) -> Option<ByteString> {
        let sitting = self.sitting.as_ref()?;
        let view = sitting.view(&self.attempt, self.attempt.timer.times(), self.pause_text.as_deref());
        let OwnTerms { token, line, late_key } = own;
        Some(write::waiting(&WaitingView { token, line, late_key, ..view }, now))
    }

    /// Asks the bell to ring when the time begins to count.
    pub(super) fn await_begin(&mut self, context: &Context<Self>) {
        let is_waiting = self.waits(self.services.clock.now()) && self.outcome.is_none();
        if let Some(sitting) = self.sitting.as_mut().filter(|_| is_waiting) {
            sitting.awaits_begin = true;
            // A bell that does not hear this loses nothing but time: the ticker comes too.
            let _ = self.services.bell.try_send(AwaitBegin {
                place: sitting.place,
                session_id: self.attempt.terms.session_id,
                begins_at: self.attempt.started_at(),
                known: Arc::clone(&sitting.current),
                seat: WaitingSeat { begin: context.address().recipient(), change: context.address().recipient() },
            });
        }
    }

    /// Whether the bell is to tell the student that the time begins to count.
    pub(super) fn awaits_bell(&self) -> bool {
        self.sitting.as_ref().is_some_and(|sitting| sitting.awaits_begin)
    }

    /// Tells the bell that nobody waits here any more.
    pub(super) fn stop_waiting(&self) {
        if let Some(sitting) = self.sitting.as_ref().filter(|sitting| sitting.awaits_begin) {
            let session_id = self.attempt.terms.session_id;
            let _ = self.services.bell.try_send(StopWaiting { sitting_id: sitting.place.sitting_id, session_id });
        }
    }

    /// Begins if the moment has come: the same frame goes to everyone of a form whose time begins with it, unless each
    /// has an order of options of their own.
    pub(super) fn begin_if_due(&mut self, now: Moment) {
        if self.waits(now) || self.outcome.is_some() {
            return;
        }
        let Some(sitting) = &mut self.sitting else { return };
        sitting.has_begun = true;
        if !std::mem::replace(&mut sitting.awaits_begin, false) {
            return;
        }
        self.report.renew();
        let spread = self.attempt.terms.session_id.as_u128() % TIME_SPREAD_MILLISECONDS;
        self.attempt.timer.put_time_off(now.plus(i64::try_from(spread).unwrap_or_default()));
        let (started_at, form) = (self.attempt.started_at(), self.attempt.terms.form);
        let frame = sitting.paper().and_then(|paper| {
            if paper.shuffles() {
                return Some(write::begin(started_at, &paper.keys_until(form, None), self.attempt.stage_paper()));
            }
            paper.begin_frame(form, started_at, write::begin)
        });
        let Some(frame) = frame else { return };
        self.send(Outgoing::Text(frame));
        if self.attempt.timer.is_paused() {
            self.tell_adopted(Adopted::Paused, now);
        }
    }

    /// Notes that the student has a part of the paper. Fails if it is not a part of the present one, of which the
    /// student is then told again.
    pub(super) fn verify_part(&mut self, sha256: &str, seq: u64, now: Moment) -> Result<(), Fault> {
        let unknown = || Fault::new(Code::BadMessage, "No part of the paper has this hash").of(seq);
        let sitting = self.sitting.as_mut().ok_or_else(unknown)?;
        let form = self.attempt.terms.form;
        let parts = sitting.paper().map(|paper| paper.parts(form)).unwrap_or_default();
        let Some(part) = parts.iter().find(|part| part.sha256 == sha256).map(|part| part.part) else {
            self.tell_waiting(now);
            return Err(unknown());
        };
        let is_last = parts.iter().all(|one| one.part == part || sitting.ready.contains(&one.part));
        sitting.ready.insert(part);
        if is_last && !self.attempt.presence.is_ready {
            self.attempt.presence.is_ready = true;
            self.report.renew();
            self.storing.note(now, "ready", "student", String::new());
        }
        Ok(())
    }

    pub(super) fn tell_waiting(&mut self, now: Moment) {
        let sitting = self.sitting.as_ref().filter(|sitting| sitting.awaits_begin && self.channels.has_socket());
        let late_key = self.services.late_keys.public();
        let late_key = late_key.as_deref();
        let own = sitting.map(|sitting| OwnTerms { token: &sitting.token, line: sitting.line, late_key });
        if let Some(frame) = own.and_then(|own| self.waiting_frame(own, now)) {
            self.send(Outgoing::Text(frame));
        }
    }

    /// Takes over what has changed for a student who waits, and tells them if they see it. Those at work are told of
    /// changes as of proctors' orders.
    fn adopt_sitting(&mut self, changed: SittingChanged, now: Moment) {
        let is_waiting = self.waits(now) && self.outcome.is_none() && !self.is_ending;
        let Some(sitting) = self.sitting.as_mut().filter(|_| is_waiting) else { return };
        let before = *self.attempt.timer.times();
        let pause_text = self.pause_text.as_deref();
        let seen = write::waiting(&sitting.view(&self.attempt, &before, pause_text), now);
        let is_other_paper = !sitting.current.has_paper_of(&changed.current);
        let forms = |current: &CurrentSitting| current.paper.as_ref().map(|paper| paper.form_count());
        let has_other_forms = forms(&sitting.current) != forms(&changed.current);
        sitting.roster = sitting.roster.before_change(&sitting.current);
        sitting.current = changed.current;
        // A template that was changed by force may have other minutes, and another calculator.
        self.attempt.terms.duration_minutes = sitting.current.minutes;
        self.attempt.terms.calculator = sitting.current.calculator;
        if let Some((candidate, roster)) = changed.candidate {
            (sitting.candidate, sitting.roster) = (candidate, roster);
        }
        if is_other_paper && sitting.current.paper.is_some() {
            // Neighbours differ by the number of forms, so the seat decides again.
            if has_other_forms {
                self.attempt.terms.form = None;
            }
            sitting.give_paper(&mut self.attempt);
            self.attempt.presence.is_ready = false;
            sitting.ready.clear();
        }
        let times = sitting.times(&before);
        // Who waits is told by `waiting` alone, and the version counts what those at work are told.
        let version = self.attempt.timer.version();
        self.attempt.timer.adopt(times, version, now);
        self.report.renew();
        // Whoever begins now is told of that alone.
        let has_begun = !times.is_waiting(now);
        if !has_begun && write::waiting(&sitting.view(&self.attempt, &times, pause_text), now) != seen {
            self.tell_waiting(now);
        }
    }
}

impl Handler<Ring> for Seat {
    type Result = ();

    fn handle(&mut self, _: Ring, context: &mut Self::Context) {
        let now = self.services.clock.now();
        self.begin_if_due(now);
        // It may have been put off meanwhile. A seat that still has to look asks again with the next tick.
        if !self.has_to_look(now) {
            self.await_begin(context);
        }
        self.work(context);
    }
}

impl Handler<SittingChanged> for Seat {
    type Result = ();

    fn handle(&mut self, changed: SittingChanged, context: &mut Self::Context) {
        let now = self.services.clock.now();
        self.adopt_sitting(changed, now);
        self.begin_if_due(now);
        self.await_begin(context);
        self.work(context);
    }
}
