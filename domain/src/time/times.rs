//! The times of one attempt, and how extensions and pauses move its deadline (`docs/live-protocol.md#proctors`).
//!
//! The deadline is always the sum of the beginning, the given time, the extensions and the pauses that have ended, or
//! the hard end if that comes first. It is computed and never changed by itself, so it cannot drift from its parts.

use super::moment::Moment;

const MINUTE_MILLISECONDS: i64 = 60_000;

/// What an attempt's deadline is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptTimes {
    /// When the time begins to count. Students wait until then.
    pub begins_at: Moment,
    /// The duration in milliseconds, without extensions and pauses.
    pub given_milliseconds: i64,
    /// The moment that neither extensions nor pauses can move; `None` if there is none.
    pub hard_end: Option<Moment>,
    /// When the current pause began; `None` while the clock runs.
    pub paused_at: Option<Moment>,
    /// The length of all pauses that have ended. The current pause moves the deadline when it ends.
    pub paused_milliseconds: i64,
    /// The minutes that proctors have added to the duration, less those that they have taken.
    pub extended_minutes: i32,
}

impl AttemptTimes {
    /// Whole minutes from this moment on.
    #[must_use]
    pub fn new(begins_at: Moment, duration_minutes: u32) -> Self {
        Self {
            begins_at,
            given_milliseconds: i64::from(duration_minutes) * MINUTE_MILLISECONDS,
            hard_end: None,
            paused_at: None,
            paused_milliseconds: 0,
            extended_minutes: 0,
        }
    }

    /// When the time is up. A pause moves it only when the pause ends.
    #[must_use]
    pub fn deadline(&self) -> Moment {
        self.hard_end.map_or(self.sum(), |hard_end| self.sum().min(hard_end))
    }

    /// The deadline as it would be without a hard end.
    #[must_use]
    pub fn sum(&self) -> Moment {
        self.begins_at.plus(self.all_milliseconds())
    }

    /// Returns whether the hard end decides on the deadline, so that more minutes change nothing. Of a beginning that
    /// nobody knows yet, nobody knows that.
    #[must_use]
    pub fn is_at_hard_end(&self) -> bool {
        self.begins_at < Moment::LAST && self.hard_end.is_some_and(|hard_end| hard_end <= self.sum())
    }

    /// Returns whether the time has not begun to count.
    #[must_use]
    pub fn is_waiting(&self, now: Moment) -> bool {
        now < self.begins_at
    }

    /// These times with this many minutes more, or less.
    #[must_use]
    pub const fn extended(self, more_minutes: i32) -> Self {
        Self { extended_minutes: self.extended_minutes.saturating_add(more_minutes), ..self }
    }

    /// These times with the clock paused at `at`. A second pause changes nothing: the earlier one has lasted longer.
    #[must_use]
    pub fn paused(self, at: Moment) -> Self {
        Self { paused_at: self.paused_at.or(Some(at)), ..self }
    }

    /// These times with the clock continued at `at`: the deadline moves by the length of the pause.
    #[must_use]
    pub fn unpaused(self, at: Moment) -> Self {
        Self { paused_milliseconds: self.pauses_until(at), paused_at: None, ..self }
    }

    /// Milliseconds left, 0 when the time is up. It stands still during a pause and before the beginning.
    #[must_use]
    pub fn remaining(&self, now: Moment) -> i64 {
        let now = self.paused_at.unwrap_or(now).max(self.begins_at);
        // Of a beginning that nobody knows yet, nobody knows how near the hard end it is.
        let hard_end = self.hard_end.filter(|_| self.begins_at < Moment::LAST);
        let before_hard_end = hard_end.map_or(i64::MAX, |hard_end| hard_end.since(now));
        self.all_milliseconds().saturating_sub(now.since(self.begins_at)).min(before_hard_end).max(0)
    }

    /// The length of all pauses in milliseconds, including the current one up to `now`.
    #[must_use]
    pub fn pauses_until(&self, now: Moment) -> i64 {
        let under_way = self.paused_at.map_or(0, |since| now.since(since.max(self.begins_at)).max(0));
        self.paused_milliseconds.saturating_add(under_way)
    }

    fn all_milliseconds(&self) -> i64 {
        self.given_milliseconds.saturating_add(minutes(self.extended_minutes)).saturating_add(self.paused_milliseconds)
    }

    /// What has changed in `later`, in the order in which the student's messages are sent. A pause that began and ended
    /// in between becomes [`Adopted::Unpaused`], which carries the new deadline.
    #[must_use]
    pub fn changes_to(&self, later: &Self) -> Vec<Adopted> {
        let minutes_more = later.extended_minutes.saturating_sub(self.extended_minutes);
        let is_less = minutes_more < 0;
        let is_other_pause = later.paused_at != self.paused_at;
        let has_more_pauses = later.paused_milliseconds != self.paused_milliseconds;
        let is_unpaused = (self.paused_at.is_some() && is_other_pause) || has_more_pauses;
        let changes = [
            self.moved_in(later).or(is_less.then_some(MovedPart::Minutes)).map(Adopted::Moved),
            is_unpaused.then_some(Adopted::Unpaused),
            (minutes_more > 0).then_some(Adopted::Extended { minutes: minutes_more }),
            (later.paused_at.is_some() && is_other_pause).then_some(Adopted::Paused),
        ];
        changes.into_iter().flatten().collect()
    }

