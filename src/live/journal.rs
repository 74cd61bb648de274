//! The actor that commits for all seats of a worker together: while one batch is committed, the next one fills.
//!
//! It owns the batches and nothing else. Seats write to it, each one commit at a time, so it never holds more than
//! their papers; it answers each when its batch is committed. While the database is down it keeps trying. When it dies,
//! its seats learn that from its address, let their students go, and are built again from the database.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::prelude::*;
use sea_orm::DbErr;

use super::store::{self, Write};
use crate::batch::{self, BatchOutcome, BatchStore, Remedy, WaitingItem};
use crate::clock::Clock;
use crate::database::failure::DatabaseFailure;
use crate::database::{self, Database};
use crate::live::saving::Saving;
use crate::outgoing::Outbox;
use crate::strain::Strain;
use crate::telemetry::{Failure, Metrics};

/// Writes of one batch, so that no commit takes long; a single commit with more goes alone.
const BATCH_WRITES_MAX: usize = 5_000;
/// Bytes of the values of one batch, with the same exception: a hundred tests that end fill one. With more the first of
/// them would wait for the last, and each batch would need memory that is not in the processor's caches.
const BATCH_BYTES_MAX: usize = 2 * 1_024 * 1_024;
/// Commits waiting, each of one seat or one start; more are refused.
const WAITING_MAX: usize = 50_000;
/// Commits in the mailbox.
const MAILBOX_CAPACITY: usize = 16_384;
/// Time for the first attempt to commit a batch; then its connection is abandoned. It is short, since the other end may
/// be gone. It doubles with each attempt that it was too short for, up to the longest: a database may be only slow.
/// Committing the same batch again does no harm, in case an attempt went through.
const COMMIT_TIMEOUT_FIRST: Duration = Duration::from_secs(4);
const COMMIT_TIMEOUT_LONGEST: Duration = Duration::from_secs(15);
/// Attempts at a commit that fails alone and for an unknown reason, before it is refused.
const ALONE_TRIES_MAX: u32 = 5;
/// The first wait after a batch has failed. It doubles with each failure, up to the longest.
const RETRY_FIRST: Duration = Duration::from_millis(100);
const RETRY_LONGEST: Duration = Duration::from_secs(2);

/// One seat's writes, which are stored together or not at all. Answered after the commit.
#[derive(Message)]
#[rtype(result = "Result<(), Rejected>")]
pub struct CommitRequest(pub store::Commit);

/// Why the database will never take a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejected {
    /// The database refuses one of the values.
    Refused,
    /// Another server has taken the seat, or the end that was to be stored overlooks an order of a proctor.
    Lost,
}

/// A commit, and where its result goes.
type WaitingCommit = WaitingItem<store::Commit, Result<(), Rejected>>;

/// One in the queue.
struct QueuedCommit {
    since: Instant,
    commit: WaitingCommit,
}

/// Commits in batches.
pub struct Journal {
    tools: Arc<JournalContext>,
    waiting: Vec<QueuedCommit>,
    is_committing: bool,
}

struct JournalContext {
    database: Database,
    outbox: Arc<Outbox>,
    clock: Clock,
    metrics: Arc<Metrics>,
    saving: Arc<Saving>,
    strain: Arc<Strain>,
}

impl Journal {
    #[must_use]
    pub fn new(
        database: Database,
        outbox: Arc<Outbox>,
        clock: Clock,
        metrics: Arc<Metrics>,
        saving: Arc<Saving>,
        strain: Arc<Strain>,
    ) -> Self {
        Self {
            tools: Arc::new(JournalContext { database, outbox, clock, metrics, saving, strain }),
            waiting: Vec::new(),
            is_committing: false,
        }
    }

    fn commit_waiting(&mut self, context: &mut Context<Self>) {
        if self.is_committing || self.waiting.is_empty() {
            return;
        }
        let sizes = self.waiting.iter().map(|QueuedCommit { commit: WaitingItem { item: commit, .. }, .. }| {
            [commit.writes.len(), commit.writes.iter().map(Write::bytes).sum::<usize>()]
        });
        let count = batch::count_within(sizes, [BATCH_WRITES_MAX, BATCH_BYTES_MAX]);
        let since = self.waiting.first().map_or_else(Instant::now, |oldest| oldest.since);
        let batch: Vec<WaitingCommit> = self.waiting.drain(..count).map(|queued| queued.commit).collect();
        let under_way = self.tools.strain.begin(since);
        self.is_committing = true;
        let tools = Arc::clone(&self.tools);
        // In a task of its own, so that a panic ends this batch and not the journal. Its seats learn that nothing was
        // stored.
        let committing = actix::spawn(async move {
            let _under_way = under_way;
            batch::store_all(&*tools, vec![batch]).await;
        });
        context.spawn(committing.into_actor(self).map(|ended, actor, context| {
            if let Err(error) = ended {
                tracing::error!(%error, "a batch broke off");
            }
            actor.is_committing = false;
            actor.commit_waiting(context);
        }));
    }
}

