//! The rules by which a test that has ended goes on (`docs/live-protocol.md#reopening`): whether it may, and for how
//! long.

use super::standing::{PauseScope, PauseScopes};
use crate::time::moment::Moment;
use crate::time::times::AttemptTimes;

/// How long after its end a test may be reopened: a day.
pub const REOPENED_WITHIN_MILLISECONDS: i64 = 24 * 60 * 60 * 1_000;
const MINUTE_MILLISECONDS: i64 = 60_000;

/// A test that has ended, as far as that decides on its reopening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndedTest {
    /// As they were at the end.
    pub times: AttemptTimes,
    /// The orders by which the clock stood still at the end.
    pub paused_in: PauseScopes,
    /// When it ended.
    pub ended_at: Moment,
    /// The end that its sitting has for everyone, moved as that of the student was; `None` if there is none.
    pub everyones_end: Option<Moment>,
    /// Whether its result has been released, or its sitting called off.
    pub is_released: bool,
    /// Whether the student has been shown the key.
    pub has_seen_answers: bool,
}

/// Why a test stays as it has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReopenRefusal {
    /// Its result has been released, or its sitting called off.
    Released,
    /// It ended more than a day ago.
    TooOld,
    /// The student has been shown the key, and nobody insists.
    AnswersSeen,
    /// No time would be left: the order has to name minutes.
    NothingLeft,
}

/// A test that goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReopenedTest {
    /// From now on.
    pub times: AttemptTimes,
    /// The orders by which the clock stands still.
    pub paused_in: PauseScopes,
    /// The time that the student has, in milliseconds.
    pub left_milliseconds: i64,
    /// The time since the end that counts like a pause, in milliseconds.
    pub ended_milliseconds: i64,
}

impl EndedTest {
    /// The test as it goes on now with so many minutes beside what was left. The time since the end is the student's to
    /// keep, so that it counts like a pause. `stands_in` are the orders by which the time of everyone stands still.
    ///
    /// # Errors
    /// Why it stays as it is.
    pub fn reopened(
        &self,
        minutes: Option<u32>,
        force: bool,
        stands_in: PauseScopes,
        now: Moment,
    ) -> Result<ReopenedTest, ReopenRefusal> {
        if self.is_released {
            return Err(ReopenRefusal::Released);
        }
        if now.since(self.ended_at) > REOPENED_WITHIN_MILLISECONDS {
            return Err(ReopenRefusal::TooOld);
        }
        if self.has_seen_answers && !force {
            return Err(ReopenRefusal::AnswersSeen);
        }
        let times = self.bounded(minutes, now);
        let left_milliseconds = times.remaining(now);
        if left_milliseconds == 0 {
            return Err(ReopenRefusal::NothingLeft);
        }
        let ended_milliseconds = times.paused_milliseconds.saturating_sub(self.times.pauses_until(self.stopped_at()));
        let paused_in = self.paused_now(stands_in);
        let times = if paused_in.is_empty() { times } else { times.paused(now) };
        Ok(ReopenedTest { times, paused_in, left_milliseconds, ended_milliseconds })
    }

    /// When the student's time stopped for good. A command that comes within the grace ends the test a little later.
    fn stopped_at(&self) -> Moment {
        if self.times.paused_at.is_some() { self.ended_at } else { self.ended_at.min(self.times.deadline()) }
    }

    /// The times with the clock going on now, before the end that everyone has, unless the minutes say more.
    fn bounded(&self, minutes: Option<u32>, now: Moment) -> AttemptTimes {
        let stood_since = self.times.paused_at.unwrap_or_else(|| self.stopped_at());
        let more = minutes.map_or(0, |minutes| i32::try_from(minutes).unwrap_or(i32::MAX));
        let times = AttemptTimes { paused_at: Some(stood_since), ..self.times }.unpaused(now).extended(more);
        if times.is_waiting(now) {
            return times;
        }
        let least = minutes.map(|minutes| now.plus(i64::from(minutes) * MINUTE_MILLISECONDS));
        let bound = |end: Moment| least.map_or(end, |least| end.max(least));
        let hard_end = times.hard_end.map(bound);
        // What proctors give later moves the end of everyone, so that it is a matter of the given time.
        let beyond = self.everyones_end.map_or(0, |end| times.sum().since(bound(end)).max(0));
        AttemptTimes { hard_end, given_milliseconds: times.given_milliseconds.saturating_sub(beyond), ..times }
    }

