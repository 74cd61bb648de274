//! What breaks.

use super::room::WatchedRoom;
use super::store::{Failing, StoreFailure};
use super::world::{Event, FAULTS_UNTIL, World};

/// How often the end of what was stored is lost: fences grow by each recovery, and may not reach those of the next run.
const ERAS_MAX: u32 = 3;

impl World {
    /// Breaks something, if it is early enough.
    pub(super) fn breaks_something(&mut self) {
        if !self.breaks() {
            return;
        }
        let wait = self.chance.between(3_000, 15_000);
        self.after(wait, Event::Breaks);
        let (server, student) = (self.chance.below(self.servers.len()), self.chance.below(self.students.len()));
        match self.chance.below(14) {
            0 | 1 => self.crashes(server),
            2..=4 => {
                self.count("frozen");
                // Some stand still for so long that they wake when tests have ended.
                let most = if self.chance.one_in(2) { 12_000 } else { 120_000 };
                let until = (self.now + self.chance.between(2_000, most)).min(FAULTS_UNTIL + 30_000);
                // What waits for it keeps its order.
                self.servers[server].frozen_until = until.max(self.servers[server].frozen_until);
            }
            5 => {
                self.count("cut off from the database");
                self.servers[server].cut_off_until = self.now + self.chance.between(1_000, 20_000);
            }
            6 => {
                self.count("cut off from students");
                self.servers[server].unreachable_until = self.now + self.chance.between(1_000, 20_000);
            }
            7 => {
                self.count("clocks set");
                self.servers[server].skew = self.chance.between(-20_000, 20_000);
            }
            8 => {
                self.count("slow disk");
                self.slow_until = self.now + self.chance.between(3_000, 20_000);
            }
            9 => self.fails(StoreFailure::DiskFull),
            10 => self.fails(StoreFailure::Values),
            11 => self.fails_over(),
            12 => {
                self.count("receiver down");
                self.receiver_down_until = self.now + self.chance.between(5_000, 60_000);
            }
            _ => {
                if self.students[student].session_id.is_some() && self.chance.one_in(2) {
                    self.count("other devices");
                    self.students[student].change_device();
                } else {
                    self.count("offline");
                    self.students[student].offline_until = self.now + self.chance.between(2_000, 60_000);
                }
            }
        }
    }

    fn crashes(&mut self, server: usize) {
        if !self.servers[server].is_up {
            return;
        }
        self.count("crashes");
        // What the database was sent at that moment may be stored all the same.
        if self.reaches_database(server) && self.now >= self.servers[server].frozen_until && self.chance.one_in(2) {
            let now = self.clock(server);
            self.servers[server].journal.store_unheard(&mut self.store, now);
            self.watch.check_tables(&self.store);
        }
        self.servers[server].is_up = false;
        self.servers[server].generation += 1;
        let wait = self.chance.between(500, 15_000);
        self.after(wait, Event::Starts(server));
    }

    fn fails(&mut self, failure: StoreFailure) {
        self.count("failing transactions");
        let (after_rows, transactions) = (self.chance.below(4), u32::try_from(self.chance.below(3)).unwrap() + 1);
        self.store.failing = Some(Failing { after_rows, failure, transactions });
    }

    /// The standby takes over. One that is behind loses the end of what was stored, and a recovery follows.
    fn fails_over(&mut self) {
        self.count("failovers");
        self.database_down_until = self.now + self.chance.between(2_000, 12_000);
        if self.is_asynchronous && self.era < ERAS_MAX && self.chance.one_in(2) {
            self.count("tails lost");
            let replica = std::mem::take(&mut self.replica);
            self.era += 1;
            self.watch.forget_after(replica.number);
            self.store.recover(replica);
            self.replica = self.store.tables.clone();
            let epoch = self.chance.number();
            self.room = WatchedRoom::new(epoch);
        }
    }
}
