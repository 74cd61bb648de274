//! The list of sessions that proctors watch, of a grade, a template or a sitting, and its changes.
//!
//! Every change has a number, and a watcher is represented only by the number up to which it knows the list. Its next
//! message is computed from there, so a slow watcher gets fewer and larger messages, and nothing is queued for it.
//!
//! In a sitting's room everyone on the roster has a row, whether they have a session or not, so the rows there are told
//! apart by the candidates' ids, everywhere else by the sessions'.

pub mod counts;
pub mod differences;
mod entry;
mod key;
pub mod late;
pub mod roster;
pub mod row;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use uuid::Uuid;

use super::time::moment::Moment;
use entry::RoomEntry;
pub use key::RoomKey;
use roster::RoomRoster;
use row::{AttemptRow, RowVersion, SessionRow, SessionState, VersionedRow};

/// How many sessions that have left the room are remembered for watchers who reconnect. A watcher that missed an older
/// one gets the whole list again.
const TOMBSTONES_MAX: usize = 10_000;
/// Bits by which epochs are apart: two of them are at least 2^33 numbers apart, a month of 2,000 changes a second.
const EPOCH_BITS: u32 = 33;
/// The number of epochs. The last one still has room below 2^53, the largest integer that every JSON reader keeps
/// exactly.
const EPOCHS: u64 = 1 << 19;

impl RoomPosition {
    /// The position of a watcher that knows nothing. It does not depend on the room, so that all new watchers share one
    /// position.
    pub const START: Self = Self { at: 0, roster_until: Some(0) };

    /// The position of a watcher that knows the whole list up to that change.
    #[must_use]
    pub const fn after(seq: u64) -> Self {
        Self { at: seq, roster_until: None }
    }

    /// Whether the watcher is still receiving the roster.
    #[must_use]
    pub const fn is_in_roster(self) -> bool {
        self.roster_until.is_some()
    }
}

/// How much of a room's list a watcher knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RoomPosition {
    /// The number of the last change that it knows.
    at: u64,
    /// Set while it receives the roster: changes up to this number are part of it.
    roster_until: Option<u64>,
}

/// A watcher's next message.
#[derive(Debug, PartialEq, Eq)]
pub struct RoomStep<'a> {
    /// Whether this is a part of a roster, and not a change.
    pub is_roster: bool,
    /// Whether it is the last part of the roster.
    pub is_complete: bool,
    /// In the order of their last changes, with what tells them apart.
    pub rows: Vec<(Uuid, &'a SessionRow)>,
    /// Sessions that have left the room; in a sitting's room, candidates.
    pub removed: Vec<Uuid>,
    /// The number from which a watcher can continue.
    pub seq: u64,
    /// The watcher's position after this message.
    pub next: RoomPosition,
}

/// The sessions of a room, and its changes.
#[derive(Debug)]
pub struct Room {
    places: HashMap<Uuid, RoomEntry>,
    /// The last change of each session by number, also of sessions that have left.
    changes: BTreeMap<u64, Uuid>,
    /// Sessions that have left, by the number of the change with which they left.
    tombstones: BTreeMap<u64, Uuid>,
    /// The number of the change with which each session left. It is the inverse of `tombstones`.
    left: HashMap<Uuid, u64>,
    /// The number of the last change.
    seq: u64,
    /// Watchers that know less than this number get the roster.
    known_from: u64,
    /// Servers that are alive but cannot be heard: the database may know more about their seats.
    doubted: Arc<HashSet<Uuid>>,
    /// Of a sitting's room.
    roster: Option<RoomRoster>,
}

impl Room {
    /// An empty room. `epoch` is random, so that numbers of another server's room, or of an earlier one, are not taken
    /// for its own. 0 is never a number of a room.
    #[must_use]
    pub fn new(epoch: u64) -> Self {
        let seq = (1 + epoch % (EPOCHS - 1)) << EPOCH_BITS;
        Self {
            places: HashMap::new(),
            changes: BTreeMap::new(),
            tombstones: BTreeMap::new(),
            left: HashMap::new(),
            seq,
            known_from: seq,
            doubted: Arc::default(),
            roster: None,
        }
    }

