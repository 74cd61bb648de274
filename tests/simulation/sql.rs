//! The simulated database beside the SQL that it stands in for: both get the same commits, claims, leases and pauses in
//! the same order, and have to answer alike. What a simulation shows of the one then holds for the other.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use domain::attempt::{Attempt, CellKey, Ending, QuestionCell, Reason, Stamp, ValueKind};
use domain::order::standing::{PauseScope, PauseScopes};
use domain::room::RoomKey;
use domain::time::moment::Moment;
use domain::time::times::AttemptTimes;
use examhall::base::Base;
use examhall::clock::Clock;
use examhall::config::{Config, Secret};
use examhall::database::Database;
use examhall::live::store::{
    self as sql, ClaimMode, ClaimOutcome, Commit, Entry, Finish, Hold, NewAttempt, StartChannel, StoredResult, Write,
};
use examhall::outgoing::{Outbox, store as outbox_sql};
use examhall::sessions::finished::Finished;
use examhall::store::embargo::Embargo;
use examhall::store::standings;
use examhall::strain::Strain;
use examhall::telemetry::Metrics;
use uuid::Uuid;

use super::chance::Chance;
use super::exam::Exam;
use super::store::{Store, Tables};

/// Exams that are compared, and what is done in each. SQLite writes each step to the disk.
const EXAMS: u64 = 20;
const STEPS: usize = 40;
const ATTEMPTS_MAX: usize = 4;
const WEBHOOK: &str = "https://lms.example/hook";

async fn open(folder: &Path) -> (Database, Outbox) {
    let url = format!("sqlite://{}", folder.join("examhall.db").display());
    let config = Config::from_environment(|name| (name == "DATABASE_URL").then(|| url.clone())).unwrap();
    let database = Database::open(&url, 2, 1).await.unwrap();
    database.migrate().await.unwrap();
    let clock = Clock::movable();
    let metrics = Arc::<Metrics>::default();
    let base = Base {
        config: Arc::new(config),
        secret: Secret::new(vec![7; 32]),
        embargo: Arc::new(Embargo::new(database.clone(), clock.clone())),
        database: database.clone(),
        clock,
        redis: None,
        strain: Arc::new(Strain::new(None, Arc::clone(&metrics))),
        metrics,
    };
    // No kind of deliveries is known here, so that none is sent.
    let outbox = Outbox::open(&base, Vec::new(), None, Arc::default());
    (database, outbox)
}

/// One exam in both databases.
struct Both<'a> {
    database: &'a Database,
    outbox: &'a Outbox,
    store: Store,
    exam: Exam,
    chance: Chance,
    now: Moment,
    servers: [Uuid; 3],
    /// All rights to write that were ever given, by attempt, the newest last.
    holds: BTreeMap<Uuid, Vec<Hold>>,
    keys: Vec<[u8; 32]>,
    context: String,
}

impl<'a> Both<'a> {
    fn of(seed: u64, database: &'a Database, outbox: &'a Outbox) -> Self {
        let mut chance = Chance::of(seed);
        // Entries to sittings depend on sittings, which are not stored here.
        let mut exam = Exam::drawn(&mut chance);
        exam.sitting_id = None;
        let store = Store {
            tables: Tables::default(),
            failing: None,
            bug: None,
            scope: PauseScope::Template,
            is_sitting: false,
            chance: Chance::of(chance.number()),
            refused: 0,
            rolled_back: 0,
        };
        let servers = [0; 3].map(|_| chance.uuid());
        let now = Moment::from_milliseconds(1_767_603_600_000);
        let (holds, keys, context) = (BTreeMap::new(), Vec::new(), String::new());
        Self { database, outbox, store, exam, chance, now, servers, holds, keys, context }
    }

    async fn step(&mut self) {
        self.now = self.now.plus(self.chance.between(0, 15_000));
        match self.chance.below(8) {
            0 | 1 => self.begins().await,
            2..=4 => self.commits().await,
            5 => self.claims().await,
            6 => self.renews().await,
            _ => self.pauses().await,
        }
    }

    /// Some attempt.
    fn attempt(&mut self) -> Option<Uuid> {
        let ids: Vec<Uuid> = self.holds.keys().copied().collect();
        (!ids.is_empty()).then(|| ids[self.chance.below(ids.len())])
    }

