//! The feed: where seats put their rows. All workers share it, so that no seat ever waits for a proctor.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use arc_swap::ArcSwap;
use domain::grade::Grade;
use domain::room::RoomKey;
use domain::room::row::VersionedRow;
use uuid::Uuid;

/// The rows that have changed since they were last taken, at most one for each seat.
#[derive(Default)]
pub struct Feed {
    watched: ArcSwap<WatchedRooms>,
    numbers: AtomicU64,
    changed: Mutex<HashMap<Uuid, VersionedRow>>,
}

/// The rooms that are watched, here or elsewhere.
#[derive(Default)]
struct WatchedRooms {
    rooms: HashSet<RoomKey>,
    /// The sittings of which any room is.
    sittings: HashSet<Uuid>,
}

impl Feed {
    /// Returns whether anyone watches such a session, on this server or another. While nothing is watched, this costs a
    /// seat a single read.
    #[must_use]
    pub fn is_watched(&self, grade: Grade, template_id: Option<Uuid>, sitting_id: Option<Uuid>) -> bool {
        let watched = self.watched.load();
        !watched.rooms.is_empty()
            && (watched.rooms.contains(&RoomKey::Grade(grade))
                || template_id.is_some_and(|template_id| watched.rooms.contains(&RoomKey::Template(template_id)))
                || sitting_id.is_some_and(|sitting_id| watched.sittings.contains(&sitting_id)))
    }

    /// Adds the row of a seat, with a higher number than all rows before it.
    pub fn put(&self, mut row: VersionedRow) {
        let mut changed = self.changed();
        // Numbered under the lock, so that the row that was put last has the highest number.
        row.version.number = self.numbers.fetch_add(1, Ordering::Relaxed) + 1;
        let session_id = row.row.session_id.unwrap_or_default();
        changed.insert(session_id, row);
    }

    /// All rows since the last call.
    #[must_use]
    pub fn take(&self) -> Vec<VersionedRow> {
        // A guard within one expression would live until all rows are collected, and seats would wait for it.
        let changed = std::mem::take(&mut *self.changed());
        changed.into_values().collect()
    }

    /// Sets which rooms are watched.
    pub fn watch(&self, rooms: HashSet<RoomKey>) {
        // Rows that were put while nobody took them may be long out of date.
        if rooms.is_empty() || self.watched.load().rooms.is_empty() {
            drop(self.take());
        }
        let sittings = rooms.iter().filter_map(|key| key.sitting_id()).collect();
        self.watched.store(WatchedRooms { rooms, sittings }.into());
    }

    /// A lock that a panic has poisoned is still good: every change of the map is a single call.
    fn changed(&self) -> MutexGuard<'_, HashMap<Uuid, VersionedRow>> {
        self.changed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
