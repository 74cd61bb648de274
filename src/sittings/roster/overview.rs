//! An overview of a sitting from its roster: how many candidates are in each state and in each hall, and how far the
//! sitting has come.

use std::collections::HashMap;

use domain::sitting::candidate::{Candidate, CandidateFacts, CandidateState};
use domain::sitting::terms::{CandidateTerms, Layer};
use domain::sitting::values::Factor;
use domain::sitting::{CandidateCounts, RosterOutlook, Sitting, SittingState};
use domain::time::moment::Moment;
use uuid::Uuid;

use crate::store::candidates::{AttemptStanding, CandidateGroup};

/// What the roster of a sitting says of it.
#[derive(Debug)]
pub struct Overview {
    pub state: SittingState,
    pub counts: CandidateCounts,
    /// Of each hall that has candidates.
    pub by_hall: HashMap<Uuid, u64>,
    pub outlook: RosterOutlook,
}

impl Overview {
    /// Puts the groups of one sitting together.
    #[must_use]
    pub fn of(sitting: &Sitting, minutes: u32, groups: &[CandidateGroup], now: Moment) -> Self {
        let own: Vec<&CandidateGroup> = groups.iter().filter(|group| group.sitting_id == sitting.id).collect();
        let mut outlook = RosterOutlook::default();
        let mut by_hall = HashMap::new();
        let hall_factors = sitting.halls.iter().filter_map(|hall| hall.plan.factor);
        outlook.factor_max = hall_factors.max();
        outlook.extra_minutes_max = sitting.halls.iter().filter_map(|hall| hall.plan.extra_minutes).max().unwrap_or(0);
        for group in &own {
            let count = u64::try_from(group.count).unwrap_or(0);
            if let Some(hall) = group.room_id {
                *by_hall.entry(hall).or_default() += count;
            }
            if group.has_entered == 1 && group.has_ended == 0 {
                outlook.at_work += count;
            }
            let factor = group.factor_max.and_then(|percent| Factor::new(percent.into()));
            outlook.factor_max = outlook.factor_max.max(factor);
            let extra = group.extra_minutes_max.and_then(|minutes| u32::try_from(minutes).ok()).unwrap_or(0);
            outlook.extra_minutes_max = outlook.extra_minutes_max.max(extra);
            let start = group.starts_at_ms.map(Moment::from_milliseconds);
            outlook.first_own_start = outlook.first_own_start.into_iter().chain(start).min();
            outlook.last_own_start = outlook.last_own_start.max(start);
            outlook.last_own_end = outlook.last_own_end.max(group.ends_at_ms_max.map(Moment::from_milliseconds));
        }
        let state = sitting.state(&outlook, minutes, now);
        let mut counts = CandidateCounts::default();
        for group in own {
            let facts = CandidateFacts {
                has_entered: group.has_entered == 1,
                is_ready: false,
                has_begun: group_terms(sitting, group).has_begun(now),
                is_paused: group.is_paused == 1,
                has_submitted: group.has_ended == 1,
                is_marked_absent: group.is_absent == 1,
                is_over: state == SittingState::Ended,
            };
            counts.add(facts.state(), u64::try_from(group.count).unwrap_or(0));
        }
        Self { state, counts, by_hall, outlook }
    }
}

/// Terms that all candidates of a group share, as far as their state depends on them.
fn group_terms(sitting: &Sitting, group: &CandidateGroup) -> CandidateTerms {
    let own = Layer { starts_at: group.starts_at_ms.map(Moment::from_milliseconds), ..Layer::default() };
    CandidateTerms::of(&sitting.layers(group.room_id, Layer::default(), own, 0))
}

/// How far one candidate has come. Whether the paper is at hand is known only where their socket is.
#[must_use]
pub fn candidate_state(
    candidate: &Candidate,
    standing: Option<&AttemptStanding>,
    terms: &CandidateTerms,
    sitting_state: SittingState,
    now: Moment,
) -> CandidateState {
    let standing = standing.copied().unwrap_or_default();
    CandidateFacts {
        has_entered: candidate.has_entered(),
        is_ready: false,
        has_begun: terms.has_begun(now),
        is_paused: standing.paused_at.is_some(),
        has_submitted: standing.has_ended,
        is_marked_absent: candidate.absent.is_some(),
        is_over: sitting_state == SittingState::Ended,
    }
    .state()
}
