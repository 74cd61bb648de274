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
/// A body must bring at least this many bytes, which even the slowest school network manages …
const WINDOW_BYTES_MIN: usize = 4 * 1_024;
/// … in each window of this length, except the last.
const WINDOW: Duration = Duration::from_secs(10);
/// Time for a whole body.
const WHOLE: Duration = Duration::from_secs(300);
/// For a caller whose body finds no room.
const BUSY: &str = "The server is busy";

static READING: AtomicUsize = AtomicUsize::new(0);

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
            read(payload, BYTES_MAX).await.map(Self)
        })
    }
}

/// Reads a body of at most `bytes_max` bytes: 413 if it is longer, 408 if it is slow, 503 if there is no room.
pub async fn read(
    mut payload: impl Stream<Item = Result<Bytes, PayloadError>> + Unpin,
    bytes_max: usize,
) -> Result<Bytes, Error> {
    let mut body = BytesMut::new();
    let mut intake = Intake::of(bytes_max);
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
    pub fn of(bytes_max: usize) -> Self {
        let now = Instant::now();
        Self {
            bytes_left: bytes_max,
            room: BodyMemory::default(),
            ends: now + WHOLE,
            window_ends: now + WINDOW,
            window_bytes: 0,
        }
    }

    /// Begins to measure the speed of the body again, after a time in which it was not read.
    pub fn begin_window(&mut self) {
        let now = Instant::now();
        (self.ends, self.window_ends, self.window_bytes) = (now + WHOLE, now + WINDOW, 0);
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
#[derive(Default)]
pub struct BodyMemory(usize);

impl BodyMemory {
    fn take(&mut self, bytes: usize) -> Result<(), Error> {
        self.0 += bytes;
        let before = READING.fetch_add(bytes, Ordering::Relaxed);
        if before + bytes > READING_BYTES_MAX { Err(Error::Unavailable(BUSY)) } else { Ok(()) }
    }
}

impl Drop for BodyMemory {
    fn drop(&mut self) {
        READING.fetch_sub(self.0, Ordering::Relaxed);
    }
}
