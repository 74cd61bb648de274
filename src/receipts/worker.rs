//! Looks after the receipts of tests in sittings: makes and seals them, begins the log of a sitting that has ended, and
//! appends later versions. It is woken when something was committed, and looks at what waits in the database by itself,
//! so that nothing is lost with a server. Every server does it; the lock of a log lets one of them write.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use domain::sitting::{Sitting, SittingState};
use domain::time::moment::Moment;
use sea_orm::DbErr;
use uuid::Uuid;

use super::Receipts;
use super::log::LogFault;
use super::preparing::NamedReceipts;
use crate::database::bound_stalls;
use crate::database::failure::DatabaseFailure;
use crate::error::Error;
use crate::outgoing;
use crate::sittings::ManagedSitting;
use crate::store::candidates;
use crate::store::receipts::{self, DueReceipt, ReceiptName};
use crate::store::sitting_logs::{self, SittingLog};
use crate::store::sittings;
use crate::store::{releases, silent_versions, version_rows};
use crate::webhooks::sitting_events::SITTING_ENDED;

/// Receipts that are looked after at once.
const DUE_AT_ONCE: usize = 200;
/// The pause after that many, so that a correction of a whole year leaves room for those who work.
const PACE: Duration = Duration::from_millis(50);
/// Receipts that are made before they are stored: a server that is killed after a moment has got on by so many.
const PREPARED_AT_ONCE: usize = 50;
/// How often each server looks at what waits. It waits in a table of its own, which is nearly always empty.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// How long a server that was woken gathers what others commit at the same time.
const GATHER: Duration = Duration::from_millis(250);
/// How often it is asked which sittings have ended by their times. That reads their rosters, which is costly.
const TIMES_EVERY_MILLISECONDS: i64 = 15_000;
/// After how long something that failed is tried again.
const AGAIN_MILLISECONDS: i64 = 10 * 60 * 1_000;
/// A sitting without an end has ended for its log when nobody is at work, and nothing was handed in for a day.
const QUIET_MILLISECONDS: i64 = 24 * 60 * 60 * 1_000;
/// How often leaves are made anew because another server was faster.
const APPEND_TRIES_MAX: usize = 5;

impl Receipts {
    /// Goes on until the server ends.
    pub async fn run(&self) {
        if !self.sittings.is_here() {
            return std::future::pending().await;
        }
        let mut times_read_at = None;
        loop {
            let now = self.clock.now();
            let with_times = times_read_at.is_none_or(|read_at: Moment| now.since(read_at) >= TIMES_EVERY_MILLISECONDS);
            if with_times {
                times_read_at = Some(now);
            }
            if let Err(error) = self.look(with_times).await {
                tracing::warn!(%error, "receipts are not looked after; trying again");
            }
            tokio::select! {
                () = self.due.notified() => self.clock.sleep(GATHER).await,
                () = self.clock.sleep(LOOK_EVERY) => {}
            }
        }
    }

    async fn look(&self, with_times: bool) -> Result<(), Error> {
        loop {
            let due = receipts::find_due(&self.background, self.clock.now(), DUE_AT_ONCE as u64).await?;
            let is_last = due.len() < DUE_AT_ONCE;
            self.tend(due).await?;
            if is_last {
                break;
            }
            self.clock.sleep(PACE).await;
        }
        let logs = sitting_logs::load_to_begin(&self.background).await?;
        if logs.is_empty() {
            return Ok(());
        }
        let ids = logs.iter().map(|log| log.sitting_id).collect();
        let sittings = sittings::load(&self.background, ids).await?;
        let sittings: HashMap<Uuid, Sitting> = sittings.into_iter().map(|sitting| (sitting.id, sitting)).collect();
        for log in &logs {
            let id = log.sitting_id;
            if let Err(error) = self.begin_if_ended(log, sittings.get(&id), with_times).await {
                tracing::warn!(%error, sitting = %id, "the log of a sitting is not begun; trying again");
            }
        }
        Ok(())
    }

    /// Looks after these receipts, sitting by sitting. What fails is put off, so that the others go on.
    async fn tend(&self, mut due: Vec<DueReceipt>) -> Result<(), DbErr> {
        due.sort_by_key(|one| (one.sitting_id, one.name));
        for of_sitting in due.chunk_by(|one, other| one.sitting_id == other.sitting_id) {
            let Some(DueReceipt { sitting_id, .. }) = of_sitting.first() else { continue };
            let names: Vec<ReceiptName> = of_sitting.iter().map(|one| one.name).collect();
            match self.tend_sitting(*sitting_id, &names).await {
                Ok(()) => {}
                Err(LogFault::Store(error)) if DatabaseFailure::of(&error) == DatabaseFailure::Unavailable => {
                    return Err(error);
                }
                Err(fault) => {
                    tracing::error!(%fault, sitting = %sitting_id, "the log of a sitting is not written");
                    self.put_off(&names).await?;
                }
            }
        }
        Ok(())
    }

