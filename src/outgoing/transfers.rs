//! Finished tests and edits for an external data provider: sent in order and one at a time, until they are accepted. A
//! queue of its own beside the outbox (`docs/decisions/0067-one-door-out-two-queues.md`).
//!
//! All state is in the database. When this server dies, its claim expires and any server sends again, so everything
//! arrives at least once.

mod store;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use domain::time::moment::Moment;
use domain::transfer::{REFUSED_WAIT_SECONDS, TransferKind, WAIT_SECONDS_MAX, is_doubted, wait_seconds};
use futures_util::future::join;
use tokio::sync::Notify;

use super::kind::Judgement;
use crate::clock::Clock;
use crate::database::{self, Database};
use crate::error::{Error, UNAVAILABLE};
use crate::telemetry::Metrics;
use store::Ended;
pub use store::{Transfer, count, find_edit, insert_edit, insert_sessions, is_sent, renew, waiting_edits};

/// How often the sender polls its queue when nothing wakes it: another server may have left work behind.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// The metrics count the waiting rows once in this many looks, which is every 5 seconds.
const LOOKS_PER_COUNT: u32 = 10;
/// How long the sender waits for the database before it tries again.
const STORE_TIMEOUT: Duration = Duration::from_secs(10);
/// How much longer a claim lasts than the calls made under it, for the database and for clocks that differ.
const CLAIM_MARGIN: Duration = Duration::from_secs(30);

/// The service to which transfers go.
#[async_trait]
pub trait TransferService: Send + Sync {
    /// How long one call may take.
    fn timeout(&self) -> Duration;

    /// Sends once. One that is refused is sent again much later, and holds up no other meanwhile.
    async fn send(&self, kind: TransferKind, transfer: &Transfer) -> Result<Judgement, Error>;
}

/// The sender task for finished tests and entries of the edit log.
pub struct TransferSender {
    database: Database,
    service: Arc<dyn TransferService>,
    clock: Clock,
    metrics: Arc<Metrics>,
    wake: Arc<Notify>,
}

impl TransferSender {
    /// Looks for work at once when `wake` is notified.
    #[must_use]
    pub fn new(
        database: Database,
        service: Arc<dyn TransferService>,
        clock: Clock,
        metrics: Arc<Metrics>,
        wake: Arc<Notify>,
    ) -> Self {
        Self { database, service, clock, metrics, wake }
    }

    /// Sends everything that waits. Never returns. It may be stopped at any time, since a transfer that was not
    /// completed is sent again.
    pub async fn run(&self) {
        join(self.send_all(TransferKind::Session), self.send_all(TransferKind::Edit)).await;
    }

    async fn send_all(&self, kind: TransferKind) {
        let mut looks = 0;
        loop {
            let woken = self.wake.notified();
            match self.send_next(kind).await {
                Ok(true) => continue,
                Ok(false) => {}
                Err(error) => {
                    tracing::warn!(%error, kind = kind.name(), "what waits for the external data provider cannot be read or noted");
                }
            }
            if kind == TransferKind::Session && looks % LOOKS_PER_COUNT == 0 {
                self.count().await;
            }
            looks = looks.wrapping_add(1);
            tokio::select! {
                () = woken => {}
                () = self.clock.sleep(LOOK_EVERY) => {}
            }
        }
    }

    /// Sends the next transfer. Returns whether there may be another one to send at once.
    async fn send_next(&self, kind: TransferKind) -> Result<bool, Error> {
        let now = self.clock.now();
        let Some(mut next) = store_within(store::find_next(&self.database, kind, now)).await? else { return Ok(false) };
        if self.is_to_wait(next.next_attempt_at, now) || !self.claim(&mut next).await? {
            return Ok(false);
        }
        let mut ended = self.send(kind, &next).await?;
        if matches!(ended, Ended::NotNow(..))
            && is_doubted(next.attempts.unsigned_abs())
            && self.takes_another(kind, &next).await?
        {
            // The service may have come back just now, so the first one gets another attempt.
            ended = match self.send(kind, &next).await? {
                Ended::NotNow(reason, _) => {
                    tracing::error!(
                        kind = kind.name(),
                        row = next.id,
                        "the external data provider takes others, but not this one: it is sent again later"
                    );
                    Ended::Refused(reason, self.refused_until())
                }
                ended => ended,
            };
        }
        let is_over = !matches!(ended, Ended::NotNow(..));
        store_within(store::finish(&self.database, &next, ended)).await?;
        Ok(is_over)
    }

