//! Where seats leave their rows: shared by all workers, so that no seat ever waits for a proctor.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use arc_swap::ArcSwap;
use domain::grade::Grade;
use domain::room::RoomKey;
use domain::room::row::VersionedRow;
use uuid::Uuid;

/// The rows that have changed since they were last taken: one of each seat at most.
#[derive(Default)]
pub struct Feed {
    watched: ArcSwap<HashSet<RoomKey>>,
    numbers: AtomicU64,
    changed: Mutex<HashMap<Uuid, VersionedRow>>,
}

impl Feed {
    /// Whether anyone watches such a session, here or on another server; while nobody watches anything this costs one
    /// look.
    #[must_use]
    pub fn is_watched(&self, grade: Grade, template_id: Option<Uuid>) -> bool {
        let watched = self.watched.load();
        !watched.is_empty()
            && (watched.contains(&RoomKey::Grade(grade))
                || template_id.is_some_and(|template_id| watched.contains(&RoomKey::Template(template_id))))
    }

    /// Takes the row of a seat, with a number above that of all before.
    pub fn put(&self, mut row: VersionedRow) {
        let mut changed = self.changed();
        // Numbered under the lock, so that the last one put is the one with the highest number.
        row.version.number = self.numbers.fetch_add(1, Ordering::Relaxed) + 1;
        changed.insert(row.row.session_id, row);
    }

    /// All rows since the last time.
    #[must_use]
    pub fn take(&self) -> Vec<VersionedRow> {
        // A guard within one expression would live until all is collected, and seats would wait.
        let changed = std::mem::take(&mut *self.changed());
        changed.into_values().collect()
    }

    /// These rooms are watched, and no others.
    pub fn watch(&self, rooms: HashSet<RoomKey>) {
        // What a seat has left here while nobody took it may be long out of date.
        if rooms.is_empty() || self.watched.load().is_empty() {
            drop(self.take());
        }
        self.watched.store(rooms.into());
    }

    /// A panic elsewhere does not make the map wrong: every change of it is one call.
    fn changed(&self) -> MutexGuard<'_, HashMap<Uuid, VersionedRow>> {
        self.changed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
