//! Stores the finished tests that clients hand in, as many as wait by one transaction: while one batch is stored, the
//! next one fills. A caller is answered after the commit.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use domain::session::Session;
use domain::time::moment::Moment;
use sea_orm::{ConnAcquireErr, DbErr};
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::time::timeout;
use uuid::Uuid;

use super::create::{self, Finished, FinishedRows};
use crate::clock::Clock;
use crate::database::batch_failure::BatchFailure;
use crate::database::{self, Database};
use crate::error::{Error, UNAVAILABLE};
use crate::store::session_keys::{self, RepeatableRequest, WantedKey};
use crate::webhooks::Outbox;

/// Tests of one batch, so that none takes long.
const BATCH_TESTS_MAX: usize = 250;
/// Tests that wait for a batch; the callers of more are told to come again.
const WAITING_MAX: usize = 5_000;
/// Batches at once on Postgres: while some wait for the disk, another is sent. SQLite has one writer.
const BATCHES_AT_ONCE: usize = 3;
/// How long one batch may take. Then its connection is abandoned, and its callers are told to come again.
const BATCH_WITHIN: Duration = Duration::from_secs(15);
/// Least time between two removals of idempotency keys that are too old.
const KEYS_FORGOTTEN_EVERY_MILLISECONDS: i64 = 60_000;

/// A finished test that a client has handed in.
struct HandedIn {
    rows: FinishedRows,
    session_id: Uuid,
    report_url: String,
    /// With an `Idempotency-Key`, which only one request at a time may have.
    repeatable: Option<RepeatableRequest>,
}

/// What became of a test that was handed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    Stored,
    /// An earlier request has its key, so nothing was stored.
    Repeated,
}

struct WaitingTest {
    handed_in: HandedIn,
    reply: oneshot::Sender<Result<Recorded, Error>>,
}

/// The way to the tasks that store.
pub struct SessionRecorder {
    waiting: mpsc::Sender<WaitingTest>,
    outbox: Arc<Outbox>,
    clock: Clock,
}

struct RecorderContext {
    database: Database,
    clock: Clock,
    outbox: Arc<Outbox>,
    /// In milliseconds, as in [`Moment`].
    keys_forgotten_at: AtomicI64,
}

impl SessionRecorder {
    /// Starts the tasks, which end with this.
    #[must_use]
    pub fn start(database: Database, clock: Clock, outbox: Arc<Outbox>) -> Self {
        let (waiting, arrived) = mpsc::channel(WAITING_MAX);
        let tasks = if database.is_sqlite() { 1 } else { BATCHES_AT_ONCE };
        let context = Arc::new(RecorderContext {
            database,
            clock: clock.clone(),
            outbox: Arc::clone(&outbox),
            keys_forgotten_at: AtomicI64::default(),
        });
        let arrived = Arc::new(Mutex::new(arrived));
        for _ in 0..tasks {
            tokio::spawn(Arc::clone(&context).run(Arc::clone(&arrived)));
        }
        Self { waiting, outbox, clock }
    }

    /// Stores the test with its delivery and its key, or finds that an earlier request has the key.
    pub async fn record(&self, finished: &Finished, repeatable: Option<RepeatableRequest>) -> Result<Recorded, Error> {
        // Here and not in the batch, so that every worker does its part of the work.
        let rows = FinishedRows::of(finished, &self.outbox, self.clock.now())?;
        let Session { session_id, report_url, .. } = &finished.session;
        let handed_in = HandedIn { rows, session_id: *session_id, report_url: report_url.clone(), repeatable };
        let (reply, answer) = oneshot::channel();
        self.waiting.try_send(WaitingTest { handed_in, reply }).map_err(|_| Error::Unavailable(UNAVAILABLE))?;
        answer.await.unwrap_or(Err(Error::Unavailable(UNAVAILABLE)))
    }
}