    /// An empty room of a sitting, which shows nobody before it has the roster.
    #[must_use]
    pub fn of_sitting(epoch: u64) -> Self {
        Self { roster: Some(RoomRoster::default()), ..Self::new(epoch) }
    }

    /// The number of the last change.
    #[must_use]
    pub const fn seq(&self) -> u64 {
        self.seq
    }

    /// Takes the row that a server reports from its seat; false when it shows nothing new.
    pub fn put(&mut self, server: Uuid, told: VersionedRow) -> bool {
        let holder = told.is_held.then_some(server);
        let Some(id) = self.id_of(&told.row) else { return false };
        if self.is_early(id, server, &told) {
            return false;
        }
        match self.places.get_mut(&id) {
            Some(place) if place.is_over_for(told.version) || told.version <= place.version => {
                return false;
            }
            Some(place) => {
                place.version = told.version;
                place.holder = holder;
            }
            None => {}
        }
        self.set(id, told, holder)
    }

    /// Takes the row that the database had when `as_of` was the last change. Newer reports from seats win; false when
    /// it shows nothing new.
    pub fn put_stored(&mut self, mut stored: VersionedRow, as_of: u64) -> bool {
        let mut holder = None;
        let Some(id) = self.id_of(&stored.row) else { return false };
        if let Some(place) = self.places.get_mut(&id) {
            // The session has changed while the database was being read, so the row that was read is older.
            if place.number > as_of {
                return false;
            }
            let is_submitted = stored.row.state == SessionState::Submitted;
            // After an end or under a higher fence, the old seat has nothing more to report.
            let is_newer = is_submitted || stored.version.fence > place.version.fence;
            let is_doubted = place.holder.is_some_and(|holder| self.doubted.contains(&holder));
            let is_better = place.holder.is_none() || is_doubted || is_newer;
            let is_of_earlier_run = stored.version.run() < place.run();
            // A test that is over may still get late work, and another result.
            let is_over = place.is_over_for(stored.version) && !is_submitted;
            if is_over || is_of_earlier_run || !is_better {
                return false;
            }
            place.version = place.version.max(stored.version);
            if !is_newer {
                // The seat still exists, and its student may still be connected.
                holder = place.holder;
                stored.row.connected = place.row.attempt.connected && is_doubted;
            }
            place.holder = holder;
            stored.version = place.version;
            stored.row.last_seen_at = stored.row.last_seen_at.max(place.row.attempt.last_seen_at);
        }
        self.set(id, stored, holder)
    }

    /// Sets which servers are alive but cannot be heard.
    pub fn doubt(&mut self, servers: Arc<HashSet<Uuid>>) {
        self.doubted = servers;
    }

    /// Whether the server that holds the seat cannot be heard.
    #[must_use]
    pub fn is_doubted(&self, id: Uuid) -> bool {
        self.places.get(&id).and_then(|place| place.holder).is_some_and(|holder| self.doubted.contains(&holder))
    }

    /// A server has died: nobody is connected to it, and from now on the database knows more than its last reports.
    pub fn lose(&mut self, server: Uuid) {
        let is_lost = |(_, place): &(&Uuid, &RoomEntry)| place.holder == Some(server);
        let mut lost: Vec<Uuid> = self.places.iter().filter(is_lost).map(|(id, _)| *id).collect();
        // Sorted, so that the same events always give the same numbers.
        lost.sort_unstable();
        for id in lost {
            let was_connected = self.places.get_mut(&id).is_some_and(|place| {
                place.holder = None;
                place.told.iter_mut().for_each(|told| told.connected = false);
                std::mem::take(&mut place.row.attempt.connected)
            });
            if was_connected {
                let number = self.next_number(id);
                if let Some(place) = self.places.get_mut(&id) {
                    place.number = number;
                }
            }
        }
    }