    async fn tend_sitting(&self, sitting_id: Uuid, names: &[ReceiptName]) -> Result<(), LogFault> {
        let (mut entries, mut gone, mut unreadable) = (NamedReceipts::new(), Vec::new(), Vec::new());
        for names in names.chunks(PREPARED_AT_ONCE) {
            let prepared = self.prepare(names).await?;
            entries.extend(self.store_prepared(&prepared).await?);
            gone.extend(prepared.gone);
            unreadable.extend(prepared.unreadable);
        }
        let mut is_done = false;
        for _ in 0..APPEND_TRIES_MAX {
            is_done = self.append(sitting_id, &entries, &gone).await?;
            if is_done {
                break;
            }
        }
        if !is_done {
            return Err(LogFault::Busy);
        }
        Ok(self.put_off(&unreadable).await?)
    }

    /// Appends these receipts to the log, if it has begun, and notes that nothing more is to be done with them. It
    /// leaves out those of silent versions: the release has them looked after again. Returns false if another server
    /// has written the log meanwhile, or somebody has released the sitting.
    async fn append(&self, sitting_id: Uuid, entries: &NamedReceipts, gone: &[ReceiptName]) -> Result<bool, LogFault> {
        // Before the lock: a log may be long, and on SQLite everyone who saves waits for this.
        let snapshot = self.background.snapshot().await?;
        let names: Vec<ReceiptName> = entries.iter().map(|(name, _)| *name).collect();
        let silent = silent_versions::load_among(&snapshot, &names).await?;
        let told: NamedReceipts = entries.iter().filter(|(name, _)| !silent.contains(name)).cloned().collect();
        let before = sitting_logs::find(&snapshot, sitting_id).await?.and_then(|log| log.signed);
        let planned = match &before {
            Some(before) if silent.is_empty() || !told.is_empty() => {
                let there = sitting_logs::load_leaves(&snapshot, sitting_id).await?;
                self.plan_append(sitting_id, before, &there, &told)?
            }
            Some(_) | None => None,
        };
        snapshot.commit().await?;
        let transaction = self.background.begin_alone().await?;
        bound_stalls(&transaction).await?;
        if !silent.is_empty() {
            // A release waits for this, or this for a release. Otherwise this might settle what that has queued again.
            releases::hold_open_results(&transaction, vec![sitting_id]).await?;
            if silent_versions::load_among(&*transaction, &names).await? != silent {
                transaction.rollback().await?;
                return Ok(false);
            }
        }
        // When a log was last heard of decides when it begins, which may tell of nothing silent.
        if !told.is_empty() {
            sitting_logs::hear(&transaction, sitting_id, self.clock.now()).await?;
        }
        let locked = sitting_logs::lock(&transaction, sitting_id).await?.and_then(|log| log.signed);
        if locked != before {
            transaction.rollback().await?;
            return Ok(false);
        }
        if let Some((leaves, signed)) = planned {
            sitting_logs::insert_leaves(&transaction, sitting_id, &leaves).await?;
            sitting_logs::save(&transaction, sitting_id, &signed).await?;
        }
        receipts::settle(&*transaction, &[&names[..], gone].concat()).await?;
        transaction.commit().await?;
        Ok(true)
    }

    async fn put_off(&self, names: &[ReceiptName]) -> Result<(), DbErr> {
        let until = self.clock.now().plus(AGAIN_MILLISECONDS);
        for name in names {
            receipts::postpone(&self.background.write, *name, until).await?;
        }
        Ok(())
    }

    async fn begin_if_ended(&self, log: &SittingLog, sitting: Option<&Sitting>, with_times: bool) -> Result<(), Error> {
        let has_ended = match sitting {
            // Its last tests are all that is left of it.
            None => true,
            Some(sitting) if sitting.ended_at.is_some() => true,
            Some(sitting) => with_times && self.has_ended_by_time(sitting, log).await?,
        };
        if has_ended { self.begin(log, sitting).await } else { Ok(()) }
    }

    async fn has_ended_by_time(&self, sitting: &Sitting, log: &SittingLog) -> Result<bool, Error> {
        let template = self.sittings.find_template(sitting.template_id).await?;
        let (managed, now) = (ManagedSitting { sitting: sitting.clone(), template }, self.clock.now());
        let overview = self.sittings.overview(&managed, now).await?;
        let is_quiet = overview.outlook.at_work == 0 && now.since(log.heard_at) >= QUIET_MILLISECONDS;
        Ok(overview.state == SittingState::Ended || is_quiet)
    }

