//! This server's lease, by which the others know that it lives.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::{ArcSwap, ArcSwapOption};
use uuid::Uuid;

use crate::clock::Clock;
use crate::database::{Database, in_time};
use crate::error::Error;
use crate::live::store;

/// How long a server may be silent before the others take its seats: three renewals, so that one may fail.
const LEASE: Duration = Duration::from_secs(6);
/// How often the lease is renewed.
const RENEW_EVERY: Duration = Duration::from_secs(2);
/// How long one renewal may take; short enough for another try before the lease ends.
const RENEW_TIMEOUT: Duration = Duration::from_millis(1_500);
/// The wait after a renewal that failed.
const RENEW_AGAIN: Duration = Duration::from_millis(300);
/// How long giving the lease up may take at a planned stop.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(4);

/// Keeps the lease, and knows who else has one.
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

    /// The servers that lived when the database was last asked, this one among them.
    #[must_use]
    pub fn living(&self) -> Arc<HashSet<Uuid>> {
        self.living.load_full()
    }

    /// Whether the others still believe that this server lives: not when it stood still, or cannot reach the database.
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

    /// Renews the lease, and looks who else lives.
    pub async fn renew(&self) -> Result<(), Error> {
        let (begun, now) = (Instant::now(), self.clock.now());
        let until = now.plus(i64::try_from(LEASE.as_millis()).unwrap_or(i64::MAX));
        store::renew_lease(&self.database, self.server_id, until).await?;
        self.renewed_at.store(Some(Arc::new(begun)));
        self.living.store(Arc::new(store::find_living(&self.database, now).await?));
        Ok(())
    }

    /// A planned stop has flushed all seats: others may take them at once.
    pub async fn release(&self) {
        in_time("the lease", RELEASE_TIMEOUT, store::release_lease(&self.database, self.server_id)).await;
    }
}
