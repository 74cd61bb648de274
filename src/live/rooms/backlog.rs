//! A room of this server, as the actor of all rooms sees it: messages wait here for a room that is slow, up to a limit.

use actix::prelude::*;

use crate::live::rooms::room::{RoomActor, RoomEvent};

/// Messages that wait for one slow room. Beyond that all are dropped, and the room starts again from a full picture.
const HELD_UP_MAX: usize = 1_000;

/// A room of this server, with the messages that wait for it.
pub(super) struct RoomBacklog {
    pub(super) room: Addr<RoomActor>,
    /// The watchers that have been sent to it so far.
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

    /// Sends the room the messages that it could not take before, in order.
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

    /// Returns whether the room can take messages again but has missed some, so that it needs a full picture. Asking
    /// forgets it.
    pub(super) fn takes_all_anew(&mut self) -> bool {
        self.held_up.is_empty() && std::mem::take(&mut self.has_missed)
    }
}
