//! Request bodies with limits on size, time and memory; actix-web itself limits only the size.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::error::PayloadError;
use actix_web::http::header::CONTENT_LENGTH;
use actix_web::web::{Bytes, BytesMut};
use actix_web::{FromRequest, HttpRequest};
use futures_util::{Stream, StreamExt};
use tokio::time::{Instant, timeout};
use uuid::Uuid;

use super::fair_pool::{FairPool, PoolShare, ShareHolder};
use super::limits::CountedCaller;
use crate::error::Error;

/// Bytes of a body that carries a test with all its drawings.
pub const LARGE_BYTES_MAX: usize = 9 * 1_024 * 1_024;
/// Bytes of commands of running exams that are being read, for all attempts together.
const LIVE_BYTES_MAX: usize = 128 * 1_024 * 1_024;
/// Bytes of commands of one attempt that are being read: room for a second body while the first one hangs.
const ATTEMPT_BYTES_MAX: usize = 2 * LARGE_BYTES_MAX;
/// Bytes of finished tests that are not large, and of the first parts of large ones that wait for room, until they are
/// stored: room for thousands of ordinary ones, of which one address or account gets half at most.
const SMALL_SESSION_BYTES_MAX: usize = 64 * 1_024 * 1_024;
/// Bytes of large finished tests until they are stored: those that have room, and what comes next of each.
const LARGE_SESSION_BYTES_MAX: usize = 208 * 1_024 * 1_024;
/// Bytes of all other bodies that are being read.
const OTHER_BYTES_MAX: usize = 112 * 1_024 * 1_024;
/// Bytes that a body must bring in each [`WINDOW`] except the last. Even the slowest school network manages this many.
const WINDOW_BYTES_MIN: usize = 4 * 1_024;
/// Bytes that a large finished test must bring in each [`WINDOW`] except the last. It is more than for other bodies
/// because a large one keeps others waiting.
const LARGE_WINDOW_BYTES_MIN: usize = 32 * 1_024;
/// The time in which a body must bring [`WINDOW_BYTES_MIN`] or [`LARGE_WINDOW_BYTES_MIN`]. A body that trickles in
/// would hold its memory for as long as its sender likes.
const WINDOW: Duration = Duration::from_secs(10);
/// How long a whole body may take to arrive.
const WHOLE: Duration = Duration::from_secs(300);
/// The answer to a caller whose body finds no room.
const BUSY: &str = "The server is busy";

static READING: LazyLock<BodyPools> = LazyLock::new(BodyPools::new);

/// What a body is for. Each kind has memory of its own, so none can take any from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// Commands of this running exam, from a caller who has its token.
    Live(Uuid),
    /// A finished test of this caller, held until it is stored. One without an address has no share of its own.
    SmallSession(Option<CountedCaller>),
    /// A finished test that has room among the large ones, held until it is stored.
    LargeSession,
    Other,
}

/// The memory of each kind.
struct BodyPools {
    live: Arc<FairPool>,
    small_session: Arc<FairPool>,
    large_session: Arc<FairPool>,
    other: Arc<FairPool>,
}

impl BodyPools {
    fn new() -> Self {
        let pool = |all, of_one| Arc::new(FairPool::new(all, of_one));
        Self {
            live: pool(LIVE_BYTES_MAX, ATTEMPT_BYTES_MAX),
            small_session: pool(SMALL_SESSION_BYTES_MAX, SMALL_SESSION_BYTES_MAX),
            large_session: pool(LARGE_SESSION_BYTES_MAX, LARGE_SESSION_BYTES_MAX),
            other: pool(OTHER_BYTES_MAX, OTHER_BYTES_MAX),
        }
    }

    fn memory(&self, kind: BodyKind) -> BodyMemory {
        let (pool, holder) = match kind {
            BodyKind::Live(attempt) => (&self.live, Some(ShareHolder::Attempt(attempt))),
            BodyKind::SmallSession(caller) => (&self.small_session, caller.map(ShareHolder::Caller)),
            BodyKind::LargeSession => (&self.large_session, None),
            BodyKind::Other => (&self.other, None),
        };
        BodyMemory(Arc::clone(pool).share(holder))
    }
}

/// A whole body of at most `BYTES_MAX` bytes.
pub struct Body<const BYTES_MAX: usize>(pub Bytes);

