//! The effects of a change of times on those who have entered: whose ends it moves, and whose not.

use domain::order::standing::{UNCHANGED_NAMED_MAX, Unchanged, UnchangedSession};
use domain::sitting::Sitting;
use domain::sitting::candidate::Candidate;
use domain::sitting::terms::{CandidateTerms, GrantedTime, Layer, ValueSource};
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;

use super::standing::granted;
use crate::database::Transaction;
use crate::error::Error;
use crate::store::candidates::{self, AttemptStanding};

/// What a change of times did to those who have entered and whom it concerns.
#[derive(Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EndsMoved {
    /// How many have another end now.
    count: u64,
    /// How many have the end that they had.
    unchanged_count: u64,
    /// The first hundred of them by name, with the reason.
    unchanged: Vec<UnchangedSession>,
}

impl EndsMoved {
    /// Of a changed plan; `None` if it leaves all times as they were.
    pub async fn of_plan(
        transaction: &Transaction,
        before: &Sitting,
        after: &Sitting,
        minutes: u32,
        now: Moment,
    ) -> Result<Option<Self>, Error> {
        let times = |sitting: &Sitting, hall| sitting.layers(hall, Layer::default(), Layer::default(), minutes);
        let is_concerned = |hall| times(before, hall) != times(after, hall);
        let halls = after.halls.iter().map(|hall| Some(hall.id));
        if !halls.chain([None]).any(is_concerned) {
            return Ok(None);
        }
        let standings = candidates::load_standings(transaction, after.id).await?;
        let mut moved = Self::default();
        for candidate in candidates::by_name(candidates::load_of(transaction, after.id).await?) {
            if is_concerned(candidate.hall_id) {
                let terms = [before, after].map(|sitting| sitting.terms(&candidate, minutes));
                let standing = standings.get(&candidate.id);
                moved.add(&candidate, &terms, standing, granted(after, &candidate, standing, now));
            }
        }
        Ok(Some(moved))
    }

    /// Of a changed candidate; `None` if the change leaves their times as they were, or they have not entered.
    #[must_use]
    pub fn of_candidate(
        sitting: &Sitting,
        before: &Candidate,
        after: &Candidate,
        standing: Option<&AttemptStanding>,
        minutes: u32,
        now: Moment,
    ) -> Option<Self> {
        let is_concerned = before.own != after.own || before.accommodated() != after.accommodated();
        if !is_concerned || !after.has_entered() {
            return None;
        }
        let mut moved = Self::default();
        let terms = [before, after].map(|candidate| sitting.terms(candidate, minutes));
        moved.add(after, &terms, standing, granted(sitting, after, standing, now));
        Some(moved)
    }

    /// Counts a candidate with their terms before and after the change.
    fn add(
        &mut self,
        candidate: &Candidate,
        terms: &[CandidateTerms; 2],
        standing: Option<&AttemptStanding>,
        given: GrantedTime,
    ) {
        let Some(session_id) = candidate.session_id else { return };
        let has_ended = standing.is_some_and(|standing| standing.has_ended);
        let Some(reason) = unmoved(terms, candidate.entered_at, given, has_ended) else {
            self.count += 1;
            return;
        };
        self.unchanged_count += 1;
        if self.unchanged.len() < UNCHANGED_NAMED_MAX {
            self.unchanged.push(UnchangedSession { session_id, student: candidate.name.clone(), reason });
        }
    }
}

/// Why the end of a candidate is where it was; `None` if it has moved.
fn unmoved(
    [before, after]: &[CandidateTerms; 2],
    entered_at: Option<Moment>,
    given: GrantedTime,
    has_ended: bool,
) -> Option<Unchanged> {
    if has_ended {
        return Some(Unchanged::AlreadySubmitted);
    }
    let end = after.deadline(entered_at, given);
    // While they wait for a proctor nobody has an end yet, but it will be another one.
    let is_moved = if end.is_none() { before != after } else { before.deadline(entered_at, given) != end };
    let is_own = after.ends_at.is_some_and(|own| own.source == ValueSource::Candidate && Some(own.value) == end);
    if is_moved {
        None
    } else if is_own {
        Some(Unchanged::OwnEnd)
    } else if before == after {
        Some(Unchanged::OwnTime)
    } else {
        Some(Unchanged::EndsBefore)
    }
}
