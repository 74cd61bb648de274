//! Sittings, halls and candidates in the form for those who manage them.

use std::collections::HashMap;

use domain::form::FormLetter;
use domain::mark::MarkScale;
use domain::sitting::candidate::{Candidate, CandidateState};
use domain::sitting::part::{FormBy, form_of};
use domain::sitting::values::{LateRule, StartRule};
use domain::sitting::{CandidateCounts, Hall, Sitting, SittingState};
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::ManagedSitting;
use super::effects::EndsMoved;
use super::roster::overview::{Overview, candidate_state};
use super::roster::undo::LastImport;
use super::standing::granted;
use crate::store::candidates::AttemptStanding;
use crate::store::clashes::Clashes;
use crate::store::templates::TemplateHeader;

/// `{ sitting }`.
#[derive(Serialize, ToSchema)]
pub struct OneSitting {
    pub sitting: SittingView,
    /// Of a change of times: what it did to those who have entered; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub ends: Option<EndsMoved>,
}

/// `{ sittings }`: those that come next first, then those that have ended, the last one first.
#[derive(Serialize, ToSchema)]
pub struct SittingList {
    pub sittings: Vec<SittingView>,
}

/// A sitting with its state and its counts.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Sitting)]
pub struct SittingView {
    pub id: Uuid,
    pub name: String,
    template_id: Uuid,
    /// The name of the template.
    template: String,
    /// The minutes of the template.
    minutes: u32,
    /// In how many forms the template is sat; absent for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 2, maximum = 8, nullable = false)]
    forms: Option<u8>,
    /// How many questions of the paper are marked as practice, so that anyone could read them with their keys before
    /// the sitting named the template; absent for none, after the release, and in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, nullable = false)]
    practice_questions: Option<usize>,
    /// How many candidates have sat the template by its link before, with their accounts, so that they have seen its
    /// questions; absent for none, as soon as time counts, and in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, nullable = false)]
    sat_by_link: Option<u64>,
    /// How many tests of this paper have ended in other sittings whose candidates may see their results, so that it is
    /// known; absent for none, after the beginning, and in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, nullable = false)]
    known_from: Option<u64>,
    /// Who of the roster is on that of another sitting at the same time; absent for nobody, after the beginning, and in
    /// lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    elsewhere: Option<ElsewhereView>,
    #[schema(value_type = String, format = DateTime)]
    pub starts_at: Moment,
    start: StartRule,
    per_room: bool,
    #[schema(value_type = String, format = DateTime)]
    doors_at: Moment,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    entry_until: Option<Moment>,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    ends_at: Option<Moment>,
    late: LateRule,
    /// `now`, `held` or a time.
    results: String,
    /// Part of the address of its page: `/s/{code}`.
    #[schema(example = "K7PQ2")]
    code: String,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    opened_at: Option<Moment>,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    begun_at: Option<Moment>,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    released_at: Option<Moment>,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    ended_at: Option<Moment>,
    #[schema(required)]
    event_id: Option<i64>,
    /// Whether the calendar has that event, and it is kept up to date.
    publish: bool,
    #[schema(required)]
    webhook_url: Option<String>,
    /// The scale by which results are marked; null for no marks.
    #[schema(required)]
    mark_scale: Option<MarkScale>,
    pub state: SittingState,
    /// Whether candidates may see their results.
    released: bool,
    pub counts: CandidateCounts,
    rooms: Vec<RoomView>,
    /// Send it as `If-Match` with a change.
    pub version: i64,
    /// What orders for the whole sitting have given everyone by now, in milliseconds: minutes and pauses.
    granted_ms: i64,
    created_by: String,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
}

/// Candidates who are in another sitting at the same time.
#[derive(Serialize, ToSchema)]
#[schema(as = CandidatesElsewhere)]
struct ElsewhereView {
    /// How many.
    #[schema(minimum = 1)]
    candidates: u64,
    /// The other sittings that the caller manages, by their starts.
    sittings: Vec<ElsewhereSitting>,
}

