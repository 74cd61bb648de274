//! This server's lease, which shows the other servers that it is alive (`docs/decisions/0015-leases-and-rooms.md`).

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::{ArcSwap, ArcSwapOption};
use uuid::Uuid;

use crate::clock::Clock;
use crate::database::{Database, in_time};
use crate::error::Error;
use crate::live::store;

/// How long a server may be silent before the others claim its seats: three renewals, so that one may fail.
pub const LEASE: Duration = Duration::from_secs(6);
/// How often the lease is renewed.
const RENEW_EVERY: Duration = Duration::from_secs(2);
/// How long one renewal may take; short enough for another try before the lease ends.
const RENEW_TIMEOUT: Duration = Duration::from_millis(1_500);
/// The wait after a renewal that failed.
const RENEW_AGAIN: Duration = Duration::from_millis(300);
/// How long releasing the lease may take at a planned stop. If it fails, the lease simply expires.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(4);

/// Keeps this server's lease, and knows which other servers have one.
pub struct Lease {
    server_id: Uuid,
    database: Database,
    clock: Clock,
    living: ArcSwap<HashSet<Uuid>>,
    renewed_at: ArcSwapOption<Instant>,
}

impl Lease {
    #[must_use]
    pub fn new(server_id: Uuid, database: Database, clock: Clock) -> Self {
        Self { server_id, database, clock, living: ArcSwap::default(), renewed_at: ArcSwapOption::default() }
    }

    /// The servers that were alive at the last renewal, including this one.
    #[must_use]
    pub fn living(&self) -> Arc<HashSet<Uuid>> {
        self.living.load_full()
    }

    /// Whether the others still believe that this server is alive. False after it was suspended, and while it cannot
    /// reach the database.
    #[must_use]
    pub fn is_fresh(&self) -> bool {
        self.renewed_at.load().as_deref().is_some_and(|renewed_at| renewed_at.elapsed() < LEASE)
    }

    /// Renews the lease until the server ends.
    pub async fn keep(&self) {
        loop {
            let is_renewed = in_time("the lease", RENEW_TIMEOUT, self.renew()).await.is_some();
            tokio::time::sleep(if is_renewed { RENEW_EVERY } else { RENEW_AGAIN }).await;
        }
    }

    /// Renews the lease, and reads which other servers are alive.
    pub async fn renew(&self) -> Result<(), Error> {
        let (begun, now) = (Instant::now(), self.clock.now());
        let until = now.plus(i64::try_from(LEASE.as_millis()).unwrap_or(i64::MAX));
        store::renew_lease(&self.database, self.server_id, until).await?;
        // Counted from before the write, so that this server never trusts its lease for longer than the others do.
        self.renewed_at.store(Some(Arc::new(begun)));
        self.living.store(Arc::new(store::find_living(&self.database, now).await?));
        Ok(())
    }

    /// Removes the lease once a planned stop has flushed all seats, so that other servers may claim them at once.
    pub async fn release(&self) {
        in_time("the lease", RELEASE_TIMEOUT, store::release_lease(&self.database, self.server_id)).await;
    }
}
