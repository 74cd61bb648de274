//! What servers do by themselves: leases, orders, deadlines, attempts that nobody holds, and reports to proctors.

use domain::access::Grades;
use domain::sight::{Reader, Sight};
use examhall::live::seats::lease::LEASE;
use examhall::live::store::{ClaimMode, ClaimOutcome};
use uuid::Uuid;

use super::server::Server;
use super::world::{Event, World};

impl World {
    /// A server looks what is due.
    pub(super) fn ticks(&mut self, server: usize) {
        if !self.servers[server].is_up {
            return;
        }
        let now = self.clock(server);
        if self.reaches_database(server) {
            let until = now.plus(i64::try_from(LEASE.as_millis()).unwrap());
            self.store.renew_lease(self.servers[server].id, until);
            self.servers[server].renewed_at = Some(self.now);
            self.adopts_orders(server);
            self.sweeps(server);
            self.sends(server);
        }
        let lease = i64::try_from(LEASE.as_millis()).unwrap();
        let is_fresh = self.servers[server].renewed_at.is_some_and(|at| self.now - at < lease);
        let ids: Vec<Uuid> = self.servers[server].seats.keys().copied().collect();
        for session_id in ids {
            if let Some(seat) = self.servers[server].seats.get_mut(&session_id).filter(|_| is_fresh) {
                seat.keep_time(now);
            }
            self.works_on(server, session_id);
            self.reports(server, session_id);
        }
    }

    fn adopts_orders(&mut self, server: usize) {
        let now = self.clock(server);
        let Self { servers, store, .. } = self;
        for (session_id, seat) in &mut servers[server].seats {
            let (Some(held), Some(row)) = (store.tables.seats.get(session_id), store.tables.attempts.get(session_id))
            else {
                continue;
            };
            if !seat.is_ending() && seat.hold.orders < held.orders {
                seat.hold.orders = held.orders;
                seat.attempt.timer.adopt(row.standing.times, held.orders, now);
                seat.finish_by.clone_from(&row.standing.finish_by);
            }
        }
    }

    /// Builds seats for attempts whose time is up and which nobody holds.
    fn sweeps(&mut self, server: usize) {
        let (id, now) = (self.servers[server].id, self.clock(server));
        for session_id in self.store.find_overdue(id, now) {
            if self.servers[server].seats.contains_key(&session_id) {
                continue;
            }
            let outcome = self.store.claim(id, session_id, ClaimMode::Vacant, now);
            let ClaimOutcome::Held(hold) = outcome else { continue };
            if let Some(loaded) = self.store.load(session_id, &self.exam.paper, now) {
                self.opens(server, loaded, hold);
                self.count("swept");
            }
        }
    }

    /// Reports a seat to the proctors, or the report is lost.
    fn reports(&mut self, server: usize, session_id: Uuid) {
        if self.chance.one_in(2) {
            return;
        }
        let (era, wait) = (self.era, self.chance.between(5, 3_000));
        let Server { id, seats, .. } = &mut self.servers[server];
        let Some(seat) = seats.get_mut(&session_id) else { return };
        let (server, row) = (*id, Box::new(seat.row()));
        self.after(wait, Event::RowArrives { era, server, row });
    }

    /// A server starts again after a crash.
    pub(super) fn starts(&mut self, server: usize) {
        let (id, generation) = (self.chance.uuid(), self.servers[server].generation);
        let skew = self.servers[server].skew;
        self.servers[server] = Server::started(id, generation, skew);
    }

    /// Everything that may be told of a test while its results are held.
    pub(super) fn asks_on_all_roads(&mut self) {
        // Then nothing is kept from anybody, and to write it all out would take most of the day.
        if self.store.open_results().are_shown() {
            return;
        }
        let caller = Reader::Caller { is_staff: false, reviews: Grades::NONE, has_public_answers: false };
        for test in self.store.tables.tests.clone() {
            let Some(session) = test.versions.last() else { continue };
            let state = self.store.embargo(session);
            for (road, reader) in [("the report", caller), ("another server", Reader::OtherServer)] {
                let sight = Sight::of(session, reader, state);
                self.watch.told(road, session.stored_json(sight).is_ok(), &self.store);
                self.watch.told(road, session.result(sight).is_some(), &self.store);
            }
            let score = session.submitted_result().score(self.store.open_results());
            self.watch.told("the row of a proctor", score.is_some(), &self.store);
        }
    }
}
