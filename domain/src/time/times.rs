//! The deadline of one attempt, and how extensions and pauses move it (`docs/live-protocol.md#proctors`).
//!
//! The deadline is always the sum of the start, the duration, the extensions and the pauses that have ended. So the
//! length of the pauses follows from it, and is not stored.

use super::moment::Moment;

const MINUTE_MILLISECONDS: i64 = 60_000;

/// The times of an attempt that proctors may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptTimes {
    /// When the time is up. A pause moves it only when the pause ends.
    pub deadline: Moment,
    /// When the current pause began; `None` while the clock runs.
    pub paused_at: Option<Moment>,
    /// The minutes that proctors have added to the duration.
    pub extended_minutes: u32,
}

impl AttemptTimes {
    /// The times of an attempt that starts now.
    #[must_use]
    pub fn new(started_at: Moment, duration_minutes: u32) -> Self {
        Self { deadline: started_at.plus(minutes(duration_minutes)), paused_at: None, extended_minutes: 0 }
    }

    /// These times with this many minutes more.
    #[must_use]
    pub fn extended(self, more_minutes: u32) -> Self {
        let extended_minutes = self.extended_minutes.saturating_add(more_minutes);
        Self {
            deadline: self.deadline.plus(minutes(extended_minutes - self.extended_minutes)),
            extended_minutes,
            ..self
        }
    }

    /// These times with the clock paused at `at`. A second pause changes nothing: the earlier one has lasted longer.
    #[must_use]
    pub fn paused(self, at: Moment) -> Self {
        Self { paused_at: self.paused_at.or(Some(at)), ..self }
    }

    /// These times with the clock continued at `at`: the deadline moves by the length of the pause.
    #[must_use]
    pub fn unpaused(self, at: Moment) -> Self {
        Self { deadline: self.deadline.plus(self.pause_under_way(at)), paused_at: None, ..self }
    }

    /// Milliseconds left, 0 when the time is up. It stands still during a pause.
    #[must_use]
    pub fn remaining(&self, now: Moment) -> i64 {
        self.deadline.since(self.paused_at.unwrap_or(now)).max(0)
    }

    /// The length of all pauses in milliseconds, including the current one up to `now`.
    #[must_use]
    pub fn paused_milliseconds(&self, started_at: Moment, duration_minutes: u32, now: Moment) -> i64 {
        self.ended_pauses(started_at, duration_minutes).saturating_add(self.pause_under_way(now))
    }

    /// The length of the pauses that have ended, in milliseconds.
    fn ended_pauses(&self, started_at: Moment, duration_minutes: u32) -> i64 {
        self.deadline.since(Self::new(started_at, duration_minutes).extended(self.extended_minutes).deadline).max(0)
    }

    fn pause_under_way(&self, now: Moment) -> i64 {
        self.paused_at.map_or(0, |since| now.since(since).max(0))
    }

    /// What has changed in `later`, in the order in which the student's messages are sent. A pause that began and ended
    /// in between becomes [`Adopted::Unpaused`], which carries the new deadline.
    #[must_use]
    pub fn changes_to(&self, later: &Self) -> Vec<Adopted> {
        let minutes_more = later.extended_minutes.saturating_sub(self.extended_minutes);
        let moved = later.deadline.since(self.deadline) - minutes(minutes_more);
        let is_other_pause = later.paused_at != self.paused_at;
        let is_unpaused = (self.paused_at.is_some() && is_other_pause) || moved != 0;
        let changes = [
            is_unpaused.then_some(Adopted::Unpaused),
            (minutes_more > 0).then_some(Adopted::Extended { minutes: minutes_more }),
            (later.paused_at.is_some() && is_other_pause).then_some(Adopted::Paused),
        ];
        changes.into_iter().flatten().collect()
    }
}

/// A change to an attempt's times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adopted {
    /// The clock is paused.
    Paused,
    /// The clock continues.
    Unpaused,
    /// Time was added.
    Extended {
        /// Whole minutes.
        minutes: u32,
    },
}