    /// Begins an attempt: a new one, one that there is, or one with a key that was used.
    async fn begins(&mut self) {
        let again = if self.holds.len() >= ATTEMPTS_MAX || self.chance.one_in(3) { self.attempt() } else { None };
        let session_id = again.unwrap_or_else(|| self.chance.uuid());
        let key: [u8; 32] = match self.keys.last() {
            Some(key) if self.chance.one_in(4) => *key,
            _ => [self.chance.uuid().into_bytes(), self.chance.uuid().into_bytes()].concat().try_into().unwrap(),
        };
        self.keys.push(key);
        let terms = self.exam.terms(session_id, 0);
        let new = NewAttempt {
            times: AttemptTimes::new(self.now, terms.duration_minutes),
            terms,
            paper: self.exam.paper.clone(),
            second_papers: None,
            paused_in: PauseScopes::default(),
            pause_text: None,
            token_hash: key,
            start_key: Some((key, [0; 32])),
            owner: None,
            counted: None,
            server: self.servers[self.chance.below(3)],
            channel: StartChannel::Https,
            entry: None,
        };
        self.context = format!("{session_id} begins");
        self.commit(&[Commit { hold: None, writes: vec![Write::Begin(Box::new(new))] }]).await;
        if self.store.tables.seats.get(&session_id).is_some_and(|seat| seat.fence == sql::FIRST_FENCE) {
            let hold = Hold { session_id, fence: sql::FIRST_FENCE, orders: 0 };
            self.holds.entry(session_id).or_default().push(hold);
        }
    }

    /// A batch of commits by seats, some of which were claimed since.
    async fn commits(&mut self) {
        let mut commits: BTreeMap<Uuid, Commit> = BTreeMap::new();
        for _ in 0..self.chance.between(1, 3) {
            let Some(session_id) = self.attempt() else { return };
            let holds = &self.holds[&session_id];
            let place = if self.chance.one_in(2) { holds.len() - 1 } else { self.chance.below(holds.len()) };
            let hold = holds[place];
            let mut writes: Vec<Write> = (0..self.chance.between(1, 4)).map(|_| self.entry(session_id)).collect();
            if self.chance.one_in(6) {
                writes.extend(self.finish(session_id));
            }
            commits.insert(session_id, Commit { hold: Some(hold), writes });
        }
        self.context = format!("{:?}", commits.values());
        self.commit(&commits.into_values().collect::<Vec<_>>()).await;
    }

    fn entry(&mut self, session_id: Uuid) -> Write {
        let chance = &mut self.chance;
        let kind = [ValueKind::Choice, ValueKind::Mark, ValueKind::Visit][chance.below(3)];
        let key = CellKey { position: chance.below(2), kind };
        let (line, seq) = (chance.below(3), chance.below(8) + 1);
        let stamp = Stamp { line: u16::try_from(line).unwrap(), seq: u64::try_from(seq).unwrap() };
        // The same command always says the same.
        let value: Option<&str> = match kind {
            ValueKind::Choice => [None, Some("A"), Some("B")][(line + seq) % 3],
            ValueKind::Mark => [None, Some("1")][(line + seq) % 2],
            _ => Some("1"),
        };
        let value = value.map(Arc::from);
        let time_taken = (kind == ValueKind::Choice).then_some(3);
        Write::Entry(Entry { session_id, key, stamp, value, time_taken })
    }

    fn finish(&mut self, session_id: Uuid) -> Option<Write> {
        let reason = [Reason::Student, Reason::Deadline, Reason::Proctor][self.chance.below(3)];
        let ending = Ending { reason, at: self.now };
        let attempt = self.store.load(session_id, &self.exam.paper, self.now)?.attempt;
        let session = Exam::session(&attempt, ending, None);
        let finished = Finished { session, receipt: None, webhook_url: Some(WEBHOOK.to_owned()) };
        Some(Write::Finish(Box::new(Finish {
            finished,
            ending,
            drawn: BTreeMap::new(),
            reopening: None,
            standing: None,
            shows_answers: false,
            begins_stage: false,
            stored_result: StoredResult::default(),
        })))
    }

