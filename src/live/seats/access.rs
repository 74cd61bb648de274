//! Reaches a seat by its session id: checks the token, claims the seat if another server may give it up, and builds it
//! from the database. Separate from the registry, which only knows the seats that are on this server.

use std::sync::Arc;
use std::time::Duration;

use actix::prelude::*;
use domain::time::moment::Moment;
use uuid::Uuid;

use super::claims::ClaimSeat;
use crate::auth::token;
use crate::database::in_time;
use crate::live::Live;
use crate::live::protocol::fault::{Code, Fault};
use crate::live::seat::{Seat, SeatHandle, SeatLost, SittingSeat};
use crate::live::store::{self, ClaimMode, ClaimOutcome, Stored};
use crate::store::candidates;

/// How many seats of a session are tried when each stops while it is being asked. Then the caller is asked to come
/// again.
const SEATS_TRIED_MAX: usize = 3;
/// How long an attempt may take to load before its caller is asked to come again: less than the 10 s that callers wait.
const LOAD_TIMEOUT: Duration = Duration::from_secs(8);

pub enum SeatLocation<T> {
    Here(T),
    /// On the server with this id.
    Elsewhere(Uuid),
}

impl<T> SeatLocation<T> {
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> SeatLocation<U> {
        match self {
            Self::Here(found) => SeatLocation::Here(make(found)),
            Self::Elsewhere(server) => SeatLocation::Elsewhere(server),
        }
    }
}

pub struct SeatAnswer<T> {
    pub handle: Arc<SeatHandle>,
    pub answer: T,
}

/// Why this server has no seat of a session.
enum NoSeat {
    Elsewhere(Uuid),
    Fault(Fault),
}

impl NoSeat {
    fn storage() -> Self {
        Self::Fault(Fault::storage())
    }
}

impl Live {
    /// Checks the token by its hash, and sends a message to the seat of the session. A seat that stops meanwhile is
    /// built again; `message` is called for each try. Fails as [`Self::seat`] and [`Self::check_token`] do.
    pub async fn ask_seat<M, T>(
        self: &Arc<Self>,
        session_id: Uuid,
        token_hash: &[u8; 32],
        wish: ClaimMode,
        message: impl Fn() -> M,
    ) -> Result<SeatLocation<SeatAnswer<Option<T>>>, Fault>
    where
        M: Message<Result = Option<T>> + Send + 'static,
        T: Send + 'static,
        Seat: Handler<M>,
    {
        // A server that was suspended may have lost its seats to others, and must not claim any for requests that are
        // long out of date.
        if !self.shared.relay.is_alone() && !self.shared.lease.is_fresh() {
            return Err(Fault::storage());
        }
        // Checked before the seat is claimed, so that a caller without the token cannot move a seat.
        self.check_token(session_id, token_hash).await?;
        for _ in 0..SEATS_TRIED_MAX {
            if !self.shared.relay.is_alone()
                && let Some(handle) = self.shared.registry.find(session_id)
            {
                self.confirm(&handle).await?;
            }
            let handle = match self.seat(session_id, wish).await? {
                SeatLocation::Here(handle) => handle,
                SeatLocation::Elsewhere(server) => return Ok(SeatLocation::Elsewhere(server)),
            };
            // A seat that was built just now knows the first token alone, and devices may have been ended meanwhile.
            if !handle.tokens.has(token_hash) {
                self.check_token(session_id, token_hash).await?;
            }
            match handle.address.send(message()).await {
                Ok(answer) if answer.is_some() || handle.address.connected() => {
                    return Ok(SeatLocation::Here(SeatAnswer { handle, answer }));
                }
                // The seat has stopped meanwhile: build it again.
                Ok(_) | Err(_) => {}
            }
        }
        Err(Fault::storage())
    }

    /// Checks that the token with this hash is one of the session, on whichever server its seat is. Fails with
    /// `unknown_session`, `bad_token` or `storage_unavailable`.
    pub async fn check_token(&self, session_id: Uuid, token_hash: &[u8; 32]) -> Result<(), Fault> {
        let handle = self.shared.registry.find(session_id);
        if handle.as_ref().is_some_and(|handle| handle.tokens.has(token_hash)) {
            return Ok(());
        }
        let era = handle.as_ref().map(|handle| handle.tokens.era());
        if !token::is_same(token_hash, &self.find_token_hash(session_id).await?) {
            let finding = store::has_further_token(&self.services.database, session_id, token_hash);
            if !in_time("a further token", LOAD_TIMEOUT, finding).await.ok_or_else(Fault::storage)? {
                return Err(Fault::new(Code::BadToken, "The token is not that of the session"));
            }
        }
        if let Some((handle, era)) = handle.zip(era) {
            handle.tokens.learn(*token_hash, era);
        }
        Ok(())
    }

