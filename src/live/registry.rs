//! Where the seats of this server are found: each attempt has one seat at most, made once however many ask.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actix::prelude::*;
use futures_util::{StreamExt, stream};
use tokio::sync::{OnceCell, watch};
use uuid::Uuid;

use super::Live;
use super::fault::{Code, Fault};
use super::seat::{Seat, Stop};
use super::store;
use crate::auth::token;
use crate::domain::moment::Moment;

/// Seats that are told of a planned stop at once.
const STOPPING_AT_ONCE: usize = 256;
/// A seat that stops while it is asked is asked for again so often.
const SEATS_TRIED_MAX: usize = 3;
/// An attempt is loaded within this time, or whoever asks comes again.
const LOAD_TIMEOUT: Duration = Duration::from_secs(8);
/// How long a planned stop waits for what is still to be committed.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

/// What others have of a seat.
pub struct SeatHandle {
    /// Its mailbox. Used by reference: a clone would be granted a place of its own.
    pub address: Addr<Seat>,
    /// Hash of the attempt's token.
    pub token_hash: [u8; 32],
    /// When it wants to be told the time, in milliseconds since 1970.
    pub due_ms: Arc<AtomicI64>,
}

impl SeatHandle {
    /// Whether it wants to be told the time.
    #[must_use]
    pub fn is_due(&self, now: Moment) -> bool {
        self.due_ms.load(Ordering::Relaxed) <= now.milliseconds()
    }
}

type Place = Arc<OnceCell<Arc<SeatHandle>>>;

/// All seats of this server.
#[derive(Default)]
pub struct Registry {
    places: Mutex<HashMap<Uuid, Place>>,
    stopping: watch::Sender<bool>,
}

impl Registry {
    /// Asks the seat of a session, with this token. One that stops meanwhile is built again.
    ///
    /// # Errors
    /// As [`Self::seat`], and `bad_token`.
    pub async fn ask<M>(&self, live: &Arc<Live>, session_id: Uuid, token: &str, message: impl Fn() -> M) -> Result<(Arc<SeatHandle>, M::Result), Fault>
    where
        M: Message<Result: Send> + Send + 'static,
        Seat: Handler<M>,
    {
        for _ in 0..SEATS_TRIED_MAX {
            let handle = self.seat_of(live, session_id, token).await?;
            if let Ok(answer) = handle.address.send(message()).await {
                return Ok((handle, answer));
            }
        }
        Err(Fault::storage())
    }

    /// The seat of a session, made from the store when it is not at hand; it then lives on this worker. One that
    /// has died leaves its place to a new one.
    ///
    /// # Errors
    /// `unknown_session`, or `storage_unavailable`.
    pub async fn seat(&self, live: &Arc<Live>, session_id: Uuid) -> Result<Arc<SeatHandle>, Fault> {
        let waiting = AtPlace { registry: self, session_id, place: self.place(session_id) };
        waiting.place.get_or_try_init(|| load(live, session_id)).await.map(Arc::clone)
    }

    /// Whether the token is that of the session.
    ///
    /// # Errors
    /// As [`Self::seat`], and `bad_token`.
    pub async fn check(&self, live: &Arc<Live>, session_id: Uuid, token: &str) -> Result<(), Fault> {
        self.seat_of(live, session_id, token).await.map(|_| ())
    }

    async fn seat_of(&self, live: &Arc<Live>, session_id: Uuid, token: &str) -> Result<Arc<SeatHandle>, Fault> {
        let handle = self.seat(live, session_id).await?;
        if token::matches(token, &handle.token_hash) { Ok(handle) } else { Err(Fault::new(Code::BadToken, "The token is not that of the session")) }
    }

    /// The seat of an attempt that has just begun; whoever was faster has opened it already.
    pub async fn open(&self, session_id: Uuid, open: impl FnOnce() -> Arc<SeatHandle>) -> Arc<SeatHandle> {
        let waiting = AtPlace { registry: self, session_id, place: self.place(session_id) };
        Arc::clone(waiting.place.get_or_init(async || open()).await)
    }

