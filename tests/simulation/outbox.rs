//! Webhooks on their way: claimed, posted, answered or not, and repeated by the product's waits.

use domain::retry::wait_after;
use domain::session::SessionEvent;
use domain::sight::{EmbargoState, Reader, Sight};
use examhall::webhooks::events::{RESULT_CHANGED, RESULT_RELEASED, TEST_COMPLETED};

use super::bug::Bug;
use super::store::DeliveryRow;
use super::world::{Event, World};

impl World {
    /// A server takes what is due from the outbox.
    pub(super) fn sends(&mut self, server: usize) {
        let (now, generation) = (self.clock(server), self.servers[server].generation);
        for row in self.store.claim_due(now) {
            let wait = self.chance.between(5, 2_000);
            self.after(wait, Event::Posts { server, generation, row });
        }
    }

    /// A webhook reaches the receiver, unless that is down. Its answer may be lost.
    pub(super) fn posts(&mut self, server: usize, row: DeliveryRow) {
        let is_received = self.now >= self.receiver_down_until;
        if is_received {
            self.receives(&row);
        }
        let is_accepted = is_received && (!self.breaks() || !self.chance.one_in(10));
        let (generation, wait) = (self.servers[server].generation, self.chance.between(5, 500));
        self.count(if is_accepted { "webhooks accepted" } else { "webhooks not accepted" });
        self.after(wait, Event::Posted { server, generation, row, is_accepted });
    }

    fn receives(&mut self, row: &DeliveryRow) {
        let versions = self.store.test(row.session_id).map(|test| &test.versions);
        let session = versions.and_then(|all| all.iter().find(|session| session.version.number == row.version));
        // What a standby has not had is gone.
        let is_known = self.store.tables.deliveries.iter().any(|one| one.id == row.id);
        let Some(session) = session.filter(|_| is_known).cloned() else { return };
        let is_forgotten = self.bug == Some(Bug::EmbargoForgotten);
        let state = if is_forgotten { EmbargoState::Open } else { self.store.embargo(&session) };
        let is_of_release = row.event != TEST_COMPLETED;
        let reader = Reader::Receiver { has_public_answers: false, is_of_release };
        let event = match row.event {
            RESULT_RELEASED => SessionEvent::Released,
            RESULT_CHANGED => SessionEvent::Changed,
            _ => SessionEvent::Completed,
        };
        let body = session.event_json(event, Sight::of(&session, reader, state)).unwrap();
        let is_told = !body.contains(r#""result":null"#);
        self.watch.told("a webhook", is_told, &self.store);
        self.watch.received(row);
    }

    /// The receiver has answered, or nobody has.
    pub(super) fn posted(&mut self, server: usize, row: &DeliveryRow, is_accepted: bool) {
        if !self.reaches_database(server) {
            return;
        }
        let wait = wait_after(row.attempts, 0.5, None).map_or(60_000, |wait| i64::try_from(wait.as_millis()).unwrap());
        let again_at = (!is_accepted).then(|| self.clock(server).plus(wait));
        self.store.end_delivery(row.id, row.attempts, again_at);
    }
}
