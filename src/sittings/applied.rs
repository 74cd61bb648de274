//! Where a change of someone's accommodation would matter now: candidates have copies, so a later change asks which of
//! them it applies to (`docs/decisions/0043-accommodations-are-copied.md`).

use std::collections::{HashMap, HashSet};

use domain::sitting::accommodation::Accommodation;
use domain::sitting::candidate::Candidate;
use domain::sitting::{Sitting, candidate::CandidateState};
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::Error;

/// Which of the candidates whom a change concerns get it.
#[derive(Debug, PartialEq, Eq)]
pub enum ApplyTo {
    Nobody,
    Everybody,
    Those(HashSet<Uuid>),
}

impl ApplyTo {
    /// Reads `apply`: nothing, `all`, or candidates' ids with commas between them.
    pub fn parse(text: Option<&str>) -> Result<Self, Error> {
        match text.unwrap_or_default() {
            "" => Ok(Self::Nobody),
            "all" => Ok(Self::Everybody),
            ids => {
                let ids: Result<HashSet<Uuid>, _> = ids.split(',').map(|id| id.trim().parse()).collect();
                ids.map(Self::Those).map_err(|_| Error::invalid("apply"))
            }
        }
    }

    #[must_use]
    pub fn has(&self, candidate: Uuid) -> bool {
        match self {
            Self::Nobody => false,
            Self::Everybody => true,
            Self::Those(ids) => ids.contains(&candidate),
        }
    }
}

/// A candidate whose copy differs from the register.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConcernedCandidate {
    pub sitting_id: Uuid,
    /// The name of the sitting.
    pub sitting: String,
    pub candidate_id: Uuid,
    /// Their name.
    pub name: String,
    pub state: CandidateState,
    pub before: CopiedValues,
    pub after: CopiedValues,
    /// Whether the change has been applied to them.
    pub applied: bool,
}

/// What holds for a candidate with one or the other accommodation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CopiedValues {
    /// In percent.
    pub factor: u32,
    pub extra_minutes: u32,
    /// When their time is up; null while it is not known from when it counts.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub deadline: Option<Moment>,
}

/// The candidate with the values of an accommodation, or of none, if that changes their copy.
#[must_use]
pub fn with_accommodation(
    sitting: &Sitting,
    candidate: &Candidate,
    accommodations: &HashMap<String, Accommodation>,
) -> Option<Candidate> {
    let accommodation = candidate.person.email.as_ref().and_then(|email| accommodations.get(email));
    let layer = accommodation.map(|one| one.layer(sitting.plan.starts_at)).unwrap_or_default();
    let mut changed = candidate.clone();
    changed.accommodate(layer);
    (changed.accommodated() != candidate.accommodated()).then_some(changed)
}
