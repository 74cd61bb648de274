//! How the rest of the server reaches a seat by its session: checks the token, takes the seat when another server may
//! give it up, and builds it from the database. Apart from the registry, which only knows the seats that are here.

use std::sync::Arc;
use std::time::Duration;

use actix::prelude::*;
use uuid::Uuid;

use super::claims::ClaimSeat;
use crate::auth::token;
use crate::database::in_time;
use crate::live::Live;
use crate::live::protocol::fault::{Code, Fault};
use crate::live::seat::{Seat, SeatHandle, SeatLost};
use crate::live::store::{self, ClaimMode, ClaimOutcome};

/// How often a seat that stops while it is asked is asked for again.
const SEATS_TRIED_MAX: usize = 3;
/// How long an attempt may take to load before its caller is asked to come again.
const LOAD_TIMEOUT: Duration = Duration::from_secs(8);

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

impl Live {
    /// Asks the seat of a session, with this token. One that stops meanwhile is built again.
    ///
    /// # Errors
    /// As [`Self::seat`] and [`Self::check_token`].
    pub async fn ask_seat<M, T>(
        self: &Arc<Self>,
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
        if !self.relay.is_alone() && !self.lease.is_fresh() {
            return Err(Fault::storage());
        }
        // Before the seat is taken from anyone: whoever has no token may not move it.
        self.check_token(session_id, token).await?;
        for _ in 0..SEATS_TRIED_MAX {
            if !self.relay.is_alone()
                && let Some(handle) = self.registry.find(session_id)
            {
                self.confirm(&handle).await?;
            }
            let handle = match self.seat(session_id, wish).await? {
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
    pub async fn check_token(&self, session_id: Uuid, token: &str) -> Result<(), Fault> {
        let token_hash = match self.registry.find(session_id) {
            Some(handle) => handle.token_hash,
            None => self.find_token_hash(session_id).await?,
        };
        if token::matches(token, &token_hash) {
            Ok(())
        } else {
            Err(Fault::new(Code::BadToken, "The token is not that of the session"))
        }
    }

    /// The seat of a session. When it is not here, it is claimed in this mode, built from the database, and then lives on
    /// this worker. One that has died leaves its place to a new one.
    ///
    /// # Errors
    /// `unknown_session`, or `storage_unavailable`.
    pub async fn seat(
        self: &Arc<Self>,
        session_id: Uuid,
        mode: ClaimMode,
    ) -> Result<SeatLocation<Arc<SeatHandle>>, Fault> {
        match self.registry.find_or_open(session_id, || self.load(session_id, mode)).await {
            Ok(handle) => Ok(SeatLocation::Here(handle)),
            Err(NoSeat::Elsewhere(server)) => Ok(SeatLocation::Elsewhere(server)),
            Err(NoSeat::Fault(fault)) => Err(fault),
        }
    }

    /// Makes sure that a seat that is here is still held by this server, before it answers anything that needs no commit:
    /// the message that it was taken may be lost. A seat that was taken lets its student go.
    async fn confirm(&self, handle: &SeatHandle) -> Result<(), Fault> {
        let Some(hold) = handle.hold else { return Ok(()) };
        let finding = store::find_holder(&self.services.database, hold.session_id);
        let holder = in_time("who holds a seat", LOAD_TIMEOUT, finding).await.ok_or_else(Fault::storage)?;
        if holder.is_none_or(|holder| holder.fence != hold.fence) {
            // A seat that has left by itself is what was wanted.
            let _ = handle.address.send(SeatLost::to(holder)).await;
        }
        Ok(())
    }

    async fn find_token_hash(&self, session_id: Uuid) -> Result<[u8; 32], Fault> {
        let finding = store::find_token_hash(&self.services.database, session_id);
        let found = in_time("an attempt's token", LOAD_TIMEOUT, finding).await.ok_or_else(Fault::storage)?;
        found.ok_or_else(Fault::unknown_session)
    }

    async fn load(self: &Arc<Self>, session_id: Uuid, mode: ClaimMode) -> Result<Arc<SeatHandle>, NoSeat> {
        let storage = || NoSeat::Fault(Fault::storage());
        tokio::time::timeout(LOAD_TIMEOUT, self.claim_and_build(session_id, mode))
            .await
            .unwrap_or_else(|_| Err(storage()))
    }

    async fn claim_and_build(self: &Arc<Self>, session_id: Uuid, mode: ClaimMode) -> Result<Arc<SeatHandle>, NoSeat> {
        let storage = || NoSeat::Fault(Fault::storage());
        let claimed = self.claims.send(ClaimSeat { session_id, wish: mode }).await.map_err(|_| storage())?;
        let hold = match claimed.map_err(NoSeat::Fault)? {
            ClaimOutcome::Held(hold) => Some(hold),
            ClaimOutcome::Elsewhere(server) => return Err(NoSeat::Elsewhere(server)),
            ClaimOutcome::Ended => None,
            ClaimOutcome::Busy => return Err(storage()),
        };
        let finding = store::find(&self.services.database, session_id, self.services.clock.now());
        let found = in_time("an attempt", LOAD_TIMEOUT, finding).await.ok_or_else(storage)?;
        let stored = found.ok_or_else(|| NoSeat::Fault(Fault::unknown_session()))?;
        // It ended while it was claimed; or it began since, and the caller comes again.
        let hold = hold.filter(|_| stored.session.is_none());
        if hold.is_none() && stored.session.is_none() {
            return Err(storage());
        }
        Ok(Seat::open(&self.services, stored, hold))
    }
}