impl RecorderContext {
    async fn run(self: Arc<Self>, arrived: Arc<Mutex<mpsc::Receiver<WaitingTest>>>) {
        loop {
            let mut batch = Vec::new();
            if arrived.lock().await.recv_many(&mut batch, BATCH_TESTS_MAX).await == 0 {
                return;
            }
            let context = Arc::clone(&self);
            // In a task of its own, so that a panic costs this batch alone. Its callers are told to come again.
            if let Err(error) = tokio::spawn(async move { context.store(batch).await }).await {
                tracing::error!(%error, "a batch of sessions broke off");
            }
        }
    }

    /// Stores the batch and answers its callers. A batch with a value that the database refuses is halved until that
    /// value stands alone.
    async fn store(&self, batch: Vec<WaitingTest>) {
        let mut parts = vec![batch];
        while let Some(mut part) = parts.pop() {
            let error = match timeout(BATCH_WITHIN, self.commit(&part)).await {
                Ok(Ok(repeated)) => {
                    answer(part, |id| Ok(if repeated.contains(&id) { Recorded::Repeated } else { Recorded::Stored }));
                    continue;
                }
                Ok(Err(error)) => error,
                Err(_) => DbErr::ConnectionAcquire(ConnAcquireErr::Timeout),
            };
            if part.len() > 1 && !database::is_lock_timeout(&error) && BatchFailure::of(&error) != BatchFailure::Store {
                let second = part.split_off(part.len() / 2);
                parts.extend([second, part]);
                continue;
            }
            if part.len() > 1 {
                tracing::warn!(%error, tests = part.len(), "a batch of sessions could not be stored");
                answer(part, |_| Err(Error::Unavailable(UNAVAILABLE)));
            } else {
                let mut error = Some(error);
                answer(part, |_| Err(error.take().map_or(Error::Unavailable(UNAVAILABLE), Error::from)));
            }
        }
    }

    /// Stores all of the batch but those whose key was used before, and returns these.
    async fn commit(&self, batch: &[WaitingTest]) -> Result<HashSet<Uuid>, DbErr> {
        let now = self.clock.now();
        let wanted: Vec<WantedKey<'_>> = batch.iter().filter_map(|one| wanted_key(&one.handed_in)).collect();
        let has_keys = !wanted.is_empty();
        let transaction = self.database.begin().await?;
        let mut repeated = HashSet::new();
        if has_keys {
            database::bound_stalls(&transaction).await?;
            // First of all: requests with these keys on other servers wait here until these are stored.
            repeated = session_keys::take(&transaction, wanted, now).await?;
        }
        let kept = batch.iter().filter(|one| !repeated.contains(&one.handed_in.session_id));
        let rows: Vec<&FinishedRows> = kept.map(|one| &one.handed_in.rows).collect();
        create::record(&transaction, &rows, self.outbox.sends_sessions()).await?;
        transaction.commit().await?;
        self.outbox.wake();
        if has_keys {
            self.forget_old_keys(now).await;
        }
        Ok(repeated)
    }

    /// Removes keys that are too old, from time to time.
    async fn forget_old_keys(&self, now: Moment) {
        let last = self.keys_forgotten_at.load(Ordering::Relaxed);
        if now.milliseconds() - last < KEYS_FORGOTTEN_EVERY_MILLISECONDS {
            return;
        }
        self.keys_forgotten_at.store(now.milliseconds(), Ordering::Relaxed);
        if let Err(error) = session_keys::forget_old(&self.database, now).await {
            tracing::warn!(%error, "old idempotency keys could not be removed");
        }
    }
}

fn wanted_key(HandedIn { session_id, report_url, repeatable, .. }: &HandedIn) -> Option<WantedKey<'_>> {
    Some(WantedKey { request: repeatable.as_ref()?, session_id: *session_id, report_url })
}

/// Answers each caller; one who has gone meanwhile needs no answer.
fn answer(part: Vec<WaitingTest>, mut of: impl FnMut(Uuid) -> Result<Recorded, Error>) {
    for WaitingTest { handed_in, reply } in part {
        let _ = reply.send(of(handed_in.session_id));
    }
}
