//! Finds the seats of this server. Each attempt has one seat at most, built once however many callers ask for it.

use std::collections::HashMap;
use std::sync::atomic::AtomicI64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::time::moment::Moment;
use futures_util::{StreamExt, stream};
use tokio::sync::{OnceCell, watch};
use uuid::Uuid;

use crate::live::seat::{SeatDirectory, SeatHandle, Stop};

/// Seats that are stopping at once in a planned stop.
const STOPPING_AT_ONCE: usize = 256;
/// How long a planned stop waits for the seats to commit. Clients keep what was not acknowledged, so nothing is lost
/// after that.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

type SeatSlot = Arc<OnceCell<Arc<SeatHandle>>>;

/// The state of a session's seat on this server.
pub enum SeatAtHand {
    Seat(Arc<SeatHandle>),
    /// It is being built, from what may have been read from the database already.
    UnderWay,
    /// There is none. A seat that is built later reads the database first.
    Nothing,
}

#[derive(Default)]
pub struct Registry {
    places: Mutex<HashMap<Uuid, SeatSlot>>,
    stopping: watch::Sender<bool>,
}

impl Registry {
    /// Returns the living seat of a session, if it is on this server.
    #[must_use]
    pub fn find(&self, session_id: Uuid) -> Option<Arc<SeatHandle>> {
        self.places().get(&session_id).filter(|place| is_alive(place)).and_then(|place| place.get().map(Arc::clone))
    }

    /// Like [`Self::find`], but distinguishes a seat that is being built from none.
    #[must_use]
    pub fn at_hand(&self, session_id: Uuid) -> SeatAtHand {
        let places = self.places();
        match places.get(&session_id).map(|place| place.get()) {
            Some(Some(handle)) if handle.address.connected() => SeatAtHand::Seat(Arc::clone(handle)),
            Some(None) => SeatAtHand::UnderWay,
            Some(Some(_)) | None => SeatAtHand::Nothing,
        }
    }

    /// Reserves the slot of an attempt that is about to begin, so that its seat counts as being built.
    pub fn reserve(&self, session_id: Uuid) -> impl Drop + use<'_> {
        SlotGuard { registry: self, session_id, place: self.place(session_id) }
    }

    #[must_use]
    pub fn all(&self) -> Vec<Arc<SeatHandle>> {
        self.places().values().filter_map(|place| place.get()).map(Arc::clone).collect()
    }

    /// Returns the seat of a session, or the one that `open` builds. Of several callers at once, one builds it and the
    /// others wait.
    pub async fn find_or_open<E, F>(&self, session_id: Uuid, open: impl FnOnce() -> F) -> Result<Arc<SeatHandle>, E>
    where
        F: Future<Output = Result<Arc<SeatHandle>, E>>,
    {
        let waiting = SlotGuard { registry: self, session_id, place: self.place(session_id) };
        waiting.place.get_or_try_init(open).await.map(Arc::clone)
    }

    /// Returns the seats that are due for a tick.
    #[must_use]
    pub fn due(&self, now: Moment) -> Vec<Arc<SeatHandle>> {
        self.places()
            .values()
            .filter_map(|place| place.get())
            .filter(|handle| handle.is_due(now))
            .map(Arc::clone)
            .collect()
    }

    /// Waits until a planned stop begins.
    pub fn stopping(&self) -> impl Future<Output = ()> + use<> {
        let mut stopping = self.stopping.subscribe();
        async move { drop(stopping.wait_for(|is_stopping| *is_stopping).await) }
    }

    /// Begins a planned stop, and waits until every seat has committed what it has, told its student, and stopped.
    pub async fn stop(&self) {
        // Before the seats are listed, so that no sweep builds one that the list lacks.
        self.stopping.send_replace(true);
        let handles = self.all();
        let seats = handles.len();
        let stopping = stream::iter(handles).for_each_concurrent(STOPPING_AT_ONCE, async |handle| {
            // An error means that the seat has stopped by itself, which is what was wanted.
            let _ = handle.address.send(Stop).await;
        });
        if tokio::time::timeout(STOP_TIMEOUT, stopping).await.is_err() {
            tracing::warn!(seats, "not every seat could commit in time; what was not acknowledged is with the clients");
        }
    }

    /// The slot of a session, emptied if its seat has died.
    fn place(&self, session_id: Uuid) -> SeatSlot {
        let mut places = self.places();
        if places.get(&session_id).is_some_and(|place| place.get().is_some() && !is_alive(place)) {
            places.remove(&session_id);
        }
        Arc::clone(places.entry(session_id).or_default())
    }

    /// A panic elsewhere may poison the lock, but does not make the map wrong: every change of it is one call.
    fn places(&self) -> MutexGuard<'_, HashMap<Uuid, SeatSlot>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SeatDirectory for Registry {
    fn remove(&self, session_id: Uuid, due_ms: &Arc<AtomicI64>) {
        let mut places = self.places();
        if places
            .get(&session_id)
            .and_then(|place| place.get())
            // Another seat may have taken its place already. The shared moment identifies a seat.
            .is_some_and(|handle| Arc::ptr_eq(&handle.due_ms, due_ms))
        {
            places.remove(&session_id);
        }
    }

    fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }
}

fn is_alive(place: &SeatSlot) -> bool {
    place.get().is_some_and(|handle| handle.address.connected())
}

/// A caller that waits for a seat. If the wait ends without one, also because the caller gives up, the slot is removed
/// unless others wait for it.
struct SlotGuard<'a> {
    registry: &'a Registry,
    session_id: Uuid,
    place: SeatSlot,
}

impl Drop for SlotGuard<'_> {
    fn drop(&mut self) {
        let mut places = self.registry.places();
        // Dropped while the map is locked: when several waiters end at once, the last one then sees that it is alone.
        drop(std::mem::take(&mut self.place));
        if places.get(&self.session_id).is_some_and(|place| place.get().is_none() && Arc::strong_count(place) == 1) {
            places.remove(&self.session_id);
        }
    }
}
