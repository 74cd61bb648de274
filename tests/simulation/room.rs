//! What proctors see: the product's room of all tests of the exam, fed late, twice and in any order, and a watcher who
//! is told its changes.

use std::collections::BTreeMap;

use domain::room::row::{AttemptRow, VersionedRow};
use domain::room::{Room, RoomPosition};
use uuid::Uuid;

/// Rows of one message to the watcher.
const ROWS_MAX: usize = 2;

/// A room and its watcher.
pub struct WatchedRoom {
    room: Room,
    position: RoomPosition,
    picture: BTreeMap<Uuid, AttemptRow>,
}

impl WatchedRoom {
    pub fn new(epoch: u64) -> Self {
        Self { room: Room::new(epoch), position: RoomPosition::START, picture: BTreeMap::new() }
    }

    /// A server reports a row.
    pub fn hear(&mut self, server: Uuid, row: VersionedRow) {
        self.room.put(server, row);
    }

    /// The number of the last change, before something is read.
    pub const fn seq(&self) -> u64 {
        self.room.seq()
    }

    /// Whether a row is to be read from the database.
    pub fn wants(&self, session_id: Uuid, fence: i64, is_over: bool) -> bool {
        self.room.wants(session_id, fence, is_over)
    }

    /// What was read when the number of the last change was this.
    pub fn read(&mut self, row: VersionedRow, as_of: u64) {
        self.room.put_stored(row, as_of);
    }

    /// Forgets servers that are gone.
    pub fn keep_living(&mut self, is_living: impl Fn(Uuid) -> bool) {
        let mut gone: Vec<Uuid> = self.room.holders().filter(|holder| !is_living(*holder)).collect();
        // The room knows no order, and a seed has to.
        gone.sort_unstable();
        gone.dedup();
        gone.into_iter().for_each(|server| self.room.lose(server));
    }

    /// Sends the watcher the next message.
    pub fn walk(&mut self) {
        if self.room.is_up_to_date(self.position) {
            return;
        }
        let is_new = self.room.going_on_at(self.position) == RoomPosition::START;
        let step = self.room.walk(self.position, ROWS_MAX);
        if is_new {
            self.picture.clear();
        }
        for (id, row) in step.rows {
            self.picture.insert(id, row.attempt.clone());
        }
        for id in step.removed {
            self.picture.remove(&id);
        }
        self.position = step.next;
    }

    /// The watcher connects again, and may know the number of the last change.
    pub fn come_again(&mut self, knows: bool) {
        let since =
            (knows && !self.position.is_in_roster() && self.room.is_up_to_date(self.position)).then(|| self.seq());
        self.position = self.room.enter(since);
    }

    /// What the watcher sees once everything has arrived.
    pub fn picture(&mut self) -> &BTreeMap<Uuid, AttemptRow> {
        while !self.room.is_up_to_date(self.position) {
            self.walk();
        }
        &self.picture
    }
}
