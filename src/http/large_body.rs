//! Limits bodies of finished tests, which may be large: how much one caller may send in a while, and how much is held
//! at once. Bytes count when they have arrived, so a caller who only announces them takes nothing from others. Small
//! bodies have a budget and memory of their own, and wait for nobody.

mod room;

use std::collections::HashMap;
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
use tokio::time::{Instant, timeout};

use self::room::{BodyRoom, RoomShare};
use super::body::{BodyKind, BodyMemory, Intake, LARGE_BYTES_MAX};
use super::fair_pool::{FairPool, PoolShare, ShareHolder};
use super::limits::CountedCaller;
use crate::clock::Clock;
use crate::error::Error;

/// Bytes of a body that is not large: a test of 40 questions without drawings has a tenth of it.
pub const SMALL_BYTES_MAX: usize = 128 * 1_024;
/// Bytes of large bodies that are held at once, from their arrival until they are stored. The rest of a body that finds
/// no room is read later.
const HELD_BYTES_MAX: usize = 160 * 1_024 * 1_024;
/// Bytes of large bodies that one address or account may have held, so that nobody takes all of [`HELD_BYTES_MAX`].
const CALLER_BYTES_MAX: usize = 64 * 1_024 * 1_024;
/// Large bodies that are being read, wait, or are being stored: of those that wait, the first bytes are in memory.
pub const LARGE_BODIES_MAX: usize = 512;
/// Large bodies of one address or account that are being read, wait, or are being stored, unless fewer stay free. Each
/// caller stores one at a time.
pub const LARGE_BODIES_OF_CALLER_MAX: usize = 32;
/// How long a body waits for more room, before its caller gets 429.
const ROOM_WITHIN: Duration = Duration::from_secs(20);
/// Seconds after which a caller whose body found no room should try again.
const RETRY_SECONDS: u64 = 5;
/// Bytes of bodies of one address or account, sustained, counted for small and for large ones each: 200 ordinary tests
/// a second.
const KIBIBYTES_PER_SECOND: NonZeroU32 = NonZeroU32::MIN.saturating_add(4 * 1_024 - 1);
/// Bytes of bodies of one address or account in one burst: the tests of a large school with drawings, all handed in at
/// once.
const KIBIBYTES_AT_ONCE: NonZeroU32 = NonZeroU32::MIN.saturating_add(512 * 1_024 - 1);
/// How often quiet callers are forgotten.
const FORGET_EVERY: Duration = Duration::from_secs(60);

type ByteRate = DefaultKeyedRateLimiter<CountedCaller>;

/// What each caller may send.
pub struct BodyBudget {
    /// `None` means no limit.
    rates: Option<Rates>,
    held: Arc<BodyRoom>,
    places: Arc<FairPool>,
    rooms: Mutex<HashMap<CountedCaller, Weak<BodyRoom>>>,
}

/// How much each caller may send in a while. Large bodies use up nothing that small ones need.
struct Rates {
    small: ByteRate,
    large: ByteRate,
}

/// A whole body, with the room that it takes until it is dropped.
pub struct HeldBody {
    pub bytes: Bytes,
    _memory: BodyMemory,
    _room: Option<LargeRoom>,
}

impl HeldBody {
    /// Whether it is so large that it must not delay others.
    #[must_use]
    pub fn is_large(&self) -> bool {
        self.bytes.len() > SMALL_BYTES_MAX
    }
}

/// The room of one large body, among its caller's and among all.
struct LargeRoom {
    own: Option<RoomShare>,
    held: RoomShare,
    _place: PoolShare,
}

impl LargeRoom {
    async fn take(&mut self, kibibytes: u32) {
        // The one body that may go beyond the room of all waits for nothing, or it could wait for one that waits for
        // it.
        if !self.held.is_beyond() {
            if let Some(own) = &mut self.own {
                own.take(kibibytes).await;
            }
            self.held.take(kibibytes).await;
        }
    }
}

/// What has arrived of a body and is not charged to its caller yet.
struct Arrived<'a> {
    budget: &'a BodyBudget,
    caller: Option<&'a CountedCaller>,
    bytes: usize,
}

