//! A database in memory with the semantics of `src/live/store`: fences, latest wins, one transaction for a batch, all
//! of it or nothing. It stands in for the SQL, which `tests/simulation/sql.rs` compares with it.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use domain::attempt::{
    AnswerChange, Attempt, AttemptRun, CellKey, DeviceLine, Ending, LateCommand, Reason, Stamp, Terms, ValueKind,
};
use domain::correction::Correction;
use domain::merkle::TreeHash;
use domain::order::hall::{HallStanding, HallTime};
use domain::order::standing::{PauseScope, Standing};
use domain::question::{KeyedQuestion, Selected};
use domain::session::Session;
use domain::time::moment::Moment;
use domain::time::timer::GRACE_MILLISECONDS;
use examhall::live::store::{
    ClaimMode, ClaimOutcome, Commit, Entry, FIRST_FENCE, Finish, Hold, NewAttempt, Reopening, Write,
};
use uuid::Uuid;

use super::bug::Bug;
use super::chance::Chance;
use super::ghost::Ghost;

/// A running or ended attempt.
#[derive(Clone)]
pub struct AttemptRow {
    pub terms: Arc<Terms>,
    pub start_key: Option<[u8; 32]>,
    pub token_hash: [u8; 32],
    pub standing: Standing,
    pub ending: Option<Ending>,
    pub reopenings: i32,
    pub is_forced: bool,
    /// Whether late work counts.
    pub has_late_work: bool,
    /// Whether a proctor has ended it before it was reopened.
    pub had_proctors_end: bool,
}

/// Which server holds an attempt that lasts.
#[derive(Clone, Copy, Debug)]
pub struct SeatRow {
    pub server: Option<Uuid>,
    pub fence: i64,
    pub orders: i64,
}

/// The newest value of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueRow {
    pub stamp: Stamp,
    pub value: Option<Arc<str>>,
    pub time_taken: Option<u32>,
}

/// A finished test with all of its results, the newest last.
#[derive(Clone)]
pub struct TestRow {
    pub session_id: Uuid,
    pub versions: Vec<Arc<Session>>,
}

/// An event in the outbox.
#[derive(Clone, Debug)]
pub struct DeliveryRow {
    pub id: Uuid,
    pub session_id: Uuid,
    pub event: &'static str,
    pub version: u32,
    pub attempts: u32,
    /// `None` when it is delivered, or no attempt is left.
    pub next_attempt_at: Option<Moment>,
    pub is_delivered: bool,
}

/// Everything that is stored. A standby has a copy.
#[derive(Clone, Default)]
pub struct Tables {
    /// Of the last transaction.
    pub number: u64,
    pub attempts: BTreeMap<Uuid, AttemptRow>,
    pub seats: BTreeMap<Uuid, SeatRow>,
    pub values: BTreeMap<(Uuid, CellKey), ValueRow>,
    pub lines: BTreeMap<Uuid, Vec<DeviceLine>>,
    pub leases: BTreeMap<Uuid, Moment>,
    pub tests: Vec<TestRow>,
    pub deliveries: Vec<DeliveryRow>,
    pub late: Vec<(Uuid, LateCommand)>,
    pub corrections: Vec<Arc<Correction>>,
    /// Pauses for everyone.
    pub hall: HallStanding,
    pub released_at: Option<Moment>,
    /// The leaves of receipts.
    pub log: Vec<TreeHash>,
    /// What the times have to be, reckoned apart. No server reads it.
    pub ghosts: BTreeMap<Uuid, Ghost>,
}

/// Why a transaction has stored nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreFailure {
    /// It would be refused again: the batch is halved.
    Values,
    /// There is no room on the disk.
    DiskFull,
}

/// The failure that the next transactions meet, after so many rows.
#[derive(Clone, Copy, Debug)]
pub struct Failing {
    pub after_rows: usize,
    pub failure: StoreFailure,
    /// How many transactions fail so.
    pub transactions: u32,
}

/// What a seat is built from.
pub struct LoadedSeat {
    pub attempt: Attempt,
    pub finish_by: Option<String>,
    pub reopening: Option<Reopening>,
}

/// The database.
pub struct Store {
    pub tables: Tables,
    pub failing: Option<Failing>,
    pub bug: Option<Bug>,
    pub scope: PauseScope,
    pub is_sitting: bool,
    pub chance: Chance,
    /// Commits that were left out since the seat had been claimed.
    pub refused: u64,
    /// Transactions that failed and left nothing.
    pub rolled_back: u64,
}

/// Rows that a transaction may still write before it fails.
struct Rows(Option<(usize, StoreFailure)>);

impl Rows {
    const fn write(&mut self) -> Result<(), StoreFailure> {
        match &mut self.0 {
            None => Ok(()),
            Some((0, failure)) => Err(*failure),
            Some((left, _)) => {
                *left -= 1;
                Ok(())
            }
        }
    }
}

