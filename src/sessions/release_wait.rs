//! Requests that wait for the release of a sitting, so that a page shows its result without being reloaded.

use std::sync::Arc;
use std::time::Duration;

use domain::session::Session;
use tokio::sync::Semaphore;
use tokio::time::Instant;

use crate::clock::Clock;
use crate::error::Error;
use crate::http::health::Stopping;
use crate::store::embargo::{CHECK_EVERY, Embargo, RESULTS_HELD};

/// How long a request waits. Proxies give up on a silent one after 30 seconds or more.
const WAIT_TIMEOUT: Duration = Duration::from_secs(25);
/// Requests that wait at once. Each holds a connection and little else; a caller beyond them gets 503.
const WAITS_MAX: usize = 20_000;
/// The pause between two lookups of one waiting request, while other sittings change many times a second.
const LOOK_AGAIN_AFTER: Duration = Duration::from_millis(200);
const BUSY: &str = "Too many wait for a release";

/// The places of those who wait.
pub struct ReleaseWaits(Arc<Semaphore>);

impl Default for ReleaseWaits {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(WAITS_MAX)))
    }
}

impl ReleaseWaits {
    /// Returns as soon as the result of a session may be seen. All who wait are woken together, and share one query:
    /// if it fails or is late, nobody is sent away.
    ///
    /// # Errors
    /// 403 when it is not released in time, and when the server stops; 503 when too many wait, and when the database
    /// does not answer at the end.
    pub async fn wait(
        &self,
        embargo: &Embargo,
        session: &Session,
        stopping: &Stopping,
        clock: &Clock,
    ) -> Result<(), Error> {
        let mut changes = embargo.listen();
        let mut held = embargo.is_held(session).await;
        if matches!(held, Ok(false)) {
            return Ok(());
        }
        let _place = self.0.try_acquire().map_err(|_| Error::Unavailable(BUSY))?;
        let until = Instant::now() + WAIT_TIMEOUT;
        while Instant::now() < until && !stopping.has_begun() {
            // Also without a change: another server may have released it, and its message may be lost.
            let look = CHECK_EVERY.min(until.saturating_duration_since(Instant::now()));
            tokio::select! {
                _ = changes.changed() => {}
                () = clock.sleep(look) => {}
            }
            held = embargo.is_held(session).await;
            if matches!(held, Ok(false)) {
                return Ok(());
            }
            clock.sleep(LOOK_AGAIN_AFTER).await;
        }
        held.and(Err(Error::Forbidden(RESULTS_HELD)))
    }
}
