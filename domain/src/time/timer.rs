//! The clock of one attempt: the time left, the alerts, and the end (`docs/live-protocol.md#time`). It stands still
//! during a pause.

use super::moment::Moment;
use super::times::{Adopted, AttemptTimes};

/// How long after the deadline a command still counts: it may have been sent before the deadline, and arrive late.
pub const GRACE_MILLISECONDS: i64 = 2_000;
/// How often the server sends `time` without being asked.
pub const TIME_EVERY_MILLISECONDS: i64 = 30_000;
/// When the two alerts are sent, in milliseconds before the deadline.
const ALERTS_MILLISECONDS: [i64; 2] = [600_000, 300_000];
/// The length of a test above which the first alert is sent.
const LONG_MILLISECONDS: i64 = 30 * 60_000;

/// The clock of one attempt.
#[derive(Clone, Debug)]
pub struct Timer {
    times: AttemptTimes,
    version: i64,
    alerts: Vec<i64>,
    time_due: Moment,
}

impl Timer {
    /// A clock that gives only the alerts whose moment is still ahead at `now`.
    #[must_use]
    pub fn new(times: AttemptTimes, now: Moment) -> Self {
        Self { times, version: 0, alerts: alerts_to_come(&times, now), time_due: now.plus(TIME_EVERY_MILLISECONDS) }
    }

    /// The same clock, whose times are known to be of this version.
    #[must_use]
    pub fn of_version(self, version: i64) -> Self {
        Self { version, ..self }
    }

    /// Replaces the times by those of a version, and returns what has changed in them; an earlier version than the one
    /// that is known changes nothing. An alert whose moment is ahead again is given again.
    pub fn adopt(&mut self, times: AttemptTimes, version: i64, now: Moment) -> Vec<Adopted> {
        if version < self.version {
            return Vec::new();
        }
        self.version = version;
        let changes = self.times.changes_to(&times);
        if !changes.is_empty() {
            self.times = times;
            self.alerts = alerts_to_come(&times, now);
        }
        changes
    }

    /// Which version of the times this is: each change has a higher one, so that late news is told from new.
    #[must_use]
    pub const fn version(&self) -> i64 {
        self.version
    }

    /// The times that the clock uses.
    #[must_use]
    pub const fn times(&self) -> &AttemptTimes {
        &self.times
    }

    /// When the time is up.
    #[must_use]
    pub fn deadline(&self) -> Moment {
        self.times.deadline()
    }

    /// Returns whether the clock stands still.
    #[must_use]
    pub const fn is_paused(&self) -> bool {
        self.times.paused_at.is_some()
    }

    /// Returns whether the time has not begun to count.
    #[must_use]
    pub fn is_waiting(&self, now: Moment) -> bool {
        self.times.is_waiting(now)
    }

    /// Milliseconds left; 0 when the time is up.
    #[must_use]
    pub fn remaining(&self, now: Moment) -> i64 {
        self.times.remaining(now)
    }

    /// Returns whether a command that arrives now is too late.
    #[must_use]
    pub fn is_over(&self, now: Moment) -> bool {
        self.over_after().is_some_and(|last| now > last)
    }

    /// When the time is up as things are now; `None` during a pause that nothing ends. A hard end comes during a pause
    /// too.
    #[must_use]
    pub fn end(&self) -> Option<Moment> {
        if self.is_paused() { self.times.hard_end } else { Some(self.deadline()) }
    }

    /// The last moment at which a command counts.
    fn over_after(&self) -> Option<Moment> {
        self.end().map(|end| end.plus(GRACE_MILLISECONDS))
    }

    /// The next moment at which the attempt must act without a command: the beginning, an alert, a `time` message or
    /// the end.
    #[must_use]
    pub fn due(&self, now: Moment) -> Moment {
        let over = self.over_after().map(|last| last.plus(1));
        if self.is_waiting(now) {
            return over.map_or(self.times.begins_at, |over| over.min(self.times.begins_at));
        }
        let alert = self.alerts.first().filter(|_| !self.is_paused()).map(|before| self.deadline().plus(-before));
        [over, alert].into_iter().flatten().fold(self.time_due, Ord::min)
    }

