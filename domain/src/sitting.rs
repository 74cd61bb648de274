//! Sittings: an exam of one template for a list of people, at a set time, in halls with proctors.
//!
//! A hall is called `room` in JSON and in the database; in the code, a room is what proctors watch.

pub mod accommodation;
pub mod candidate;
pub mod class;
pub mod code;
pub mod entry;
pub mod list;
pub mod more_time;
pub mod order;
pub mod part;
pub mod plan;
pub mod roster;
pub mod seat;
pub mod terms;
pub mod values;

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::order::hall::{HallStanding, HallTime};
use crate::order::standing::PauseScope;
use crate::sight::OpenResults;
use crate::text::same::seen_in_any_case;
use crate::time::moment::Moment;
use crate::time::times::AttemptTimes;
use candidate::{Candidate, CandidateState};
use code::SittingCode;
use plan::{HallPlan, SittingPlan};
use terms::{CandidateTerms, Layer, TermLayers};
use values::{Factor, ResultsRule, StartRule};

/// How long before a beginning by the clock it can no longer be moved: servers check for changes each second, and then
/// begin by their own clocks.
pub const SETTLED_BEFORE_MILLISECONDS: i64 = 5_000;

/// An exam at a set time.
#[derive(Clone, Debug, PartialEq)]
pub struct Sitting {
    /// Identifier.
    pub id: Uuid,
    /// The test that everybody gets.
    pub template_id: Uuid,
    /// What its managers have asked for.
    pub plan: SittingPlan,
    /// Finds its page.
    pub code: SittingCode,
    /// Its halls, by name.
    pub halls: Vec<Hall>,
    /// The calendar's event about it.
    pub event_id: Option<i64>,
    /// When the doors were opened: from then on the candidates have copies of their accommodations.
    pub opened_at: Option<Moment>,
    /// Whether they were opened for someone who starts before the others, for whom they are still closed.
    pub opened_early: bool,
    /// When time began to count for all, if that is stored: at the latest when somebody says so.
    pub begun_at: Option<Moment>,
    /// When the results were released, by somebody or by the rule of the sitting.
    pub released_at: Option<Moment>,
    /// When it was over.
    pub ended_at: Option<Moment>,
    /// What proctors have ordered for everyone in it.
    pub standing: HallStanding,
    /// Raised by each change of the sitting or of its roster.
    pub version: i64,
    /// E-mail of the person who made it.
    pub created_by: String,
    /// When it was made.
    pub created_at: Moment,
}

/// The part of a sitting's candidates that sit together.
#[derive(Clone, Debug, PartialEq)]
pub struct Hall {
    /// Identifier.
    pub id: Uuid,
    /// Names the hall on its door.
    pub code: SittingCode,
    /// What its managers have asked for.
    pub plan: HallPlan,
    /// When time began to count for this hall alone, if a proctor has said so.
    pub begun_at: Option<Moment>,
    /// What proctors have ordered for everyone in it.
    pub standing: HallStanding,
}

/// How far a sitting has come. Whether its results are released is a separate fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SittingState {
    /// The doors have not opened yet.
    Draft,
    /// Candidates may enter, and nobody's time counts yet.
    Open,
    /// The time of some counts.
    Running,
    /// Everybody's time is up, or everybody has handed in.
    Ended,
}

impl SittingState {
    /// `draft`, `open`, `running` or `ended`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Open => "open",
            Self::Running => "running",
            Self::Ended => "ended",
        }
    }
}

/// What the candidates of a sitting contribute to its state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RosterOutlook {
    /// How many have entered and not handed in.
    pub at_work: u64,
    /// The largest factor on the roster or of a hall.
    pub factor_max: Option<Factor>,
    /// The most extra minutes.
    pub extra_minutes_max: u32,
    /// The earliest start of a candidate's own.
    pub first_own_start: Option<Moment>,
    /// The latest one.
    pub last_own_start: Option<Moment>,
    /// The latest end of a candidate's own.
    pub last_own_end: Option<Moment>,
}

/// How many candidates are in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct CandidateCounts {
    /// All on the roster.
    pub total: u64,
    /// Not entered yet.
    pub expected: u64,
    /// Entered, before their time counts.
    pub waiting: u64,
    /// Waiting, with the paper at hand.
    pub ready: u64,
    /// At work.
    pub active: u64,
    /// Stopped by a proctor for a while.
    pub paused: u64,
    /// Handed in.
    pub submitted: u64,
    /// Never entered.
    pub absent: u64,
}