    /// Returns the seat of a session. If it is not on this server, it is claimed in this mode and built from the
    /// database, and then lives on this worker. A dead seat is replaced. Fails with `unknown_session` or
    /// `storage_unavailable`.
    pub async fn seat(
        self: &Arc<Self>,
        session_id: Uuid,
        mode: ClaimMode,
    ) -> Result<SeatLocation<Arc<SeatHandle>>, Fault> {
        match self.shared.registry.find_or_open(session_id, || self.load(session_id, mode)).await {
            Ok(handle) => Ok(SeatLocation::Here(handle)),
            Err(NoSeat::Elsewhere(server)) => Ok(SeatLocation::Elsewhere(server)),
            Err(NoSeat::Fault(fault)) => Err(fault),
        }
    }

    /// Makes sure that this server still holds a seat that is here. Otherwise a seat could answer what needs no commit
    /// although another server has claimed it, since the message of the claim may be lost. A seat that was claimed
    /// elsewhere lets its student go, and so does one whose test goes on although it had ended.
    async fn confirm(&self, handle: &SeatHandle) -> Result<(), Fault> {
        let holder = self.shared.holders.find(handle.session_id).await?;
        let is_lost = match (handle.hold, holder) {
            (Some(hold), Some(holder)) => holder.fence != hold.fence,
            (Some(_), None) => true,
            (None, holder) => holder.is_some(),
        };
        if is_lost {
            // An error means that the seat has stopped already, which is what was wanted.
            let _ = handle.address.send(SeatLost::to(holder)).await;
        }
        Ok(())
    }

    /// What the seat of a candidate has to know of the sitting.
    async fn sitting_of(&self, stored: &Stored) -> Result<Option<SittingSeat>, Fault> {
        let Some(place) = stored.attempt.terms.sitting else { return Ok(None) };
        let unread = |error: &dyn std::fmt::Display| {
            tracing::warn!(%error, "the sitting of an attempt cannot be loaded");
            Fault::storage()
        };
        // The sitting first: a roster that is read later has all that this version of it says.
        let current =
            self.shared.neighbours.sittings.current(place.sitting_id).await.map_err(|error| unread(&error))?;
        let finding = candidates::find(&self.services.database.read, place.sitting_id, place.candidate_id);
        let candidate = finding.await.map_err(|error| unread(&error))?;
        Ok(candidate.map(|candidate| SittingSeat::new(place, current, candidate)))
    }

    async fn find_token_hash(&self, session_id: Uuid) -> Result<[u8; 32], Fault> {
        let finding = store::find_token_hash(&self.services.database, session_id);
        let found = in_time("an attempt's token", LOAD_TIMEOUT, finding).await.ok_or_else(Fault::storage)?;
        found.ok_or_else(Fault::unknown_session)
    }

    async fn load(self: &Arc<Self>, session_id: Uuid, mode: ClaimMode) -> Result<Arc<SeatHandle>, NoSeat> {
        tokio::time::timeout(LOAD_TIMEOUT, self.claim_and_build(session_id, mode))
            .await
            .unwrap_or_else(|_| Err(NoSeat::storage()))
    }

    async fn claim_and_build(self: &Arc<Self>, session_id: Uuid, mode: ClaimMode) -> Result<Arc<SeatHandle>, NoSeat> {
        let claimed =
            self.shared.claims.send(ClaimSeat { session_id, wish: mode }).await.map_err(|_| NoSeat::storage())?;
        let hold = match claimed.map_err(NoSeat::Fault)? {
            ClaimOutcome::Held(hold) => Some(hold),
            ClaimOutcome::Elsewhere(server) => return Err(NoSeat::Elsewhere(server)),
            ClaimOutcome::Ended => None,
            ClaimOutcome::Busy => return Err(NoSeat::storage()),
        };
        let finding = store::find(&self.services.database, session_id, self.services.clock.now());
        let found = finding.await.map_err(|error| {
            tracing::warn!(%error, "an attempt cannot be loaded");
            NoSeat::storage()
        })?;
        let mut stored = found.ok_or_else(|| NoSeat::Fault(Fault::unknown_session()))?;
        let mut sitting = self.sitting_of(&stored).await.map_err(NoSeat::Fault)?;
        if let Some(sitting) = &mut sitting
            && stored.session.is_none()
        {
            // The paper may have been sealed anew after the attempt was read. Nobody has answered the old one.
            if stored.attempt.seq() == 0 && stored.attempt.stage() == 1 {
                sitting.give_paper(&mut stored.attempt);
            }
            sitting.note_written(stored.attempt.timer.times(), self.services.clock.now());
            // The times follow from the sitting, whether or not its beginning has been written into the row. For how
            // long a reopened test goes on was decided when it was.
            let row = stored.attempt.timer.times();
            let is_by_plan = stored.reopening.is_none() || row.begins_at == Moment::LAST;
            let times = if is_by_plan { sitting.times_of_row(row) } else { *row };
            let version = stored.attempt.timer.version();
            stored.attempt.timer.adopt(times, version, self.services.clock.now());
        }
        // The attempt may have ended between the claim and the read. Then nobody holds its seat.
        let hold = hold.filter(|_| stored.session.is_none());
        // The claim found no running attempt, and the read did: it has begun in between, so the caller comes again.
        if hold.is_none() && stored.session.is_none() {
            return Err(NoSeat::storage());
        }
        Ok(Seat::open(&self.services, stored, sitting, hold))
    }
}