    /// Forgets a seat that is about to stop.
    pub fn remove(&self, session_id: Uuid, due_ms: &Arc<AtomicI64>) {
        let mut places = self.places();
        if places.get(&session_id).and_then(|place| place.get()).is_some_and(|handle| Arc::ptr_eq(&handle.due_ms, due_ms)) {
            places.remove(&session_id);
        }
    }

    /// Whether the session has a seat here.
    #[must_use]
    pub fn has(&self, session_id: Uuid) -> bool {
        self.places().get(&session_id).is_some_and(is_alive)
    }

    /// All seats that want to be told the time.
    #[must_use]
    pub fn due(&self, now: Moment) -> Vec<Arc<SeatHandle>> {
        self.places().values().filter_map(|place| place.get()).filter(|handle| handle.is_due(now)).map(Arc::clone).collect()
    }

    /// Whether a planned stop has begun.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Waits until a planned stop begins.
    pub fn stopping(&self) -> impl Future<Output = ()> + use<> {
        let mut stopping = self.stopping.subscribe();
        async move { drop(stopping.wait_for(|is_stopping| *is_stopping).await) }
    }

    /// Begins a planned stop: every seat commits what it has, tells its student, and stops.
    pub async fn stop(&self) {
        self.stopping.send_replace(true);
        let handles: Vec<Arc<SeatHandle>> = self.places().values().filter_map(|place| place.get()).map(Arc::clone).collect();
        let seats = handles.len();
        let stopping = stream::iter(handles).for_each_concurrent(STOPPING_AT_ONCE, async |handle| {
            // A seat that has stopped by itself is what was wanted.
            let _ = handle.address.send(Stop).await;
        });
        if tokio::time::timeout(STOP_TIMEOUT, stopping).await.is_err() {
            tracing::warn!(seats, "not every seat could commit in time; what was not acknowledged is with the clients");
        }
    }

    /// The place of a session, cleared of a seat that has died.
    fn place(&self, session_id: Uuid) -> Place {
        let mut places = self.places();
        if places.get(&session_id).is_some_and(|place| place.get().is_some() && !is_alive(place)) {
            places.remove(&session_id);
        }
        Arc::clone(places.entry(session_id).or_default())
    }

    /// A panic elsewhere does not make the map wrong: every change of it is one call.
    fn places(&self) -> MutexGuard<'_, HashMap<Uuid, Place>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_alive(place: &Place) -> bool {
    place.get().is_some_and(|handle| handle.address.connected())
}

/// Someone who waits for a seat. When the wait ends without one, also by being given up, the place is cleared,
/// unless others wait there.
struct AtPlace<'a> {
    registry: &'a Registry,
    session_id: Uuid,
    place: Place,
}

impl Drop for AtPlace<'_> {
    fn drop(&mut self) {
        let mut places = self.registry.places();
        // Given back while the map is locked, so that of several who end at once the last one finds itself alone.
        drop(std::mem::take(&mut self.place));
        if places.get(&self.session_id).is_some_and(|place| place.get().is_none() && Arc::strong_count(place) == 1) {
            places.remove(&self.session_id);
        }
    }
}

async fn load(live: &Arc<Live>, session_id: Uuid) -> Result<Arc<SeatHandle>, Fault> {
    let finding = tokio::time::timeout(LOAD_TIMEOUT, store::find(&live.database, session_id, live.clock.now()));
    let found = finding.await.map_err(|_| Fault::storage())?.map_err(|error| {
        tracing::warn!(%error, "an attempt cannot be loaded");
        Fault::storage()
    })?;
    let stored = found.ok_or_else(|| Fault::new(Code::UnknownSession, "There is no such session"))?;
    Ok(Seat::open(live, stored.attempt, stored.token_hash, stored.session.as_ref()))
}
