//! The standing of a hall: whether its time stands still, and what was given to everyone in it. It is a state and not
//! only a deed, so that it meets whoever enters later too.

use serde::{Deserialize, Serialize};

use super::standing::{PauseScope, PauseScopes};
use crate::sitting::terms::GrantedTime;
use crate::time::moment::Moment;

/// Pauses of one hall. A candidate who enters late gets each of them back, so each is kept.
pub const PAUSES_MAX: usize = 500;

/// The most that a pause which has not ended gives back, in milliseconds: a school day. A forgotten pause must not keep
/// its sitting open for ever.
pub const PRESENT_PAUSE_MILLISECONDS_MAX: i64 = 12 * 60 * 60 * 1_000;

/// What was ordered for everyone in a hall, a sitting, a grade or a template.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HallStanding {
    /// In their order; only the last may still last.
    pub pauses: Vec<HallPause>,
    /// Whole minutes that were given to everyone, less those that were taken.
    pub minutes: i32,
}

/// A time in which everyone in a hall was to stop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HallPause {
    /// When it began.
    pub from: Moment,
    /// When it ended; `None` while it lasts.
    pub until: Option<Moment>,
    /// E-mail of the proctor who ordered it.
    pub by: String,
    /// A word for the students, such as "Fire alarm".
    pub text: Option<String>,
}

impl HallStanding {
    /// The pause that lasts.
    #[must_use]
    pub fn pause(&self) -> Option<&HallPause> {
        self.pauses.last().filter(|pause| pause.until.is_none())
    }

    /// The length of the pauses that have ended, in milliseconds.
    #[must_use]
    pub fn paused_milliseconds(&self) -> i64 {
        self.pauses.iter().filter_map(|pause| Some(pause.until?.since(pause.from).max(0))).sum()
    }

    /// Stops the time. Returns false if it stands still already.
    pub fn stop(&mut self, by: &str, text: Option<&str>, now: Moment) -> bool {
        if self.pause().is_some() {
            return false;
        }
        let text = text.map(str::to_owned);
        self.pauses.push(HallPause { from: now, until: None, by: by.to_owned(), text });
        true
    }

    /// Lets the time go on. Returns false if it does not stand still.
    pub fn go_on(&mut self, now: Moment) -> bool {
        let Some(pause) = self.pauses.last_mut().filter(|pause| pause.until.is_none()) else { return false };
        pause.until = Some(now.max(pause.from));
        true
    }

    /// Gives minutes to everyone, or takes them.
    pub fn give(&mut self, minutes: i32) {
        self.minutes = self.minutes.saturating_add(minutes);
    }
}

/// What the standings that meet one person amount to. Pauses that overlap count once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HallTime {
    /// Whole minutes that were given.
    pub minutes: i32,
    /// By whom the time stands still.
    pub paused_in: PauseScopes,
    /// The word for the students of the pause that lasts.
    pub text: Option<String>,
    /// Beginnings and ends, apart from each other and in their order; a pause that lasts ends at [`Moment::LAST`].
    pauses: Vec<(Moment, Moment)>,
}

