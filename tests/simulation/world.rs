//! One simulated day: the queue of what happens when, and everything that it happens to. The same seed is the same day.

use std::collections::BTreeMap;

use domain::room::row::VersionedRow;
use domain::time::moment::Moment;
use uuid::Uuid;

use super::bug::Bug;
use super::chance::Chance;
use super::exam::Exam;
use super::frames::{ToServer, ToStudent};
use super::room::WatchedRoom;
use super::server::Server;
use super::store::{DeliveryRow, Store, Tables};
use super::student::{Connection, Student};
use super::watch::Watch;

/// The beginning of the day.
const BEGINNING: i64 = 1_767_603_600_000;
/// Until then something breaks now and again. Afterwards everything works, and the day comes to its end.
pub const FAULTS_UNTIL: i64 = 240_000;
/// How often a server looks what is due.
const TICK: i64 = 2_000;
/// How often the watcher of the room is told something.
const WATCH_EVERY: i64 = 3_000;
/// How often the standby is brought up to date, where it is behind.
const REPLICATE_EVERY: i64 = 3_000;
/// What may happen on one day: many times more than does. A day without an end is a broken promise, and not a wait.
const EVENTS_MAX: u64 = 500_000;

/// Something that happens.
#[derive(Debug)]
pub enum Event {
    Acts(usize),
    Arrives { server: usize, generation: u32, student: usize, connection: u64, frame: ToServer },
    Told { student: usize, connection: u64, era: u32, number: u64, frame: ToStudent },
    Ticks(usize),
    Stores { server: usize, generation: u32 },
    Answers { server: usize, generation: u32, era: u32 },
    Starts(usize),
    Posts { server: usize, generation: u32, row: DeliveryRow },
    Posted { server: usize, generation: u32, row: DeliveryRow, is_accepted: bool },
    RowArrives { era: u32, server: Uuid, row: Box<VersionedRow> },
    ReadArrives { era: u32, as_of: u64, rows: Vec<VersionedRow> },
    Watches,
    Replicates,
    Breaks,
    Proctors,
    Settles,
}

/// When something happens: the time, whether it waited for a server that stood still (such things come first, in their
/// order), and a number.
type When = (i64, u8, u64);

/// Everything.
pub struct World {
    /// Milliseconds since the beginning of the day.
    pub now: i64,
    queue: BTreeMap<When, Event>,
    events: u64,
    pub chance: Chance,
    pub exam: Exam,
    pub bug: Option<Bug>,
    pub store: Store,
    pub replica: Tables,
    /// Whether the standby may be behind when it takes over.
    pub is_asynchronous: bool,
    /// How often it has been.
    pub era: u32,
    /// Until then nobody reaches the database.
    pub database_down_until: i64,
    /// Until then its disk is slow.
    pub slow_until: i64,
    /// Until then the receiver of webhooks answers nothing.
    pub receiver_down_until: i64,
    pub servers: Vec<Server>,
    pub students: Vec<Student>,
    pub room: WatchedRoom,
    pub watch: Watch,
    pub serial: u64,
    pub is_over: bool,
    /// Whether everything that happens is printed.
    pub is_told: bool,
    /// How often what has happened.
    pub happened: BTreeMap<&'static str, u64>,
}

impl World {
    pub fn of(seed: u64, bug: Option<Bug>) -> Self {
        let mut chance = Chance::of(seed);
        let exam = Exam::drawn(&mut chance);
        let store = Store {
            tables: Tables::default(),
            failing: None,
            bug,
            scope: exam.scope(),
            is_sitting: exam.sitting_id.is_some(),
            chance: Chance::of(chance.number()),
            refused: 0,
            rolled_back: 0,
        };
        let servers = (0..chance.between(2, 3)).map(|_| Server::started(chance.uuid(), 0, 0)).collect::<Vec<_>>();
        let students: Vec<Student> =
            (0..chance.below(4) + 3).map(|number| Student::new(number, chance.between(-90_000, 90_000))).collect();
        let mut world = Self {
            now: 0,
            queue: BTreeMap::new(),
            events: 0,
            exam,
            bug,
            store,
            replica: Tables::default(),
            is_asynchronous: chance.one_in(4),
            era: 0,
            database_down_until: 0,
            slow_until: 0,
            receiver_down_until: 0,
            servers,
            students,
            room: WatchedRoom::new(chance.number()),
            watch: Watch::default(),
            serial: 0,
            is_over: false,
            is_told: false,
            happened: BTreeMap::new(),
            chance,
        };
        world.begin();
        world
    }

    fn begin(&mut self) {
        for server in 0..self.servers.len() {
            self.servers[server].skew = self.chance.between(-1_000, 1_000);
            self.after(100 + 300 * i64::try_from(server).unwrap(), Event::Ticks(server));
        }
        for student in 0..self.students.len() {
            let wait = self.chance.between(1_000, 60_000);
            self.after(wait, Event::Acts(student));
        }
        self.after(WATCH_EVERY, Event::Watches);
        self.after(REPLICATE_EVERY, Event::Replicates);
        self.after(10_000, Event::Breaks);
        self.after(15_000, Event::Proctors);
        self.after(FAULTS_UNTIL, Event::Settles);
    }