    /// The servers whose seats report sessions of this room.
    pub fn holders(&self) -> impl Iterator<Item = Uuid> {
        self.places.values().filter_map(|place| place.holder)
    }

    /// Whether the database may know more about a session than the seats have reported; `fence` and `is_over` are its
    /// seat's fence and its end in the database. Where there is no seat, the fence is that with which its run began.
    #[must_use]
    pub fn wants(&self, id: Uuid, fence: i64, is_over: bool) -> bool {
        self.places.get(&id).is_none_or(|place| {
            let is_newer = place.holder.is_none_or(|holder| self.doubted.contains(&holder))
                || is_over
                || fence > place.version.fence;
            !place.is_over_for(RowVersion { fence, number: 0 }) && is_newer
        })
    }

    /// Whether the row has changed after that number.
    #[must_use]
    pub fn has_changed_since(&self, id: Uuid, seq: u64) -> bool {
        self.places.get(&id).is_some_and(|place| place.number > seq)
    }

    /// Removes sessions that ended at or before that moment; true when there were any.
    pub fn remove_ended(&mut self, before: Moment) -> bool {
        let is_old = |(_, place): &(&Uuid, &RoomEntry)| place.ended_at.is_some_and(|ended_at| ended_at <= before);
        let mut old: Vec<Uuid> = self.places.iter().filter(is_old).map(|(id, _)| *id).collect();
        old.sort_unstable();
        old.iter().for_each(|id| self.remove(*id));
        !old.is_empty()
    }

    /// All rows, in the order of their last changes.
    pub fn rows(&self) -> impl Iterator<Item = &SessionRow> {
        self.changes.values().filter_map(|session_id| self.places.get(session_id)).map(|place| &place.row)
    }

    /// What has changed after that number, in the order of the changes; `None` for who has left.
    pub fn changed_after(&self, seq: u64) -> impl Iterator<Item = (Uuid, Option<&SessionRow>)> {
        self.changes.range(seq + 1..).map(|(_, id)| (*id, self.places.get(id).map(|place| &place.row)))
    }

    /// Where a new watcher begins: after the change that it knows, or with the roster when that change is too old.
    #[must_use]
    pub fn enter(&self, since: Option<u64>) -> RoomPosition {
        match since {
            Some(since) if self.knows(since) => RoomPosition::after(since),
            _ => RoomPosition::START,
        }
    }

    /// Whether a watcher knows the whole list.
    #[must_use]
    pub fn is_up_to_date(&self, position: RoomPosition) -> bool {
        position.roster_until.is_none() && position.at == self.seq
    }

    /// Where a watcher continues: at the start of the roster when its position is too old.
    #[must_use]
    pub const fn going_on_at(&self, position: RoomPosition) -> RoomPosition {
        if position.is_in_roster() || self.knows(position.at) { position } else { RoomPosition::START }
    }

