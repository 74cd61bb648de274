//! Where the seats of this server are found: each attempt has one seat at most, made once however many ask.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actix::prelude::*;
use domain::time::moment::Moment;
use futures_util::{StreamExt, stream};
use tokio::sync::{OnceCell, watch};
use uuid::Uuid;

use super::claims::ClaimSeat;
use crate::auth::token;
use crate::live::Live;
use crate::live::protocol::fault::{Code, Fault};
use crate::live::seat::{Seat, SeatLost, Stop};
use crate::live::store::{self, ClaimMode, ClaimOutcome, Hold};

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
    /// By what right it writes; none for a test that was over when the seat was built.
    pub hold: Option<Hold>,
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

type SeatSlot = Arc<OnceCell<Arc<SeatHandle>>>;

/// Where a seat is.
pub enum SeatLocation<T> {
    /// Here.
    Here(T),
    /// At this server.
    Elsewhere(Uuid),
}

impl<T> SeatLocation<T> {
    /// With what was found here made into something else.
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> SeatLocation<U> {
        match self {
            Self::Here(found) => SeatLocation::Here(make(found)),
            Self::Elsewhere(server) => SeatLocation::Elsewhere(server),
        }
    }
}

/// What there is of a seat.
pub enum SeatAtHand {
    /// A seat that lives.
    Seat(Arc<SeatHandle>),
    /// One is being made, of what may have been read from the store already.
    UnderWay,
    /// Nothing: whoever makes one reads the store first.
    Nothing,
}

/// What a seat of this server answered.
pub struct SeatAnswer<T> {
    /// The seat.
    pub handle: Arc<SeatHandle>,
    /// Its answer.
    pub answer: T,
}

/// Why there is no seat here.
enum NoSeat {
    Elsewhere(Uuid),
    Fault(Fault),
}

/// All seats of this server.
#[derive(Default)]
pub struct Registry {
    places: Mutex<HashMap<Uuid, SeatSlot>>,
    stopping: watch::Sender<bool>,
}

impl Registry {
    /// Asks the seat of a session, with this token. One that stops meanwhile is built again.
    ///
    /// # Errors
    /// As [`Self::seat`] and [`Self::check`].
    pub async fn ask<M, T>(
        &self,
        live: &Arc<Live>,
        session_id: Uuid,
        token: &str,
        wish: ClaimMode,
        message: impl Fn() -> M,
    ) -> Result<SeatLocation<SeatAnswer<Option<T>>>, Fault>
    where
        M: Message<Result = Option<T>> + Send + 'static,
        T: Send + 'static,
        Seat: Handler<M>,
    {
        // A server that stood still may have lost what it holds, and may not take from others what was asked long ago.
        if !live.relay.is_alone() && !live.lease.is_fresh() {
            return Err(Fault::storage());
        }
        // Before the seat is taken from anyone: whoever has no token may not move it.
        self.check(live, session_id, token).await?;
        for _ in 0..SEATS_TRIED_MAX {
            if !live.relay.is_alone()
                && let Some(handle) = self.find(session_id)
            {
                confirm(live, &handle).await?;
            }
            let handle = match self.seat(live, session_id, wish).await? {
                SeatLocation::Here(handle) => handle,
                SeatLocation::Elsewhere(server) => return Ok(SeatLocation::Elsewhere(server)),
            };
            match handle.address.send(message()).await {
                Ok(answer) if answer.is_some() || handle.address.connected() => {
                    return Ok(SeatLocation::Here(SeatAnswer { handle, answer }));
                }
                // It has left meanwhile.
                Ok(_) | Err(_) => {}
            }
        }
        Err(Fault::storage())
    }

    /// Whether the token is that of the session, wherever its seat is.
    ///
    /// # Errors
    /// `unknown_session`, `bad_token` and `storage_unavailable`.
    pub async fn check(&self, live: &Live, session_id: Uuid, token: &str) -> Result<(), Fault> {
        let token_hash = match self.find(session_id) {
            Some(handle) => handle.token_hash,
            None => find_token_hash(live, session_id).await?,
        };
        if token::matches(token, &token_hash) {
            Ok(())
        } else {
            Err(Fault::new(Code::BadToken, "The token is not that of the session"))
        }
    }

    /// The seat of a session. When it is not at hand, it is taken as the wish says, made from the store, and then lives
    /// on this worker. One that has died leaves its place to a new one.
    ///
    /// # Errors
    /// `unknown_session`, or `storage_unavailable`.
    pub async fn seat(
        &self,
        live: &Arc<Live>,
        session_id: Uuid,
        wish: ClaimMode,
    ) -> Result<SeatLocation<Arc<SeatHandle>>, Fault> {
        let waiting = SlotGuard { registry: self, session_id, place: self.place(session_id) };
        match waiting.place.get_or_try_init(|| load(live, session_id, wish)).await {
            Ok(handle) => Ok(SeatLocation::Here(Arc::clone(handle))),
            Err(NoSeat::Elsewhere(server)) => Ok(SeatLocation::Elsewhere(server)),
            Err(NoSeat::Fault(fault)) => Err(fault),
        }
    }

    /// The seat of a session, when it is at hand.
    #[must_use]
    pub fn find(&self, session_id: Uuid) -> Option<Arc<SeatHandle>> {
        self.places().get(&session_id).filter(|place| is_alive(place)).and_then(|place| place.get().map(Arc::clone))
    }

    /// What there is of a seat on this server.
    #[must_use]
    pub fn at_hand(&self, session_id: Uuid) -> SeatAtHand {
        let places = self.places();
        match places.get(&session_id).map(|place| place.get()) {
            Some(Some(handle)) if handle.address.connected() => SeatAtHand::Seat(Arc::clone(handle)),
            Some(None) => SeatAtHand::UnderWay,
            Some(Some(_)) | None => SeatAtHand::Nothing,
        }
    }

