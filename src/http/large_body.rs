//! Bodies of finished tests, which may be large: what one address may send in a while, and how much of it is held at
//! once. Large bodies wait for room before they are read, so that nobody's fill the memory.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::dev::Payload;
use actix_web::http::header::CONTENT_LENGTH;
use actix_web::web::{Bytes, BytesMut};
use futures_util::StreamExt;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::body::{BodyMemory, Intake, LARGE_BYTES_MAX};
use super::client_address::counted_address;
use super::limits::network;
use crate::error::Error;

/// Bytes of a body that is not large: a test of 40 questions without drawings has a tenth of it.
pub const SMALL_BYTES_MAX: usize = 128 * 1_024;
/// Bytes of large bodies of one address that are held at once, from before they are read until they are stored. More
/// wait, in the order in which they came.
const ADDRESS_BYTES_MAX: usize = 64 * 1_024 * 1_024;
/// What a large body takes of that at least, so that one address has few that wait to be stored.
const ROOM_BYTES_MIN: usize = 1_024 * 1_024;
/// How long a body waits for that room, before its caller gets 429.
const ROOM_WITHIN: Duration = Duration::from_secs(20);
/// Seconds after which that caller should try again.
const RETRY_SECONDS: u64 = 5;
/// Bodies of one address, sustained: 200 ordinary tests in a second …
const KIBIBYTES_PER_SECOND: NonZeroU32 = NonZeroU32::MIN.saturating_add(4 * 1_024 - 1);
/// … and in one burst: the tests of a large school with drawings, all handed in at once.
const KIBIBYTES_AT_ONCE: NonZeroU32 = NonZeroU32::MIN.saturating_add(512 * 1_024 - 1);
/// How often quiet addresses are forgotten.
const FORGET_EVERY: Duration = Duration::from_secs(60);

/// What each address may send.
pub struct BodyBudget {
    /// `None` means no limit.
    rate: Option<DefaultKeyedRateLimiter<IpAddr>>,
    rooms: Mutex<HashMap<IpAddr, Weak<Semaphore>>>,
}

/// A whole body, with the room that it takes until it is dropped.
pub struct HeldBody {
    pub bytes: Bytes,
    _memory: BodyMemory,
    _room: Option<OwnedSemaphorePermit>,
}

impl HeldBody {
    /// Whether it is so large that it must not delay others.
    #[must_use]
    pub fn is_large(&self) -> bool {
        self.bytes.len() > SMALL_BYTES_MAX
    }
}

impl BodyBudget {
    #[must_use]
    pub fn new(is_limited: bool) -> Self {
        let quota = Quota::per_second(KIBIBYTES_PER_SECOND).allow_burst(KIBIBYTES_AT_ONCE);
        Self { rate: is_limited.then(|| RateLimiter::keyed(quota)), rooms: Mutex::default() }
    }

    /// Reads a request's body: 413 if it is too long, 408 if it is slow, 429 if its address sends too much, 503 if
    /// there is no room at all.
    pub async fn read(&self, request: &HttpRequest, mut payload: Payload) -> Result<HeldBody, Error> {
        let address = counted_address(request).map(network);
        let length = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        let mut room = None;
        if let Some(length) = length {
            if length > LARGE_BYTES_MAX {
                return Err(Error::TooLarge);
            }
            self.charge(address, length)?;
            room = self.room(address, length).await?;
        }
        let mut intake = Intake::of(LARGE_BYTES_MAX);
        let mut body = BytesMut::with_capacity(length.unwrap_or_default().min(SMALL_BYTES_MAX));
        while let Some(chunk) = Intake::within_window(payload.next()).await? {
            let chunk = chunk.map_err(|_| Error::Invalid("The request body broke off".to_owned()))?;
            intake.count(chunk.len())?;
            body.extend_from_slice(&chunk);
            if room.is_none() && body.len() > SMALL_BYTES_MAX {
                // Of a body without a length nobody knows how long it will be.
                room = self.room(address, LARGE_BYTES_MAX).await?;
                intake.begin_window();
            }
        }
        if length.is_none() {
            self.charge(address, body.len())?;
        }
        Ok(HeldBody { bytes: body.freeze(), _memory: intake.into_memory(), _room: room })
    }

