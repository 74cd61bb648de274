//! What proctors watch: the sessions of a grade or of a template, as one list that changes.
//!
//! Every change has a number; a watcher is the number up to which it knows the list. What it gets next is a walk from
//! there, so a slow watcher gets fewer and larger steps, and nothing is kept for it.

pub mod row;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::grade::Grade;
use super::time::moment::Moment;
use row::{RowVersion, SessionRow, SessionState, VersionedRow};

/// Sessions that have left a room, of which those who come back are told.
const TOMBSTONES_MAX: usize = 10_000;
/// Rooms begin with numbers that lie so many bits apart: a month of 2,000 changes a second.
const EPOCH_BITS: u32 = 33;
/// So many beginnings; the last one has room enough up to 2^53, which every JSON reader keeps exactly.
const EPOCHS: u64 = 1 << 19;

/// Which sessions: those of a grade, or of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RoomKey {
    /// All of a grade, with those of its templates.
    Grade(Grade),
    /// Those that were started from a template.
    #[serde(rename = "templateId")]
    Template(Uuid),
}

impl RoomPosition {
    /// Of one who knows nothing: the same for all of them, whenever they come.
    const START: Self = Self { at: 0, roster_until: Some(0) };

    /// Whether its watcher is being given the roster.
    #[must_use]
    pub const fn is_in_roster(self) -> bool {
        self.roster_until.is_some()
    }
}

impl RoomKey {
    /// `grade:5` or `template:<id>`.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Grade(grade) => format!("grade:{}", grade.number()),
            Self::Template(template_id) => format!("template:{template_id}"),
        }
    }

    /// The room of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        match name.split_once(':')? {
            ("grade", number) => Grade::parse(number).map(Self::Grade),
            ("template", template_id) => template_id.parse().ok().map(Self::Template),
            _ => None,
        }
    }

    /// Whether the room shows the session.
    #[must_use]
    pub fn shows(self, row: &SessionRow) -> bool {
        match self {
            Self::Grade(grade) => row.grade == grade,
            Self::Template(template_id) => row.template_id == Some(template_id),
        }
    }
}

/// Up to where a watcher knows a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RoomPosition {
    /// The number of the last change that it has.
    at: u64,
    /// Set while it is given the roster: changes up to this number belong to it.
    roster_until: Option<u64>,
}

/// What a watcher gets next.
#[derive(Debug, PartialEq, Eq)]
pub struct RoomStep<'a> {
    /// Whether it is part of a roster, and not a change.
    pub is_roster: bool,
    /// Whether the roster is complete with it.
    pub is_complete: bool,
    /// In the order in which they changed.
    pub rows: Vec<&'a SessionRow>,
    /// Sessions that have left the room.
    pub removed: Vec<Uuid>,
    /// The number that leads on from here.
    pub seq: u64,
    /// Where the watcher is then.
    pub next: RoomPosition,
}

/// A session of the room.
#[derive(Debug)]
struct RoomEntry {
    row: SessionRow,
    version: RowVersion,
    ended_at: Option<Moment>,
    /// The server whose seat tells of each change; none when only the store knows.
    holder: Option<Uuid>,
    number: u64,
}

/// The list of a room, and its changes.
#[derive(Debug)]
pub struct Room {
    places: HashMap<Uuid, RoomEntry>,
    /// Who changed last with which number: each session once, also when it has left.
    changes: BTreeMap<u64, Uuid>,
    /// Those that have left, by the number with which they did …
    tombstones: BTreeMap<u64, Uuid>,
    /// … and the other way round.
    left: HashMap<Uuid, u64>,
    /// The last change's number.
    seq: u64,
    /// Who knows less than this gets the roster.
    known_from: u64,
    /// Servers that live and can't be heard: of their seats the store may know more.
    doubted: Arc<HashSet<Uuid>>,
}

