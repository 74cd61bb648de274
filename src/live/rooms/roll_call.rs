//! A request to all seats to report, because a proctor has begun to watch. When the last seat has reported, the
//! watcher's picture is complete.

use std::collections::HashSet;
use std::sync::Arc;

use actix::prelude::*;
use domain::room::RoomKey;
use uuid::Uuid;

use crate::live::seat::ReportPresence;
use crate::live::seat::SeatHandle;

/// Seats that are asked to report.
pub(super) struct RollCall {
    pub(super) rooms: Arc<HashSet<RoomKey>>,
    /// The server that wants the reports; `None` for this one.
    pub(super) for_server: Option<Uuid>,
    /// The number of that server's wish, if it has missed something.
    pub(super) wish: Option<u64>,
    /// Seats whose mailbox was full.
    seats: Vec<Arc<SeatHandle>>,
    /// Cloned into each request: when only this one is left, all seats have reported.
    under_way: Arc<()>,
}

impl RollCall {
    pub(super) fn new(
        rooms: HashSet<RoomKey>,
        for_server: Option<Uuid>,
        wish: Option<u64>,
        seats: Vec<Arc<SeatHandle>>,
    ) -> Self {
        Self { rooms: Arc::new(rooms), for_server, wish, seats, under_way: Arc::default() }
    }

    /// Asks the seats whose mailbox was full. A seat that has stopped has nothing to report.
    pub(super) fn go_on(&mut self) {
        let Self { rooms, under_way, seats, .. } = self;
        seats.retain(|seat| {
            matches!(
                seat.address.try_send(ReportPresence { rooms: Arc::clone(rooms), under_way: Arc::clone(under_way) }),
                Err(SendError::Full(_))
            )
        });
    }

    /// Returns whether all seats have reported.
    pub(super) fn is_done(&self) -> bool {
        self.seats.is_empty() && Arc::strong_count(&self.under_way) == 1
    }
}
