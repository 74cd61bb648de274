//! The part of the actor of all rooms that deals with other servers: it sends them rows, receives theirs, and notices
//! who is silent.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

use actix::prelude::*;
use domain::room::RoomKey;
use domain::room::row::VersionedRow;
use uuid::Uuid;

use super::Rooms;
use super::messages::RoomMessage;
use crate::live::rooms::room::RoomEvent;

/// Rows of one message to another server.
const ROWS_AT_ONCE: usize = 300;

impl Rooms {
    /// Sends rows to the servers that watch their rooms.
    pub(super) fn send(&mut self, rows: &[VersionedRow]) {
        let watchers: Vec<(Uuid, Vec<VersionedRow>)> =
            self.peers.watchers().map(|(server, rooms, _)| (server, shown(rooms, rows))).collect();
        for (server, rows) in watchers {
            for rows in rows.chunks(ROWS_AT_ONCE) {
                let number = self.peers.next_number(server);
                self.tools.servers.tell(server, RoomMessage::Rows { number, rows: rows.to_vec() });
            }
        }
    }

    /// Tells the rooms when other servers can't be heard any more, and asks for all rows when they can be heard again.
    pub(super) fn note_partial(&mut self) {
        let is_partial = self.tools.servers.is_partial() || !self.unheard.is_empty();
        if is_partial == self.is_partial {
            return;
        }
        self.is_partial = is_partial;
        self.tell_partial();
        if !is_partial && !self.rooms.is_empty() {
            self.tell_watching();
            self.want_all();
        }
    }

    /// The message to rooms about how much of the other servers can be heard.
    pub(super) fn partial(&self) -> RoomEvent {
        RoomEvent::Partial { is_partial: self.is_partial, unheard: Arc::clone(&self.unheard) }
    }

    fn tell_partial(&mut self) {
        let partial = self.partial();
        self.rooms.values_mut().for_each(|local| local.give(partial.clone()));
    }

    /// Checks which servers are silent that should not be.
    pub(super) fn listen(&mut self, living: &HashSet<Uuid>) {
        let own_id = self.tools.servers.own_id();
        let unheard = self.peers.unheard(living.iter().copied().filter(|server| *server != own_id), Instant::now());
        if unheard == *self.unheard {
            return;
        }
        let healed: Vec<Uuid> = self.unheard.difference(&unheard).copied().collect();
        self.unheard = Arc::new(unheard);
        let was_partial = self.is_partial;
        self.note_partial();
        if was_partial == self.is_partial {
            healed.into_iter().for_each(|server| self.want(server));
            self.tell_partial();
        }
    }

    pub(super) fn hear(&mut self, from: Uuid, word: RoomMessage, context: &mut Context<Self>) {
        let now = Instant::now();
        match word {
            RoomMessage::Watching { rooms } => {
                let new = self.peers.watching(from, rooms, now);
                if !new.is_empty() {
                    self.set_watched(context);
                    self.ask_seats(new, Some(from), None);
                }
            }
            RoomMessage::Rows { number, rows } => {
                let has_gap = !self.peers.received(from, number, now);
                self.give(from, &rows);
                if has_gap {
                    self.want(from);
                }
            }
            RoomMessage::Sent { number } => {
                if !self.peers.has_all(from, number, now) {
                    self.want(from);
                }
            }
            RoomMessage::Reported { rooms, wish } => {
                self.peers.reported(from, &rooms, wish, now);
                self.note_reported(from, rooms.into_iter());
            }
            RoomMessage::RowsWanted { wish } => self.grant(from, wish),
        }
    }

    /// Asks all seats to report for a server that has missed something, unless they are being asked already.
    fn grant(&mut self, server: Uuid, wish: u64) {
        self.peers.note_heard(server, Instant::now());
        let is_under_way =
            self.asking.iter().any(|asking| asking.for_server == Some(server) && asking.wish == Some(wish));
        let rooms = self.peers.watchers().find(|(watcher, ..)| *watcher == server).map(|(_, rooms, _)| rooms.clone());
        if let Some(rooms) = rooms.filter(|_| !is_under_way) {
            // This request includes what was asked for that server before.
            self.asking.retain(|asking| asking.for_server != Some(server));
            self.ask_seats(rooms, Some(server), Some(wish));
        }
    }

    /// Asks a server for all its rows.
    fn want(&mut self, server: Uuid) {
        if let Some(wish) = self.peers.owe(server) {
            self.tools.servers.tell(server, RoomMessage::RowsWanted { wish });
        }
    }

    pub(super) fn want_all(&mut self) {
        let servers: Vec<Uuid> = self.peers.known().collect();
        servers.into_iter().for_each(|server| self.want(server));
    }
}

/// The rows that are shown in any of the rooms.
fn shown(rooms: &HashSet<RoomKey>, rows: &[VersionedRow]) -> Vec<VersionedRow> {
    rows.iter().filter(|row| rooms.iter().any(|key| key.shows(&row.row))).cloned().collect()
}
