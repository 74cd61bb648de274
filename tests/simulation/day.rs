//! What proctors and teachers do in the course of a day, and how it ends.

use std::collections::BTreeSet;

use domain::attempt::Attempt;
use domain::correction::{AnswerSet, Correction, CorrectionKind, CorrectionScope};
use domain::merkle::{inclusion_proof, root, root_by_proof};
use domain::order::Order;
use domain::room::row::VersionedRow;
use domain::time::moment::Moment;
use uuid::Uuid;

use super::seat::stored_row;
use super::store::Store;
use super::student::Student;
use super::world::{Event, FAULTS_UNTIL, World};

/// How long after the last fault whoever is still at work is ended.
const ENDED_AFTER: i64 = 120_000;
/// How long after the last fault everything has to have come to its end: webhooks are repeated in minutes.
const OVER_AFTER: i64 = 4 * 60 * 60 * 1_000;
/// How often it is looked whether the day is over.
const SETTLE_EVERY: i64 = 10_000;

impl World {
    /// A proctor or a teacher does something, if the database can be reached.
    pub(super) fn proctors(&mut self) {
        if !self.breaks() {
            return;
        }
        let wait = self.chance.between(4_000, 15_000);
        self.after(wait, Event::Proctors);
        let server = self.chance.below(self.servers.len());
        if !self.servers[server].is_up || !self.reaches_database(server) {
            return;
        }
        let now = self.clock(server);
        let attempts: Vec<Uuid> = self.store.tables.attempts.keys().copied().collect();
        let pause = Order::Pause { text: None };
        let is_paused = self.store.tables.hall.pause().is_some();
        self.asks_on_all_roads();
        self.watch.saw_log(&self.store.tables.log, self.store.tables.number);
        if is_paused && self.chance.one_in(3) {
            return self.store.order_all(&Order::Unpause, now);
        }
        let which = self.chance.below(12);
        if which == 0 && !is_paused {
            self.count("pauses of all");
            self.store.order_all(&pause, now);
        }
        if attempts.is_empty() {
            return;
        }
        let session_id = attempts[self.chance.below(attempts.len())];
        match which {
            1 => self.ordered("extensions", session_id, &Order::Extend { minutes: 1 }, now),
            2 => self.ordered("pauses", session_id, &pause, now),
            3 | 4 => self.ordered("pauses ended", session_id, &Order::Unpause, now),
            5 => self.ordered("ends ordered", session_id, &Order::Finish, now),
            6 | 7 => {
                let force = self.chance.one_in(2);
                if self.store.reopen(session_id, 1, force, now) {
                    self.count("reopened");
                    self.calls_back(session_id);
                }
            }
            8 => self.accepts_late(session_id, now),
            9 | 10 => self.corrects(now),
            11 if self.chance.one_in(6) => {
                self.count("released early");
                self.store.release(now);
            }
            _ => {}
        }
        self.watch.check_tables(&self.store);
    }

    /// Whoever has a test that goes on sits down again.
    fn calls_back(&mut self, session_id: Uuid) {
        let is_theirs = |one: &Student| one.session_id == Some(session_id) && one.is_done;
        if let Some(student) = self.students.iter().position(is_theirs) {
            self.students[student].is_done = false;
            self.students[student].connection = None;
            self.after(2_000, Event::Acts(student));
        }
    }

    fn ordered(&mut self, what: &'static str, session_id: Uuid, order: &Order, now: Moment) {
        if self.store.order_one(session_id, order, now) {
            self.count(what);
        }
    }

    fn accepts_late(&mut self, session_id: Uuid, now: Moment) {
        if self.store.accept_late(session_id, now) {
            self.count("late work accepted");
        }
    }

    fn corrects(&mut self, now: Moment) {
        self.count("corrections");
        let made = self.store.tables.corrections.len();
        if made > 0 && self.chance.one_in(3) {
            return self.store.correct(None, now);
        }
        let question = &self.exam.paper[self.chance.below(self.exam.paper.len())];
        let correction = Correction {
            number: i64::try_from(made).unwrap() + 1,
            question_id: question.id.clone(),
            kind: if self.chance.one_in(2) { CorrectionKind::All } else { CorrectionKind::Drop },
            options: AnswerSet::default(),
            of_options: None,
            nobody_loses: self.chance.one_in(2),
            scope: CorrectionScope::Template(self.exam.template_id),
        };
        self.store.correct(Some(correction), now);
    }

    /// The room is read from the database, and the watcher is told something.
    pub(super) fn watches(&mut self) {
        let server = self.chance.below(self.servers.len());
        let now = self.clock(server);
        let leases = self.store.tables.leases.clone();
        self.room.keep_living(|server| leases.get(&server).is_some_and(|until| *until > now));
        if self.reaches_database(server) && self.chance.one_in(2) {
            let as_of = self.room.seq();
            let rows = self.rows(now, |world, session_id, fence, is_over| world.room.wants(session_id, fence, is_over));
            let (era, wait) = (self.era, self.chance.between(5, 2_000));
            self.after(wait, Event::ReadArrives { era, as_of, rows });
        }
        if self.chance.one_in(20) {
            let knows = self.chance.one_in(2);
            self.room.come_again(knows);
        }
        self.room.walk();
    }

