//! Proctors' orders to the seat: it adopts their times, shows their notices to the student, and ends when they say so.

use std::collections::VecDeque;

use actix::prelude::*;
use domain::attempt::Reason;
use domain::time::moment::Moment;
use domain::time::times::Adopted;

use super::Seat;
use super::socket::Origin;
use super::storing::Intent;
use crate::live::protocol::write::{self, Outgoing};
use crate::live::store::{NOTICES_WAITING_MAX, Notice, PendingOrders};

/// Orders that the seat may not have yet.
#[derive(Message)]
#[rtype(result = "()")]
pub struct DeliverOrders(pub PendingOrders);

/// Notices that wait for a socket.
#[derive(Default)]
pub(super) struct Notices {
    waiting: VecDeque<Notice>,
    /// The highest notice that has arrived here. Each arrives again until it is stored that the student has been sent
    /// it.
    last_id: i64,
}

impl Notices {
    pub(super) fn of(notices: Vec<Notice>) -> Self {
        let mut waiting = Self::default();
        waiting.add(notices);
        waiting
    }

    pub(super) fn add(&mut self, notices: Vec<Notice>) {
        for notice in notices {
            if notice.id > self.last_id {
                self.last_id = notice.id;
                self.waiting.push_back(notice);
            }
        }
        while self.waiting.len() > NOTICES_WAITING_MAX {
            self.waiting.pop_front();
        }
    }
}

impl Seat {
    fn obey(&mut self, orders: PendingOrders) {
        // While an end is being stored, orders are left to its commit: the database refuses an end that overlooks an
        // order, and the seat is then built again.
        let Some(hold) = self.hold.as_mut().filter(|hold| !self.is_ending && hold.orders < orders.number) else {
            return;
        };
        hold.orders = orders.number;
        self.report.renew();
        let now = self.services.clock.now();
        let ordered = orders.standing.times;
        // The row of someone who waits has no times yet.
        let times = match &self.sitting {
            Some(sitting) if ordered.begins_at == Moment::LAST => sitting.times(&ordered),
            _ => ordered,
        };
        let is_waiting = self.waits(now);
        let has_other_text = self.pause_text != orders.standing.pause_text;
        self.pause_text = orders.standing.pause_text;
        let changes = self.attempt.timer.adopt(times, orders.number, now);
        changes.iter().for_each(|change| self.tell_adopted(*change, now));
        if has_other_text && self.attempt.timer.is_paused() && !changes.contains(&Adopted::Paused) {
            self.tell_adopted(Adopted::Paused, now);
        }
        if is_waiting && (has_other_text || !changes.is_empty()) {
            self.tell_waiting(now);
        }
        self.tell_news();
        self.end_devices(orders.devices_ended);
        self.notices.add(orders.notices);
        self.tell_notices();
        self.finish_by = orders.standing.finish_by;
        self.finish_as_ordered();
    }

    pub(super) fn tell_adopted(&mut self, change: Adopted, now: Moment) {
        let frame = write::adopted(change, self.pause_text.as_deref(), &self.attempt.timer, now);
        self.send(Outgoing::Text(frame));
    }

    /// Wakes the requests that wait for news of the attempt.
    pub(super) fn tell_news(&self) {
        self.news.send_replace(());
    }

    /// Sends the waiting notices, as long as there is a socket.
    pub(super) fn tell_notices(&mut self) {
        while self.channels.has_socket()
            && let Some(notice) = self.notices.waiting.pop_front()
        {
            self.send(Outgoing::Text(write::notice(&notice.text, &notice.from)));
            if !self.channels.has_socket() {
                return self.notices.waiting.push_front(notice);
            }
            self.storing.tell(notice.id);
        }
    }

    /// Puts the end that a proctor has ordered before everything else that waits.
    pub(super) fn finish_as_ordered(&mut self) {
        if self.finish_by.is_some() && !self.is_ending && self.outcome.is_none() {
            let at = self.services.clock.now();
            self.storing.intend_first(Intent::Finish {
                reason: Reason::Proctor,
                seq: None,
                at,
                origin: Origin::Nobody,
            });
        }
    }
}

impl Handler<DeliverOrders> for Seat {
    type Result = ();

    fn handle(&mut self, DeliverOrders(orders): DeliverOrders, context: &mut Self::Context) {
        self.obey(orders);
        self.work(context);
    }
}