impl Store {
    /// Stores a batch, as `examhall::live::store::commit` does. Returns the places of the commits that were left out.
    pub fn commit(&mut self, commits: &[&Commit], now: Moment) -> Result<HashSet<usize>, StoreFailure> {
        let failing = self.failing.as_mut().filter(|failing| failing.transactions > 0);
        let limit = failing.map(|failing| {
            failing.transactions -= 1;
            (failing.after_rows, failing.failure)
        });
        let before = limit.map(|_| self.tables.clone());
        match self.write_all(commits, Rows(limit), now) {
            Ok(lost) => {
                self.tables.number += 1;
                self.refused += lost.len() as u64;
                Ok(lost)
            }
            Err(failure) => {
                self.rolled_back += 1;
                if let Some(before) = before.filter(|_| self.bug != Some(Bug::RollbackFails)) {
                    self.tables = before;
                }
                Err(failure)
            }
        }
    }

    fn write_all(&mut self, commits: &[&Commit], mut rows: Rows, now: Moment) -> Result<HashSet<usize>, StoreFailure> {
        let is_lost = |(_, commit): &(usize, &&Commit)| self.is_lost(commit);
        let lost: HashSet<usize> = commits.iter().enumerate().filter(is_lost).map(|(place, _)| place).collect();
        let kept = commits.iter().enumerate().filter(|(place, _)| !lost.contains(place));
        let writes: Vec<&Write> = kept.flat_map(|(_, commit)| &commit.writes).collect();
        for write in &writes {
            if let Write::Begin(new) = write {
                rows.write()?;
                self.begin(new);
            }
        }
        for write in &writes {
            if let Write::Entry(entry) = write {
                rows.write()?;
                self.upsert(entry);
            }
        }
        let ends =
            || writes.iter().filter_map(|write| if let Write::Finish(finish) = write { Some(finish) } else { None });
        for finish in ends() {
            rows.write()?;
            self.end(finish);
        }
        for finish in ends() {
            rows.write()?;
            self.record(finish, now);
        }
        Ok(lost)
    }

    fn is_lost(&self, commit: &Commit) -> bool {
        let Some(hold) = commit.hold else { return false };
        let reason = |write: &Write| if let Write::Finish(finish) = write { Some(finish.ending.reason) } else { None };
        let reason = commit.writes.iter().find_map(reason);
        let ends_by_order = reason.is_some_and(|reason| reason != Reason::Student);
        match self.tables.seats.get(&hold.session_id) {
            None => reason.is_none() || self.bug != Some(Bug::DoubleSubmit),
            Some(seat) => {
                let is_claimed = seat.fence != hold.fence && self.bug != Some(Bug::FenceLeftOut);
                is_claimed || (ends_by_order && seat.orders != hold.orders)
            }
        }
    }

    /// A start whose key is in use inserts nothing.
    fn begin(&mut self, new: &NewAttempt) {
        let (session_id, start_key) = (new.terms.session_id, new.start_key.map(|(hash, _)| hash));
        let is_used = |row: &AttemptRow| {
            row.terms.session_id == session_id || (start_key.is_some() && row.start_key == start_key)
        };
        let met = HallTime::of([(self.scope, &self.tables.hall)]);
        let met = met.paused_at().map(|_| met).filter(|_| self.bug != Some(Bug::PauseMissesEntrant));
        if self.tables.attempts.values().any(is_used) {
            // A batch that is repeated has the seat read its times again.
            if let Some(seat) = self.tables.seats.get_mut(&session_id) {
                seat.orders += i64::from(met.is_some());
            }
            return;
        }
        let standing = Standing {
            times: match &met {
                Some(_) => new.times.paused(new.times.begins_at),
                None => new.times,
            },
            paused_in: met.as_ref().map_or(new.paused_in, |met| met.paused_in),
            pause_text: None,
            finish_by: None,
        };
        self.tables.ghosts.insert(session_id, Ghost::begun(new, met.is_some().then_some(self.scope)));
        let row = AttemptRow {
            terms: Arc::new(new.terms.clone()),
            start_key,
            token_hash: new.token_hash,
            standing,
            ending: None,
            reopenings: 0,
            is_forced: false,
            has_late_work: false,
            had_proctors_end: false,
        };
        self.tables.attempts.insert(session_id, row);
        let seat = SeatRow { server: Some(new.server), fence: FIRST_FENCE, orders: i64::from(met.is_some()) };
        self.tables.seats.insert(session_id, seat);
    }

    fn upsert(&mut self, entry: &Entry) {
        let new = ValueRow { stamp: entry.stamp, value: entry.value.clone(), time_taken: entry.time_taken };
        let row = self.tables.values.entry((entry.session_id, entry.key)).or_insert_with(|| new.clone());
        if row.stamp <= new.stamp {
            *row = new;
        }
    }

