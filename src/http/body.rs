//! Request bodies within a limit of size, of time and of memory: actix-web itself limits only the size.

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

/// Bodies that carry a test with all its drawings.
pub const LARGE_BYTES_MAX: usize = 9 * 1_024 * 1_024;
/// Bodies that are being read, all together.
const READING_BYTES_MAX: usize = 512 * 1_024 * 1_024;
/// A body must bring so much, which the slowest school's network does …
const WINDOW_BYTES_MIN: usize = 4 * 1_024;
/// … in each window of this length, the last one excepted.
const WINDOW: Duration = Duration::from_secs(10);
/// For the whole body.
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
        let announced = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
        let payload = payload.take();
        Box::pin(async move {
            if announced.is_some_and(|length| length > BYTES_MAX) {
                return Err(Error::TooLarge);
            }
            read(payload, BYTES_MAX).await.map(Self)
        })
    }
}

/// Reads a body of at most `bytes_max` bytes.
///
/// # Errors
/// 413, 408, or 503 when there is no room.
pub async fn read(mut payload: impl Stream<Item = Result<Bytes, PayloadError>> + Unpin, bytes_max: usize) -> Result<Bytes, Error> {
    let mut body = BytesMut::new();
    let mut room = Room::default();
    let ends = Instant::now() + WHOLE;
    let (mut window_ends, mut window_bytes) = (Instant::now() + WINDOW, 0);
    while let Some(chunk) = timeout(WINDOW, payload.next()).await.map_err(|_| Error::TooSlow)? {
        let chunk = chunk.map_err(|_| Error::Invalid("The request body broke off".to_owned()))?;
        if body.len() + chunk.len() > bytes_max {
            return Err(Error::TooLarge);
        }
        room.take(chunk.len())?;
        body.extend_from_slice(&chunk);
        window_bytes += chunk.len();
        if Instant::now() > ends {
            return Err(Error::TooSlow);
        }
        if Instant::now() > window_ends {
            if window_bytes < WINDOW_BYTES_MIN {
                return Err(Error::TooSlow);
            }
            (window_ends, window_bytes) = (Instant::now() + WINDOW, 0);
        }
    }
    Ok(body.freeze())
}

/// The part of the memory for bodies that one of them has taken; given back when it has been read.
#[derive(Default)]
struct Room(usize);

impl Room {
    fn take(&mut self, bytes: usize) -> Result<(), Error> {
        self.0 += bytes;
        let before = READING.fetch_add(bytes, Ordering::Relaxed);
        if before + bytes > READING_BYTES_MAX { Err(Error::Unavailable(BUSY)) } else { Ok(()) }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        READING.fetch_sub(self.0, Ordering::Relaxed);
    }
}
