//! The changes that proctors' orders have made to a running attempt, and those that one more order makes: the rules
//! behind `docs/live-protocol.md#proctors`. They are separate from the attempt because orders are applied in the
//! database, by a server that may not hold the seat.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::Order;
use crate::time::moment::Moment;
use crate::time::times::AttemptTimes;

/// Whose order a pause is. A pause of one student is the student's own; both count, and the longer rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PauseScope {
    /// An order for one student.
    Own = 1,
    /// One for everyone in a hall.
    Hall = 2,
    /// One for everyone in a sitting.
    Sitting = 4,
    /// One for every test of a template.
    Template = 8,
    /// One for every test of a grade.
    Grade = 16,
}

/// The orders by which a clock stands still.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PauseScopes(u8);

impl PauseScopes {
    /// From the number in which they are stored.
    #[must_use]
    pub fn of_number(number: i16) -> Self {
        Self(u8::try_from(number).unwrap_or(0))
    }

    /// The number in which they are stored.
    #[must_use]
    pub fn number(self) -> i16 {
        self.0.into()
    }

    /// Whether it is one of them.
    #[must_use]
    pub const fn has(self, scope: PauseScope) -> bool {
        self.0 & scope as u8 != 0
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds one.
    pub const fn add(&mut self, scope: PauseScope) {
        self.0 |= scope as u8;
    }

    const fn without(self, scope: PauseScope) -> Self {
        Self(self.0 & !(scope as u8))
    }
}

/// The part of a running attempt that proctors control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The deadline, the extensions and the pauses.
    pub times: AttemptTimes,
    /// The orders by which the clock stands still. A pause from before there were such orders has none.
    pub paused_in: PauseScopes,
    /// The word for the student while the clock stands still.
    pub pause_text: Option<String>,
    /// E-mail of the proctor who has ordered the end.
    pub finish_by: Option<String>,
}

/// Why an order leaves an attempt as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unchanged {
    /// The end has been ordered already.
    AlreadySubmitted,
    /// It is as ordered already.
    AsOrdered,
    /// The candidate has an end of their own, which more minutes do not move.
    OwnEnd,
    /// The student was paused for themselves too, and that pause lasts.
    OwnPause,
    /// The hall is paused too, and that pause lasts.
    HallPause,
    /// A change of the plan: the candidate has a time or an end of their own instead.
    OwnTime,
    /// A change of the plan: the candidate's minutes are over before.
    EndsBefore,
}

/// Sessions that are named in an answer because an order, or a change of the plan, has left them as they were.
pub const UNCHANGED_NAMED_MAX: usize = 100;

/// A session that an order, or a change of the plan, has left as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnchangedSession {
    /// The id of the session.
    pub session_id: Uuid,
    /// The name that proctors see; empty if there is none.
    pub student: String,
    /// Why it is as it was.
    pub reason: Unchanged,
}

/// The result of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderEffect {
    /// The attempt's state after the order.
    pub standing: Standing,
    /// The old and the new state as a sentence for the record; for a notice its text.
    pub detail: String,
    /// Why the student goes on as before all the same.
    pub is_as_before: Option<Unchanged>,
}

impl Standing {
    /// The result of this proctor's order, which is for the student or for everyone somewhere.
    ///
    /// # Errors
    /// Why it would change nothing.
    pub fn after(
        &self,
        order: &Order,
        scope: PauseScope,
        proctor: &str,
        now: Moment,
    ) -> Result<OrderEffect, Unchanged> {
        if self.finish_by.is_some() {
            return Err(Unchanged::AlreadySubmitted);
        }
        let mut after = self.clone();
        let mut is_as_before = None;
        let (before, is_paused) = (&self.times, self.times.paused_at.is_some());
        match order {
            Order::Extend { minutes } => {
                // Whose own end has kept minutes from them has none of these to give back.
                let is_theirs = *minutes > 0 || before.extended_minutes <= 0;
                if before.is_at_hard_end() && is_theirs {
                    return Err(Unchanged::OwnEnd);
                }
                after.times = before.extended(*minutes);
            }
            Order::Pause { text } => {
                if is_paused && (self.paused_in.has(scope) || self.paused_in.is_empty()) {
                    return Err(Unchanged::AsOrdered);
                }
                after.times = before.paused(now);
                // An earlier server lets the time go on and leaves by whom it had stood still.
                after.paused_in = if is_paused { self.paused_in } else { PauseScopes::default() };
                after.paused_in.add(scope);
                is_as_before = is_paused.then_some(Unchanged::AsOrdered);
                after.pause_text = text.as_deref().map(str::to_owned).or(after.pause_text);
            }
            Order::Unpause => {
                let left = self.paused_in.without(scope);
                if !is_paused || (left == self.paused_in && !left.is_empty()) {
                    return Err(if is_paused { left.reason() } else { Unchanged::AsOrdered });
                }
                after.paused_in = left;
                if left.is_empty() {
                    (after.times, after.pause_text) = (before.unpaused(now), None);
                } else {
                    // Nobody knows whose word it was.
                    after.pause_text = None;
                    is_as_before = Some(left.reason());
                }
            }
            Order::Finish => after.finish_by = Some(proctor.to_owned()),
            Order::Notice { .. } | Order::OnlyThisDevice => {}
            // An attempt that goes on has no end to be taken back.
            Order::Undo | Order::Reopen { .. } => return Err(Unchanged::AsOrdered),
        }
        let detail = self.detail(order, &after);
        Ok(OrderEffect { standing: after, detail, is_as_before })
    }