/// A sitting in which candidates are at the same time.
#[derive(Serialize, ToSchema)]
struct ElsewhereSitting {
    id: Uuid,
    name: String,
}

/// A hall of a sitting.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SittingRoom)]
struct RoomView {
    id: Uuid,
    name: String,
    code: String,
    /// E-mail addresses.
    proctors: Vec<String>,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    starts_at: Option<Moment>,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    ends_at: Option<Moment>,
    #[schema(required)]
    factor: Option<u32>,
    #[schema(required)]
    extra_minutes: Option<u32>,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    begun_at: Option<Moment>,
    /// How many candidates sit there.
    candidates: u64,
    /// What orders for the room and for the whole sitting have given everyone there by now, in milliseconds.
    granted_ms: i64,
}

impl SittingView {
    #[must_use]
    pub fn of(sitting: &Sitting, template: &TemplateHeader, overview: &Overview, now: Moment) -> Self {
        let plan = &sitting.plan;
        Self {
            id: sitting.id,
            name: plan.name.clone(),
            template_id: sitting.template_id,
            template: template.name.clone(),
            minutes: template.duration_minutes,
            forms: Some(template.forms).filter(|forms| *forms > 1),
            practice_questions: None,
            sat_by_link: None,
            known_from: None,
            elsewhere: None,
            starts_at: plan.starts_at,
            start: plan.start,
            per_room: plan.per_hall,
            doors_at: plan.doors_at(),
            entry_until: plan.entry_until,
            ends_at: plan.ends_at,
            late: plan.late,
            results: plan.results.text(),
            code: sitting.code.as_str().to_owned(),
            opened_at: sitting.opened_at,
            begun_at: sitting.begun_at,
            released_at: sitting.released_at,
            ended_at: sitting.ended_at,
            event_id: sitting.event_id.filter(|_| plan.publish),
            publish: plan.publish,
            webhook_url: plan.webhook_url.clone(),
            mark_scale: plan.mark_scale.clone(),
            state: overview.state,
            released: sitting.is_released(),
            counts: overview.counts,
            rooms: sitting.halls.iter().map(|hall| RoomView::of(sitting, hall, &overview.by_hall, now)).collect(),
            version: sitting.version,
            granted_ms: sitting.granted_in(None, now).milliseconds(),
            created_by: sitting.created_by.clone(),
            created_at: sitting.created_at,
        }
    }

    /// The same with the count of questions of the paper that are marked as practice.
    #[must_use]
    pub fn with_practice(self, questions: usize) -> Self {
        Self { practice_questions: Some(questions).filter(|questions| *questions > 0), ..self }
    }

    /// The same with the count of candidates who have sat the template by its link.
    #[must_use]
    pub fn with_sat_by_link(self, candidates: u64) -> Self {
        Self { sat_by_link: Some(candidates).filter(|candidates| *candidates > 0), ..self }
    }

    /// The same with those who are elsewhere at its time.
    #[must_use]
    pub fn with_clashes(self, clashes: Clashes) -> Self {
        let Clashes { candidates, sittings } = clashes;
        let sittings = sittings.into_iter().map(|one| ElsewhereSitting { id: one.id, name: one.name }).collect();
        Self { elsewhere: (candidates > 0).then_some(ElsewhereView { candidates, sittings }), ..self }
    }

    /// The same with the count of tests that tell of the paper.
    #[must_use]
    pub fn with_known_from(self, tests: u64) -> Self {
        Self { known_from: Some(tests).filter(|tests| *tests > 0), ..self }
    }
}

