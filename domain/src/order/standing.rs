//! What orders of proctors have changed in a running attempt, and what one more order changes: the rules behind
//! `docs/live-protocol.md#proctors`. They are separate from the attempt because orders are applied in the database, by
//! a server that may not hold the seat.

use super::Order;
use crate::time::moment::Moment;
use crate::time::times::AttemptTimes;

/// The part of a running attempt that proctors control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The deadline, the extensions and the pauses.
    pub times: AttemptTimes,
    /// E-mail of the proctor who has ordered the end.
    pub finish_by: Option<String>,
}

/// The result of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderEffect {
    /// The attempt's state after the order.
    pub standing: Standing,
    /// The old and the new state as a sentence for the record; for a notice its text.
    pub detail: String,
}

impl Standing {
    /// The result of this proctor's order. `None` when it would change nothing, or when the end has already been
    /// ordered.
    #[must_use]
    pub fn after(&self, order: &Order, proctor: &str, now: Moment) -> Option<OrderEffect> {
        if self.finish_by.is_some() {
            return None;
        }
        let (before, is_paused) = (&self.times, self.times.paused_at.is_some());
        let after = match order {
            Order::Extend { minutes } => before.extended(*minutes),
            Order::Pause if !is_paused => before.paused(now),
            Order::Unpause if is_paused => before.unpaused(now),
            Order::Pause | Order::Unpause => return None,
            Order::Finish | Order::Notice { .. } => *before,
        };
        let finish_by = matches!(order, Order::Finish).then(|| proctor.to_owned());
        let state = if is_paused { "paused" } else { "active" };
        // Before the time of an attempt is written down, nothing says when it is up.
        let deadline = |times: &AttemptTimes| match times.begins_at {
            Moment::LAST => "not known yet".to_owned(),
            _ => times.deadline().iso(),
        };
        let (was, is) = (deadline(before), deadline(&after));
        let detail = match order {
            Order::Extend { minutes } if before.begins_at == Moment::LAST => {
                format!("{minutes} minutes: deadline {was}")
            }
            Order::Extend { minutes } => format!("{minutes} minutes: deadline {was} to {is}"),
            Order::Pause => format!("active to paused: deadline {was}"),
            Order::Unpause => format!("paused to active: deadline {was} to {is}"),
            Order::Finish => format!("{state} to submitted: deadline {was}"),
            Order::Notice { text } => text.to_string(),
        };
        Some(OrderEffect { standing: Self { times: after, finish_by }, detail })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minute: i64) -> Moment {
        Moment::parse("2026-01-05T09:00:00Z").unwrap().plus(minute * 60_000)
    }

    fn standing() -> Standing {
        Standing { times: AttemptTimes::new(at(0), 30), finish_by: None }
    }

    #[test]
    fn an_order_says_what_was_and_what_is() {
        let extended = standing().after(&Order::Extend { minutes: 10 }, "p@exam.test", at(5)).unwrap();
        assert_eq!(extended.detail, "10 minutes: deadline 2026-01-05T09:30:00.000Z to 2026-01-05T09:40:00.000Z");
        let paused = standing().after(&Order::Pause, "p@exam.test", at(5)).unwrap();
        assert_eq!(
            (paused.detail.as_str(), paused.standing.times.paused_at),
            ("active to paused: deadline 2026-01-05T09:30:00.000Z", Some(at(5)))
        );
        let unpaused = paused.standing.after(&Order::Unpause, "p@exam.test", at(7)).unwrap();
        assert_eq!(unpaused.detail, "paused to active: deadline 2026-01-05T09:30:00.000Z to 2026-01-05T09:32:00.000Z");
        let noticed = standing().after(&Order::Notice { text: "Sit down".into() }, "p@exam.test", at(5)).unwrap();
        assert_eq!((noticed.detail.as_str(), noticed.standing), ("Sit down", standing()));
    }

    #[test]
    fn a_deadline_that_is_not_known_is_no_date() {
        let waiting = Standing { times: AttemptTimes::new(Moment::LAST, 30), finish_by: None };
        for (order, detail) in [
            (Order::Extend { minutes: 10 }, "10 minutes: deadline not known yet"),
            (Order::Pause, "active to paused: deadline not known yet"),
        ] {
            assert_eq!(waiting.after(&order, "p@exam.test", at(5)).unwrap().detail, detail);
        }
    }

    #[test]
    fn what_is_so_already_is_not_ordered_again() {
        assert_eq!(standing().after(&Order::Unpause, "p@exam.test", at(5)), None);
        let paused = standing().after(&Order::Pause, "p@exam.test", at(5)).unwrap().standing;
        assert_eq!(paused.after(&Order::Pause, "p@exam.test", at(6)), None);
        let finished = paused.after(&Order::Finish, "p@exam.test", at(6)).unwrap();
        assert_eq!(
            (finished.detail.as_str(), finished.standing.finish_by.as_deref()),
            ("paused to submitted: deadline 2026-01-05T09:30:00.000Z", Some("p@exam.test"))
        );
        for order in
            [Order::Finish, Order::Extend { minutes: 5 }, Order::Unpause, Order::Notice { text: "Too late".into() }]
        {
            assert_eq!(finished.standing.after(&order, "q@exam.test", at(7)), None, "{order:?}");
        }
    }
}
