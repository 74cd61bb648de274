//! The terms on which one candidate sits an exam: each value with the layer that it comes from, and the one function
//! that says when their time is up (`docs/decisions/0042-a-candidates-deadline.md`).

use serde::Serialize;
use utoipa::ToSchema;

use super::values::{Factor, LateRule, StartRule};
use crate::order::hall::HallTime;
use crate::time::moment::Moment;
use crate::time::times::AttemptTimes;

const MINUTE_MILLISECONDS: i64 = 60_000;
/// One minute at one percent.
const PERCENT_OF_MINUTE_MILLISECONDS: i64 = MINUTE_MILLISECONDS / 100;

/// Where a value comes from. A later one overrides an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ValueSource {
    /// The template of the test.
    Template,
    /// The sitting.
    Sitting,
    /// The hall in which the candidate sits.
    Room,
    /// What the candidate needs in every exam.
    Accommodation,
    /// The candidate's own entry on the roster.
    Candidate,
}

/// A value, and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Sourced<T> {
    /// The value that counts.
    pub value: T,
    /// The last layer that has one.
    pub source: ValueSource,
}

/// The values of one layer; `None` where it says nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layer {
    /// When the exam is to start.
    pub starts_at: Option<Moment>,
    /// The hard end.
    pub ends_at: Option<Moment>,
    /// How much of the usual time.
    pub factor: Option<Factor>,
    /// Minutes on top of it.
    pub extra_minutes: Option<u32>,
}

/// Everything from which a candidate's terms follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TermLayers {
    /// When time begins to count.
    pub start: StartRule,
    /// What latecomers lose.
    pub late: LateRule,
    /// The minutes of the template.
    pub minutes: u32,
    /// When the sitting is to start.
    pub starts_at: Moment,
    /// The sitting's hard end.
    pub ends_at: Option<Moment>,
    /// When the sitting has begun, if that is stored.
    pub begun_at: Option<Moment>,
    /// The candidate's hall.
    pub hall: Layer,
    /// When the hall has begun on its own, if it has.
    pub hall_begun_at: Option<Moment>,
    /// What the candidate needs in every exam: a factor and extra minutes.
    pub accommodation: Layer,
    /// The candidate's own entry.
    pub candidate: Layer,
}

/// The time that proctors have given someone during the exam.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GrantedTime {
    /// Minutes added, less those that were taken.
    pub extended_minutes: i32,
    /// The length of the pauses that have ended.
    pub paused_milliseconds: i64,
}

/// The values that hold for one candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CandidateTerms {
    /// When time begins to count.
    pub start: StartRule,
    /// What latecomers lose.
    pub late: LateRule,
    /// When the exam is to start for them.
    pub starts_at: Sourced<Moment>,
    /// From when time counts, which may lie ahead; `None` while they wait for a proctor.
    pub begins_at: Option<Sourced<Moment>>,
    /// The minutes of the test.
    pub minutes: Sourced<u32>,
    /// How much of them.
    pub factor: Sourced<Factor>,
    /// Minutes on top.
    pub extra_minutes: Sourced<u32>,
    /// The end after which nobody writes, before it is moved by [`Self::hard_end`].
    pub ends_at: Option<Sourced<Moment>>,
}

impl CandidateTerms {
    /// The value of the last layer that has one: sitting, hall, accommodation, candidate.
    #[must_use]
    pub fn of(layers: &TermLayers) -> Self {
        let TermLayers { hall, accommodation, candidate, .. } = layers;
        let sitting = Layer {
            starts_at: Some(layers.starts_at),
            ends_at: layers.ends_at,
            factor: Some(Factor::USUAL),
            extra_minutes: Some(0),
        };
        let sitting_or = |value| Sourced { value, source: ValueSource::Sitting };
        let all = [
            (ValueSource::Sitting, &sitting),
            (ValueSource::Room, hall),
            (ValueSource::Accommodation, accommodation),
            (ValueSource::Candidate, candidate),
        ];
        Self {
            start: layers.start,
            late: layers.late,
            starts_at: last(&all, |layer| layer.starts_at).unwrap_or(sitting_or(layers.starts_at)),
            begins_at: begins_at(layers),
            minutes: Sourced { value: layers.minutes, source: ValueSource::Template },
            factor: last(&all, |layer| layer.factor)
                .unwrap_or(Sourced { value: Factor::USUAL, source: ValueSource::Sitting }),
            extra_minutes: last(&all, |layer| layer.extra_minutes)
                .unwrap_or(Sourced { value: 0, source: ValueSource::Sitting }),
            ends_at: last(&all, |layer| layer.ends_at),
        }
    }

    /// Returns whether time counts for this candidate.
    #[must_use]
    pub fn has_begun(&self, now: Moment) -> bool {
        self.begins_at.is_some_and(|begins_at| begins_at.value <= now)
    }