    /// A watcher's next message, with at most `rows_max` rows.
    #[must_use]
    pub fn walk(&self, position: RoomPosition, rows_max: usize) -> RoomStep<'_> {
        let position = self.going_on_at(position);
        match position.roster_until {
            // A watcher that has not begun yet gets the list as it is now.
            Some(_) if position.at == 0 => self.roster_part(0, self.seq, rows_max),
            Some(until) => self.roster_part(position.at, until, rows_max),
            None => self.changes_after(position.at, rows_max),
        }
    }

    const fn knows(&self, seq: u64) -> bool {
        self.known_from <= seq && seq <= self.seq
    }

    /// A session that changes meanwhile gets a higher number than `until`, and comes as a change after the roster.
    fn roster_part(&self, at: u64, until: u64, rows_max: usize) -> RoomStep<'_> {
        let numbers = self.changes.range(at + 1..).take_while(|(number, _)| **number <= until);
        let mut rest = numbers.filter_map(|(number, id)| Some((*number, (*id, &self.places.get(id)?.row))));
        let part: Vec<(u64, (Uuid, &SessionRow))> = rest.by_ref().take(rows_max).collect();
        let is_complete = rest.next().is_none();
        let seq = part.last().filter(|_| !is_complete).map_or(until, |(number, _)| *number);
        let next = RoomPosition { at: seq, roster_until: (!is_complete).then_some(until) };
        RoomStep {
            is_roster: true,
            is_complete,
            rows: part.into_iter().map(|(_, row)| row).collect(),
            removed: Vec::new(),
            seq,
            next,
        }
    }

    fn changes_after(&self, at: u64, rows_max: usize) -> RoomStep<'_> {
        let (mut rows, mut removed, mut seq) = (Vec::new(), Vec::new(), self.seq);
        let mut rest = self.changes.range(at + 1..);
        for (number, session_id) in rest.by_ref().take(rows_max) {
            match self.places.get(session_id) {
                Some(place) => rows.push((*session_id, &place.row)),
                None => removed.push(*session_id),
            }
            seq = *number;
        }
        if rest.next().is_none() {
            seq = self.seq;
        }
        RoomStep { is_roster: false, is_complete: false, rows, removed, seq, next: RoomPosition::after(seq) }
    }

    /// How a row is told apart from the others.
    fn id_of(&self, row: &AttemptRow) -> Option<Uuid> {
        if self.roster.is_some() { row.candidate_id } else { row.session_id }
    }

    /// Stores a row; only one that differs is a change.
    fn set(&mut self, id: Uuid, reported: VersionedRow, holder: Option<Uuid>) -> bool {
        let VersionedRow { version, ended_at, mut row, .. } = reported;
        // Nobody is connected to a finished test, and servers may differ in what they remember of its last socket.
        row.connected &= row.state != SessionState::Submitted;
        // Proctors of a sitting need not be among those who may read its paper.
        row.template_id = row.template_id.filter(|_| row.sitting_id.is_none());
        // Nor among those who may know its questions: a finished test has none on the screen.
        row.current_question_id = row.current_question_id.filter(|_| row.state != SessionState::Submitted);
        let (row, told) = match &self.roster {
            None => (SessionRow { attempt: row, roster: None }, None),
            Some(roster) => {
                let Some(shown) = roster.shown(id, Some(&row)) else { return false };
                (shown, Some(Box::new(row)))
            }
        };
        if let Some(place) = self.places.get_mut(&id).filter(|place| place.row == row && place.ended_at == ended_at) {
            place.told = told;
            return false;
        }
        let number = self.next_number(id);
        self.places.insert(id, RoomEntry { row, told, version, ended_at, holder, number });
        true
    }

    fn remove(&mut self, session_id: Uuid) {
        let number = self.next_number(session_id);
        if self.places.remove(&session_id).is_some() {
            self.left.insert(session_id, number);
            self.tombstones.insert(number, session_id);
        }
        if self.tombstones.len() > TOMBSTONES_MAX
            && let Some((forgotten, session_id)) = self.tombstones.pop_first()
        {
            self.left.remove(&session_id);
            self.changes.remove(&forgotten);
            self.known_from = forgotten;
        }
    }

    /// The number of a session's next change; it replaces the session's last one, so each session is in `changes` once.
    fn next_number(&mut self, session_id: Uuid) -> u64 {
        let left = self.left.remove(&session_id).inspect(|number| {
            self.tombstones.remove(number);
        });
        if let Some(before) = self.places.get(&session_id).map(|place| place.number).or(left) {
            self.changes.remove(&before);
        }
        self.seq += 1;
        self.changes.insert(self.seq, session_id);
        self.seq
    }
}

#[cfg(test)]
mod tests;
