//! The seat's clock: alerts, regular messages with the time, the deadline, and when the seat itself leaves memory.

use std::sync::atomic::Ordering;

use actix::prelude::*;
use domain::attempt::Reason;
use domain::time::moment::Moment;

use super::Seat;
use super::socket::Origin;
use super::storing::Intent;
use crate::live::protocol::fault::Fault;
use crate::live::protocol::write::{self, Outgoing};

/// How much later than the bell the ticker comes to those who wait in sittings.
const BELL_MILLISECONDS: i64 = 500;
/// How often a seat asks again while it must know first whether its beginning has been moved.
const LOOK_AGAIN_MILLISECONDS: i64 = 1_000;
/// How long a seat that nobody uses stays in memory; then a sweep of the database keeps its deadline.
const IDLE_MILLISECONDS: i64 = 10 * 60_000;
/// How long a seat whose test is over stays in memory without being used.
const IDLE_OVER_MILLISECONDS: i64 = 60_000;

/// Something may be due; sent by the ticker.
#[derive(Message)]
#[rtype(result = "()")]
pub struct Tick;

impl Seat {
    /// Sets when the ticker is to send the next [`Tick`].
    pub(super) fn set_due(&self) {
        let now = self.services.clock.now();
        let due =
            || if self.has_to_look(now) { now.plus(LOOK_AGAIN_MILLISECONDS) } else { self.attempt.timer.due(now) };
        let timer = self.outcome.is_none().then(due);
        let timer = timer.map(|due| if self.awaits_bell() { due.plus(BELL_MILLISECONDS) } else { due });
        let idle = (!self.channels.has_socket()).then(|| self.idle_at());
        let due = [timer, idle, self.storing.tell_stall_at()].into_iter().flatten().min();
        self.due_ms.store(due.map_or(i64::MAX, Moment::milliseconds), Ordering::Relaxed);
    }

    fn idle_at(&self) -> Moment {
        self.used_at.plus(if self.outcome.is_some() { IDLE_OVER_MILLISECONDS } else { IDLE_MILLISECONDS })
    }

    fn is_idle(&self, now: Moment) -> bool {
        let is_free = !self.channels.has_socket() && !self.channels.has_requests() && self.storing.is_idle();
        is_free && now >= self.idle_at()
    }

    /// Tells the student, now and again, that what they sent is not saved yet.
    fn tell_stall(&mut self, now: Moment) {
        if self.storing.take_stall(now) {
            self.report.show_unstored(&mut self.attempt.presence);
            let fault = Fault { seq: self.channels.outstanding(), ..Fault::storage() };
            self.send(Outgoing::Text(write::error(&fault)));
        }
    }

    /// Sends the alerts and the time that are due, and ends the attempt when its time is over.
    fn keep_time(&mut self, now: Moment) {
        for remaining_ms in self.attempt.timer.take_alerts(now) {
            self.send(Outgoing::Text(write::alert(remaining_ms)));
        }
        if self.attempt.timer.take_time(now) {
            self.send(Outgoing::Text(write::time(None, &self.attempt.timer, now)));
        }
        let is_ending = self.is_ending || self.storing.has_end_waiting();
        // Whose time was up while nothing could be saved gets it back first.
        if self.attempt.timer.is_over(now) && !is_ending && self.services.lease.is_settled() {
            self.storing.intend_first(Intent::Finish {
                reason: Reason::Deadline,
                seq: None,
                at: now,
                origin: Origin::Nobody,
            });
        }
    }
}

impl Handler<Tick> for Seat {
    type Result = ();

    fn handle(&mut self, _: Tick, context: &mut Self::Context) {
        let now = self.services.clock.now();
        self.tell_stall(now);
        self.begin_if_due(now);
        if self.has_to_look(now) {
            self.await_begin(context);
        } else if self.outcome.is_none() {
            self.keep_time(now);
        }
        if self.is_idle(now) {
            return self.leave(context);
        }
        self.work(context);
    }
}