impl HallTime {
    /// Adds these standings up.
    #[must_use]
    pub fn of<'a>(standings: impl IntoIterator<Item = (PauseScope, &'a HallStanding)>) -> Self {
        let mut time = Self::default();
        let mut all: Vec<(Moment, Moment)> = Vec::new();
        for (scope, standing) in standings {
            time.minutes = time.minutes.saturating_add(standing.minutes);
            all.extend(standing.pauses.iter().map(|pause| (pause.from, pause.until.unwrap_or(Moment::LAST))));
            if let Some(pause) = standing.pause() {
                time.paused_in.add(scope);
                time.text = time.text.or_else(|| pause.text.clone());
            }
        }
        all.sort_unstable();
        for (from, until) in all {
            match time.pauses.last_mut() {
                Some(last) if from <= last.1 => last.1 = last.1.max(until),
                _ => time.pauses.push((from, until)),
            }
        }
        time
    }

    /// Since when the time stands still; `None` while it runs.
    #[must_use]
    pub fn paused_at(&self) -> Option<Moment> {
        self.pauses.last().filter(|(_, until)| *until == Moment::LAST).map(|(from, _)| *from)
    }

    /// The length of the pauses that ended from a moment, from which someone's time counts, until another one, in
    /// milliseconds.
    #[must_use]
    pub fn ended_between(&self, base: Moment, at: Moment) -> i64 {
        let length = |(from, until): &(Moment, Moment)| {
            if *until <= at { until.since(base.max(*from)).max(0) } else { 0 }
        };
        self.pauses.iter().map(length).sum()
    }

    /// When the last pause ended that does not last. The clock of a server may be a little behind it.
    #[must_use]
    pub fn last_end(&self) -> Option<Moment> {
        self.pauses.iter().rev().map(|(_, until)| *until).find(|until| *until < Moment::LAST)
    }

    /// What is given to someone who has not entered and whose time counts from `base`, the present pause included.
    #[must_use]
    pub fn granted(&self, base: Option<Moment>, now: Moment) -> GrantedTime {
        let paused = base.map_or(0, |base| {
            let present = self.paused_at().map_or(0, |from| now.since(base.max(from)));
            let present = present.clamp(0, PRESENT_PAUSE_MILLISECONDS_MAX);
            self.ended_between(base, now).saturating_add(present)
        });
        GrantedTime { extended_minutes: self.minutes, paused_milliseconds: paused }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(minute: i64) -> Moment {
        Moment::from_milliseconds(minute * 60_000)
    }

    fn standing(pauses: &[(i64, Option<i64>)]) -> HallStanding {
        let pause = |(from, until): &(i64, Option<i64>)| HallPause {
            from: at(*from),
            until: until.map(at),
            by: "p@exam.test".to_owned(),
            text: None,
        };
        HallStanding { pauses: pauses.iter().map(pause).collect(), minutes: 0 }
    }

    fn time(sitting: &HallStanding, hall: &HallStanding) -> HallTime {
        HallTime::of([(PauseScope::Sitting, sitting), (PauseScope::Hall, hall)])
    }

    #[test]
    fn a_hall_stops_and_goes_on_once() {
        let mut hall = HallStanding::default();
        assert!(!hall.go_on(at(1)));
        assert!(hall.stop("p@exam.test", Some("Fire alarm"), at(2)) && !hall.stop("q@exam.test", None, at(3)));
        assert_eq!(hall.pause().and_then(|pause| pause.text.as_deref()), Some("Fire alarm"));
        assert!(hall.go_on(at(7)) && hall.pause().is_none());
        assert_eq!(hall.paused_milliseconds(), 5 * 60_000);
        hall.give(10);
        hall.give(-3);
        assert_eq!(hall.minutes, 7);
    }

    #[test]
    fn pauses_that_overlap_count_once() {
        let time = time(&standing(&[(10, Some(20)), (40, Some(45))]), &standing(&[(15, Some(25)), (50, None)]));
        assert_eq!(time.ended_between(at(0), at(60)), 20 * 60_000);
        assert_eq!(time.ended_between(at(22), at(60)), 8 * 60_000, "what was before one's time is nobody's");
        assert_eq!(time.ended_between(at(0), at(30)), 15 * 60_000);
        assert_eq!(time.paused_at(), Some(at(50)));
        assert!(time.paused_in.has(PauseScope::Hall) && !time.paused_in.has(PauseScope::Sitting));
        assert_eq!(time.granted(Some(at(0)), at(60)).paused_milliseconds, 30 * 60_000);
        assert_eq!(time.granted(None, at(60)), GrantedTime::default(), "nobody knows yet what they miss");
    }

    fn any_standing() -> impl Strategy<Value = HallStanding> {
        (proptest::collection::vec((1..30_i64, 1..30_i64), 0..6), any::<bool>()).prop_map(|(steps, is_open)| {
            let mut standing = HallStanding::default();
            let mut now = 0;
            let last = steps.len();
            for (number, (wait, length)) in steps.into_iter().enumerate() {
                standing.stop("p@exam.test", None, at(now + wait));
                now += wait + length;
                if !is_open || number + 1 < last {
                    standing.go_on(at(now));
                }
            }
            standing
        })
    }

    proptest! {
        /// As many minutes are given back as there were in which either stood still.
        #[test]
        fn each_minute_counts_once(sitting in any_standing(), hall in any_standing(), base in 0..200_i64, now in 0..400_i64) {
            let stands = |standing: &HallStanding, minute: i64| {
                standing.pauses.iter().any(|pause| pause.from <= at(minute) && pause.until.is_none_or(|until| at(minute) < until))
            };
            let time = time(&sitting, &hall);
            let ended = (base..now).filter(|minute| stands(&sitting, *minute) || stands(&hall, *minute)).count();
            // Only pauses that had ended by then, or last now, are asked for.
            prop_assume!(!time.pauses.iter().any(|(from, until)| *from < at(now) && at(now) < *until && *until < Moment::LAST));
            prop_assume!(time.paused_at().is_none_or(|from| from <= at(now)));
            let granted = time.granted(Some(at(base)), at(now));
            prop_assert_eq!(granted.paused_milliseconds, i64::try_from(ended).unwrap() * 60_000);
        }
    }
}