    /// Counts the bytes: 429 if the address has sent too many.
    fn charge(&self, address: Option<IpAddr>, bytes: usize) -> Result<(), Error> {
        let kibibytes = u32::try_from(bytes.div_ceil(1_024)).ok().and_then(NonZeroU32::new);
        let (Some(rate), Some(address), Some(kibibytes)) = (&self.rate, address, kibibytes) else { return Ok(()) };
        match rate.check_key_n(&address, kibibytes) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(until)) => Err(Error::TooMany(until.wait_time_from(DefaultClock::default().now()).as_secs() + 1)),
            Err(_) => Err(Error::TooLarge),
        }
    }

    /// Waits for room for a large body; a small one needs none.
    async fn room(&self, address: Option<IpAddr>, bytes: usize) -> Result<Option<OwnedSemaphorePermit>, Error> {
        let Some(address) = address.filter(|_| bytes > SMALL_BYTES_MAX) else { return Ok(None) };
        let kibibytes = u32::try_from(bytes.max(ROOM_BYTES_MIN).div_ceil(1_024)).map_err(|_| Error::TooLarge)?;
        let waiting = tokio::time::timeout(ROOM_WITHIN, self.room_of(address).acquire_many_owned(kibibytes));
        waiting.await.ok().and_then(Result::ok).map(Some).ok_or(Error::TooMany(RETRY_SECONDS))
    }

    fn room_of(&self, address: IpAddr) -> Arc<Semaphore> {
        let mut rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(room) = rooms.get(&address).and_then(Weak::upgrade) {
            return room;
        }
        let room = Arc::new(Semaphore::new(ADDRESS_BYTES_MAX / 1_024));
        rooms.insert(address, Arc::downgrade(&room));
        room
    }

    /// Forgets quiet addresses; never returns.
    pub async fn forget_quiet(&self) {
        loop {
            tokio::time::sleep(FORGET_EVERY).await;
            self.rate.iter().for_each(RateLimiter::retain_recent);
            self.rooms.lock().unwrap_or_else(PoisonError::into_inner).retain(|_, room| room.strong_count() > 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    const MEBIBYTE: usize = 1_024 * 1_024;

    fn address(last: u8) -> Option<IpAddr> {
        Some(IpAddr::from([203, 0, 113, last]))
    }

    #[tokio::test]
    async fn large_bodies_of_one_address_wait_for_each_other_and_for_nobody_else() {
        let budget = BodyBudget::new(true);
        let mut held = Vec::new();
        for _ in 0..8 {
            held.push(budget.room(address(1), 8 * MEBIBYTE).await.unwrap().unwrap());
        }
        let waiting = budget.room(address(1), SMALL_BYTES_MAX + 1);
        tokio::pin!(waiting);
        assert!(waiting.as_mut().now_or_never().is_none());
        assert!(budget.room(address(1), SMALL_BYTES_MAX).now_or_never().unwrap().unwrap().is_none());
        assert!(budget.room(address(2), 9 * MEBIBYTE).now_or_never().unwrap().unwrap().is_some());
        held.pop();
        assert!(waiting.now_or_never().unwrap().unwrap().is_some());
    }

    #[test]
    fn an_address_may_send_so_much_at_once_and_no_more() {
        let budget = BodyBudget::new(true);
        let most = KIBIBYTES_AT_ONCE.get() as usize * 1_024;
        for _ in 0..most / LARGE_BYTES_MAX {
            budget.charge(address(1), LARGE_BYTES_MAX).unwrap();
        }
        assert!(matches!(budget.charge(address(1), LARGE_BYTES_MAX), Err(Error::TooMany(_))));
        budget.charge(address(2), LARGE_BYTES_MAX).unwrap();
        BodyBudget::new(false).charge(address(1), usize::MAX / 2_048).unwrap();
    }
}