impl Arrived<'_> {
    /// Takes the whole kibibytes out of the account.
    fn take_whole(&mut self) -> Option<NonZeroU32> {
        let kibibytes = u32::try_from(self.bytes / 1_024).ok().and_then(NonZeroU32::new)?;
        self.bytes %= 1_024;
        Some(kibibytes)
    }

    /// Charges the rest as that of a small body: 429 if its caller has sent too many.
    fn charge_small(&mut self) -> Result<(), Error> {
        let bytes = std::mem::take(&mut self.bytes);
        let kibibytes = u32::try_from(bytes.div_ceil(1_024)).ok().and_then(NonZeroU32::new);
        let (Some(rates), Some(caller), Some(kibibytes)) = (&self.budget.rates, self.caller, kibibytes) else {
            return Ok(());
        };
        match rates.small.check_key_n(caller, kibibytes) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(until)) => Err(Error::TooMany(until.wait_time_from(DefaultClock::default().now()).as_secs() + 1)),
            Err(_) => Err(Error::TooLarge),
        }
    }
}

impl Drop for Arrived<'_> {
    /// A body that breaks off counts too, or it would cost nothing to send all but the end of one.
    fn drop(&mut self) {
        let _ = self.charge_small();
    }
}

impl BodyBudget {
    #[must_use]
    pub fn new(is_limited: bool) -> Self {
        let rate = || RateLimiter::keyed(Quota::per_second(KIBIBYTES_PER_SECOND).allow_burst(KIBIBYTES_AT_ONCE));
        Self {
            rates: is_limited.then(|| Rates { small: rate(), large: rate() }),
            held: Arc::new(BodyRoom::new(HELD_BYTES_MAX)),
            places: Arc::new(FairPool::new(LARGE_BODIES_MAX, LARGE_BODIES_OF_CALLER_MAX)),
            rooms: Mutex::default(),
        }
    }

    /// Reads a request's body for this caller: 413 if it is too long, 408 if it is slow, 429 if the caller sends too
    /// much, 503 if there is no room at all.
    pub async fn read(
        &self,
        request: &HttpRequest,
        caller: Option<&CountedCaller>,
        mut payload: Payload,
    ) -> Result<HeldBody, Error> {
        let length = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        if length.is_some_and(|length: usize| length > LARGE_BYTES_MAX) {
            return Err(Error::TooLarge);
        }
        let mut intake = Intake::of(LARGE_BYTES_MAX, BodyKind::SmallSession(caller.cloned()));
        let mut arrived = Arrived { budget: self, caller, bytes: 0 };
        let (mut body, mut room) = (BytesMut::new(), None);
        while let Some(chunk) = Intake::within_window(payload.next()).await? {
            let chunk = chunk.map_err(|_| Error::Invalid("The request body broke off".to_owned()))?;
            intake.count(chunk.len())?;
            body.extend_from_slice(&chunk);
            arrived.bytes += chunk.len();
            if body.len() > SMALL_BYTES_MAX {
                let is_new = room.is_none();
                let room = match &mut room {
                    Some(room) => room,
                    None => room.insert(self.room(caller)?),
                };
                let begun = Instant::now();
                self.admit(&mut arrived, room).await?;
                intake.leave_out(begun.elapsed());
                if is_new {
                    intake.enlarge()?;
                }
            }
        }
        if room.is_none() {
            arrived.charge_small()?;
        }
        Ok(HeldBody { bytes: body.freeze(), _memory: intake.into_memory(), _room: room })
    }

    /// Waits until more of a large body may be read: 429 if that takes too long.
    async fn admit(&self, arrived: &mut Arrived<'_>, room: &mut LargeRoom) -> Result<(), Error> {
        let Some(kibibytes) = arrived.take_whole() else { return Ok(()) };
        let admitting = async {
            room.take(kibibytes.get()).await;
            if let (Some(rates), Some(caller)) = (&self.rates, arrived.caller) {
                // A refusal in the middle would waste what has been sent, so the body is slowed down. It is never more
                // than a burst.
                let _ = rates.large.until_key_n_ready(caller, kibibytes).await;
            }
        };
        timeout(ROOM_WITHIN, admitting).await.map_err(|_| Error::TooMany(RETRY_SECONDS))
    }

    /// A place for a large body, without room yet: 429 if its caller has too many.
    fn room(&self, caller: Option<&CountedCaller>) -> Result<LargeRoom, Error> {
        let mut place = Arc::clone(&self.places).share(caller.cloned().map(ShareHolder::Caller));
        if !place.take(1) {
            return Err(Error::TooMany(RETRY_SECONDS));
        }
        let own = caller.map(|caller| self.room_of(caller).join());
        Ok(LargeRoom { own, held: Arc::clone(&self.held).join(), _place: place })
    }