    fn detail(&self, order: &Order, after: &Self) -> String {
        let state = |standing: &Self| if standing.times.paused_at.is_some() { "paused" } else { "active" };
        let (was, is) = (state(self), state(after));
        // Before the time of an attempt is written down, nothing says when it is up.
        let deadline = |times: &AttemptTimes| match times.begins_at {
            Moment::LAST => "not known yet".to_owned(),
            _ => times.deadline().iso(),
        };
        let (before, later) = (deadline(&self.times), deadline(&after.times));
        match order {
            Order::Extend { minutes } if self.times.begins_at == Moment::LAST => {
                format!("{minutes} minutes: deadline {before}")
            }
            Order::Extend { minutes } => format!("{minutes} minutes: deadline {before} to {later}"),
            Order::Pause { text: Some(text) } => format!("{was} to paused ({text}): deadline {before}"),
            Order::Pause { text: None } => format!("{was} to paused: deadline {before}"),
            Order::Unpause if is == "paused" => format!("paused to paused by another order: deadline {before}"),
            Order::Unpause => format!("paused to active: deadline {before} to {later}"),
            Order::Finish => format!("{was} to submitted: deadline {before}"),
            Order::Notice { text } => text.to_string(),
            Order::Undo | Order::OnlyThisDevice | Order::Reopen { .. } => String::new(),
        }
    }
}