fn minutes(count: u32) -> i64 {
    i64::from(count) * MINUTE_MILLISECONDS
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const DURATION: u32 = 30;

    fn at(minute: i64) -> Moment {
        Moment::from_milliseconds(minute * MINUTE_MILLISECONDS)
    }

    #[test]
    fn a_pause_is_given_back() {
        let times = AttemptTimes::new(at(0), DURATION).paused(at(10));
        assert_eq!((times.remaining(at(10)), times.remaining(at(500))), (minutes(20), minutes(20)));
        let times = times.unpaused(at(17));
        assert_eq!(times, AttemptTimes { deadline: at(37), paused_at: None, extended_minutes: 0 });
        assert_eq!(times.paused_milliseconds(at(0), DURATION, at(18)), minutes(7));
    }

    #[test]
    fn what_is_so_already_changes_nothing() {
        let running = AttemptTimes::new(at(0), DURATION);
        assert_eq!(running.unpaused(at(5)), running);
        let paused = running.paused(at(5));
        assert_eq!(paused.paused(at(6)), paused);
        assert!(running.changes_to(&running).is_empty() && paused.changes_to(&paused).is_empty());
    }

    #[test]
    fn a_clock_that_has_gone_back_takes_no_time_away() {
        let times = AttemptTimes::new(at(0), DURATION).paused(at(10)).unpaused(at(9));
        assert_eq!((times.deadline, times.paused_milliseconds(at(0), DURATION, at(9))), (at(30), 0));
    }

    #[test]
    fn no_number_of_extensions_leaves_the_calendar() {
        let times = (0..3).fold(AttemptTimes::new(at(0), DURATION), |times, _| times.extended(u32::MAX / 2 + 1));
        assert_eq!(
            (times.extended_minutes, times.deadline),
            (u32::MAX, at(0).plus(minutes(u32::MAX) + minutes(DURATION)))
        );
    }

    #[test]
    fn a_student_is_told_what_is_new() {
        let start = AttemptTimes::new(at(0), DURATION);
        assert_eq!(start.changes_to(&start.extended(5).extended(10)), [Adopted::Extended { minutes: 15 }]);
        assert_eq!(start.changes_to(&start.paused(at(3))), [Adopted::Paused]);
        assert_eq!(
            start.paused(at(3)).changes_to(&start.paused(at(3)).extended(5)),
            [Adopted::Extended { minutes: 5 }]
        );
        assert_eq!(
            start.paused(at(3)).changes_to(&start.paused(at(3)).unpaused(at(3))),
            [Adopted::Unpaused],
            "however short it was"
        );
        assert_eq!(start.changes_to(&start.paused(at(3)).unpaused(at(4))), [Adopted::Unpaused], "it came and went");
        let all = start.paused(at(3)).unpaused(at(4)).extended(5).paused(at(6));
        assert_eq!(
            start.paused(at(3)).changes_to(&all),
            [Adopted::Unpaused, Adopted::Extended { minutes: 5 }, Adopted::Paused]
        );
    }

    #[derive(Clone, Copy, Debug)]
    enum Step {
        Extend(u32),
        Pause,
        Unpause,
    }

    fn any_steps() -> impl Strategy<Value = Vec<(i64, Step)>> {
        let step = prop_oneof![(1..=120_u32).prop_map(Step::Extend), Just(Step::Pause), Just(Step::Unpause)];
        proptest::collection::vec((0..10_000_000_i64, step), 0..40)
    }

    proptest! {
        /// The deadline is the sum of the start, the duration, the extensions and the pauses, in whatever order they
        /// came.
        #[test]
        fn the_deadline_adds_up(steps in any_steps()) {
            let (mut times, mut now) = (AttemptTimes::new(at(7), DURATION), at(7));
            let (mut extended, mut pauses, mut paused_at) = (0, 0, None);
            for (wait, step) in steps {
                let before = times;
                now = now.plus(wait);
                match step {
                    Step::Extend(more) => {
                        times = times.extended(more);
                        extended += more;
                    }
                    Step::Pause => {
                        times = times.paused(now);
                        paused_at.get_or_insert(now);
                    }
                    Step::Unpause => {
                        times = times.unpaused(now);
                        pauses += paused_at.take().map_or(0, |since| now.since(since));
                    }
                }
                prop_assert_eq!(times.deadline, at(7).plus(minutes(DURATION + extended) + pauses));
                prop_assert_eq!((times.extended_minutes, times.paused_at), (extended, paused_at));
                let lasting = paused_at.map_or(0, |since| now.since(since));
                prop_assert_eq!(times.paused_milliseconds(at(7), DURATION, now), pauses + lasting);
                let has_extended = before.changes_to(&times).iter().any(|change| matches!(change, Adopted::Extended { .. }));
                prop_assert_eq!(has_extended, matches!(step, Step::Extend(_)));
            }
        }
    }
}
