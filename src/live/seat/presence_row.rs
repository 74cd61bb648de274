//! The seat's line in the lists of proctors: left in the feed whenever something that is shown has changed.

use std::collections::HashSet;
use std::sync::Arc;

use actix::prelude::*;
use domain::room::RoomKey;
use domain::room::row::{RowVersion, SessionRow, SessionState, VersionedRow};

use super::Seat;

/// One of these rooms has begun to be watched.
#[derive(Message)]
#[rtype(result = "()")]
pub struct ReportPresence {
    /// Which.
    pub rooms: Arc<HashSet<RoomKey>>,
    /// Held until the seat has told.
    pub under_way: Arc<()>,
}

impl Seat {
    /// Leaves the row in the feed when it has changed and anyone watches.
    pub(super) fn tell_row(&mut self) {
        if self.has_new_row && self.services.feed.is_watched(self.attempt.terms.grade, self.attempt.terms.template_id) {
            self.put_row(true);
        }
    }

    /// The seat leaves the memory: the store knows from now on what there is to know.
    pub(super) fn leave_row(&mut self) {
        if self.services.feed.is_watched(self.attempt.terms.grade, self.attempt.terms.template_id) {
            self.put_row(false);
        }
    }

    fn put_row(&mut self, is_held: bool) {
        let is_being_ended = self.attempt.ending().is_some() && self.outcome.is_none();
        // An end that is being stored is told when it is.
        let Some(hold) = self.hold.filter(|_| !(is_held && is_being_ended)) else { return };
        self.has_new_row = false;
        let is_connected = is_held && self.outcome.is_none() && self.has_socket();
        let mut row = SessionRow::of(&self.attempt, is_connected, self.outcome.as_ref().map(|outcome| outcome.score));
        if is_being_ended {
            // The store has not taken the end: the attempt lasts, and another seat goes on with it.
            row.state = if self.attempt.timer.is_paused() { SessionState::Paused } else { SessionState::Active };
        }
        let version = RowVersion { fence: hold.fence, number: 0 };
        let ended_at = self.attempt.ending().filter(|_| !is_being_ended).map(|ending| ending.at);
        self.services.feed.put(VersionedRow { version, is_held, ended_at, row });
    }
}

impl Handler<ReportPresence> for Seat {
    type Result = ();

    fn handle(&mut self, report: ReportPresence, _: &mut Self::Context) {
        let ReportPresence { rooms, under_way } = report;
        let terms = &self.attempt.terms;
        let is_meant = |key: &RoomKey| match *key {
            RoomKey::Grade(grade) => terms.grade == grade,
            RoomKey::Template(template_id) => terms.template_id == Some(template_id),
        };
        if rooms.iter().any(is_meant) {
            self.put_row(true);
        }
        drop(under_way);
    }
}