impl PauseScopes {
    /// Why the clock stands still by these.
    const fn reason(self) -> Unchanged {
        if self.without(PauseScope::Own).is_empty() { Unchanged::OwnPause } else { Unchanged::HallPause }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAUSE: Order = Order::Pause { text: None };

    fn at(minute: i64) -> Moment {
        Moment::parse("2026-01-05T09:00:00Z").unwrap().plus(minute * 60_000)
    }

    fn of(times: AttemptTimes) -> Standing {
        Standing { times, paused_in: PauseScopes::default(), pause_text: None, finish_by: None }
    }

    fn standing() -> Standing {
        of(AttemptTimes::new(at(0), 30))
    }

    #[test]
    fn an_order_says_what_was_and_what_is() {
        let extended = standing().after(&Order::Extend { minutes: 10 }, PauseScope::Own, "p@exam.test", at(5)).unwrap();
        assert_eq!(extended.detail, "10 minutes: deadline 2026-01-05T09:30:00.000Z to 2026-01-05T09:40:00.000Z");
        let paused = standing().after(&PAUSE, PauseScope::Own, "p@exam.test", at(5)).unwrap();
        assert_eq!(
            (paused.detail.as_str(), paused.standing.times.paused_at),
            ("active to paused: deadline 2026-01-05T09:30:00.000Z", Some(at(5)))
        );
        let unpaused = paused.standing.after(&Order::Unpause, PauseScope::Own, "p@exam.test", at(7)).unwrap();
        assert_eq!(unpaused.detail, "paused to active: deadline 2026-01-05T09:30:00.000Z to 2026-01-05T09:32:00.000Z");
        let noticed = standing()
            .after(&Order::Notice { text: "Sit down".into() }, PauseScope::Own, "p@exam.test", at(5))
            .unwrap();
        assert_eq!((noticed.detail.as_str(), noticed.standing), ("Sit down", standing()));
    }

    #[test]
    fn minutes_that_an_own_end_takes_back_are_not_given() {
        let times = AttemptTimes { hard_end: Some(at(33)), ..AttemptTimes::new(at(0), 30) };
        let five = Order::Extend { minutes: 5 };
        let partly = of(times).after(&five, PauseScope::Own, "p@exam.test", at(5)).unwrap();
        assert_eq!(partly.detail, "5 minutes: deadline 2026-01-05T09:30:00.000Z to 2026-01-05T09:33:00.000Z");
        assert_eq!(partly.standing.after(&five, PauseScope::Own, "p@exam.test", at(6)), Err(Unchanged::OwnEnd));
        let unknown = of(AttemptTimes { begins_at: Moment::LAST, ..times });
        assert!(
            unknown.after(&five, PauseScope::Own, "p@exam.test", at(6)).is_ok(),
            "nobody knows yet how near the own end will be"
        );
    }

    #[test]
    fn a_deadline_that_is_not_known_is_no_date() {
        let waiting = of(AttemptTimes::new(Moment::LAST, 30));
        for (order, detail) in [
            (Order::Extend { minutes: 10 }, "10 minutes: deadline not known yet"),
            (PAUSE, "active to paused: deadline not known yet"),
        ] {
            assert_eq!(waiting.after(&order, PauseScope::Own, "p@exam.test", at(5)).unwrap().detail, detail);
        }
    }

    #[test]
    fn what_is_so_already_is_not_ordered_again() {
        assert_eq!(standing().after(&Order::Unpause, PauseScope::Own, "p@exam.test", at(5)), Err(Unchanged::AsOrdered));
        let paused = standing().after(&PAUSE, PauseScope::Own, "p@exam.test", at(5)).unwrap().standing;
        assert_eq!(paused.after(&PAUSE, PauseScope::Own, "p@exam.test", at(6)), Err(Unchanged::AsOrdered));
        let finished = paused.after(&Order::Finish, PauseScope::Own, "p@exam.test", at(6)).unwrap();
        assert_eq!(
            (finished.detail.as_str(), finished.standing.finish_by.as_deref()),
            ("paused to submitted: deadline 2026-01-05T09:30:00.000Z", Some("p@exam.test"))
        );
        for order in
            [Order::Finish, Order::Extend { minutes: 5 }, Order::Unpause, Order::Notice { text: "Too late".into() }]
        {
            assert_eq!(
                finished.standing.after(&order, PauseScope::Own, "q@exam.test", at(7)),
                Err(Unchanged::AlreadySubmitted),
                "{order:?}"
            );
        }
    }

    #[test]
    fn both_pauses_count_and_the_longer_rules() {
        let order =
            |standing: &Standing, order: &Order, scope, minute| standing.after(order, scope, "p@exam.test", at(minute));
        let alarm = Order::Pause { text: Some("Fire alarm".into()) };
        let own = order(&standing(), &PAUSE, PauseScope::Own, 5).unwrap().standing;
        let both = order(&own, &alarm, PauseScope::Hall, 7).unwrap();
        assert_eq!(both.detail, "paused to paused (Fire alarm): deadline 2026-01-05T09:30:00.000Z");
        assert_eq!(both.is_as_before, Some(Unchanged::AsOrdered), "the student stands still as before");
        let both = both.standing;
        assert_eq!((both.times.paused_at, both.pause_text.as_deref()), (Some(at(5)), Some("Fire alarm")));
        assert_eq!(order(&both, &alarm, PauseScope::Hall, 8), Err(Unchanged::AsOrdered));
        let hall_goes_on = order(&both, &Order::Unpause, PauseScope::Hall, 9).unwrap();
        assert_eq!(hall_goes_on.is_as_before, Some(Unchanged::OwnPause));
        assert_eq!(hall_goes_on.standing.times.paused_at, Some(at(5)));
        let own_goes_on = order(&both, &Order::Unpause, PauseScope::Own, 9).unwrap();
        assert_eq!(own_goes_on.is_as_before, Some(Unchanged::HallPause));
        let own_goes_on = own_goes_on.standing;
        assert_eq!(order(&own_goes_on, &Order::Unpause, PauseScope::Own, 9), Err(Unchanged::HallPause));
        let running = order(&own_goes_on, &Order::Unpause, PauseScope::Hall, 10).unwrap().standing;
        assert_eq!((running.times.deadline(), running.pause_text, running.paused_in.is_empty()), (at(35), None, true));
        let before_scopes = Standing { paused_in: PauseScopes::default(), ..own };
        let running = order(&before_scopes, &Order::Unpause, PauseScope::Hall, 10).unwrap().standing;
        assert_eq!(running.times.deadline(), at(35), "a pause of nobody is ended by anybody");
    }

    #[test]
    fn minutes_are_taken_back_from_whom_they_were_given() {
        let take = Order::Extend { minutes: -5 };
        let given = standing().after(&Order::Extend { minutes: 10 }, PauseScope::Own, "p@exam.test", at(5)).unwrap();
        let taken = given.standing.after(&take, PauseScope::Own, "p@exam.test", at(6)).unwrap();
        assert_eq!(taken.detail, "-5 minutes: deadline 2026-01-05T09:40:00.000Z to 2026-01-05T09:35:00.000Z");
        let own_end = of(AttemptTimes { hard_end: Some(at(30)), ..AttemptTimes::new(at(0), 30) });
        assert_eq!(own_end.after(&take, PauseScope::Hall, "p@exam.test", at(6)), Err(Unchanged::OwnEnd));
    }
}
