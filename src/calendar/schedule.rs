//! Publishes scheduled records that are due, each time a request arrives. Requests do not depend on it: reading goes on
//! while the database takes no writes.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use domain::time::moment::Moment;
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::store::{Organizers, Venues, events, linked_posts};
use crate::database::Database;
use crate::error::Error;

/// The shortest time between two searches for records that are due. Dates of publication are whole seconds.
const EVERY_MILLISECONDS: i64 = 1_000;
/// How long a request waits for due records to be published. It takes longer only if the database is slow; the answer
/// is then sent without them.
const WAIT: Duration = Duration::from_millis(500);

/// How long publishing may take. A dead connection would otherwise keep its turn forever.
const PUBLISHING_TIMEOUT: Duration = Duration::from_secs(20);

/// The turns of looking for due records.
pub struct Schedule {
    looked_at: AtomicI64,
    /// Held by the task that publishes.
    turn: Arc<Mutex<()>>,
}

impl Schedule {
    #[must_use]
    pub fn new() -> Self {
        Self { looked_at: AtomicI64::new(i64::MIN), turn: Arc::default() }
    }

    /// Publishes due records, unless that was done within the last second or is being done.
    pub async fn publish_due(&self, database: &Database, now: Moment) {
        if database.is_read_only() {
            return;
        }
        let last = self.looked_at.load(Ordering::Relaxed);
        // A clock that was set back must not stop publishing until it has caught up.
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
        // The task goes on after the wait, so that a slow database delays nobody.
        drop(timeout(WAIT, publishing).await);
    }
}

async fn publish(database: &Database, now: Moment) -> Result<(), Error> {
    events::publish_due(database, now).await?;
    linked_posts::publish_due::<Venues>(database, now).await?;
    linked_posts::publish_due::<Organizers>(database, now).await?;
    Ok(())
}
