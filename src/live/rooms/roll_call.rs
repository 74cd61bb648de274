//! Seats that are asked to tell of themselves, since someone has begun to watch: when the last has, the watcher knows all.

use std::collections::HashSet;
use std::sync::Arc;

use actix::prelude::*;
use domain::room::RoomKey;
use uuid::Uuid;

use crate::live::seat::ReportPresence;
use crate::live::seat::SeatHandle;

/// Seats that are asked to tell of themselves.
pub(super) struct RollCall {
    pub(super) rooms: Arc<HashSet<RoomKey>>,
    /// For another server; for this one when there is none.
    pub(super) for_server: Option<Uuid>,
    /// That server's wish, when it has missed something.
    pub(super) wish: Option<u64>,
    /// Those whose mailbox was full.
    seats: Vec<Arc<SeatHandle>>,
    /// Held by each question under way.
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

    /// Asks those whose mailbox was full; one that has stopped has nothing to tell.
    pub(super) fn go_on(&mut self) {
        let Self { rooms, under_way, seats, .. } = self;
        seats.retain(|seat| {
            matches!(
                seat.address.try_send(ReportPresence { rooms: Arc::clone(rooms), under_way: Arc::clone(under_way) }),
                Err(SendError::Full(_))
            )
        });
    }

    /// All of them have told.
    pub(super) fn is_done(&self) -> bool {
        self.seats.is_empty() && Arc::strong_count(&self.under_way) == 1
    }
}