    fn room_of(&self, caller: &CountedCaller) -> Arc<BodyRoom> {
        let mut rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(room) = rooms.get(caller).and_then(Weak::upgrade) {
            return room;
        }
        let room = Arc::new(BodyRoom::new(CALLER_BYTES_MAX));
        rooms.insert(caller.clone(), Arc::downgrade(&room));
        room
    }

    /// Forgets quiet callers; never returns.
    pub async fn forget_quiet(&self, clock: &Clock) {
        loop {
            clock.sleep(FORGET_EVERY).await;
            if let Some(rates) = &self.rates {
                rates.small.retain_recent();
                rates.large.retain_recent();
            }
            self.rooms.lock().unwrap_or_else(PoisonError::into_inner).retain(|_, room| room.strong_count() > 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use tokio::task::unconstrained;

    const MEBIBYTE: usize = 1_024 * 1_024;

    fn caller(name: &str) -> CountedCaller {
        CountedCaller::Account(name.to_owned())
    }

    fn arrived<'a>(budget: &'a BodyBudget, caller: &'a CountedCaller, bytes: usize) -> Arrived<'a> {
        Arrived { budget, caller: Some(caller), bytes }
    }

    /// A large body of which so much has arrived; `None` if it has to wait.
    fn large(budget: &BodyBudget, caller: &CountedCaller, bytes: usize) -> Option<LargeRoom> {
        let mut room = budget.room(Some(caller)).unwrap();
        let mut arrived = arrived(budget, caller, bytes);
        // Tokio would have the many of one test wait for other tasks.
        let admitted = unconstrained(budget.admit(&mut arrived, &mut room)).now_or_never();
        admitted.map(|admitted| admitted.map(|()| room).unwrap())
    }

    #[tokio::test]
    async fn large_bodies_of_one_caller_wait_for_each_other_and_for_nobody_else() {
        let (budget, ada, bo) = (BodyBudget::new(true), caller("ada"), caller("bo"));
        let mut held: Vec<LargeRoom> = (0..9).map(|_| large(&budget, &ada, 8 * MEBIBYTE).unwrap()).collect();
        assert!(held[8].own.as_ref().unwrap().is_beyond(), "one goes beyond the room, so that the others get theirs");
        assert!(large(&budget, &ada, SMALL_BYTES_MAX + 1).is_none());
        assert!(large(&budget, &bo, 9 * MEBIBYTE).is_some());
        held.remove(0);
        assert!(large(&budget, &ada, SMALL_BYTES_MAX + 1).is_some());
    }

    #[tokio::test]
    async fn who_has_sent_too_much_waits_for_large_bodies_and_is_refused_small_ones() {
        let (budget, ada, bo) = (BodyBudget::new(true), caller("ada"), caller("bo"));
        let most = KIBIBYTES_AT_ONCE.get() as usize * 1_024;
        for _ in 0..most / (8 * MEBIBYTE) {
            drop(large(&budget, &ada, 8 * MEBIBYTE).unwrap());
        }
        assert!(large(&budget, &ada, 8 * MEBIBYTE).is_none());
        arrived(&budget, &ada, SMALL_BYTES_MAX).charge_small().unwrap();
        for _ in 0..most / SMALL_BYTES_MAX {
            // As of bodies that break off.
            drop(arrived(&budget, &ada, SMALL_BYTES_MAX));
        }
        let refused = arrived(&budget, &ada, most / 4).charge_small();
        assert!(matches!(refused, Err(Error::TooMany(_))));
        assert!(large(&budget, &bo, 9 * MEBIBYTE).is_some());
        arrived(&budget, &bo, SMALL_BYTES_MAX).charge_small().unwrap();
        let unlimited = BodyBudget::new(false);
        arrived(&unlimited, &ada, usize::MAX / 2_048).charge_small().unwrap();
    }

    #[tokio::test]
    async fn few_callers_can_not_take_all_places_of_large_bodies() {
        let (budget, ada) = (BodyBudget::new(true), caller("ada"));
        let mut held: Vec<_> = (0..LARGE_BODIES_OF_CALLER_MAX).map(|_| budget.room(Some(&ada)).unwrap()).collect();
        assert!(matches!(budget.room(Some(&ada)), Err(Error::TooMany(_))));
        for number in 0..16 {
            let other = caller(&number.to_string());
            held.push(budget.room(Some(&other)).unwrap());
            held.extend(std::iter::from_fn(|| budget.room(Some(&other)).ok()));
        }
        assert!(held.len() > LARGE_BODIES_MAX - LARGE_BODIES_OF_CALLER_MAX, "{}", held.len());
        assert!(budget.room(Some(&caller("bo"))).is_ok());
    }
}