    /// Whether a transfer must wait until `until`. A time further away than any wait or claim was written by a clock
    /// that was wrong, and is ignored.
    fn is_to_wait(&self, until: Moment, now: Moment) -> bool {
        let longest = Duration::from_secs(WAIT_SECONDS_MAX) + self.claim_lasts();
        until > now && until.since(now) <= i64::try_from(longest.as_millis()).unwrap_or(i64::MAX)
    }

    /// How long a claim lasts: longer than the three calls that may be made under it.
    fn claim_lasts(&self) -> Duration {
        3 * self.service.timeout() + CLAIM_MARGIN
    }

    /// Whether the service accepts the transfer behind the first one. If so, the first one is to blame, and not the
    /// service.
    async fn takes_another(&self, kind: TransferKind, first: &Transfer) -> Result<bool, Error> {
        let Some(mut behind) = store_within(store::find_behind(&self.database, kind, first)).await? else {
            return Ok(false);
        };
        if !self.claim(&mut behind).await? {
            return Ok(false);
        }
        let ended = self.send(kind, &behind).await?;
        let is_taken = ended == Ended::Taken;
        store_within(store::finish(&self.database, &behind, ended)).await?;
        Ok(is_taken)
    }

    async fn claim(&self, transfer: &mut Transfer) -> Result<bool, Error> {
        let until = self.clock.now().plus(i64::try_from(self.claim_lasts().as_millis()).unwrap_or(i64::MAX));
        store_within(store::claim(&self.database, transfer, until)).await
    }

    async fn send(&self, kind: TransferKind, transfer: &Transfer) -> Result<Ended, Error> {
        Ok(match self.service.send(kind, transfer).await? {
            Judgement::Accepted => Ended::Taken,
            Judgement::Refused(reason) => {
                // The reason is the service's own sentence, which may name a person. It is stored with the transfer,
                // and not logged.
                tracing::error!(
                    kind = kind.name(),
                    row = transfer.id,
                    "what the external data provider is sent is refused; it is sent again later"
                );
                Ended::Refused(reason, self.refused_until())
            }
            Judgement::Again { reason, retry_after } | Judgement::Busy { reason, retry_after } => {
                let wait = wait_seconds(transfer.attempts.unsigned_abs(), retry_after.map(|wait| wait.as_secs()));
                if transfer.attempts == 1 {
                    tracing::warn!(
                        kind = kind.name(),
                        reason,
                        "the external data provider does not take what it is sent; all of it is kept, and sent later"
                    );
                }
                Ended::NotNow(reason, self.after_seconds(wait))
            }
        })
    }

    fn refused_until(&self) -> Moment {
        self.after_seconds(REFUSED_WAIT_SECONDS)
    }

    fn after_seconds(&self, seconds: u64) -> Moment {
        self.clock.now().plus(i64::try_from(seconds.saturating_mul(1_000)).unwrap_or(i64::MAX))
    }

    async fn count(&self) {
        if let Ok((waiting, refused)) = store_within(store::count(&self.database)).await {
            self.metrics.transfers_waiting.set(i64::try_from(waiting).unwrap_or(i64::MAX));
            self.metrics.transfers_refused.set(i64::try_from(refused).unwrap_or(i64::MAX));
        }
    }
}

/// Limits how long a database call may take, since other transfers wait for it.
pub async fn store_within<T, E: Into<Error>>(asked: impl Future<Output = Result<T, E>>) -> Result<T, Error> {
    database::within(STORE_TIMEOUT, asked).await.ok_or(Error::Unavailable(UNAVAILABLE))?.map_err(Into::into)
}