    fn moved_in(&self, later: &Self) -> Option<MovedPart> {
        let parts = [
            (self.hard_end != later.hard_end, MovedPart::End),
            (self.given_milliseconds != later.given_milliseconds, MovedPart::Minutes),
            (self.begins_at != later.begins_at, MovedPart::Start),
        ];
        parts.into_iter().find_map(|(is_other, part)| is_other.then_some(part))
    }
}

/// What of the plan behind an attempt's times is another: the first of these that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MovedPart {
    /// The moment that neither extensions nor pauses move.
    End,
    /// The given time.
    Minutes,
    /// The beginning.
    Start,
}

impl MovedPart {
    /// As clients read it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::End => "end",
            Self::Minutes => "minutes",
            Self::Start => "start",
        }
    }
}

/// A change to an attempt's times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adopted {
    /// The beginning, the given time or the hard end is another.
    Moved(MovedPart),
    /// The clock is paused.
    Paused,
    /// The clock continues.
    Unpaused,
    /// Time was added.
    Extended {
        /// Whole minutes.
        minutes: i32,
    },
}

fn minutes(count: i32) -> i64 {
    i64::from(count) * MINUTE_MILLISECONDS
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const DURATION: u32 = 30;
    const DURATION_MINUTES: i32 = 30;

    fn at(minute: i64) -> Moment {
        Moment::from_milliseconds(minute * MINUTE_MILLISECONDS)
    }

    #[test]
    fn a_pause_is_given_back() {
        let times = AttemptTimes::new(at(0), DURATION).paused(at(10));
        assert_eq!((times.remaining(at(10)), times.remaining(at(500))), (minutes(20), minutes(20)));
        let times = times.unpaused(at(17));
        assert_eq!((times.deadline(), times.paused_at, times.pauses_until(at(18))), (at(37), None, minutes(7)));
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
        assert_eq!((times.deadline(), times.pauses_until(at(9))), (at(30), 0));
    }

    #[test]
    fn no_number_of_extensions_leaves_the_calendar() {
        let times = (0..3).fold(AttemptTimes::new(at(0), DURATION), |times, _| times.extended(i32::MAX / 2 + 1));
        assert_eq!(
            (times.extended_minutes, times.deadline()),
            (i32::MAX, at(0).plus(minutes(i32::MAX) + minutes(DURATION_MINUTES)))
        );
    }

    #[test]
    fn a_student_is_told_what_is_new() {
        let start = AttemptTimes::new(at(0), DURATION);
        assert_eq!(start.changes_to(&start.extended(5).extended(10)), [Adopted::Extended { minutes: 15 }]);
        assert_eq!(start.extended(15).changes_to(&start), [Adopted::Moved(MovedPart::Minutes)], "what is less is said");
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

    #[test]
    fn nobody_loses_time_by_waiting() {
        let times = AttemptTimes::new(at(60), DURATION);
        assert_eq!((times.is_waiting(at(59)), times.is_waiting(at(60))), (true, false));
        assert_eq!((times.remaining(at(0)), times.remaining(at(60))), (minutes(30), minutes(30)));
        let paused = times.paused(at(50));
        assert_eq!(paused.unpaused(at(55)).deadline(), at(90), "what ends before the beginning moves nothing");
        assert_eq!((paused.remaining(at(70)), paused.unpaused(at(70)).deadline()), (minutes(30), at(100)));
        let later = AttemptTimes { begins_at: at(70), ..times };
        assert_eq!((later.deadline(), times.changes_to(&later)), (at(100), vec![Adopted::Moved(MovedPart::Start)]));
        let unknown = AttemptTimes { begins_at: Moment::from_milliseconds(i64::MAX), ..times };
        assert_eq!(unknown.remaining(at(0)), minutes(30));
    }

    #[test]
    fn a_hard_end_stays() {
        let times = AttemptTimes { hard_end: Some(at(40)), ..AttemptTimes::new(at(0), DURATION) };
        assert_eq!(
            (times.deadline(), times.extended(5).deadline(), times.extended(15).deadline()),
            (at(30), at(35), at(40))
        );
        assert_eq!(times.extended(15).remaining(at(12)), minutes(28));
        let paused = times.paused(at(10));
        assert_eq!((paused.remaining(at(20)), paused.unpaused(at(25)).deadline()), (minutes(20), at(40)));
        assert_eq!(paused.unpaused(at(25)).pauses_until(at(30)), minutes(15), "however little of it was given back");
    }

    #[derive(Clone, Copy, Debug)]
    enum Step {
        Extend(i32),
        Pause,
        Unpause,
    }

    fn any_steps() -> impl Strategy<Value = Vec<(i64, Step)>> {
        let step = prop_oneof![(-120..=120_i32).prop_map(Step::Extend), Just(Step::Pause), Just(Step::Unpause)];
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
                prop_assert_eq!(times.deadline(), at(7).plus(minutes(DURATION_MINUTES + extended) + pauses));
                prop_assert_eq!((times.extended_minutes, times.paused_at), (extended, paused_at));
                let lasting = paused_at.map_or(0, |since| now.since(since));
                prop_assert_eq!(times.pauses_until(now), pauses + lasting);
                let has_extended = before.changes_to(&times).iter().any(|change| matches!(change, Adopted::Extended { .. }));
                prop_assert_eq!(has_extended, matches!(step, Step::Extend(1..)));
            }
        }
    }
}