    fn end(&mut self, finish: &Finish) {
        let session_id = finish.finished.session.session_id;
        if let Some(row) = self.tables.attempts.get_mut(&session_id) {
            row.ending.get_or_insert(finish.ending);
        }
        self.tables.seats.remove(&session_id);
    }

    /// Claims a seat, as `examhall::live::store::claim_seats` does.
    pub fn claim(&mut self, server: Uuid, session_id: Uuid, mode: ClaimMode, now: Moment) -> ClaimOutcome {
        let Some(row) = self.tables.seats.get_mut(&session_id) else { return ClaimOutcome::Ended };
        let is_living = |holder: &Uuid| self.tables.leases.get(holder).is_some_and(|until| *until > now);
        let other = row.server.filter(|holder| *holder != server && is_living(holder) && mode == ClaimMode::Vacant);
        if let Some(other) = other {
            return ClaimOutcome::Elsewhere(other);
        }
        self.tables.number += 1;
        row.fence += 1;
        row.server = Some(server);
        ClaimOutcome::Held(Hold { session_id, fence: row.fence, orders: row.orders })
    }

    pub fn renew_lease(&mut self, server: Uuid, until: Moment) {
        self.tables.leases.insert(server, until);
    }

    /// What a seat is built from, as `examhall::live::store::find` reads it.
    pub fn load(&self, session_id: Uuid, paper: &[Arc<KeyedQuestion>], now: Moment) -> Option<LoadedSeat> {
        let row = self.tables.attempts.get(&session_id)?;
        let mut attempt = Attempt::new((*row.terms).clone(), row.standing.times, paper.to_vec(), now);
        for (key, value) in self.values_of(session_id) {
            attempt.restore(key, &change(key.kind, value), value.stamp);
        }
        let reopening = (row.reopenings > 0 && row.ending.is_none()).then(|| Reopening {
            by: None,
            is_forced: row.is_forced,
            version: self.test(session_id).map_or(0, |test| test.versions.len() as u32),
            is_silent: false,
        });
        if let Some(ending) = row.ending {
            attempt.end(ending);
        }
        Some(LoadedSeat { attempt, finish_by: row.standing.finish_by.clone(), reopening })
    }

    pub fn values_of(&self, session_id: Uuid) -> impl Iterator<Item = (CellKey, &ValueRow)> {
        let first = CellKey { position: 0, kind: ValueKind::Choice };
        let of_it = self.tables.values.range((session_id, first)..).take_while(move |((id, _), _)| *id == session_id);
        of_it.map(|((_, key), value)| (*key, value))
    }

    pub fn test(&self, session_id: Uuid) -> Option<&TestRow> {
        self.tables.tests.iter().find(|test| test.session_id == session_id)
    }

    /// Attempts that a server should end: their time is up or a proctor has ended them, and nobody alive holds them.
    pub fn find_overdue(&self, server: Uuid, now: Moment) -> Vec<Uuid> {
        let is_overdue = |(session_id, seat): &(&Uuid, &SeatRow)| {
            let lives = |holder: &Uuid| self.tables.leases.get(holder).is_some_and(|until| *until > now);
            let is_vacant = seat.server.is_none_or(|holder| holder == server || !lives(&holder));
            is_vacant && self.tables.attempts.get(*session_id).is_some_and(|row| is_over(&row.standing, now))
        };
        self.tables.seats.iter().filter(is_overdue).map(|(session_id, _)| *session_id).collect()
    }

    /// Goes on with what a standby had, as after a recovery: nobody is believed to hold a seat any more.
    pub fn recover(&mut self, replica: Tables) {
        /// As a restore adds it.
        const FENCES_PASSED: i64 = 1_000_000_000;
        self.tables = replica;
        self.tables.leases.clear();
        for seat in self.tables.seats.values_mut() {
            seat.server = None;
            // Below the next run of the attempt, whose fences are 2^32 apart.
            seat.fence += FENCES_PASSED;
        }
    }

    /// The fence of the run of an attempt, for rows that are read from the database.
    pub fn fence(&self, session_id: Uuid) -> i64 {
        let run = || self.tables.attempts.get(&session_id).map_or(0, |row| AttemptRun::after(row.reopenings).fence());
        self.tables.seats.get(&session_id).map_or_else(run, |seat| seat.fence)
    }
}

fn is_over(standing: &Standing, now: Moment) -> bool {
    let is_up = standing.times.paused_at.is_none() && now > standing.times.deadline().plus(GRACE_MILLISECONDS);
    is_up || standing.finish_by.is_some()
}

/// A stored value as the change that has set it.
fn change(kind: ValueKind, row: &ValueRow) -> AnswerChange {
    match kind {
        ValueKind::Mark => AnswerChange::Mark(row.value.is_some()),
        ValueKind::Visit => AnswerChange::Visit,
        _ => AnswerChange::Choice {
            selected: row.value.as_deref().and_then(Selected::parse),
            time_taken: row.time_taken,
        },
    }
}
