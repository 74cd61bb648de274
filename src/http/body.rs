//! Request bodies with limits on size, time and memory; actix-web itself limits only the size.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::error::PayloadError;
use actix_web::http::header::CONTENT_LENGTH;
use actix_web::web::{Bytes, BytesMut};
use actix_web::{FromRequest, HttpRequest};
use futures_util::{Stream, StreamExt};
use tokio::time::{Instant, timeout};

use crate::error::Error;

/// Bytes of a body that carries a test with all its drawings.
pub const LARGE_BYTES_MAX: usize = 9 * 1_024 * 1_024;
/// Bytes of all bodies that are being read, and of finished tests until they are stored, so that many large ones can't
/// fill the memory.
const READING_BYTES_MAX: usize = 512 * 1_024 * 1_024;
/// The part of these that only answers of students to running exams may take: nothing else may hold them up.
const LIVE_BYTES_RESERVED: usize = 96 * 1_024 * 1_024;
/// The part that finished tests may take, which are held until they are stored. What is left is for all other requests.
const SESSION_BYTES_MAX: usize = 288 * 1_024 * 1_024;
/// A body must bring at least this many bytes, which even the slowest school network manages …
const WINDOW_BYTES_MIN: usize = 4 * 1_024;
/// … in each window of this length, except the last.
const WINDOW: Duration = Duration::from_secs(10);
/// Time for a whole body.
const WHOLE: Duration = Duration::from_secs(300);
/// For a caller whose body finds no room.
const BUSY: &str = "The server is busy";

static READING: BodyTotals = BodyTotals::new();

/// What a body is for. Each kind has memory that the others cannot take from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// Commands of a running exam, from a caller who has its token.
    Live,
    /// A finished test, held until it is stored.
    Session,
    Other,
}

/// The bytes that are held of each kind.
struct BodyTotals {
    live: AtomicUsize,
    session: AtomicUsize,
    other: AtomicUsize,
}

impl BodyTotals {
    const fn new() -> Self {
        Self { live: AtomicUsize::new(0), session: AtomicUsize::new(0), other: AtomicUsize::new(0) }
    }

    const fn of(&self, kind: BodyKind) -> &AtomicUsize {
        match kind {
            BodyKind::Live => &self.live,
            BodyKind::Session => &self.session,
            BodyKind::Other => &self.other,
        }
    }

    /// Whether what is held leaves each kind its part, as far as it matters for this kind.
    fn have_room_for(&self, kind: BodyKind) -> bool {
        let [live, session, other] = [&self.live, &self.session, &self.other].map(|held| held.load(Ordering::Relaxed));
        let is_within = live + session + other <= READING_BYTES_MAX;
        let spares_live = session + other <= READING_BYTES_MAX - LIVE_BYTES_RESERVED;
        match kind {
            BodyKind::Live => is_within,
            BodyKind::Other => is_within && spares_live,
            BodyKind::Session => is_within && spares_live && session <= SESSION_BYTES_MAX,
        }
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
    room: BodyMemory,
    ends: Instant,
    window_ends: Instant,
    window_bytes: usize,
}

impl Intake {
    #[must_use]
    pub fn of(bytes_max: usize, kind: BodyKind) -> Self {
        Self::within(&READING, bytes_max, kind)
    }

    fn within(totals: &'static BodyTotals, bytes_max: usize, kind: BodyKind) -> Self {
        let now = Instant::now();
        Self {
            bytes_left: bytes_max,
            room: BodyMemory { totals, kind, bytes: 0 },
            ends: now + WHOLE,
            window_ends: now + WINDOW,
            window_bytes: 0,
        }
    }

    /// Leaves out of account a time in which the body was not read, because the server itself had it wait.
    pub fn leave_out(&mut self, waited: Duration) {
        self.ends += waited;
        self.window_ends += waited;
    }

    /// The body's share of the memory, for as long as the body is held after it has been read.
    #[must_use]
    pub fn into_memory(self) -> BodyMemory {
        self.room
    }

    /// Waits for the next part of a body: 408 if nothing comes.
    pub async fn within_window<T>(coming: impl Future<Output = T>) -> Result<T, Error> {
        timeout(WINDOW, coming).await.map_err(|_| Error::TooSlow)
    }

    /// Counts bytes before they are kept: 413, 408, or 503 if there is no room.
    pub fn count(&mut self, bytes: usize) -> Result<(), Error> {
        self.bytes_left = self.bytes_left.checked_sub(bytes).ok_or(Error::TooLarge)?;
        self.room.take(bytes)?;
        self.window_bytes += bytes;
        let now = Instant::now();
        if now > self.ends {
            return Err(Error::TooSlow);
        }
        if now > self.window_ends {
            if self.window_bytes < WINDOW_BYTES_MIN {
                return Err(Error::TooSlow);
            }
            (self.window_ends, self.window_bytes) = (now + WINDOW, 0);
        }
        Ok(())
    }
}

/// One body's share of the memory for bodies; returned when it is dropped.
pub struct BodyMemory {
    totals: &'static BodyTotals,
    kind: BodyKind,
    bytes: usize,
}

impl BodyMemory {
    fn take(&mut self, bytes: usize) -> Result<(), Error> {
        self.bytes += bytes;
        self.totals.of(self.kind).fetch_add(bytes, Ordering::Relaxed);
        if self.totals.have_room_for(self.kind) { Ok(()) } else { Err(Error::Unavailable(BUSY)) }
    }
}

impl Drop for BodyMemory {
    fn drop(&mut self) {
        self.totals.of(self.kind).fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes bodies of one kind until there is room for no more; returns them and how many bytes they hold.
    fn fill(totals: &'static BodyTotals, kind: BodyKind) -> (Vec<Intake>, usize) {
        let mut held = Vec::new();
        loop {
            let mut intake = Intake::within(totals, LARGE_BYTES_MAX, kind);
            if intake.count(LARGE_BYTES_MAX).is_err() {
                return (held, totals.of(kind).load(Ordering::Relaxed) - LARGE_BYTES_MAX);
            }
            held.push(intake);
        }
    }

    #[test]
    fn finished_tests_leave_room_for_live_exams_and_for_all_others() {
        let totals: &'static BodyTotals = Box::leak(Box::new(BodyTotals::new()));
        let (_sessions, bytes) = fill(totals, BodyKind::Session);
        assert!((SESSION_BYTES_MAX - LARGE_BYTES_MAX..=SESSION_BYTES_MAX).contains(&bytes), "{bytes}");
        let (_others, bytes) = fill(totals, BodyKind::Other);
        assert!(bytes >= 96 * 1_024 * 1_024, "{bytes}");
        let (_live, bytes) = fill(totals, BodyKind::Live);
        assert!(bytes >= LIVE_BYTES_RESERVED - LARGE_BYTES_MAX, "{bytes}");
        let held: usize =
            [&totals.live, &totals.session, &totals.other].iter().map(|held| held.load(Ordering::Relaxed)).sum();
        assert!(held <= READING_BYTES_MAX, "{held}");
    }

    #[test]
    fn what_is_dropped_is_free_again() {
        let totals: &'static BodyTotals = Box::leak(Box::new(BodyTotals::new()));
        for kind in [BodyKind::Live, BodyKind::Session, BodyKind::Other] {
            let first = fill(totals, kind).1;
            assert_eq!(totals.of(kind).load(Ordering::Relaxed), 0);
            let (held, second) = fill(totals, kind);
            assert_eq!((first, held.len() * LARGE_BYTES_MAX), (second, second), "{kind:?}");
        }
    }
}