    /// A pause of the student's own lasts, and one of everyone holds only while it does.
    fn paused_now(&self, stands_in: PauseScopes) -> PauseScopes {
        let mut paused_in = stands_in;
        // One from before there were such orders has none.
        let is_own = self.paused_in.has(PauseScope::Own) || self.paused_in.is_empty();
        if self.times.paused_at.is_some() && is_own {
            paused_in.add(PauseScope::Own);
        }
        paused_in
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(minute: i64) -> Moment {
        Moment::parse("2026-01-05T09:00:00Z").unwrap().plus(minute * MINUTE_MILLISECONDS)
    }

    const fn minutes(count: i64) -> i64 {
        count * MINUTE_MILLISECONDS
    }

    /// Of 30 minutes, ended after ten.
    fn ended() -> EndedTest {
        EndedTest {
            times: AttemptTimes::new(at(0), 30),
            paused_in: PauseScopes::default(),
            ended_at: at(10),
            everyones_end: None,
            is_released: false,
            has_seen_answers: false,
        }
    }

    fn left(test: &EndedTest, minutes: Option<u32>, minute: i64) -> Result<i64, ReopenRefusal> {
        let reopened = test.reopened(minutes, false, PauseScopes::default(), at(minute))?;
        assert_eq!(reopened.left_milliseconds, reopened.times.remaining(at(minute)));
        Ok(reopened.left_milliseconds / MINUTE_MILLISECONDS)
    }

    #[test]
    fn what_was_left_is_left_however_long_it_took() {
        for minute in [10, 11, 25, 600] {
            assert_eq!(left(&ended(), None, minute), Ok(20), "{minute}");
            assert_eq!(left(&ended(), Some(5), minute), Ok(25), "{minute}");
        }
        let reopened = ended().reopened(None, false, PauseScopes::default(), at(25)).unwrap();
        assert_eq!((reopened.times.deadline(), reopened.times.pauses_until(at(25))), (at(45), minutes(15)));
        assert_eq!(reopened.ended_milliseconds, minutes(15));
        assert_eq!(reopened.times.extended(5).deadline(), at(50), "orders work on as before");
    }

    #[test]
    fn it_may_for_a_day_until_the_release_unless_the_key_was_shown() {
        let now = at(10).plus(REOPENED_WITHIN_MILLISECONDS);
        assert!(ended().reopened(None, false, PauseScopes::default(), now).is_ok());
        let refused =
            |test: EndedTest, force, now| test.reopened(None, force, PauseScopes::default(), now).unwrap_err();
        assert_eq!(refused(ended(), true, now.plus(1)), ReopenRefusal::TooOld);
        assert_eq!(refused(EndedTest { is_released: true, ..ended() }, true, at(11)), ReopenRefusal::Released);
        let seen = EndedTest { has_seen_answers: true, ..ended() };
        assert_eq!(refused(seen, false, at(11)), ReopenRefusal::AnswersSeen);
        assert!(seen.reopened(None, true, PauseScopes::default(), at(11)).is_ok());
    }

    #[test]
    fn without_time_it_needs_minutes() {
        for ended_at in [at(30), at(30).plus(1_500)] {
            let over = EndedTest { ended_at, ..ended() };
            assert_eq!(left(&over, None, 40), Err(ReopenRefusal::NothingLeft));
            assert_eq!(left(&over, Some(7), 40), Ok(7), "what came within the grace takes nothing");
        }
    }

    #[test]
    fn the_end_of_everyone_holds_unless_the_minutes_say_more() {
        let test = EndedTest { everyones_end: Some(at(35)), ..ended() };
        assert_eq!((left(&test, None, 12), left(&test, None, 25)), (Ok(20), Ok(10)));
        assert_eq!(left(&test, Some(3), 25), Ok(10), "three minutes are less than what the end leaves");
        assert_eq!((left(&test, Some(15), 25), left(&test, Some(5), 40)), (Ok(15), Ok(5)));
        assert_eq!(left(&test, None, 35), Err(ReopenRefusal::NothingLeft));
        let given = test.reopened(None, false, PauseScopes::default(), at(25)).unwrap().times;
        assert_eq!(
            (given.deadline(), given.extended(5).deadline()),
            (at(35), at(40)),
            "which moves with what is given"
        );
    }

    #[test]
    fn an_own_end_stays_unless_the_minutes_say_more() {
        let times = AttemptTimes { hard_end: Some(at(20)), ..ended().times };
        let test = EndedTest { times, ..ended() };
        assert_eq!((left(&test, None, 12), left(&test, Some(3), 19)), (Ok(8), Ok(3)));
        assert_eq!(left(&test, None, 20), Err(ReopenRefusal::NothingLeft));
        assert_eq!(left(&test, Some(4), 90), Ok(4));
    }

    #[test]
    fn a_pause_of_the_students_own_lasts_and_that_of_everyone_holds_while_it_does() {
        let scopes = |list: &[PauseScope]| {
            let mut scopes = PauseScopes::default();
            list.iter().for_each(|scope| scopes.add(*scope));
            scopes
        };
        let paused =
            |own: &[PauseScope]| EndedTest { times: ended().times.paused(at(4)), paused_in: scopes(own), ..ended() };
        for own in [&[PauseScope::Own][..], &[PauseScope::Own, PauseScope::Hall], &[]] {
            let reopened = paused(own).reopened(None, false, PauseScopes::default(), at(50)).unwrap();
            assert_eq!((reopened.paused_in, reopened.times.paused_at), (scopes(&[PauseScope::Own]), Some(at(50))));
            assert_eq!((reopened.times.remaining(at(90)), reopened.ended_milliseconds), (minutes(26), minutes(40)));
        }
        let hall = paused(&[PauseScope::Hall]).reopened(None, false, PauseScopes::default(), at(50)).unwrap();
        assert_eq!((hall.paused_in.is_empty(), hall.times.remaining(at(51))), (true, minutes(25)));
        let alarm = ended().reopened(None, false, scopes(&[PauseScope::Sitting]), at(50)).unwrap();
        assert_eq!((alarm.paused_in, alarm.times.remaining(at(99))), (scopes(&[PauseScope::Sitting]), minutes(20)));
    }

    #[test]
    fn whoever_was_ended_while_they_waited_waits_again() {
        let times = AttemptTimes { begins_at: at(60), ..ended().times };
        let test = EndedTest { times, everyones_end: Some(at(70)), ..ended() };
        let reopened = test.reopened(Some(5), false, PauseScopes::default(), at(20)).unwrap();
        assert_eq!(reopened.times, times.extended(5));
        assert_eq!(left(&test, None, 64), Ok(6), "the beginning came meanwhile");
        let unknown = EndedTest { times: AttemptTimes { begins_at: Moment::LAST, ..times }, ..test };
        assert_eq!(left(&unknown, None, 20), Ok(30));
    }

    proptest! {
        /// However often it ends and is reopened, nobody loses time, and nobody gets any that was not given.
        #[test]
        fn no_time_is_lost_or_won(steps in proptest::collection::vec((0..6_000_000_i64, 1..90_000_i64, proptest::option::of(1..121_u32)), 1..20)) {
            let (mut times, mut now, mut had) = (AttemptTimes::new(at(0), 70), at(0), minutes(70));
            for (gap, worked, more) in steps {
                now = now.plus(worked);
                had -= worked;
                let test = EndedTest { times, ended_at: now, ..ended() };
                now = now.plus(gap);
                let had_then = had.max(0) + more.map_or(0, |more| minutes(more.into()));
                match test.reopened(more, false, PauseScopes::default(), now) {
                    Ok(reopened) => {
                        prop_assert_eq!(reopened.left_milliseconds, had_then);
                        (times, had) = (reopened.times, had_then);
                    }
                    Err(refusal) => {
                        prop_assert_eq!((refusal, had_then), (ReopenRefusal::NothingLeft, 0));
                        break;
                    }
                }
            }
        }
    }
}
