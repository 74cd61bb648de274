//! The seat's row in the lists of proctors: put into the feed whenever something that the row shows has changed.

use std::collections::HashSet;
use std::sync::Arc;

use actix::prelude::*;
use domain::room::RoomKey;
use domain::room::row::{AttemptRow, RowVersion, SessionState, VersionedRow};

use super::Seat;

/// Somebody has begun to watch one of these rooms.
#[derive(Message)]
#[rtype(result = "()")]
pub struct ReportPresence {
    pub rooms: Arc<HashSet<RoomKey>>,
    /// Held until the seat has reported, so that the sender sees when all seats have.
    pub under_way: Arc<()>,
}

impl Seat {
    /// Puts the row into the feed if it has changed and anyone watches.
    pub(super) fn tell_row(&mut self) {
        if self.report.has_new_row() && self.is_watched() {
            self.put_row(true);
        }
    }

    /// Puts a last row into the feed when the seat leaves memory: from then on the database knows all there is to know.
    pub(super) fn leave_row(&mut self) {
        if self.is_watched() {
            self.put_row(false);
        }
    }

    fn is_watched(&self) -> bool {
        let terms = &self.attempt.terms;
        self.services.feed.is_watched(terms.grade, terms.template_id, terms.sitting.map(|place| place.sitting_id))
    }

    fn put_row(&mut self, is_held: bool) {
        let is_being_ended = self.attempt.ending().is_some() && self.outcome.is_none();
        // An end that is being stored is reported when it is stored.
        let Some(hold) = self.hold.filter(|_| !(is_held && is_being_ended)) else { return };
        self.report.told();
        let is_connected = is_held && self.outcome.is_none() && self.channels.has_socket();
        let mut row = AttemptRow::of(&self.attempt, is_connected, self.shown_score());
        if is_being_ended {
            // The database did not take the end: the attempt goes on, in another seat.
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
        let sitting_id = terms.sitting.map(|place| place.sitting_id);
        let is_meant = |key: &RoomKey| key.shows_those_of(terms.grade, terms.template_id, sitting_id);
        if rooms.iter().any(is_meant) {
            self.put_row(true);
        }
        drop(under_way);
    }
}
