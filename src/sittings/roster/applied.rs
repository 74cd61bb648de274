//! Finds the sittings in which a change of a person's accommodation would matter now. Candidates have copies, so a
//! later change has to say which of them it applies to (`docs/decisions/0043-accommodations-are-copied.md`).

use std::collections::{HashMap, HashSet};

use domain::sitting::accommodation::Accommodation;
use domain::sitting::candidate::{Candidate, CandidateState};
use domain::sitting::{Sitting, SittingState};
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::overview::candidate_state;
use crate::error::Error;
use crate::sittings::Sittings;
use crate::sittings::change::{ChangeTerms, Changed};
use crate::sittings::record::ManagedChange;
use crate::sittings::standing::granted;
use crate::store::candidates::AttemptStanding;
use crate::store::templates::load_headers;
use crate::store::{candidates, sittings};

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
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub deadline: Option<Moment>,
}

impl CopiedValues {
    fn of(
        sitting: &Sitting,
        candidate: &Candidate,
        minutes: u32,
        standing: Option<&AttemptStanding>,
        now: Moment,
    ) -> Self {
        let terms = sitting.terms(candidate, minutes);
        let granted = granted(sitting, candidate, standing, now);
        Self {
            factor: terms.factor.value.percent(),
            extra_minutes: terms.extra_minutes.value,
            deadline: terms.deadline(candidate.entered_at, granted),
        }
    }
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

impl Sittings {
    /// Finds the candidates of open sittings whose copies differ from what these people need now, and changes those who
    /// are to get it, sitting by sitting. A repeat finds what an interrupted request has left.
    pub(super) async fn apply(
        &self,
        emails: &[String],
        after: &HashMap<String, Accommodation>,
        apply: &ApplyTo,
        by: &str,
        is_dry_run: bool,
    ) -> Result<Vec<ConcernedCandidate>, Error> {
        let ids = candidates::find_lasting_sittings_of(&self.database, emails).await?;
        let lasting = sittings::load(&self.database, ids).await?;
        let templates = load_headers(&self.database, lasting.iter().map(|sitting| sitting.template_id)).await?;
        let concerned: HashSet<&String> = emails.iter().collect();
        let mut concerns = Vec::new();
        for sitting in lasting {
            let minutes = templates.get(&sitting.template_id).map_or(0, |template| template.duration_minutes);
            // Doors that are being opened may get copies of what was there before: the lock waits for them. Doors that
            // open later get what there is now. The change is meant for people, whatever versions their sittings have,
            // and passes over those that have ended.
            let terms = ChangeTerms::of_any_version().even_after_the_end().leaving_doors();
            let changing = self.change_if_there(by, sitting.id, terms, async |sitting, now| {
                if sitting.opened_at.is_none() || sitting.ended_at.is_some() {
                    return Ok(Changed::Nothing(Vec::new()));
                }
                let standings = candidates::load_standings(sitting.transaction(), sitting.id).await?;
                let mut roster = candidates::load_of(sitting.transaction(), sitting.id).await?;
                let is_concerned = |email: &String| concerned.contains(email);
                roster.retain(|one| one.person.email.as_ref().is_some_and(is_concerned));
                let (mut concerned, mut changed, mut changes) = (Vec::new(), Vec::new(), Vec::new());
                for before in candidates::by_name(roster) {
                    let standing = standings.get(&before.id);
                    let Some(candidate) = with_accommodation(sitting, &before, after) else { continue };
                    if standing.is_some_and(|standing| standing.has_ended) {
                        continue;
                    }
                    let applied = !is_dry_run && apply.has(candidate.id);
                    let values = |one| CopiedValues::of(sitting, one, minutes, standing, now);
                    let terms = sitting.terms(&before, minutes);
                    concerned.push(ConcernedCandidate {
                        sitting_id: sitting.id,
                        sitting: sitting.plan.name.clone(),
                        candidate_id: before.id,
                        name: before.name.clone(),
                        state: candidate_state(&before, standing, &terms, SittingState::Running, now),
                        before: values(&before),
                        after: values(&candidate),
                        applied,
                    });
                    if applied {
                        changes.extend(ManagedChange::of_candidate(sitting, "accommodation", &before, &candidate));
                        changed.push(candidate);
                    }
                }
                if changed.is_empty() {
                    return Ok(Changed::Nothing(concerned));
                }
                candidates::put(sitting, &changed).await?;
                Ok(Changed::Noted(concerned, changes))
            });
            concerns.extend(changing.await?.into_iter().flat_map(|(_, concerned)| concerned));
        }
        Ok(concerns)
    }
}
