//! Stores the finished tests that clients hand in, as many as wait by one transaction: while one batch is stored, the
//! next one fills. A caller is answered after the commit.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use domain::session::Session;
use sea_orm::DbErr;
use tokio::sync::{Mutex, mpsc};
use uuid::Uuid;

use super::finished::{self, Finished, FinishedRows};
use crate::batch::{self, BatchOutcome, BatchStore, Remedy, WaitingItem};
use crate::clock::Clock;
use crate::database::failure::DatabaseFailure;
use crate::database::{self, Database};
use crate::error::{Error, UNAVAILABLE};
use crate::outgoing::Outbox;
use crate::store::session_keys::{self, RepeatableRequest, WantedKey};
use crate::strain::Strain;

/// Tests of one batch, so that none takes long.
const BATCH_TESTS_MAX: usize = 250;
/// Tests that wait for a batch. Callers with more are told to try again.
const WAITING_MAX: usize = 5_000;
/// Bytes of one batch; a single test with more goes alone.
const BATCH_BYTES_MAX: usize = 2 * 1_024 * 1_024;
/// How long a test waits for its batch before its caller is told to try again.
const WAITING_WITHIN: Duration = Duration::from_secs(10);
/// Batches at once on Postgres: while some wait for the disk, another is sent. SQLite has one writer.
const BATCHES_AT_ONCE: usize = 3;
/// How long one batch may take. After that its connection is abandoned, since its other end may be gone, and its
/// callers are told to try again.
const BATCH_WITHIN: Duration = Duration::from_secs(5);
/// Least time between two removals of idempotency keys that are too old.
const KEYS_FORGOTTEN_EVERY_MILLISECONDS: i64 = 60_000;

/// A finished test that a client has handed in.
struct HandedIn {
    rows: FinishedRows,
    session_id: Uuid,
    report_url: String,
    /// With an `Idempotency-Key`, which only one request at a time may have.
    repeatable: Option<RepeatableRequest>,
    since: Instant,
    /// What counts until the test is stored, also when its caller has gone: the memory of its body, and the turn of its
    /// key.
    _held: Box<dyn Send + Sync>,
}

/// What became of a test that was handed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    Stored,
    /// An earlier request has its key, so nothing was stored.
    Repeated,
}

type WaitingTest = WaitingItem<HandedIn, Result<Recorded, Error>>;

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
    strain: Arc<Strain>,
    /// In milliseconds, as in [`Moment`].
    keys_forgotten_at: AtomicI64,
}

impl SessionRecorder {
    /// Starts the tasks, which end with this.
    #[must_use]
    pub fn start(database: Database, clock: Clock, outbox: Arc<Outbox>, strain: Arc<Strain>) -> Self {
        let (waiting, arrived) = mpsc::channel(WAITING_MAX);
        let tasks = if database.is_sqlite() { 1 } else { BATCHES_AT_ONCE };
        let context = Arc::new(RecorderContext {
            database,
            clock: clock.clone(),
            outbox: Arc::clone(&outbox),
            strain,
            keys_forgotten_at: AtomicI64::default(),
        });
        let arrived = Arc::new(Mutex::new(arrived));
        for _ in 0..tasks {
            tokio::spawn(Arc::clone(&context).run(Arc::clone(&arrived)));
        }
        Self { waiting, outbox, clock }
    }

    /// Stores the test with its delivery and its key, or finds that an earlier request has the key. What is `held` is
    /// dropped then, and not before.
    pub async fn record(
        &self,
        finished: &Finished,
        repeatable: Option<RepeatableRequest>,
        held: impl Send + Sync + 'static,
    ) -> Result<Recorded, Error> {
        // Here and not in the batch, so that every worker does its part of the work.
        let rows = FinishedRows::of(finished, &self.outbox, self.clock.now())?;
        let Session { session_id, report_url, .. } = &finished.session;
        let handed_in = HandedIn {
            rows,
            session_id: *session_id,
            report_url: report_url.clone(),
            repeatable,
            since: Instant::now(),
            _held: Box::new(held),
        };
        let (waiting, answer) = WaitingItem::new(handed_in);
        // A full queue refuses at once, or the bodies of those who wait for it would fill the memory.
        self.waiting.try_send(waiting).map_err(|_| Error::Unavailable(UNAVAILABLE))?;
        answer.await.unwrap_or(Err(Error::Unavailable(UNAVAILABLE)))
    }
}

impl RecorderContext {
    async fn run(self: Arc<Self>, arrived: Arc<Mutex<mpsc::Receiver<WaitingTest>>>) {
        loop {
            let mut batch = Vec::new();
            // The tasks take turns at gathering: while one stores its batch, the next batch grows.
            if arrived.lock().await.recv_many(&mut batch, BATCH_TESTS_MAX).await == 0 {
                return;
            }
            let context = Arc::clone(&self);
            // In a task of its own, so that a panic costs this batch alone. Its callers are told to come again.
            if let Err(error) = tokio::spawn(async move { context.store_batch(batch).await }).await {
                tracing::error!(%error, "a batch of sessions broke off");
            }
        }
    }

