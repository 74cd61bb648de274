//! What proctors order, in the simulated database: the rules are those of `domain/src/order`, the transactions as in
//! `src/live/store/orders`.

use domain::attempt::{Attempt, AttemptRun, Comer, DeviceLines, FIRST_LINE, Reason};
use domain::order::Order;
use domain::order::reopening::EndedTest;
use domain::order::standing::{PauseScope, PauseScopes};
use domain::time::moment::Moment;
use uuid::Uuid;

use super::store::{SeatRow, Store};

/// Who gives the orders.
pub const PROCTOR: &str = "proctor@exam.example";

impl Store {
    /// Gives an order for one attempt that lasts. Returns whether it changed anything.
    pub fn order_one(&mut self, session_id: Uuid, order: &Order, now: Moment) -> bool {
        self.tables.number += 1;
        self.apply(session_id, order, PauseScope::Own, now)
    }

    /// Gives an order for everyone, and for whoever begins later.
    pub fn order_all(&mut self, order: &Order, now: Moment) {
        self.tables.number += 1;
        match order {
            Order::Pause { .. } => drop(self.tables.hall.stop(PROCTOR, None, now)),
            Order::Unpause => drop(self.tables.hall.go_on(now)),
            _ => {}
        }
        let lasting: Vec<Uuid> = self.tables.seats.keys().copied().collect();
        for session_id in lasting {
            self.apply(session_id, order, self.scope, now);
        }
    }

    fn apply(&mut self, session_id: Uuid, order: &Order, scope: PauseScope, now: Moment) -> bool {
        let Some(seat) = self.tables.seats.get_mut(&session_id) else { return false };
        let Some(row) = self.tables.attempts.get_mut(&session_id) else { return false };
        let Ok(effect) = row.standing.after(order, scope, PROCTOR, now) else { return false };
        row.standing = effect.standing;
        seat.orders += 1;
        if let Some(ghost) = self.tables.ghosts.get_mut(&session_id) {
            ghost.obey(order, scope, now);
        }
        true
    }

    /// Lets a test that has ended go on. Returns whether it does.
    pub fn reopen(&mut self, session_id: Uuid, minutes: u32, force: bool, now: Moment) -> bool {
        let (is_released, stands) = (self.tables.released_at.is_some(), self.tables.hall.pause().is_some());
        let Some(row) = self.tables.attempts.get_mut(&session_id) else { return false };
        let Some(ending) = row.ending.filter(|_| !row.has_late_work) else { return false };
        let ended = EndedTest {
            times: row.standing.times,
            paused_in: row.standing.paused_in,
            ended_at: ending.at,
            everyones_end: None,
            is_released: self.is_sitting && is_released,
            has_seen_answers: !self.is_sitting,
        };
        let mut stands_in = PauseScopes::default();
        if stands {
            stands_in.add(self.scope);
        }
        let Ok(reopened) = ended.reopened(Some(minutes), force, stands_in, now) else { return false };
        row.reopenings += 1;
        row.is_forced = force;
        row.had_proctors_end |= ending.reason == Reason::Proctor;
        row.ending = None;
        row.standing.times = reopened.times;
        row.standing.paused_in = reopened.paused_in;
        row.standing.finish_by = None;
        let run = AttemptRun::after(row.reopenings);
        let seat = SeatRow { server: None, fence: run.fence(), orders: run.orders() };
        self.tables.seats.insert(session_id, seat);
        if let Some(ghost) = self.tables.ghosts.get_mut(&session_id) {
            ghost.reopen(ending.at, minutes, stands.then_some(self.scope), now);
        }
        self.tables.number += 1;
        true
    }

    /// The line with which a device goes on, as `examhall::live::store::give_line` gives it.
    pub fn give_line(&mut self, attempt: &Attempt, comer: &Comer) -> u16 {
        let session_id = attempt.terms.session_id;
        let Some(row) = self.tables.attempts.get(&session_id) else { return FIRST_LINE };
        let further = self.tables.lines.entry(session_id).or_default();
        let lines = DeviceLines::of(row.token_hash, further.clone());
        if let Some(line) = lines.kept_by(comer, attempt.newest_line()) {
            return line;
        }
        let next = lines.next_for(comer, attempt.newest_line());
        further.push(next);
        self.tables.number += 1;
        next.line
    }
}
