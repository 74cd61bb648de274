//! A server: its seats, its clock, and its journal, which makes batches by the product's own rules.

use std::collections::{BTreeMap, HashSet};
use std::sync::Mutex;

use domain::attempt::Attempt;
use domain::time::moment::Moment;
use examhall::batch::{self, BatchOutcome, BatchStore, Remedy, WaitingItem};
use examhall::live::journal::Rejected;
use examhall::live::store::Commit;
use futures_util::FutureExt;
use tokio::sync::oneshot;
use uuid::Uuid;

use super::seat::{AfterCommit, Seat};
use super::store::{Store, StoreFailure};

/// Commits of one batch. It is low, so that there are often several batches.
const BATCH_COMMITS_MAX: usize = 3;

type WaitingCommit = WaitingItem<Commit, Result<(), Rejected>>;

/// One server. Times are milliseconds since the beginning of the day.
pub struct Server {
    /// Another one after each start.
    pub id: Uuid,
    /// How often it has crashed: what was meant for an earlier run is lost.
    pub generation: u32,
    pub is_up: bool,
    /// Until then it stands still.
    pub frozen_until: i64,
    /// Until then it cannot reach the database.
    pub cut_off_until: i64,
    /// Until then no student can reach it.
    pub unreachable_until: i64,
    /// By how much its clock is wrong.
    pub skew: i64,
    /// When it renewed its lease last.
    pub renewed_at: Option<i64>,
    pub seats: BTreeMap<Uuid, Seat>,
    pub journal: Journal,
}

impl Server {
    pub fn started(id: Uuid, generation: u32, skew: i64) -> Self {
        Self {
            id,
            generation,
            is_up: true,
            frozen_until: 0,
            cut_off_until: 0,
            unreachable_until: 0,
            skew,
            renewed_at: None,
            seats: BTreeMap::new(),
            journal: Journal::default(),
        }
    }

    pub fn takes_students(&self, now: i64) -> bool {
        self.is_up && now >= self.unreachable_until
    }
}

/// Whom a commit is for.
pub enum Committer {
    Seat { session_id: Uuid, serial: u64, after: AfterCommit },
    Start { student: usize, connection: u64, attempt: Box<Attempt> },
}

/// The commits of a server: those that wait, and the batch that is under way.
#[derive(Default)]
pub struct Journal {
    waiting: Vec<(WaitingCommit, Awaited)>,
    batch: Vec<WaitingCommit>,
    awaited: Vec<Awaited>,
    is_committing: bool,
}

/// The answer to a commit, when there is one.
struct Awaited {
    committer: Committer,
    answer: oneshot::Receiver<Result<(), Rejected>>,
}

impl Journal {
    pub fn add(&mut self, commit: Commit, committer: Committer) {
        let (waiting, answer) = WaitingItem::new(commit);
        self.waiting.push((waiting, Awaited { committer, answer }));
    }

    /// Makes a batch of what waits. Returns whether there is one now that is to be stored.
    pub fn begin(&mut self) -> bool {
        if self.is_committing || self.waiting.is_empty() {
            return false;
        }
        let count = batch::count_within(self.waiting.iter().map(|_| [1]), [BATCH_COMMITS_MAX]);
        for (commit, awaited) in self.waiting.drain(..count) {
            self.batch.push(commit);
            self.awaited.push(awaited);
        }
        self.is_committing = true;
        true
    }

    /// Stores the batch without hearing of it, as when the connection breaks or the server dies at that moment, or
    /// fails to, as when there is no room.
    pub fn store_unheard(&self, store: &mut Store, now: Moment) {
        let commits: Vec<&Commit> = self.batch.iter().map(|waiting| &waiting.item).collect();
        if !commits.is_empty() {
            // What came of it reaches nobody.
            let _ = store.commit(&commits, now);
        }
    }

    /// Stores the batch, and answers those who wait for it.
    pub fn store(&mut self, store: &mut Store, now: Moment) {
        let batch = std::mem::take(&mut self.batch);
        let transactions = Transactions { store: Mutex::new(store), now };
        batch::store_all(&transactions, vec![batch]).now_or_never().expect("nothing here waits");
    }

    /// What came of the batch, for each in it.
    pub fn take_answers(&mut self) -> Vec<(Committer, Result<(), Rejected>)> {
        self.is_committing = false;
        let answered = |mut awaited: Awaited| {
            let answer = awaited.answer.try_recv().unwrap_or(Err(Rejected::Refused));
            (awaited.committer, answer)
        };
        std::mem::take(&mut self.awaited).into_iter().map(answered).collect()
    }
}

/// Transactions on the simulated database, in the place of those of `src/live/journal.rs`.
struct Transactions<'a> {
    store: Mutex<&'a mut Store>,
    now: Moment,
}

impl BatchStore for Transactions<'_> {
    type Item = WaitingCommit;
    type Found = HashSet<usize>;
    type Error = StoreFailure;

    async fn store(&self, part: &[WaitingCommit]) -> Result<HashSet<usize>, StoreFailure> {
        let commits: Vec<&Commit> = part.iter().map(|waiting| &waiting.item).collect();
        self.store.lock().unwrap().commit(&commits, self.now)
    }

    fn remedy(&self, _: &[WaitingCommit], _: &StoreFailure) -> Remedy<WaitingCommit> {
        Remedy::Halve
    }

    fn answer(&self, part: Vec<WaitingCommit>, outcome: BatchOutcome<HashSet<usize>, StoreFailure>) {
        let BatchOutcome::Stored(lost) = outcome else {
            return part.into_iter().for_each(|waiting| waiting.answer(Err(Rejected::Refused)));
        };
        for (place, waiting) in part.into_iter().enumerate() {
            waiting.answer(if lost.contains(&place) { Err(Rejected::Lost) } else { Ok(()) });
        }
    }
}
