//! What the times of an attempt have to be, reckoned apart from the product: by moving a deadline, where the product
//! adds up its parts.

use domain::order::Order;
use domain::order::standing::PauseScope;
use domain::time::moment::Moment;
use domain::time::times::AttemptTimes;
use examhall::live::store::NewAttempt;

const MINUTE: i64 = 60_000;

/// The times of one attempt.
#[derive(Clone, Debug)]
pub struct Ghost {
    begins_at: Moment,
    deadline: Moment,
    paused_at: Option<Moment>,
    paused_by: Vec<PauseScope>,
}

impl Ghost {
    pub fn begun(new: &NewAttempt, paused_by: Option<PauseScope>) -> Self {
        let begins_at = new.times.begins_at;
        Self {
            begins_at,
            deadline: begins_at.plus(i64::from(new.terms.duration_minutes) * MINUTE),
            paused_at: paused_by.map(|_| begins_at),
            paused_by: paused_by.into_iter().collect(),
        }
    }

    /// Follows an order that changed something.
    pub fn obey(&mut self, order: &Order, scope: PauseScope, now: Moment) {
        match order {
            Order::Extend { minutes } => self.deadline = self.deadline.plus(i64::from(*minutes) * MINUTE),
            Order::Pause { .. } => {
                self.paused_at.get_or_insert(now);
                self.paused_by.push(scope);
            }
            Order::Unpause => {
                self.paused_by.retain(|by| *by != scope);
                if self.paused_by.is_empty() {
                    self.go_on(now);
                }
            }
            _ => {}
        }
    }

    /// Follows a reopening: the time since the end is given back.
    pub fn reopen(&mut self, ended_at: Moment, minutes: u32, everyone: Option<PauseScope>, now: Moment) {
        self.paused_at.get_or_insert(ended_at.min(self.deadline));
        self.go_on(now);
        self.deadline = self.deadline.plus(i64::from(minutes) * MINUTE);
        self.paused_by.retain(|by| *by == PauseScope::Own);
        self.paused_by.extend(everyone);
        self.paused_at = (!self.paused_by.is_empty()).then_some(now);
    }

    fn go_on(&mut self, now: Moment) {
        if let Some(from) = self.paused_at.take() {
            self.deadline = self.deadline.plus(now.since(from.max(self.begins_at)).max(0));
        }
    }

    /// Whether these are the times.
    pub fn agrees_with(&self, times: &AttemptTimes) -> bool {
        self.deadline == times.deadline() && self.paused_at == times.paused_at
    }
}