    /// The rows of attempts as the database has them.
    fn rows(&self, now: Moment, is_wanted: impl Fn(&Self, Uuid, i64, bool) -> bool) -> Vec<VersionedRow> {
        let open = self.store.open_results();
        let row = |session_id: Uuid| {
            let attempt: Attempt = self.store.load(session_id, &self.exam.paper, now)?.attempt;
            let fence = self.store.fence(session_id);
            let newest = self.store.test(session_id).and_then(|test| test.versions.last());
            let wanted = is_wanted(self, session_id, fence, attempt.ending().is_some());
            wanted.then(|| stored_row(&attempt, fence, newest.map(|newest| &**newest), open))
        };
        self.store.tables.attempts.keys().filter_map(|session_id| row(*session_id)).collect()
    }

    /// Nothing breaks any more: brings the day to its end.
    pub(super) fn settles(&mut self) {
        let server = 0;
        if self.now == FAULTS_UNTIL {
            self.slow_until = 0;
            self.store.failing = None;
        }
        self.after(SETTLE_EVERY, Event::Settles);
        if !self.servers[server].is_up || !self.reaches_database(server) {
            return;
        }
        let now = self.clock(server);
        let lasting: Vec<Uuid> = self.store.tables.seats.keys().copied().collect();
        self.store.order_all(&Order::Unpause, now);
        for session_id in &lasting {
            self.store.order_one(*session_id, &Order::Unpause, now);
            if self.now > FAULTS_UNTIL + ENDED_AFTER {
                self.store.order_one(*session_id, &Order::Finish, now);
            }
        }
        let is_late = self.now > FAULTS_UNTIL + OVER_AFTER;
        self.watch.expect(!is_late, || format!("everything comes to an end: {lasting:?} do not, or webhooks"));
        self.asks_on_all_roads();
        if !lasting.is_empty() {
            return;
        }
        for session_id in self.store.tables.attempts.keys().copied().collect::<Vec<_>>() {
            self.accepts_late(session_id, now);
        }
        if self.store.tables.released_at.is_none() {
            if self.chance.one_in(2) {
                self.corrects(now);
                return;
            }
            self.count("released");
            return self.store.release(now);
        }
        self.watch.check_tables(&self.store);
        let is_quiet = self.now > FAULTS_UNTIL + ENDED_AFTER + 60_000;
        if is_quiet && self.store.tables.deliveries.iter().all(|row| row.is_delivered) {
            self.is_over = true;
            self.check_day(now);
        }
    }

    fn check_day(&mut self, now: Moment) {
        self.watch.check_saved(&self.store);
        self.check_results();
        self.check_log();
        self.check_picture(now);
        let counted = [("commits refused", self.store.refused), ("rolled back", self.store.rolled_back)];
        self.happened.extend(counted);
    }

    /// Each test is graded by what is stored, each of its versions is told once at most, and the newest is.
    fn check_results(&mut self) {
        let Self { store, watch, .. } = self;
        for test in &store.tables.tests {
            let Some(newest) = test.versions.last() else { continue };
            let told = newest.result.inside_the_server();
            let expected = store.merged(test.session_id, newest);
            let is_it = |one: &domain::scoring::TestResult| one.has_answers_of(told) && one.score == told.score;
            watch.expect(expected.as_ref().is_some_and(is_it), || {
                format!("a test is graded by what is stored: {} has {told:?}, not {expected:?}", test.session_id)
            });
            let numbers: Vec<u32> = test.versions.iter().map(|version| version.version.number).collect();
            watch.expect(numbers.iter().copied().eq(1..=newest.version.number), || {
                format!("versions are numbered from one on: {numbers:?}")
            });
            let session_id = test.session_id;
            let of_it = || store.tables.deliveries.iter().filter(move |row| row.session_id == session_id);
            let events: BTreeSet<(&str, u32)> = of_it().map(|row| (row.event, row.version)).collect();
            watch.expect(events.len() == of_it().count(), || format!("one event for each version: {events:?}"));
            watch.expect(events.iter().any(|(_, version)| *version == newest.version.number), || {
                format!("the newest version is told: {events:?}")
            });
        }
    }

    /// Each receipt that a student holds is in the log, and the log has only grown.
    fn check_log(&mut self) {
        let Store { tables, .. } = &self.store;
        let (whole, size) = (root(&tables.log), tables.log.len() as u64);
        self.watch.check_logs(&tables.log);
        let is_contained = |leaf: &[u8; 32]| {
            let place = tables.log.iter().position(|one| one == leaf)?;
            let proof = inclusion_proof(&tables.log, place)?;
            root_by_proof(*leaf, place as u64, size, &proof).filter(|by_proof| *by_proof == whole)
        };
        let missing = self.watch.receipts().filter(|leaf| is_contained(leaf).is_none()).count();
        self.watch.expect(missing == 0, || format!("each receipt is contained: {missing} are not"));
    }

    /// The watcher sees what is stored.
    fn check_picture(&mut self, now: Moment) {
        self.room.keep_living(|_| false);
        let (as_of, rows) = (self.room.seq(), self.rows(now, |_, _, _, _| true));
        rows.iter().for_each(|row| self.room.read(row.clone(), as_of));
        let picture = self.room.picture();
        for VersionedRow { row, .. } in rows {
            let seen = row.session_id.and_then(|id| picture.get(&id));
            let shown = |one: &domain::room::row::AttemptRow| {
                (one.state, one.answered, one.marked, one.progress.clone(), one.deadline, one.score, one.version)
            };
            self.watch.expect(seen.map(shown) == Some(shown(&row)), || {
                format!("pictures converge: {seen:?} is seen, not {row:?}")
            });
        }
    }
}
