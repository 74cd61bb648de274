//! Publishes what was to be published by now, whenever someone asks the calendar. Nobody depends on it: reading goes on while
//! nothing can be written.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use domain::time::moment::Moment;
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::store::{Organizers, Venues, events, linked_posts};
use crate::database::Database;
use crate::error::Error;

/// Records whose time has come are looked for so often at most.
const EVERY_MILLISECONDS: i64 = 1_000;
/// Who asks waits so long for them: longer only when the store is slow, and then answers go before.
const WAIT: Duration = Duration::from_millis(500);

/// How long that may take: a connection that is dead without saying so would stand in the way for good.
const PUBLISHING_TIMEOUT: Duration = Duration::from_secs(20);

/// When it was last looked for what is to be published.
pub struct Schedule {
    looked_at: AtomicI64,
    /// Held while someone looks.
    turn: Arc<Mutex<()>>,
}

impl Schedule {
    /// Never yet.
    #[must_use]
    pub fn new() -> Self {
        Self { looked_at: AtomicI64::new(i64::MIN), turn: Arc::default() }
    }

    /// Publishes what is due, unless that was done just now.
    pub async fn publish_due(&self, database: &Database, now: Moment) {
        let last = self.looked_at.load(Ordering::Relaxed);
        if now.milliseconds() < last.saturating_add(EVERY_MILLISECONDS) && last <= now.milliseconds() {
            return;
        }
        let Ok(turn) = Arc::clone(&self.turn).try_lock_owned() else { return };
        self.looked_at.store(now.milliseconds(), Ordering::Relaxed);
        let database = database.clone();
        let publishing = tokio::spawn(async move {
            match timeout(PUBLISHING_TIMEOUT, publish(&database, now)).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tracing::warn!(?error, "what is due in the calendar cannot be published"),
                Err(_) => tracing::warn!("what is due in the calendar cannot be published in time"),
            }
            drop(turn);
        });
        // It goes on by itself.
        drop(timeout(WAIT, publishing).await);
    }
}

async fn publish(database: &Database, now: Moment) -> Result<(), Error> {
    events::publish_due(database, now).await?;
    linked_posts::publish_due::<Venues>(database, now).await?;
    linked_posts::publish_due::<Organizers>(database, now).await?;
    Ok(())
}