    /// Keeps the place of an attempt that is about to begin, as one whose seat is under way.
    pub fn reserve(&self, session_id: Uuid) -> impl Drop + use<'_> {
        SlotGuard { registry: self, session_id, place: self.place(session_id) }
    }

    /// All seats of this server.
    #[must_use]
    pub fn all(&self) -> Vec<Arc<SeatHandle>> {
        self.places().values().filter_map(|place| place.get()).map(Arc::clone).collect()
    }

    /// The seat of an attempt that has just begun; whoever was faster has opened it already.
    pub async fn open(&self, session_id: Uuid, open: impl FnOnce() -> Arc<SeatHandle>) -> Arc<SeatHandle> {
        let waiting = SlotGuard { registry: self, session_id, place: self.place(session_id) };
        Arc::clone(waiting.place.get_or_init(async || open()).await)
    }

    /// Forgets a seat that is about to stop.
    pub fn remove(&self, session_id: Uuid, due_ms: &Arc<AtomicI64>) {
        let mut places = self.places();
        if places
            .get(&session_id)
            .and_then(|place| place.get())
            .is_some_and(|handle| Arc::ptr_eq(&handle.due_ms, due_ms))
        {
            places.remove(&session_id);
        }
    }

    /// All seats that want to be told the time.
    #[must_use]
    pub fn due(&self, now: Moment) -> Vec<Arc<SeatHandle>> {
        self.places()
            .values()
            .filter_map(|place| place.get())
            .filter(|handle| handle.is_due(now))
            .map(Arc::clone)
            .collect()
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
        let handles = self.all();
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
    fn place(&self, session_id: Uuid) -> SeatSlot {
        let mut places = self.places();
        if places.get(&session_id).is_some_and(|place| place.get().is_some() && !is_alive(place)) {
            places.remove(&session_id);
        }
        Arc::clone(places.entry(session_id).or_default())
    }

    /// A panic elsewhere does not make the map wrong: every change of it is one call.
    fn places(&self) -> MutexGuard<'_, HashMap<Uuid, SeatSlot>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_alive(place: &SeatSlot) -> bool {
    place.get().is_some_and(|handle| handle.address.connected())
}

/// Someone who waits for a seat. When the wait ends without one, also by being given up, the place is cleared,
/// unless others wait there.
struct SlotGuard<'a> {
    registry: &'a Registry,
    session_id: Uuid,
    place: SeatSlot,
}

impl Drop for SlotGuard<'_> {
    fn drop(&mut self) {
        let mut places = self.registry.places();
        // Given back while the map is locked, so that of several who end at once the last one finds itself alone.
        drop(std::mem::take(&mut self.place));
        if places.get(&self.session_id).is_some_and(|place| place.get().is_none() && Arc::strong_count(place) == 1) {
            places.remove(&self.session_id);
        }
    }
}

/// Makes sure that a seat at hand is still held here, before it answers anything that needs no commit: the word that
/// it was taken may be lost. One that was taken lets its student go.
async fn confirm(live: &Live, handle: &SeatHandle) -> Result<(), Fault> {
    let Some(hold) = handle.hold else { return Ok(()) };
    let finding = tokio::time::timeout(LOAD_TIMEOUT, store::find_holder(&live.database, hold.session_id));
    let holder = finding.await.map_err(|_| Fault::storage())?.map_err(|error| {
        tracing::warn!(%error, "it cannot be asked who holds a seat");
        Fault::storage()
    })?;
    if holder.is_none_or(|holder| holder.fence != hold.fence) {
        // One that has left by itself is what was wanted.
        let _ = handle.address.send(SeatLost::to(holder)).await;
    }
    Ok(())
}

async fn find_token_hash(live: &Live, session_id: Uuid) -> Result<[u8; 32], Fault> {
    let finding = tokio::time::timeout(LOAD_TIMEOUT, store::find_token_hash(&live.database, session_id));
    let found = finding.await.map_err(|_| Fault::storage())?.map_err(|error| {
        tracing::warn!(%error, "an attempt cannot be looked up");
        Fault::storage()
    })?;
    found.ok_or_else(Fault::unknown_session)
}

async fn load(live: &Arc<Live>, session_id: Uuid, wish: ClaimMode) -> Result<Arc<SeatHandle>, NoSeat> {
    let loading = async {
        let hold = match live.holder.send(ClaimSeat { session_id, wish }).await {
            Ok(taken) => match taken.map_err(NoSeat::Fault)? {
                ClaimOutcome::Held(hold) => Some(hold),
                ClaimOutcome::Elsewhere(server) => return Err(NoSeat::Elsewhere(server)),
                ClaimOutcome::Ended => None,
                ClaimOutcome::Busy => return Err(NoSeat::Fault(Fault::storage())),
            },
            Err(_) => return Err(NoSeat::Fault(Fault::storage())),
        };
        let found = store::find(&live.database, session_id, live.clock.now()).await.map_err(|error| {
            tracing::warn!(%error, "an attempt cannot be loaded");
            NoSeat::Fault(Fault::storage())
        })?;
        Ok((hold, found))
    };
    let (hold, found) =
        tokio::time::timeout(LOAD_TIMEOUT, loading).await.map_err(|_| NoSeat::Fault(Fault::storage()))??;
    let stored = found.ok_or_else(|| NoSeat::Fault(Fault::unknown_session()))?;
    // It ended while it was taken; or it began since, and whoever asks comes again.
    let hold = hold.filter(|_| stored.session.is_none());
    if hold.is_none() && stored.session.is_none() {
        return Err(NoSeat::Fault(Fault::storage()));
    }
    Ok(Seat::open(live, stored, hold))
}
