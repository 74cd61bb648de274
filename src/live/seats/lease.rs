//! This server's lease, by which the others know that it lives; and its look at the store for what it was not told:
//! orders of proctors, and seats that others have taken.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::{ArcSwap, ArcSwapOption};
use tokio::sync::Notify;
use uuid::Uuid;

use super::registry::SeatHandle;
use crate::error::Error;
use crate::live::proctor::orders;
use crate::live::seat::SeatLost;
use crate::live::{Live, store};

/// A server that is silent for so long leaves its seats to the others.
const LEASE: Duration = Duration::from_secs(6);
/// The lease is renewed so often.
const RENEW_EVERY: Duration = Duration::from_secs(2);
/// One try to renew it …
const RENEW_TIMEOUT: Duration = Duration::from_millis(1_500);
/// … and the wait before the next.
const RENEW_AGAIN: Duration = Duration::from_millis(300);
/// Without a word, orders of proctors are noticed within this time.
const LOOK_EVERY: Duration = Duration::from_millis(700);
/// Without a word, a seat that was taken is noticed within this time; its writes are refused at once.
const COMPARE_EVERY: Duration = Duration::from_secs(5);
/// One look at the store.
const LOOK_TIMEOUT: Duration = Duration::from_secs(4);

/// Keeps the lease.
pub struct Lease {
    living: ArcSwap<HashSet<Uuid>>,
    renewed_at: ArcSwapOption<Instant>,
    look: Notify,
}

impl Default for Lease {
    fn default() -> Self {
        Self { living: ArcSwap::default(), renewed_at: ArcSwapOption::default(), look: Notify::new() }
    }
}

impl Lease {
    /// The servers that lived when the store was last asked, this one among them.
    #[must_use]
    pub fn living(&self) -> Arc<HashSet<Uuid>> {
        self.living.load_full()
    }

    /// Whether the others still believe that this server lives: not when it stood still, or can't reach the store.
    #[must_use]
    pub fn is_fresh(&self) -> bool {
        self.renewed_at.load().as_deref().is_some_and(|renewed_at| renewed_at.elapsed() < LEASE)
    }

    /// There may be orders in the store: looks at once.
    pub fn look_now(&self) {
        self.look.notify_one();
    }

    /// Keeps the lease and looks at the store, until the server ends.
    pub async fn run(&self, live: &Arc<Live>) {
        tokio::join!(self.keep(live), self.look(live), compare(live));
    }

    async fn keep(&self, live: &Live) {
        loop {
            let is_renewed = within("the lease", RENEW_TIMEOUT, self.renew(live)).await;
            tokio::time::sleep(if is_renewed { RENEW_EVERY } else { RENEW_AGAIN }).await;
        }
    }

    /// Renews the lease, and looks who else lives.
    ///
    /// # Errors
    /// When the store is unavailable.
    pub async fn renew(&self, live: &Live) -> Result<(), Error> {
        let (begun, now) = (Instant::now(), live.clock.now());
        let until = now.plus(i64::try_from(LEASE.as_millis()).unwrap_or(i64::MAX));
        store::renew_lease(&live.database, live.relay.server_id(), until).await?;
        self.renewed_at.store(Some(Arc::new(begun)));
        self.living.store(Arc::new(store::find_living(&live.database, now).await?));
        Ok(())
    }

    /// A planned stop has flushed all seats: others may take them at once.
    pub async fn release(&self, live: &Live) {
        within("the lease", LOOK_TIMEOUT, async {
            Ok(store::release_lease(&live.database, live.relay.server_id()).await?)
        })
        .await;
    }

    async fn look(&self, live: &Arc<Live>) {
        loop {
            // A word that comes meanwhile makes the next look come at once.
            let _ = tokio::time::timeout(LOOK_EVERY, self.look.notified()).await;
            within("orders of proctors", LOOK_TIMEOUT, orders::deliver(live)).await;
        }
    }
}

/// Lets go the seats that others have taken, also when nobody could tell this server.
async fn compare(live: &Live) {
    loop {
        tokio::time::sleep(COMPARE_EVERY).await;
        within("its seats", LOOK_TIMEOUT, compare_once(live)).await;
    }
}

async fn compare_once(live: &Live) -> Result<(), Error> {
    let handles: Vec<Arc<SeatHandle>> = live.registry.all();
    if handles.is_empty() {
        return Ok(());
    }
    let held = store::find_held(&live.database, live.relay.server_id()).await?;
    for handle in handles {
        let Some(hold) = handle.hold else { continue };
        if held.get(&hold.session_id).is_none_or(|fence| *fence > hold.fence) {
            // A seat that has been built anew meanwhile has a fence as high, and is left alone; so is one that ends.
            let holder = store::find_holder(&live.database, hold.session_id).await?;
            let _ = handle.address.try_send(SeatLost::to(holder));
        }
    }
    Ok(())
}

/// A look that fails is taken again soon. Whether it did not.
async fn within(what: &str, time: Duration, looking: impl Future<Output = Result<(), Error>>) -> bool {
    let looked = tokio::time::timeout(time, looking).await;
    match &looked {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(%error, what, "the store cannot be asked"),
        Err(_) => tracing::warn!(what, "the store does not answer in time"),
    }
    matches!(looked, Ok(Ok(())))
}