impl Room {
    /// An empty room; `epoch` is random, so that numbers of another room are not taken for its own. 0 is never one of them.
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
        }
    }

    /// The last change's number.
    #[must_use]
    pub const fn seq(&self) -> u64 {
        self.seq
    }

    /// Takes what a server tells of its seat; false when that shows nothing new.
    pub fn put(&mut self, server: Uuid, told: VersionedRow) -> bool {
        let holder = told.is_held.then_some(server);
        match self.places.get_mut(&told.row.session_id) {
            Some(place) if place.row.state == SessionState::Submitted || told.version <= place.version => return false,
            Some(place) => {
                place.version = told.version;
                place.holder = holder;
            }
            None => {}
        }
        self.set(told, holder)
    }

    /// Takes what the store had when `as_of` was the last change, unless a seat has told more; false when that shows
    /// nothing new.
    pub fn put_stored(&mut self, mut stored: VersionedRow, as_of: u64) -> bool {
        let mut holder = None;
        if let Some(place) = self.places.get_mut(&stored.row.session_id) {
            if place.number > as_of {
                return false;
            }
            let is_submitted = stored.row.state == SessionState::Submitted;
            let is_newer = is_submitted || stored.version.fence > place.version.fence;
            let is_doubted = place.holder.is_some_and(|holder| self.doubted.contains(&holder));
            let is_better = place.holder.is_none() || is_doubted || is_newer;
            if place.row.state == SessionState::Submitted || !is_better {
                return false;
            }
            place.version = place.version.max(stored.version);
            if !is_newer {
                // The seat is still there, and so perhaps is its student.
                holder = place.holder;
                stored.row.connected = place.row.connected && is_doubted;
            }
            place.holder = holder;
            stored.version = place.version;
            stored.row.last_seen_at = stored.row.last_seen_at.max(place.row.last_seen_at);
        }
        self.set(stored, holder)
    }

    /// These servers live and can't be heard, and no others.
    pub fn doubt(&mut self, servers: Arc<HashSet<Uuid>>) {
        self.doubted = servers;
    }

    /// Whether the seat of a session can't be heard.
    #[must_use]
    pub fn is_doubted(&self, session_id: Uuid) -> bool {
        self.places.get(&session_id).and_then(|place| place.holder).is_some_and(|holder| self.doubted.contains(&holder))
    }

    /// A server has died: nobody is connected to it, and the store knows better.
    pub fn lose(&mut self, server: Uuid) {
        let is_lost = |place: &&RoomEntry| place.holder == Some(server);
        let mut lost: Vec<Uuid> = self.places.values().filter(is_lost).map(|place| place.row.session_id).collect();
        // In one order, so that the same events always give the same numbers.
        lost.sort_unstable();
        for session_id in lost {
            let was_connected = self.places.get_mut(&session_id).is_some_and(|place| {
                place.holder = None;
                std::mem::take(&mut place.row.connected)
            });
            if was_connected {
                let number = self.next_number(session_id);
                if let Some(place) = self.places.get_mut(&session_id) {
                    place.number = number;
                }
            }
        }
    }

    /// The servers whose seats tell of sessions here.
    pub fn holders(&self) -> impl Iterator<Item = Uuid> {
        self.places.values().filter_map(|place| place.holder)
    }

    /// Whether the store may know more of a session than was told, when it has this fence there.
    #[must_use]
    pub fn wants(&self, session_id: Uuid, fence: Option<i64>, is_over: bool) -> bool {
        self.places.get(&session_id).is_none_or(|place| {
            let is_newer = place.holder.is_none_or(|holder| self.doubted.contains(&holder))
                || is_over
                || fence.is_some_and(|fence| fence > place.version.fence);
            place.row.state != SessionState::Submitted && is_newer
        })
    }

    /// Whether the session has changed since that number.
    #[must_use]
    pub fn has_changed_since(&self, session_id: Uuid, seq: u64) -> bool {
        self.places.get(&session_id).is_some_and(|place| place.number > seq)
    }

    /// Takes away what has ended before that moment; true when there was any.
    pub fn remove_ended(&mut self, before: Moment) -> bool {
        let is_old = |place: &&RoomEntry| place.ended_at.is_some_and(|ended_at| ended_at <= before);
        let mut old: Vec<Uuid> = self.places.values().filter(is_old).map(|place| place.row.session_id).collect();
        old.sort_unstable();
        old.iter().for_each(|session_id| self.remove(*session_id));
        !old.is_empty()
    }

    /// All rows, in the order in which they changed.
    pub fn rows(&self) -> impl Iterator<Item = &SessionRow> {
        self.changes.values().filter_map(|session_id| self.places.get(session_id)).map(|place| &place.row)
    }

    /// Where a new watcher begins: after the change that it knows, or with the roster when that is too long ago.
    #[must_use]
    pub fn enter(&self, since: Option<u64>) -> RoomPosition {
        match since {
            Some(since) if self.knows(since) => RoomPosition { at: since, roster_until: None },
            _ => RoomPosition::START,
        }
    }

    /// Whether a watcher has all there is.
    #[must_use]
    pub fn is_up_to_date(&self, position: RoomPosition) -> bool {
        position.roster_until.is_none() && position.at == self.seq
    }

    /// Where a watcher goes on: at the roster's beginning when what it knows is too long ago.
    #[must_use]
    pub const fn going_on_at(&self, position: RoomPosition) -> RoomPosition {
        if position.is_in_roster() || self.knows(position.at) { position } else { RoomPosition::START }
    }

    /// What a watcher gets next, of so many rows at most.
    #[must_use]
    pub fn walk(&self, position: RoomPosition, rows_max: usize) -> RoomStep<'_> {
        let position = self.going_on_at(position);
        match position.roster_until {
            // One that has not begun has what there is now.
            Some(_) if position.at == 0 => self.roster_part(0, self.seq, rows_max),
            Some(until) => self.roster_part(position.at, until, rows_max),
            None => self.changes_after(position.at, rows_max),
        }
    }

    const fn knows(&self, seq: u64) -> bool {
        self.known_from <= seq && seq <= self.seq
    }

    /// What changes meanwhile has a higher number, and comes as a change after the roster.
    fn roster_part(&self, at: u64, until: u64, rows_max: usize) -> RoomStep<'_> {
        let numbers = self.changes.range(at + 1..).take_while(|(number, _)| **number <= until);
        let mut rest = numbers.filter_map(|(number, session_id)| Some((*number, &self.places.get(session_id)?.row)));
        let part: Vec<(u64, &SessionRow)> = rest.by_ref().take(rows_max).collect();
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
                Some(place) => rows.push(&place.row),
                None => removed.push(*session_id),
            }
            seq = *number;
        }
        if rest.next().is_none() {
            seq = self.seq;
        }
        RoomStep {
            is_roster: false,
            is_complete: false,
            rows,
            removed,
            seq,
            next: RoomPosition { at: seq, roster_until: None },
        }
    }

    /// Shows a row; only one that differs is a change.
    fn set(&mut self, told: VersionedRow, holder: Option<Uuid>) -> bool {
        let VersionedRow { version, ended_at, mut row, .. } = told;
        // Nobody sits there any more, and what servers remember of the last socket may differ.
        row.connected &= row.state != SessionState::Submitted;
        if self.places.get(&row.session_id).is_some_and(|place| place.row == row && place.ended_at == ended_at) {
            return false;
        }
        let number = self.next_number(row.session_id);
        self.places.insert(row.session_id, RoomEntry { row, version, ended_at, holder, number });
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

    /// The number of a session's next change, in the place of the one before.
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