    async fn commit(&mut self, commits: &[Commit]) {
        let commits: Vec<&Commit> = commits.iter().collect();
        let lost = sql::commit(&self.database.journal, &commits, self.outbox, self.now).await.unwrap();
        assert_eq!(self.store.commit(&commits, self.now), Ok(lost), "{}", self.context);
    }

    async fn claims(&mut self) {
        let known = self.attempt();
        let session_id = known.unwrap_or_else(|| self.chance.uuid());
        let mode = [ClaimMode::Vacant, ClaimMode::Forced, ClaimMode::Socket][self.chance.below(3)];
        let server = self.servers[self.chance.below(3)];
        let taken = sql::claim_seats(self.database, server, &[(session_id, mode)], self.now).await.unwrap();
        let outcome = self.store.claim(server, session_id, mode, self.now);
        assert_eq!(taken.get(&session_id), Some(&outcome), "{mode:?} of {session_id} for {server}");
        if let (ClaimOutcome::Held(hold), Some(session_id)) = (outcome, known) {
            self.holds.entry(session_id).or_default().push(hold);
        }
    }

    async fn renews(&mut self) {
        let (server, until) = (self.servers[self.chance.below(3)], self.now.plus(20_000));
        sql::renew_lease(self.database, server, until).await.unwrap();
        self.store.renew_lease(server, until);
    }

    /// Everyone is paused who begins from now on, or nobody any more.
    async fn pauses(&mut self) {
        let hall = &mut self.store.tables.hall;
        if !hall.stop("proctor@exam.example", None, self.now) {
            hall.go_on(self.now);
        }
        let room = RoomKey::Template(self.exam.template_id);
        let transaction = self.database.begin_alone().await.unwrap();
        standings::save(&transaction, room, hall, self.now).await.unwrap();
        transaction.commit().await.unwrap();
    }

    /// Reads everything from both.
    async fn compare(&self) {
        for session_id in self.holds.keys() {
            let stored = sql::find(self.database, *session_id, self.now).await.unwrap();
            let loaded = self.store.load(*session_id, &self.exam.paper, self.now);
            let (stored, loaded) = (stored.unwrap(), loaded.unwrap());
            let cells =
                |attempt: &Attempt| -> Vec<QuestionCell> { attempt.cells().map(|(_, cell)| cell.clone()).collect() };
            assert_eq!(cells(&stored.attempt), cells(&loaded.attempt), "{session_id}: {}", self.context);
            assert_eq!(stored.attempt.ending(), loaded.attempt.ending(), "{session_id}: {}", self.context);
            assert_eq!(stored.attempt.timer.times(), loaded.attempt.timer.times(), "{session_id}: {}", self.context);
            let newest = self.store.test(*session_id).and_then(|test| test.versions.last());
            let result = stored.session.map(|session| session.result.inside_the_server().clone());
            assert_eq!(result.as_ref(), newest.map(|session| session.result.inside_the_server()), "{}", self.context);
        }
        for server in self.servers {
            let found = sql::find_overdue(self.database, Some(server), self.now, 1_000).await.unwrap();
            let found: BTreeSet<Uuid> = found.into_iter().filter(|id| self.holds.contains_key(id)).collect();
            let expected: BTreeSet<Uuid> = self.store.find_overdue(server, self.now).into_iter().collect();
            assert_eq!(found, expected, "overdue for {server}");
        }
    }
}

/// Takes some seconds by its nature: SQLite waits for the disk at each step.
#[test]
fn the_simulated_database_answers_as_sqlite_does() {
    let folder = tempfile::tempdir().unwrap();
    actix::System::new().block_on(async {
        let (database, outbox) = open(folder.path()).await;
        let (mut events, mut refused) = (0, 0);
        for seed in 0..EXAMS {
            let mut both = Both::of(seed, &database, &outbox);
            for step in 0..STEPS {
                both.step().await;
                if step % 4 == 3 {
                    both.compare().await;
                }
            }
            refused += both.store.refused;
            events += both.store.tables.deliveries.len() as u64;
            let (_, stored) = outbox_sql::find_page(&database, None, 0, 1).await.unwrap();
            assert_eq!(stored, events, "one event for each end");
        }
        assert!(events > 0 && refused > 0, "{events} ends, {refused} commits of seats that others had claimed");
        outbox.rest().await;
        database.close().await;
    });
}