impl<const BYTES_MAX: usize> FromRequest for Body<BYTES_MAX> {
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Error>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let announced =
            request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
        let payload = payload.take();
        Box::pin(async move {
            // Refused before a byte is read, so that clients learn it early and no memory is taken.
            if announced.is_some_and(|length| length > BYTES_MAX) {
                return Err(Error::TooLarge);
            }
            read(payload, BYTES_MAX, BodyKind::Other).await.map(Self)
        })
    }
}

/// Reads a body of at most `bytes_max` bytes: 413 if it is longer, 408 if it is slow, 503 if there is no room.
pub async fn read(
    mut payload: impl Stream<Item = Result<Bytes, PayloadError>> + Unpin,
    bytes_max: usize,
    kind: BodyKind,
) -> Result<Bytes, Error> {
    let mut body = BytesMut::new();
    let mut intake = Intake::of(bytes_max, kind);
    while let Some(chunk) = Intake::within_window(payload.next()).await? {
        let chunk = chunk.map_err(|_| Error::Invalid("The request body broke off".to_owned()))?;
        intake.count(chunk.len())?;
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

/// The limits of one body while it is read: how much it may still bring, and how fast it must.
pub struct Intake {
    bytes_left: usize,
    memory: BodyMemory,
    ends: Instant,
    window_ends: Instant,
    window_bytes: usize,
    window_bytes_min: usize,
}

impl Intake {
    #[must_use]
    pub fn of(bytes_max: usize, kind: BodyKind) -> Self {
        Self::within(&READING, bytes_max, kind)
    }

    fn within(pools: &BodyPools, bytes_max: usize, kind: BodyKind) -> Self {
        let now = Instant::now();
        Self {
            bytes_left: bytes_max,
            memory: pools.memory(kind),
            ends: now + WHOLE,
            window_ends: now + WINDOW,
            window_bytes: 0,
            window_bytes_min: WINDOW_BYTES_MIN,
        }
    }

    /// Counts a finished test among the large ones from now on, which must not crawl: 503 if there is no room.
    pub fn enlarge(&mut self) -> Result<(), Error> {
        self.enlarge_within(&READING)
    }

    fn enlarge_within(&mut self, pools: &BodyPools) -> Result<(), Error> {
        let mut memory = pools.memory(BodyKind::LargeSession);
        // The new share is taken before the old one is returned, so that the bytes are accounted for at any time.
        memory.take(self.memory.0.taken())?;
        self.memory = memory;
        // A new window: what came before was measured by the lower rate.
        (self.window_ends, self.window_bytes) = (Instant::now() + WINDOW, 0);
        self.window_bytes_min = LARGE_WINDOW_BYTES_MIN;
        Ok(())
    }

    /// Leaves out of account a time in which the body was not read, because the server itself had it wait.
    pub fn leave_out(&mut self, waited: Duration) {
        self.ends += waited;
        self.window_ends += waited;
    }

    /// The body's share of the memory, for as long as the body is held after it has been read.
    #[must_use]
    pub fn into_memory(self) -> BodyMemory {
        self.memory
    }

    /// Waits for the next part of a body: 408 if nothing comes.
    pub async fn within_window<T>(coming: impl Future<Output = T>) -> Result<T, Error> {
        timeout(WINDOW, coming).await.map_err(|_| Error::TooSlow)
    }

    /// Counts bytes before they are kept: 413, 408, or 503 if there is no room.
    pub fn count(&mut self, bytes: usize) -> Result<(), Error> {
        self.bytes_left = self.bytes_left.checked_sub(bytes).ok_or(Error::TooLarge)?;
        self.memory.take(bytes)?;
        self.window_bytes += bytes;
        let now = Instant::now();
        if now > self.ends {
            return Err(Error::TooSlow);
        }
        if now > self.window_ends {
            if self.window_bytes < self.window_bytes_min {
                return Err(Error::TooSlow);
            }
            (self.window_ends, self.window_bytes) = (now + WINDOW, 0);
        }
        Ok(())
    }
}

/// One body's share of the memory for bodies; returned when it is dropped.
pub struct BodyMemory(PoolShare);

impl BodyMemory {
    fn take(&mut self, bytes: usize) -> Result<(), Error> {
        if self.0.take(bytes) { Ok(()) } else { Err(Error::Unavailable(BUSY)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL_BYTES: usize = 127 * 1_024;

    /// Half-sent bodies of one kind, until there is room for no more.
    fn fill(pools: &BodyPools, kind: &BodyKind, bytes: usize) -> Vec<Intake> {
        let next = || {
            let mut intake = Intake::within(pools, LARGE_BYTES_MAX, kind.clone());
            intake.count(bytes).is_ok().then_some(intake)
        };
        std::iter::from_fn(next).collect()
    }

    fn live(number: u128) -> BodyKind {
        BodyKind::Live(Uuid::from_u128(number))
    }

    fn small_session(name: &str) -> BodyKind {
        BodyKind::SmallSession(Some(CountedCaller::Account(name.to_owned())))
    }

    #[test]
    fn each_kind_has_memory_that_no_other_can_take() {
        let pools = BodyPools::new();
        let lives: Vec<_> = (0..1_000).flat_map(|number| fill(&pools, &live(number), 64 * 1_024)).collect();
        let smalls: Vec<_> =
            (0..100).flat_map(|number| fill(&pools, &small_session(&number.to_string()), 64)).collect();
        let larges = fill(&pools, &BodyKind::LargeSession, LARGE_BYTES_MAX);
        assert_eq!(larges.len(), LARGE_SESSION_BYTES_MAX / LARGE_BYTES_MAX);
        let others = fill(&pools, &BodyKind::Other, LARGE_BYTES_MAX);
        assert_eq!(others.len(), OTHER_BYTES_MAX / LARGE_BYTES_MAX);
        for (pool, most) in [(&pools.live, LIVE_BYTES_MAX), (&pools.small_session, SMALL_SESSION_BYTES_MAX)] {
            let taken = pool.taken_by_all();
            assert!((most - 2 * 1_024 * 1_024..=most).contains(&taken), "{taken} of {most}");
        }
        drop((lives, smalls, larges, others));
        for pool in [&pools.live, &pools.small_session, &pools.large_session, &pools.other] {
            assert_eq!(pool.taken_by_all(), 0);
        }
    }

    #[test]
    fn one_attempt_can_not_take_the_memory_of_other_students() {
        let pools = BodyPools::new();
        let _first = fill(&pools, &live(1), 1_024 * 1_024);
        assert_eq!(pools.live.taken_by_all(), ATTEMPT_BYTES_MAX);
        let _others: Vec<_> = (2..7)
            .map(|number| Intake::within(&pools, LARGE_BYTES_MAX, live(number)))
            .map(|mut intake| {
                intake.count(LARGE_BYTES_MAX).unwrap();
                intake
            })
            .collect();
        assert_eq!(fill(&pools, &BodyKind::Other, LARGE_BYTES_MAX).len(), OTHER_BYTES_MAX / LARGE_BYTES_MAX);
    }

    #[test]
    fn few_callers_can_not_keep_out_the_small_finished_tests_of_others() {
        let pools = BodyPools::new();
        let held: Vec<_> = ["ada", "bo", "cy", "di", "ed"]
            .map(|name| fill(&pools, &small_session(name), SMALL_BYTES))
            .into_iter()
            .collect();
        assert!(held[0].len() * SMALL_BYTES <= SMALL_SESSION_BYTES_MAX / 2, "{}", held[0].len());
        for name in ["fay", "guy", "hal"] {
            Intake::within(&pools, LARGE_BYTES_MAX, small_session(name)).count(SMALL_BYTES).unwrap();
        }
    }

    #[test]
    fn a_large_finished_test_must_not_crawl() {
        let pools = BodyPools::new();
        for is_large in [false, true] {
            let mut intake = Intake::within(&pools, LARGE_BYTES_MAX, small_session("ada"));
            intake.count(SMALL_BYTES).unwrap();
            if is_large {
                intake.enlarge_within(&pools).unwrap();
                assert_eq!((pools.small_session.taken_by_all(), pools.large_session.taken_by_all()), (0, SMALL_BYTES));
            }
            let mut window = |bytes| {
                intake.count(bytes / 2)?;
                // As if the window were over.
                intake.window_ends -= WINDOW + WINDOW;
                intake.count(bytes / 2)
            };
            window(2 * LARGE_WINDOW_BYTES_MIN).unwrap();
            assert_eq!(matches!(window(2 * WINDOW_BYTES_MIN), Err(Error::TooSlow)), is_large);
        }
    }
}