impl Actor for Journal {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(MAILBOX_CAPACITY);
    }
}

impl Handler<CommitRequest> for Journal {
    type Result = ResponseFuture<Result<(), Rejected>>;

    fn handle(&mut self, CommitRequest(commit): CommitRequest, context: &mut Self::Context) -> Self::Result {
        if self.waiting.len() >= WAITING_MAX {
            return Box::pin(async { Err(Rejected::Refused) });
        }
        let (waiting, answer) = WaitingItem::new(commit);
        self.waiting.push(QueuedCommit { since: Instant::now(), commit: waiting });
        if !self.is_committing {
            // Not at once: other commits that are in the mailbox now join the same batch.
            context.notify(CommitWaiting);
        }
        Box::pin(async { answer.await.unwrap_or(Err(Rejected::Refused)) })
    }
}

/// Begin with the commits that wait.
#[derive(Message)]
#[rtype(result = "()")]
struct CommitWaiting;

impl Handler<CommitWaiting> for Journal {
    type Result = ();

    fn handle(&mut self, _: CommitWaiting, context: &mut Self::Context) {
        self.commit_waiting(context);
    }
}

impl BatchStore for JournalContext {
    type Item = WaitingCommit;
    /// The places of the commits that were left out because their seats are lost.
    type Found = HashSet<usize>;
    type Error = DbErr;

    /// Tries until the part is stored, or has to be refused or halved, however long that takes.
    async fn store(&self, part: &[WaitingCommit]) -> Result<HashSet<usize>, DbErr> {
        let commits: Vec<&store::Commit> = part.iter().map(|waiting| &waiting.item).collect();
        let writes: usize = commits.iter().map(|commit| commit.writes.len()).sum();
        let (mut wait, mut limit, mut tries_alone) = (RETRY_FIRST, COMMIT_TIMEOUT_FIRST, 0);
        loop {
            let begun = Instant::now();
            let committing = store::commit(&self.database.journal, &commits, &self.outbox, self.clock.now());
            // A batch that the former primary has not answered would wait for its time to run out. The new one takes it
            // at once.
            let answer = tokio::select! {
                answer = database::within(limit, committing) => answer,
                () = self.database.moved() => {
                    tracing::info!(writes, "the database has another primary: a batch is tried again there");
                    continue;
                }
            };
            let error = match answer {
                Some(Ok(lost)) => {
                    self.metrics.batch_committed(writes, begun.elapsed());
                    self.saving.note_answered();
                    return Ok(lost);
                }
                Some(Err(error)) => error,
                None => {
                    limit = (limit * 2).min(COMMIT_TIMEOUT_LONGEST);
                    database::no_answer()
                }
            };
            self.metrics.batch_failed();
            let failure = self.confirmed(DatabaseFailure::of(&error)).await;
            tries_alone += u32::from(part.len() == 1 && failure == DatabaseFailure::Unknown);
            if failure == DatabaseFailure::Values
                || (failure == DatabaseFailure::Unknown && part.len() > 1)
                || tries_alone >= ALONE_TRIES_MAX
            {
                // The database is there: it only refuses a value.
                self.saving.note_answered();
                return Err(error);
            }
            self.saving.note_failed();
            tracing::warn!(%error, writes, "a batch could not be committed; trying again");
            self.clock.sleep(wait).await;
            wait = (wait * 2).min(RETRY_LONGEST);
        }
    }

    /// While the database is away nothing fails for good, so one of the values is to blame.
    fn remedy(&self, _: &[WaitingCommit], _: &DbErr) -> Remedy<WaitingCommit> {
        Remedy::Halve
    }

    fn answer(&self, part: Vec<WaitingCommit>, outcome: BatchOutcome<HashSet<usize>, DbErr>) {
        let lost = match outcome {
            BatchOutcome::Stored(lost) => lost,
            BatchOutcome::Refused(error) | BatchOutcome::GivenUp(error) => {
                tracing::error!(%error, "the store refuses a commit");
                self.metrics.failed(Failure::Commit);
                return part.into_iter().for_each(|waiting| waiting.answer(Err(Rejected::Refused)));
            }
        };
        for (place, waiting) in part.into_iter().enumerate() {
            waiting.answer(if lost.contains(&place) { Err(Rejected::Lost) } else { Ok(()) });
        }
    }
}

impl JournalContext {
    /// An error that says nothing is no reason to refuse anything, unless the database is there: another connection
    /// must have been answered since.
    async fn confirmed(&self, failure: DatabaseFailure) -> DatabaseFailure {
        let is_confirmed = failure != DatabaseFailure::Unknown || self.database.is_there().await;
        if is_confirmed { failure } else { DatabaseFailure::Unavailable }
    }
}