    /// What their time counts from: `None` while that is open, because they wait for a proctor or have yet to enter.
    #[must_use]
    pub fn base(&self, entered_at: Option<Moment>) -> Option<Moment> {
        let begins_at = self.begins_at?.value;
        match (self.start, self.late) {
            (StartRule::Clock | StartRule::Proctor, LateRule::Cut) => Some(begins_at),
            // Never before the beginning: a candidate who enters early waits for it like everyone else.
            (StartRule::Own, _) | (_, LateRule::Full) => entered_at.map(|entered_at| entered_at.max(begins_at)),
        }
    }

    /// The time that the candidate has, in milliseconds, without what proctors give them.
    #[must_use]
    pub fn allowance_milliseconds(&self) -> i64 {
        portion(self.minutes.value, self.factor.value.percent()) + minutes(self.extra_minutes.value)
    }

    /// The end after which they do not write. That of the sitting, or of the hall, leaves room for the time that the
    /// candidate has beyond the usual; their own is as it was set.
    #[must_use]
    pub fn hard_end(&self, granted: GrantedTime) -> Option<Moment> {
        self.ends_at.map(|Sourced { value, source }| match source {
            ValueSource::Candidate => value,
            _ => {
                let beyond = self.factor.value.percent() - Factor::USUAL.percent();
                value.plus(
                    portion(self.minutes.value, beyond) + minutes(self.extra_minutes.value) + granted.milliseconds(),
                )
            }
        })
    }

    /// When the candidate's time is up; `None` while [`Self::base`] is.
    #[must_use]
    pub fn deadline(&self, entered_at: Option<Moment>, granted: GrantedTime) -> Option<Moment> {
        let full = self.base(entered_at)?.plus(self.allowance_milliseconds() + granted.milliseconds());
        Some(self.hard_end(granted).map_or(full, |hard_end| full.min(hard_end)))
    }

    /// Returns whether the time of someone who enters now is up already, with what everyone in their hall was given.
    #[must_use]
    pub fn is_up_on_entry(&self, hall: &HallTime, now: Moment) -> bool {
        let granted = hall.granted(self.base(Some(now)), now);
        self.deadline(Some(now), granted).is_some_and(|deadline| deadline <= now)
    }

    /// Returns whether someone has the same beginning, the same time and the same end by these terms as by others.
    #[must_use]
    pub fn has_same_times(&self, other: &Self) -> bool {
        let times = |terms: &Self| {
            let begins_at = terms.begins_at.map(|begins_at| begins_at.value);
            let end = terms.ends_at.map(|end| (end.value, end.source == ValueSource::Candidate));
            (begins_at, terms.factor.value, terms.extra_minutes.value, end)
        };
        times(self) == times(other)
    }

    /// The times of the attempt of a candidate who entered then. While they wait for a proctor, it begins at
    /// [`Moment::LAST`].
    #[must_use]
    pub fn times(&self, entered_at: Moment) -> AttemptTimes {
        let begins_at = self.base(Some(entered_at)).unwrap_or(Moment::LAST);
        let own_end = self.ends_at.filter(|end| end.source == ValueSource::Candidate).map(|end| end.value);
        // What proctors give moves the shared end as much as the deadline, so that end is a matter of the given time.
        let shared_end = if own_end.is_some() { None } else { self.hard_end(GrantedTime::default()) };
        let before_end = shared_end.filter(|_| begins_at < Moment::LAST).map(|end| end.since(begins_at));
        AttemptTimes {
            begins_at,
            given_milliseconds: before_end
                .map_or(self.allowance_milliseconds(), |before| before.min(self.allowance_milliseconds())),
            hard_end: own_end,
            paused_at: None,
            paused_milliseconds: 0,
            extended_minutes: 0,
        }
    }
}

/// From when time counts. A candidate's own start is kept by the clock, whatever the sitting waits for; so is that of a
/// hall, unless the sitting waits for a proctor.
fn begins_at(layers: &TermLayers) -> Option<Sourced<Moment>> {
    let is_by_clock = layers.start != StartRule::Proctor;
    let candidates = [
        (layers.candidate.starts_at, ValueSource::Candidate),
        (layers.hall_begun_at, ValueSource::Room),
        (layers.hall.starts_at.filter(|_| is_by_clock), ValueSource::Room),
        (layers.begun_at, ValueSource::Sitting),
        (Some(layers.starts_at).filter(|_| is_by_clock), ValueSource::Sitting),
    ];
    candidates.into_iter().find_map(|(value, source)| value.map(|value| Sourced { value, source }))
}

fn last<T>(layers: &[(ValueSource, &Layer)], of: impl Fn(&Layer) -> Option<T>) -> Option<Sourced<T>> {
    layers.iter().rev().find_map(|(source, layer)| of(layer).map(|value| Sourced { value, source: *source }))
}

fn portion(of_minutes: u32, percent: u32) -> i64 {
    i64::from(of_minutes) * PERCENT_OF_MINUTE_MILLISECONDS * i64::from(percent)
}

fn minutes(count: u32) -> i64 {
    i64::from(count) * MINUTE_MILLISECONDS
}

impl GrantedTime {
    /// All of it.
    #[must_use]
    pub fn milliseconds(self) -> i64 {
        (i64::from(self.extended_minutes) * MINUTE_MILLISECONDS).saturating_add(self.paused_milliseconds)
    }
}

#[cfg(test)]
mod tests;