impl CandidateCounts {
    /// Adds so many candidates of a state.
    pub fn add(&mut self, state: CandidateState, count: u64) {
        self.total += count;
        *match state {
            CandidateState::Expected => &mut self.expected,
            CandidateState::Waiting => &mut self.waiting,
            CandidateState::Ready => &mut self.ready,
            CandidateState::Active => &mut self.active,
            CandidateState::Paused => &mut self.paused,
            CandidateState::Submitted => &mut self.submitted,
            CandidateState::Absent => &mut self.absent,
        } += count;
    }
}

impl Sitting {
    /// The hall of that id.
    #[must_use]
    pub fn hall(&self, id: Option<Uuid>) -> Option<&Hall> {
        self.halls.iter().find(|hall| Some(hall.id) == id)
    }

    /// The hall of that name, however its letters are written.
    #[must_use]
    pub fn hall_named(&self, name: &str) -> Option<&Hall> {
        let name = seen_in_any_case(name);
        self.halls.iter().find(|hall| seen_in_any_case(&hall.plan.name) == name)
    }

    /// The terms of a candidate whose template gives so many minutes.
    #[must_use]
    pub fn terms(&self, candidate: &Candidate, minutes: u32) -> CandidateTerms {
        CandidateTerms::of(&self.layers(candidate.hall_id, candidate.accommodated(), candidate.own, minutes))
    }

    /// The terms of those in that hall who have no values of their own, without the minutes of the template.
    #[must_use]
    pub fn hall_terms(&self, hall_id: Option<Uuid>) -> CandidateTerms {
        CandidateTerms::of(&self.layers(hall_id, Layer::default(), Layer::default(), 0))
    }

    /// The times of the attempt of a candidate who has entered, with the pauses that their hall had before that; `None`
    /// for others.
    #[must_use]
    pub fn times(&self, candidate: &Candidate, minutes: u32) -> Option<AttemptTimes> {
        let entered_at = candidate.entered_at?;
        let times = self.terms(candidate, minutes).times(entered_at);
        let missed = self.hall_time(candidate.hall_id).ended_between(times.begins_at, entered_at);
        Some(AttemptTimes { paused_milliseconds: missed, ..times })
    }

    /// What was ordered for everyone, in that hall and in the whole sitting.
    #[must_use]
    pub fn hall_time(&self, hall_id: Option<Uuid>) -> HallTime {
        let of_hall = self.hall(hall_id).map(|hall| (PauseScope::Hall, &hall.standing));
        HallTime::of([(PauseScope::Sitting, &self.standing)].into_iter().chain(of_hall))
    }

    /// What was given to those whose time counts since that hall began, the present pause included.
    #[must_use]
    pub fn granted_in(&self, hall_id: Option<Uuid>, now: Moment) -> terms::GrantedTime {
        let begins_at = self.hall_terms(hall_id).begins_at.map(|begins_at| begins_at.value);
        self.hall_time(hall_id).granted(begins_at, now)
    }

    /// The standing of a hall, or of the sitting, to change it.
    pub fn standing_mut(&mut self, hall_id: Option<Uuid>) -> Option<&mut HallStanding> {
        match hall_id {
            None => Some(&mut self.standing),
            Some(id) => self.halls.iter_mut().find(|hall| hall.id == id).map(|hall| &mut hall.standing),
        }
    }

    /// The layers of a candidate in that hall.
    #[must_use]
    pub fn layers(&self, hall_id: Option<Uuid>, accommodation: Layer, candidate: Layer, minutes: u32) -> TermLayers {
        let hall = self.hall(hall_id);
        TermLayers {
            start: self.plan.start,
            late: self.plan.late,
            minutes,
            starts_at: self.plan.starts_at,
            ends_at: self.plan.ends_at,
            begun_at: self.begun_at,
            hall: hall.map(|hall| hall.plan.layer()).unwrap_or_default(),
            hall_begun_at: hall.and_then(|hall| hall.begun_at),
            accommodation,
            candidate,
        }
    }

    /// The factor and the extra minutes that a candidate has without own ones.
    #[must_use]
    pub fn inherited(&self, candidate: &Candidate) -> (Factor, u32) {
        let layers = self.layers(candidate.hall_id, candidate.accommodated(), Layer::default(), 0);
        let terms = CandidateTerms::of(&layers);
        (terms.factor.value, terms.extra_minutes.value)
    }

    /// From when time counts for those without times of their own; `None` while they wait for a proctor.
    #[must_use]
    pub fn begins_at(&self) -> Option<Moment> {
        self.begun_at.or(Some(self.plan.starts_at).filter(|_| self.plan.start != StartRule::Proctor))
    }

