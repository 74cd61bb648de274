//! The clock of one attempt: what is left, when it alerts, and when it is over (`live.md` 1.3).

use super::moment::Moment;

/// Commands that arrive so long after the deadline still count.
pub const GRACE_MILLISECONDS: i64 = 2_000;
/// The server sends `time` unasked so often.
pub const TIME_EVERY_MILLISECONDS: i64 = 30_000;
/// The two alerts, in milliseconds before the deadline.
const ALERTS_MILLISECONDS: [i64; 2] = [600_000, 300_000];
/// The first alert is for tests longer than this.
const LONG_MINUTES: u32 = 30;

/// The time of one attempt.
#[derive(Clone, Debug)]
pub struct Timer {
    deadline: Moment,
    alerts: Vec<i64>,
    time_due: Moment,
}

impl Timer {
    /// Alerts whose moment has passed by `now` are not given again.
    #[must_use]
    pub fn new(duration_minutes: u32, deadline: Moment, now: Moment) -> Self {
        let mut alerts: Vec<i64> = ALERTS_MILLISECONDS.into_iter().skip(usize::from(duration_minutes <= LONG_MINUTES)).collect();
        alerts.retain(|before| deadline.plus(-before) > now);
        Self { deadline, alerts, time_due: now.plus(TIME_EVERY_MILLISECONDS) }
    }

    /// When the time is up.
    #[must_use]
    pub const fn deadline(&self) -> Moment {
        self.deadline
    }

    /// Milliseconds left; 0 when the time is up.
    #[must_use]
    pub fn remaining(&self, now: Moment) -> i64 {
        self.deadline.since(now).max(0)
    }

    /// Whether a command that arrives now is too late.
    #[must_use]
    pub fn is_over(&self, now: Moment) -> bool {
        now > self.deadline.plus(GRACE_MILLISECONDS)
    }

    /// The next moment at which something happens by itself.
    #[must_use]
    pub fn due(&self) -> Moment {
        let over = self.deadline.plus(GRACE_MILLISECONDS + 1);
        let alert = self.alerts.first().map_or(over, |before| self.deadline.plus(-before));
        over.min(alert).min(self.time_due)
    }

    /// The alerts to give now, each once: milliseconds before the deadline.
    pub fn take_alerts(&mut self, now: Moment) -> Vec<i64> {
        let deadline = self.deadline;
        let (given, left) = self.alerts.iter().partition(|before| deadline.plus(-**before) <= now);
        self.alerts = left;
        given
    }

    /// Whether `time` is to be sent unasked now; then the next one is `TIME_EVERY_MILLISECONDS` later.
    pub fn take_time(&mut self, now: Moment) -> bool {
        let due = now >= self.time_due;
        if due {
            self.time_due = now.plus(TIME_EVERY_MILLISECONDS);
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: i64 = 60_000;

    fn at(minutes: i64) -> Moment {
        Moment::from_milliseconds(minutes * MINUTE)
    }

    #[test]
    fn a_long_test_alerts_twice_and_a_short_one_once() {
        let mut long = Timer::new(31, at(31), at(0));
        assert_eq!(long.take_alerts(at(20)), Vec::<i64>::new());
        assert_eq!(long.take_alerts(at(21)), [600_000]);
        assert_eq!(long.take_alerts(at(22)), Vec::<i64>::new());
        assert_eq!(long.take_alerts(at(26)), [300_000]);
        let mut short = Timer::new(30, at(30), at(0));
        assert_eq!(short.take_alerts(at(29)), [300_000]);
    }

    #[test]
    fn what_has_passed_is_not_alerted_again() {
        let mut resumed = Timer::new(70, at(70), at(62));
        assert_eq!(resumed.take_alerts(at(66)), [300_000]);
    }

    #[test]
    fn two_seconds_of_grace() {
        let timer = Timer::new(30, at(30), at(0));
        assert!(!timer.is_over(at(30).plus(2_000)));
        assert!(timer.is_over(at(30).plus(2_001)));
        assert_eq!(timer.remaining(at(31)), 0);
    }

    #[test]
    fn due_is_the_next_thing_that_happens() {
        let mut timer = Timer::new(30, at(30), at(0));
        assert_eq!(timer.due(), at(0).plus(30_000));
        assert!(timer.take_time(at(1)));
        assert!(!timer.take_time(at(1)));
        assert!(timer.take_time(at(25)));
        assert_eq!(timer.due(), at(25));
        timer.take_alerts(at(25));
        assert!(timer.take_time(at(30)));
        assert_eq!(timer.due(), at(30).plus(2_001));
    }
}
