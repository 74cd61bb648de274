//! A room of this server, as the actor of all rooms has it: what the room is slow to take waits here, within a bound.

use actix::prelude::*;

use crate::live::rooms::room::{RoomActor, RoomEvent};

/// What one room is slow to take; of more it is told everything anew.
const HELD_UP_MAX: usize = 1_000;

/// A room of this server.
pub(super) struct RoomBacklog {
    pub(super) room: Addr<RoomActor>,
    /// How many have come to it.
    pub(super) joins: u64,
    held_up: Vec<RoomEvent>,
    has_missed: bool,
}

impl RoomBacklog {
    pub(super) const fn new(room: Addr<RoomActor>) -> Self {
        Self { room, joins: 0, held_up: Vec::new(), has_missed: false }
    }

    pub(super) fn give(&mut self, change: RoomEvent) {
        if self.held_up.len() >= HELD_UP_MAX {
            self.held_up.clear();
            self.has_missed = true;
        }
        self.held_up.push(change);
        self.go_on();
    }

    /// A room that is slow gets what it could not take yet, in order.
    pub(super) fn go_on(&mut self) {
        let mut rest = std::mem::take(&mut self.held_up).into_iter();
        for change in rest.by_ref() {
            if let Err(SendError::Full(change)) = self.room.try_send(change) {
                self.held_up.push(change);
                break;
            }
        }
        self.held_up.extend(rest);
    }

    /// Whether the room takes everything again, but has missed something before: also what was said of the others.
    pub(super) fn takes_all_anew(&mut self) -> bool {
        self.held_up.is_empty() && std::mem::take(&mut self.has_missed)
    }
}