    /// Stores the batch and answers its callers.
    async fn store_batch(&self, batch: Vec<WaitingTest>) {
        // What can wait makes room for finished tests as for answers.
        let oldest = batch.iter().map(|one| one.item.since).min();
        let _under_way = oldest.map(|since| self.strain.begin(since));
        let parts = parts_of(batch);
        let has_keys = parts.iter().flatten().any(has_key);
        batch::store_all(self, parts).await;
        if has_keys {
            self.forget_old_keys();
        }
    }

    /// Stores all of the part but those whose key was used before, and returns these.
    async fn commit(&self, part: &[WaitingTest]) -> Result<HashSet<Uuid>, DbErr> {
        let now = self.clock.now();
        let wanted: Vec<WantedKey<'_>> = part.iter().filter_map(|one| wanted_key(&one.item)).collect();
        let transaction = self.database.begin().await?;
        let mut repeated = HashSet::new();
        if !wanted.is_empty() {
            database::bound_stalls(&transaction).await?;
            // First of all: requests with these keys on other servers wait here until these are stored.
            repeated = session_keys::take(&transaction, wanted, now).await?;
        }
        let kept = part.iter().filter(|one| !repeated.contains(&one.item.session_id));
        let rows: Vec<&FinishedRows> = kept.map(|one| &one.item.rows).collect();
        finished::record(&transaction, &rows, self.outbox.sends_sessions()).await?;
        transaction.commit().await?;
        // Only after the commit is there something for the deliverer to find.
        self.outbox.wake();
        Ok(repeated)
    }

    /// Removes keys that are too old, from time to time. Nobody waits for that.
    fn forget_old_keys(&self) {
        let now = self.clock.now();
        let last = self.keys_forgotten_at.load(Ordering::Relaxed);
        if now.milliseconds() - last < KEYS_FORGOTTEN_EVERY_MILLISECONDS {
            return;
        }
        self.keys_forgotten_at.store(now.milliseconds(), Ordering::Relaxed);
        let database = self.database.clone();
        tokio::spawn(async move {
            if let Err(error) = session_keys::forget_old(&database, now).await {
                tracing::warn!(%error, "old idempotency keys could not be removed");
            }
        });
    }
}

impl BatchStore for RecorderContext {
    type Item = WaitingTest;
    /// The sessions of those whose key was used before.
    type Found = HashSet<Uuid>;
    type Error = DbErr;

    async fn store(&self, part: &[WaitingTest]) -> Result<HashSet<Uuid>, DbErr> {
        database::within(BATCH_WITHIN, self.commit(part)).await.unwrap_or_else(|| Err(database::no_answer()))
    }

    fn remedy(&self, part: &[WaitingTest], error: &DbErr) -> Remedy<WaitingTest> {
        // Another server stands still with one of the keys. That is nothing to those who have none.
        if database::is_lock_timeout(error) {
            return Remedy::GiveUpOn(has_key);
        }
        if DatabaseFailure::of(error) == DatabaseFailure::Unavailable {
            tracing::warn!(%error, tests = part.len(), "a batch of sessions could not be stored");
            return Remedy::GiveUp;
        }
        Remedy::Halve
    }

    fn answer(&self, part: Vec<WaitingTest>, outcome: BatchOutcome<HashSet<Uuid>, DbErr>) {
        match outcome {
            BatchOutcome::Stored(repeated) => {
                for one in part {
                    let is_repeated = repeated.contains(&one.item.session_id);
                    one.answer(Ok(if is_repeated { Recorded::Repeated } else { Recorded::Stored }));
                }
            }
            BatchOutcome::Refused(error) => {
                let mut error = Some(error);
                answer(part, || error.take().map_or(Error::Unavailable(UNAVAILABLE), Error::from));
            }
            BatchOutcome::GivenUp(_) => answer(part, || Error::Unavailable(UNAVAILABLE)),
        }
    }
}

/// The tests of a batch that have not waited for too long, in parts of limited size.
fn parts_of(batch: Vec<WaitingTest>) -> Vec<Vec<WaitingTest>> {
    let (mut fresh, late): (Vec<_>, Vec<_>) =
        batch.into_iter().partition(|one| one.item.since.elapsed() <= WAITING_WITHIN);
    answer(late, || Error::Unavailable(UNAVAILABLE));
    let mut parts = Vec::new();
    while !fresh.is_empty() {
        let count = batch::count_within(fresh.iter().map(|one| [one.item.rows.bytes()]), [BATCH_BYTES_MAX]);
        let rest = fresh.split_off(count);
        parts.push(std::mem::replace(&mut fresh, rest));
    }
    parts
}

const fn has_key(one: &WaitingTest) -> bool {
    one.item.repeatable.is_some()
}

fn wanted_key(HandedIn { session_id, report_url, repeatable, .. }: &HandedIn) -> Option<WantedKey<'_>> {
    Some(WantedKey { request: repeatable.as_ref()?, session_id: *session_id, report_url })
}

/// Tells each caller that nothing was stored.
fn answer(part: Vec<WaitingTest>, mut error: impl FnMut() -> Error) {
    for one in part {
        one.answer(Err(error()));
    }
}
