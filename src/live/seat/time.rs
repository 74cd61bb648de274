//! The seat's clock: alerts, the time that is sent unasked, the deadline, and when the seat itself has had its time.

use std::sync::atomic::Ordering;

use actix::prelude::*;
use domain::attempt::Reason;
use domain::time::moment::Moment;

use super::socket::Origin;
use super::{Intent, Seat};
use crate::live::protocol::fault::Fault;
use crate::live::protocol::write::{self, Outgoing};

/// And again so often.
const STALL_AGAIN_MILLISECONDS: i64 = 10_000;
/// A seat that nobody uses leaves the memory; the deadline is then kept by the sweep over the store.
const IDLE_MILLISECONDS: i64 = 10 * 60_000;
/// A seat whose test is over leaves sooner.
const IDLE_OVER_MILLISECONDS: i64 = 60_000;

/// The time has come for something; sent by the ticker.
#[derive(Message)]
#[rtype(result = "()")]
pub struct Tick;

impl Seat {
    /// When the ticker is to come by.
    pub(super) fn set_due(&self) {
        let timer = self.outcome.is_none().then(|| self.attempt.timer.due());
        let idle = (!self.has_socket()).then(|| self.idle_at());
        let due = [timer, idle, self.tell_stall_at].into_iter().flatten().min();
        self.due_ms.store(due.map_or(i64::MAX, Moment::milliseconds), Ordering::Relaxed);
    }

    fn idle_at(&self) -> Moment {
        self.used_at.plus(if self.outcome.is_some() { IDLE_OVER_MILLISECONDS } else { IDLE_MILLISECONDS })
    }

    fn is_idle(&self, now: Moment) -> bool {
        let is_free = !self.has_socket()
            && self.requests.is_empty()
            && self.intents.is_empty()
            && !self.is_storing
            && self.reading.is_none()
            && self.unsaved.is_empty();
        is_free && now >= self.idle_at()
    }

    /// Tells the student, once in a while, that what was sent is not saved yet.
    fn tell_stall(&mut self, now: Moment) {
        if self.tell_stall_at.is_some_and(|at| now >= at) {
            self.tell_stall_at = Some(now.plus(STALL_AGAIN_MILLISECONDS));
            let outstanding = self.socket.as_ref().and_then(|socket| socket.road.outstanding());
            let fault = Fault { seq: outstanding, ..Fault::storage() };
            self.send(Outgoing::Text(write::error(&fault)));
        }
    }

    /// Gives the alerts and the time that are due, and ends the attempt when its time is up.
    fn keep_time(&mut self, now: Moment) {
        for remaining_ms in self.attempt.timer.take_alerts(now) {
            self.send(Outgoing::Text(write::alert(remaining_ms)));
        }
        if self.attempt.timer.take_time(now) {
            self.send(Outgoing::Text(write::time(None, &self.attempt.timer, now)));
        }
        let is_ending = self.is_ending || self.intents.iter().any(|intent| matches!(intent, Intent::Finish { .. }));
        if self.attempt.timer.is_over(now) && !is_ending {
            self.intents.push_front(Intent::Finish {
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
        if self.outcome.is_none() {
            self.keep_time(now);
        }
        if self.is_idle(now) {
            return self.leave(context);
        }
        self.work(context);
    }
}
