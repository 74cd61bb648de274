//! This server's lease, which shows the other servers that it is alive (`docs/decisions/0015-leases-and-rooms.md`).

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::{ArcSwap, ArcSwapOption};
use uuid::Uuid;

use crate::clock::Clock;
use crate::database::{Database, in_time};
use crate::error::Error;
use crate::live::saving::Saving;
use crate::live::store;
use crate::store::outages;

/// How long a server may be silent before the others claim its seats: three renewals, so that one may fail.
pub const LEASE: Duration = Duration::from_secs(6);
/// How often the lease is renewed.
const RENEW_EVERY: Duration = Duration::from_secs(2);
/// How long one renewal may take; short enough for another try before the lease ends.
const RENEW_TIMEOUT: Duration = Duration::from_millis(1_500);
/// How long it may take to give back what an outage has taken from a whole cohort.
const GIVE_BACK_TIMEOUT: Duration = Duration::from_secs(10);
/// Failed heartbeats in a row after which the lease is renewed without one. A server that saves answers but cannot give
/// lost time back is better than one that does neither.
const BEATS_FAILED_MAX: u32 = 20;
/// The wait after a renewal that failed.
const RENEW_AGAIN: Duration = Duration::from_millis(300);
/// How long releasing the lease may take at a planned stop. If it fails, the lease simply expires.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(4);

/// Keeps this server's lease, and knows which other servers have one.
pub struct Lease {
    server_id: Uuid,
    database: Database,
    clock: Clock,
    saving: Arc<Saving>,
    living: ArcSwap<HashSet<Uuid>>,
    renewed_at: ArcSwapOption<Instant>,
}

impl Lease {
    #[must_use]
    pub fn new(server_id: Uuid, database: Database, clock: Clock, saving: Arc<Saving>) -> Self {
        Self { server_id, database, clock, saving, living: ArcSwap::default(), renewed_at: ArcSwapOption::default() }
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

    /// Whether this server can save, as far as it has tried lately.
    #[must_use]
    pub fn can_save(&self) -> bool {
        self.is_fresh() && self.saving.failing_for().is_none_or(|failing| failing < LEASE)
    }

    /// Whether nobody waits for time that was lost while nothing could be saved, so that tests may end.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.is_fresh() && !self.saving.owes_time()
    }

    /// Renews the lease until the server ends.
    pub async fn keep(&self) {
        let mut failed_beats = 0;
        loop {
            let is_back = !self.is_fresh();
            failed_beats = if self.beat().await { 0 } else { failed_beats + 1 };
            // Only after an outage it matters that the heartbeat comes first.
            let may_renew = failed_beats == 0 || !is_back || failed_beats > BEATS_FAILED_MAX;
            let is_renewed = may_renew && in_time("the lease", RENEW_TIMEOUT, self.renew()).await.is_some();
            self.clock.sleep(if is_renewed { RENEW_EVERY } else { RENEW_AGAIN }).await;
        }
    }

    /// Moves the heartbeat of all servers on. After an outage this gives the time back to those whose time was up in
    /// it, and only then the lease is renewed, without which nobody ends a test by its deadline.
    pub async fn beat(&self) -> bool {
        // The heartbeat stands still while nothing can be stored, also where there is room for a lease.
        if self.saving.failing_for().is_some() {
            return true;
        }
        // Only by what this server knows itself: its clock may have been set.
        let is_back = !self.is_settled();
        let beating = async { outages::beat(&self.database, self.clock.now(), is_back).await.map_err(Error::from) };
        let beaten = in_time("the heartbeat", if is_back { GIVE_BACK_TIMEOUT } else { RENEW_TIMEOUT }, beating).await;
        if let Some(Some(outage)) = beaten {
            let (from, until) = (outage.from.iso(), outage.until.iso());
            tracing::warn!(from, until, "nothing could be saved; whose time was up meanwhile got it back");
        }
        if beaten.is_some() {
            self.saving.settle();
        }
        beaten.is_some()
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