    /// Whether a proctor begins each hall for itself.
    #[must_use]
    pub fn begins_per_hall(&self) -> bool {
        self.plan.per_hall && self.plan.start == StartRule::Proctor
    }

    /// Whether time counts for those without times of their own.
    #[must_use]
    pub fn has_begun(&self, now: Moment) -> bool {
        self.begins_at().is_some_and(|begins_at| begins_at <= now)
    }

    /// Whether the doors have been opened, or are to be.
    #[must_use]
    pub fn is_open(&self, now: Moment) -> bool {
        self.opens_at() <= now || self.has_begun(now)
    }

    /// From when its doors are open.
    #[must_use]
    pub fn opens_at(&self) -> Moment {
        [self.opened_at, self.begun_at].into_iter().flatten().fold(self.plan.doors_at(), Ord::min)
    }

    /// How far its results are open.
    #[must_use]
    pub fn open_results(&self) -> OpenResults {
        OpenResults::of(self.plan.results, self.released_at)
    }

    /// Whether candidates may see their results.
    #[must_use]
    pub fn is_released(&self) -> bool {
        self.open_results().are_shown()
    }

    /// Whether the results are to be released by the sitting's own rule, as soon as nobody is at work.
    #[must_use]
    pub fn is_release_due(&self, now: Moment) -> bool {
        self.released_at.is_none() && matches!(self.plan.results, ResultsRule::At(moment) if moment <= now)
    }

    /// How far the sitting has come.
    #[must_use]
    pub fn state(&self, outlook: &RosterOutlook, minutes: u32, now: Moment) -> SittingState {
        if self.ended_at.is_some_and(|ended_at| ended_at <= now) {
            return SittingState::Ended;
        }
        let starts = self.starts(outlook);
        if !starts.iter().any(|start| *start <= now) {
            return if self.is_open(now) { SittingState::Open } else { SittingState::Draft };
        }
        let is_over = self.closes_at(outlook, minutes, now).is_some_and(|closes_at| closes_at < now);
        if is_over && outlook.at_work == 0 { SittingState::Ended } else { SittingState::Running }
    }

    /// From when anybody's time counts, as far as it is known.
    fn starts(&self, outlook: &RosterOutlook) -> Vec<Moment> {
        let of_hall = |hall: &Hall| self.hall_terms(Some(hall.id)).begins_at.map(|begins_at| begins_at.value);
        let halls = self.halls.iter().filter_map(of_hall);
        self.begins_at().into_iter().chain(halls).chain(outlook.first_own_start).chain(outlook.last_own_start).collect()
    }

    /// When nobody can be at work any more who came in time; `None` while that is open.
    fn closes_at(&self, outlook: &RosterOutlook, minutes: u32, now: Moment) -> Option<Moment> {
        // A hall that still waits for its proctor has no end yet, nor has the whole sitting.
        let is_set = self.begins_at().is_some()
            || !self.halls.is_empty() && self.halls.iter().all(|hall| hall.begun_at.is_some());
        let last_start = self.starts(outlook).into_iter().max().filter(|_| is_set);
        let most =
            Layer { factor: outlook.factor_max, extra_minutes: Some(outlook.extra_minutes_max), ..Layer::default() };
        let longest = CandidateTerms::of(&self.layers(None, most, Layer::default(), minutes));
        let granted = self.most_granted(now);
        let allowance = longest.allowance_milliseconds() + granted.milliseconds();
        let ends = self.halls.iter().filter_map(|hall| hall.plan.ends_at).chain(self.plan.ends_at).max();
        let hard_end = ends.and_then(|ends_at| {
            let moved = CandidateTerms {
                ends_at: longest.ends_at.map(|end| terms::Sourced { value: ends_at, ..end }),
                ..longest
            };
            moved.hard_end(granted).max(outlook.last_own_end)
        });
        let by_time = match self.plan.start {
            StartRule::Own => self.plan.entry_until,
            StartRule::Clock | StartRule::Proctor => {
                last_start.max(self.plan.entry_until.filter(|_| last_start.is_some()))
            }
        };
        let by_time = by_time.map(|last_entry| last_entry.plus(allowance));
        match (by_time, hard_end) {
            (Some(by_time), Some(hard_end)) => Some(by_time.min(hard_end)),
            (by_time, hard_end) => by_time.or(hard_end),
        }
    }

    /// The most that everyone in some hall was given, the present pause included.
    fn most_granted(&self, now: Moment) -> terms::GrantedTime {
        let halls = self.halls.iter().map(|hall| self.granted_in(Some(hall.id), now));
        halls.chain([self.granted_in(None, now)]).max_by_key(|granted| granted.milliseconds()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
