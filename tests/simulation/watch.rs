//! What has to hold whatever breaks, and what students and receivers were promised.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use domain::attempt::{AnswerChange, CellKey, Stamp};
use domain::merkle::{TreeHash, root};
use domain::time::moment::Moment;
use domain::time::timer::{GRACE_MILLISECONDS, Timer};
use uuid::Uuid;

use super::frames::ClientCommand;
use super::store::{DeliveryRow, Store};

/// What was called saved.
#[derive(Clone, Debug)]
struct Promise {
    stamp: Stamp,
    value: Option<Arc<str>>,
    /// Of the last transaction then.
    number: u64,
}

/// The promises, and the first of them that was broken.
#[derive(Default)]
pub struct Watch {
    pub broken: Option<String>,
    saved: BTreeMap<(Uuid, CellKey), Vec<Promise>>,
    receipts: Vec<(TreeHash, u64)>,
    /// How long the log was when somebody looked, its root, and the last transaction then.
    logs: Vec<(usize, TreeHash, u64)>,
    /// Deliveries that the receiver has seen, and the newest version of each test among them.
    received: BTreeSet<Uuid>,
    newest: BTreeMap<Uuid, u32>,
}

/// The text by which the database keeps a value.
fn text(change: &AnswerChange) -> Option<Arc<str>> {
    match change {
        AnswerChange::Choice { selected, .. } => selected.as_ref().map(|selected| Arc::from(selected.text())),
        AnswerChange::Mark(is_marked) => is_marked.then(|| Arc::from("1")),
        _ => Some(Arc::from("1")),
    }
}

impl Watch {
    /// Notes the first promise that is broken.
    pub fn expect(&mut self, holds: bool, promise: impl FnOnce() -> String) {
        if !holds && self.broken.is_none() {
            self.broken = Some(promise());
        }
    }

    /// A command was called saved.
    pub fn saved(&mut self, session_id: Uuid, command: &ClientCommand, number: u64) {
        let key = CellKey { position: command.position, kind: command.change.kind() };
        let promise = Promise { stamp: command.stamp, value: text(&command.change), number };
        self.saved.entry((session_id, key)).or_default().push(promise);
    }

    /// A student was given the receipt of what was handed in.
    pub fn gave_receipt(&mut self, leaf: TreeHash, number: u64) {
        self.receipts.push((leaf, number));
    }

    /// Somebody outside has seen the log.
    pub fn saw_log(&mut self, log: &[TreeHash], number: u64) {
        self.logs.push((log.len(), root(log), number));
    }

    /// A command has set a value at a moment of the server's clock.
    pub fn set(&mut self, timer: &Timer, now: Moment) {
        let last = timer.end().map(|end| end.plus(GRACE_MILLISECONDS));
        self.expect(last.is_none_or(|last| now <= last), || {
            format!("a deadline is not moved: a command counted at {}, the end was {last:?}", now.iso())
        });
    }

    /// Something was told on a road.
    pub fn told(&mut self, road: &str, is_result_told: bool, store: &Store) {
        let is_open = store.open_results().are_shown();
        self.expect(is_open || !is_result_told, || format!("nothing leaks before the release: {road} tells a result"));
    }

    /// The receiver of webhooks was sent a delivery.
    pub fn received(&mut self, row: &DeliveryRow) {
        if !self.received.insert(row.id) {
            return;
        }
        let newest = self.newest.entry(row.session_id).or_insert(row.version);
        let (is_in_order, version) = (row.version >= *newest, *newest);
        *newest = version.max(row.version);
        self.expect(is_in_order, || {
            format!("versions come in order: {} of {} after {version}", row.version, row.session_id)
        });
    }

    /// The database has lost everything after a transaction, which an asynchronous standby may.
    pub fn forget_after(&mut self, number: u64) {
        for promises in self.saved.values_mut() {
            promises.retain(|promise| promise.number <= number);
        }
        self.receipts.retain(|(_, given)| *given <= number);
        self.logs.retain(|(.., seen)| *seen <= number);
        // What was told of tests that are lost is told again.
        self.newest.clear();
    }

    /// After each transaction: what is stored together is stored together.
    pub fn check_tables(&mut self, store: &Store) {
        let tables = &store.tables;
        for (session_id, row) in &tables.attempts {
            let tests = tables.tests.iter().filter(|test| test.session_id == *session_id).count();
            let completed = tables
                .deliveries
                .iter()
                .filter(|one| one.session_id == *session_id && one.event == examhall::webhooks::events::TEST_COMPLETED);
            let (completed, lasts) = (completed.count(), row.ending.is_none());
            let expected = usize::from(!lasts || row.reopenings > 0);
            self.expect(tests == expected && completed == expected, || {
                format!("one session and one event: {session_id} has {tests} and {completed}, not {expected}")
            });
            self.expect(lasts == tables.seats.contains_key(session_id), || {
                format!("what lasts has a seat, and nothing else: {session_id}")
            });
            // Nothing more is ordered of whom a proctor has ended.
            let is_ending = row.standing.finish_by.is_some();
            let is_met = is_ending || tables.hall.pause().is_none() || row.standing.times.paused_at.is_some();
            self.expect(!lasts || is_met, || format!("everyone is paused: {session_id} is not"));
            let agrees = tables.ghosts.get(session_id).is_none_or(|ghost| ghost.agrees_with(&row.standing.times));
            self.expect(agrees, || format!("a deadline is not moved: that of {session_id} is"));
        }
    }

    /// At the end of the day: everything that was called saved is there.
    pub fn check_saved(&mut self, store: &Store) {
        let saved = std::mem::take(&mut self.saved);
        for ((session_id, key), promises) in &saved {
            let Some(last) = promises.iter().max_by_key(|promise| promise.stamp) else { continue };
            let row = store.tables.values.get(&(*session_id, *key));
            let is_kept =
                row.is_some_and(|row| row.stamp > last.stamp || (row.stamp == last.stamp && row.value == last.value));
            self.expect(is_kept, || {
                format!("nothing acknowledged is lost: {last:?} of {session_id}, {key:?}; stored is {row:?}")
            });
        }
    }

    /// At the end of the day: the log begins with what it was whenever somebody looked.
    pub fn check_logs(&mut self, log: &[TreeHash]) {
        for (length, seen, _) in std::mem::take(&mut self.logs) {
            let is_kept = log.get(..length).is_some_and(|beginning| root(beginning) == seen);
            self.expect(is_kept, || format!("a log only grows: it had {length} leaves"));
        }
    }

    /// The receipts that students hold.
    pub fn receipts(&self) -> impl Iterator<Item = &TreeHash> {
        self.receipts.iter().map(|(leaf, _)| leaf)
    }
}