    /// Writes a log for the first time, with every version of every test of the sitting. The order of candidates is
    /// that of their names now; whoever comes later comes after them.
    async fn begin(&self, log: &SittingLog, sitting: Option<&Sitting>) -> Result<(), Error> {
        let sitting_id = log.sitting_id;
        let tests = version_rows::load_of_sitting(&self.background.read, sitting_id).await?;
        // Those get their places at the release.
        let silent = silent_versions::load_of_sitting(&self.background.read, sitting_id).await?;
        let ordered = self.in_order(sitting_id, &tests).await?;
        let ids: Vec<Uuid> = ordered.iter().map(|(id, _)| *id).collect();
        if log.is_news.is_none() {
            // A log may begin long after the end, with the first result of an old sitting that changes. That is no
            // news. An earlier release made no receipts of its tests; when they ended need not be known.
            let is_news = sitting_logs::has_first_receipt(&self.background.read, &ids).await?;
            sitting_logs::note_news(&self.background.write, sitting_id, is_news).await?;
        }
        self.make_missing(sitting_id, &ordered).await?;
        let mut made: HashMap<Uuid, NamedReceipts> = HashMap::new();
        for (name, stored) in sitting_logs::load_receipts(&self.background.read, &ids).await? {
            if silent.contains(&name) {
                continue;
            }
            made.entry(name.0).or_default().push((name, stored.jws));
        }
        let entries: NamedReceipts = ids.iter().filter_map(|id| made.remove(id)).flatten().collect();
        if entries.is_empty() {
            return Ok(());
        }
        let now = self.clock.now();
        let (leaves, signed) = self.plan_beginning(sitting_id, &entries, now);
        let transaction = self.background.begin_alone().await?;
        bound_stalls(&transaction).await?;
        let log = sitting_logs::lock(&transaction, sitting_id).await?.filter(|log| log.signed.is_none());
        // What was committed since is seen here, and the next look takes it along; what is committed from now on finds
        // a log that has begun.
        let Some(is_news) = log.map(|log| log.is_news == Some(true)) else { return Ok(transaction.rollback().await?) };
        if version_rows::load_of_sitting(&*transaction, sitting_id).await? != tests
            || silent_versions::load_of_sitting(&*transaction, sitting_id).await? != silent
        {
            return Ok(transaction.rollback().await?);
        }
        sitting_logs::insert_leaves(&transaction, sitting_id, &leaves).await?;
        sitting_logs::save(&transaction, sitting_id, &signed).await?;
        let is_recent = |sitting: &&Sitting| sitting.ended_at.is_none_or(|at| now.since(at) < QUIET_MILLISECONDS);
        if let Some(url) = sitting
            .filter(|sitting| is_news && is_recent(sitting))
            .and_then(|sitting| sitting.plan.webhook_url.as_deref())
        {
            let delivery = self.outbox.delivery(SITTING_ENDED, sitting_id, url, now);
            outgoing::store::insert(&*transaction, &[&delivery]).await?;
        }
        transaction.commit().await?;
        self.outbox.wake();
        tracing::info!(sitting = %sitting_id, size = signed.size, "the log of a sitting has begun");
        Ok(())
    }

    /// The tests of a sitting in the order of its candidates, and then those of nobody who is on its roster.
    async fn in_order(&self, sitting_id: Uuid, tests: &[(Uuid, i32)]) -> Result<Vec<(Uuid, i32)>, DbErr> {
        let roster = candidates::by_name(candidates::load_of(&self.background.read, sitting_id).await?);
        let places = roster.iter().enumerate().filter_map(|(place, one)| Some((one.session_id?, place)));
        let places: HashMap<Uuid, usize> = places.collect();
        let mut ordered = tests.to_vec();
        ordered.sort_by_key(|(id, _)| (places.get(id).copied().unwrap_or(usize::MAX), *id));
        Ok(ordered)
    }

    /// Makes the receipts and seals that are missing, such as of tests that an earlier release of this server stored.
    /// Those that can't be made are due again later.
    async fn make_missing(&self, sitting_id: Uuid, tests: &[(Uuid, i32)]) -> Result<(), DbErr> {
        for tests in tests.chunks(DUE_AT_ONCE) {
            let ids: Vec<Uuid> = tests.iter().map(|(id, _)| *id).collect();
            let made = sitting_logs::load_receipts(&self.background.read, &ids).await?;
            let made = made.into_iter().filter(|(_, stored)| stored.seal.is_some());
            let made: HashSet<ReceiptName> = made.map(|(name, _)| name).collect();
            let all = tests.iter().flat_map(|(id, newest)| (1..=*newest).map(|version| (*id, version)));
            let missing: Vec<ReceiptName> = all.filter(|name| !made.contains(name)).collect();
            let prepared = self.prepare(&missing).await?;
            self.store_prepared(&prepared).await?;
            let at = self.clock.now().plus(AGAIN_MILLISECONDS);
            let due = |name: &ReceiptName| DueReceipt { sitting_id, name: *name, at };
            let due: Vec<DueReceipt> = prepared.unreadable.iter().map(due).collect();
            receipts::queue(&self.background.write, &due).await?;
        }
        Ok(())
    }
}