    /// The alerts to send now, in milliseconds before the deadline; each is returned once.
    pub fn take_alerts(&mut self, now: Moment) -> Vec<i64> {
        let remaining = self.deadline().since(self.times.paused_at.unwrap_or(now));
        let (given, left) = self.alerts.iter().partition(|before| remaining <= **before);
        self.alerts = left;
        given
    }

    /// Puts off the next `time` until that moment.
    pub const fn put_time_off(&mut self, until: Moment) {
        self.time_due = until;
    }

    /// Returns whether to send `time` now without being asked; if so, the next one is due `TIME_EVERY_MILLISECONDS`
    /// later.
    pub fn take_time(&mut self, now: Moment) -> bool {
        let due = now >= self.time_due;
        if due {
            self.time_due = now.plus(TIME_EVERY_MILLISECONDS);
        }
        due
    }
}

fn alerts_to_come(times: &AttemptTimes, now: Moment) -> Vec<i64> {
    let alerts = ALERTS_MILLISECONDS.into_iter().skip(usize::from(times.given_milliseconds <= LONG_MILLISECONDS));
    alerts.filter(|before| times.remaining(now) > *before).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::time::times::MovedPart;

    const MINUTE: i64 = 60_000;

    fn at(minutes: i64) -> Moment {
        Moment::from_milliseconds(minutes * MINUTE)
    }

    fn timer(duration_minutes: u32, now: Moment) -> Timer {
        Timer::new(AttemptTimes::new(at(0), duration_minutes), now)
    }

    #[test]
    fn a_long_test_alerts_twice_and_a_short_one_once() {
        let mut long = timer(31, at(0));
        assert_eq!(long.take_alerts(at(20)), Vec::<i64>::new());
        assert_eq!(long.take_alerts(at(21)), [600_000]);
        assert_eq!(long.take_alerts(at(22)), Vec::<i64>::new());
        assert_eq!(long.take_alerts(at(26)), [300_000]);
        let mut short = timer(30, at(0));
        assert_eq!(short.take_alerts(at(29)), [300_000]);
    }

    #[test]
    fn what_has_passed_is_not_alerted_again() {
        let mut resumed = timer(70, at(62));
        assert_eq!(resumed.take_alerts(at(66)), [300_000]);
    }

    #[test]
    fn two_seconds_of_grace() {
        let timer = timer(30, at(0));
        assert!(!timer.is_over(at(30).plus(2_000)));
        assert!(timer.is_over(at(30).plus(2_001)));
        assert_eq!(timer.remaining(at(31)), 0);
    }

    #[test]
    fn due_is_the_next_thing_that_happens() {
        let mut timer = timer(30, at(0));
        assert_eq!(timer.due(at(0)), at(0).plus(30_000));
        assert!(timer.take_time(at(1)));
        assert!(!timer.take_time(at(1)));
        assert!(timer.take_time(at(25)));
        assert_eq!(timer.due(at(1)), at(25));
        timer.take_alerts(at(25));
        assert!(timer.take_time(at(30)));
        assert_eq!(timer.due(at(25)), at(30).plus(2_001));
    }

    #[test]
    fn nothing_happens_while_the_clock_stands() {
        let mut timer = timer(31, at(0));
        let paused = timer.times().paused(at(20));
        timer.adopt(paused, 1, at(20));
        assert_eq!((timer.remaining(at(20)), timer.remaining(at(90))), (11 * MINUTE, 11 * MINUTE));
        assert!(!timer.is_over(at(90)) && timer.take_alerts(at(90)).is_empty());
        assert!(timer.take_time(at(90)), "the time that is sent goes on");
        assert_eq!(timer.due(at(90)), at(90).plus(TIME_EVERY_MILLISECONDS));
        timer.adopt(paused.unpaused(at(90)), 2, at(90));
        assert_eq!((timer.deadline(), timer.remaining(at(90))), (at(101), 11 * MINUTE));
        assert_eq!(timer.take_alerts(at(91)), [600_000]);
        assert!(timer.is_over(at(101).plus(GRACE_MILLISECONDS + 1)));
    }

    #[test]
    fn waiting_is_due_when_the_time_begins() {
        let mut timer = Timer::new(AttemptTimes::new(at(60), 31), at(0));
        assert_eq!((timer.due(at(0)), timer.remaining(at(30)), timer.is_over(at(30))), (at(60), 31 * MINUTE, false));
        assert!(timer.take_alerts(at(59)).is_empty());
        assert_eq!((timer.take_alerts(at(81)), timer.take_alerts(at(86))), (vec![600_000], vec![300_000]));
    }

    #[test]
    fn a_hard_end_comes_during_a_pause_too() {
        let times = AttemptTimes { hard_end: Some(at(35)), ..AttemptTimes::new(at(0), 30) }.paused(at(10));
        let mut timer = Timer::new(times, at(10));
        assert!(timer.take_time(at(34).plus(45_000)));
        assert_eq!(timer.due(at(34).plus(45_000)), at(35).plus(GRACE_MILLISECONDS + 1));
        assert!(!timer.is_over(at(35).plus(GRACE_MILLISECONDS)) && timer.is_over(at(35).plus(GRACE_MILLISECONDS + 1)));
    }

    #[test]
    fn an_alert_that_lies_in_the_future_again_is_given_again() {
        let mut timer = timer(31, at(0));
        assert_eq!(timer.take_alerts(at(27)), [600_000, 300_000]);
        let times = timer.times().extended(4);
        timer.adopt(times, 3, at(27));
        assert_eq!(timer.due(at(27)), at(0).plus(TIME_EVERY_MILLISECONDS));
        assert_eq!(timer.take_alerts(at(30)), [300_000]);
        assert!(timer.take_alerts(at(34)).is_empty());
        assert_eq!(Timer::new(times, at(27)).take_alerts(at(30)), [300_000], "as a seat that is built again does");
    }

    /// What moves an end: proctors' orders, and the plan.
    fn changed(times: AttemptTimes, how: u8, now: Moment) -> AttemptTimes {
        match how {
            0 => times.extended(5),
            1 => times.paused(now),
            2 => times.unpaused(now),
            3 => AttemptTimes { given_milliseconds: times.given_milliseconds + 7 * MINUTE, ..times },
            4 => AttemptTimes { given_milliseconds: times.given_milliseconds / 2, ..times },
            5 => AttemptTimes { hard_end: Some(now.plus(9 * MINUTE)), ..times },
            _ => AttemptTimes { hard_end: None, ..times },
        }
    }

    #[test]
    fn a_clock_says_which_part_of_the_plan_is_another() {
        let mut timer = timer(30, at(0));
        let moved = |timer: &mut Timer, times, version| timer.adopt(times, version, at(1));
        let ended = AttemptTimes { hard_end: Some(at(20)), ..*timer.times() };
        assert_eq!(moved(&mut timer, ended, 1), [Adopted::Moved(MovedPart::End)]);
        let shorter = AttemptTimes { given_milliseconds: 15 * MINUTE, ..ended };
        assert_eq!(moved(&mut timer, shorter, 2), [Adopted::Moved(MovedPart::Minutes)]);
        assert_eq!(moved(&mut timer, ended, 1), [], "this is older than what is known");
        assert_eq!((timer.version(), timer.deadline()), (2, at(15)));
    }

    proptest! {
        /// However late, often and in whatever order the versions arrive, the clock ends with the last one.
        #[test]
        fn any_order_of_news_ends_in_the_same_clock(
            changes in proptest::collection::vec((0..7_u8, 0..400_000_i64), 1..12),
            arrivals in proptest::collection::vec(any::<prop::sample::Index>(), 0..40),
        ) {
            let (mut versions, mut now) = (vec![AttemptTimes::new(at(0), 31)], at(0));
            for (how, wait) in changes {
                now = now.plus(wait);
                versions.push(changed(versions[versions.len() - 1], how, now));
            }
            let last = versions.len() - 1;
            let mut timer = Timer::new(versions[0], at(0));
            let mut deliver = |version: usize| timer.adopt(versions[version], version as i64, now);
            for arrival in &arrivals {
                deliver(arrival.index(versions.len()));
            }
            deliver(last);
            for arrival in &arrivals {
                prop_assert!(deliver(arrival.index(versions.len())).is_empty(), "nothing is news any more");
            }
            prop_assert_eq!((timer.version(), *timer.times()), (last as i64, versions[last]));
        }
    }
}