impl RoomView {
    fn of(sitting: &Sitting, hall: &Hall, counts: &HashMap<Uuid, u64>, now: Moment) -> Self {
        let plan = &hall.plan;
        Self {
            id: hall.id,
            name: plan.name.clone(),
            code: hall.code.as_str().to_owned(),
            proctors: plan.proctors.clone(),
            starts_at: plan.starts_at,
            ends_at: plan.ends_at,
            factor: plan.factor.map(|factor| factor.percent()),
            extra_minutes: plan.extra_minutes,
            begun_at: hall.begun_at,
            candidates: counts.get(&hall.id).copied().unwrap_or(0),
            granted_ms: sitting.granted_in(Some(hall.id), now).milliseconds(),
        }
    }
}

/// `{ candidate }`.
#[derive(Serialize, ToSchema)]
pub struct OneCandidate {
    pub candidate: CandidateView,
    /// Of a change of times: what it did to the candidate who has entered; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub ends: Option<EndsMoved>,
    /// Whether the candidate has become somebody else by the change, and so is nobody of a learning platform any more;
    /// absent otherwise.
    #[serde(rename = "letGo", skip_serializing_if = "std::ops::Not::not")]
    pub let_go: bool,
}

/// `{ candidates }`, by name.
#[derive(Serialize, ToSchema)]
#[schema(as = SittingCandidates)]
pub struct CandidateList {
    pub candidates: Vec<CandidateView>,
    /// The last import of the roster, as long as it can be undone: until somebody has entered. Absent otherwise.
    #[serde(rename = "lastImport", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub last_import: Option<LastImport>,
}

/// A candidate of a sitting.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SittingCandidate)]
pub struct CandidateView {
    pub id: Uuid,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub external_id: Option<String>,
    pub name: String,
    /// The name of the hall.
    #[schema(required)]
    pub room: Option<String>,
    #[schema(required)]
    pub seat: Option<String>,
    /// The form that they sit, or that their seat gives them when they enter, `A` to `H`; absent for a template without
    /// forms, and for who has not entered when the sitting is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false, example = "B")]
    pub form: Option<FormLetter>,
    /// What the form comes from; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub form_by: Option<FormBy>,
    /// The one that holds, whether it is their own or comes from elsewhere.
    pub factor: u32,
    /// Those that hold.
    pub extra_minutes: u32,
    /// Their own start, if they have one.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub starts_at: Option<Moment>,
    /// Their own hard end, if they have one.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub ends_at: Option<Moment>,
    /// For proctors.
    #[schema(required)]
    pub note: Option<String>,
    pub state: CandidateState,
    #[schema(required)]
    pub session_id: Option<Uuid>,
    /// Whether they have an access code.
    pub has_access_code: bool,
    /// What orders have given them by now, in milliseconds: minutes and pauses, for them alone and for everyone.
    pub granted_ms: i64,
}

impl CandidateView {
    #[must_use]
    pub fn of(
        candidate: Candidate,
        ManagedSitting { sitting, template }: &ManagedSitting,
        standing: Option<&AttemptStanding>,
        sitting_state: SittingState,
        now: Moment,
    ) -> Self {
        let given = standing.and_then(|standing| standing.form);
        let is_over = sitting_state == SittingState::Ended;
        let (form, form_by) = form_of(&candidate, given, template.forms.into(), is_over).unzip();
        let terms = sitting.terms(&candidate, 0);
        let granted_ms = granted(sitting, &candidate, standing, now).milliseconds();
        let state = candidate_state(&candidate, standing, &terms, sitting_state, now);
        Self {
            id: candidate.id,
            email: candidate.person.email,
            external_id: candidate.person.external_id,
            name: candidate.name,
            room: sitting.hall(candidate.hall_id).map(|hall| hall.plan.name.clone()),
            seat: candidate.seat,
            form,
            form_by,
            factor: terms.factor.value.percent(),
            extra_minutes: terms.extra_minutes.value,
            starts_at: candidate.own.starts_at,
            ends_at: candidate.own.ends_at,
            note: candidate.note,
            state,
            session_id: candidate.session_id,
            has_access_code: candidate.has_access_code,
            granted_ms,
        }
    }
}