    /// Lets the day pass, or a part of it. Returns the promise that was broken, if one was.
    pub fn pass(&mut self) -> Option<String> {
        while !self.is_over && self.watch.broken.is_none() {
            let Some(((at, _, _), event)) = self.queue.pop_first() else { break };
            self.now = at;
            if self.is_told {
                eprintln!("{at} {event:?}");
            }
            self.happen(event);
            self.watch.expect(self.events < EVENTS_MAX, || "a day comes to its end".to_owned());
        }
        self.watch.broken.take()
    }

    /// Lets something happen so many milliseconds later.
    pub fn after(&mut self, wait: i64, event: Event) {
        self.events += 1;
        self.queue.insert((self.now + wait, 1, self.events), event);
    }

    /// Lets something happen as soon as a server goes on.
    fn when_thawed(&mut self, server: usize, event: Event) {
        self.events += 1;
        self.queue.insert((self.servers[server].frozen_until, 0, self.events), event);
    }

    pub fn count(&mut self, what: &'static str) {
        *self.happened.entry(what).or_default() += 1;
    }

    /// Whether things may still break.
    pub const fn breaks(&self) -> bool {
        self.now < FAULTS_UNTIL
    }

    /// The time by the clock of a server.
    pub fn clock(&self, server: usize) -> Moment {
        Moment::from_milliseconds(BEGINNING + self.now + self.servers[server].skew)
    }

    /// The time by the clock of a student's computer.
    pub fn student_clock(&self, student: usize) -> Moment {
        Moment::from_milliseconds(BEGINNING + self.now + self.students[student].skew)
    }

    pub fn reaches_database(&self, server: usize) -> bool {
        self.now >= self.database_down_until && self.now >= self.servers[server].cut_off_until
    }

    fn is_of_run(&self, server: usize, generation: u32) -> bool {
        self.servers[server].is_up && self.servers[server].generation == generation
    }

    fn happen(&mut self, event: Event) {
        let of_server = match &event {
            Event::Arrives { server, generation, .. }
            | Event::Stores { server, generation }
            | Event::Answers { server, generation, .. }
            | Event::Posts { server, generation, .. }
            | Event::Posted { server, generation, .. } => Some((*server, Some(*generation))),
            Event::Ticks(server) => Some((*server, None)),
            _ => None,
        };
        if let Some((server, generation)) = of_server {
            if generation.is_some_and(|generation| !self.is_of_run(server, generation)) {
                return;
            }
            if self.servers[server].is_up && self.now < self.servers[server].frozen_until {
                return self.when_thawed(server, event);
            }
        }
        match event {
            Event::Acts(student) => self.acts(student),
            Event::Arrives { server, student, connection, frame, .. } => {
                self.arrives(server, student, connection, frame);
            }
            Event::Told { student, connection, era, number, frame } => {
                self.hears(student, connection, (era, number), frame);
            }
            Event::Ticks(server) => {
                self.after(TICK, Event::Ticks(server));
                self.ticks(server);
            }
            Event::Stores { server, .. } => self.stores(server),
            Event::Answers { server, era, .. } => self.answers(server, era),
            Event::Starts(server) => self.starts(server),
            Event::Posts { server, row, .. } => self.posts(server, row),
            Event::Posted { server, row, is_accepted, .. } => self.posted(server, &row, is_accepted),
            Event::RowArrives { era, server, row } => {
                if era == self.era {
                    self.room.hear(server, *row);
                }
            }
            Event::ReadArrives { era, as_of, rows } => {
                if era == self.era {
                    rows.into_iter().for_each(|row| self.room.read(row, as_of));
                }
            }
            Event::Watches => {
                self.after(WATCH_EVERY, Event::Watches);
                self.watches();
            }
            Event::Replicates => {
                self.after(REPLICATE_EVERY, Event::Replicates);
                if self.is_asynchronous && self.breaks() {
                    self.replica = self.store.tables.clone();
                }
            }
            Event::Breaks => self.breaks_something(),
            Event::Proctors => self.proctors(),
            Event::Settles => self.settles(),
        }
    }

    /// Sends something to a server, over a connection that keeps the order.
    pub fn send(&mut self, student: usize, connection: Connection, frame: ToServer) {
        let arrives_at = self.students[student].arrives_at.max(self.now + self.chance.between(5, 400));
        self.students[student].arrives_at = arrives_at;
        let (server, generation) = (connection.server, self.servers[connection.server].generation);
        let connection = connection.number;
        self.after(arrives_at - self.now, Event::Arrives { server, generation, student, connection, frame });
    }

    /// A connection that could not carry something carries nothing after it.
    pub fn break_off(&mut self, student: usize, connection: u64) {
        let one = &mut self.students[student];
        one.connection = one.connection.filter(|current| current.number != connection);
    }

    /// Sends something to a student. What a connection that is cut should have carried is lost.
    pub fn tell(&mut self, server: usize, student: usize, connection: u64, frame: ToStudent) {
        if !self.servers[server].takes_students(self.now) || self.now < self.students[student].offline_until {
            return self.break_off(student, connection);
        }
        let told_at = self.students[student].told_at.max(self.now + self.chance.between(5, 400));
        self.students[student].told_at = told_at;
        let (era, number) = (self.era, self.store.tables.number);
        self.after(told_at - self.now, Event::Told { student, connection, era, number, frame });
    }
}
