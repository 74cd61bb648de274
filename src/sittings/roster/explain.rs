//! `GET …/candidates/{candidateId}/explain`: what holds for a candidate, and where it comes from.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, get};
use domain::sitting::terms::{CandidateTerms, GrantedTime, Sourced, ValueSource};
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::auth::caller::Manager;
use crate::auth::refusals::ManagerRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::sittings::Sittings;
use crate::sittings::standing::granted;
use crate::store::candidates::load_standings_of;

/// A moment, and where it comes from.
#[derive(Serialize, ToSchema)]
struct ExplainedMoment {
    #[schema(value_type = String, format = DateTime)]
    value: Moment,
    source: ValueSource,
}

/// A number, and where it comes from.
#[derive(Serialize, ToSchema)]
struct ExplainedNumber {
    value: u32,
    source: ValueSource,
}

/// `{ explain }`.
#[derive(Serialize, ToSchema)]
struct Explanation {
    explain: ExplainedTerms,
}

/// Each value that holds for a candidate.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ExplainedTerms {
    candidate_id: Uuid,
    /// When the exam is to start for them.
    start: ExplainedMoment,
    /// From when time counts; null while they wait for a proctor.
    #[schema(required)]
    begin: Option<ExplainedMoment>,
    /// Of the template.
    minutes: ExplainedNumber,
    /// In percent.
    factor: ExplainedNumber,
    /// Minutes on top.
    extra: ExplainedNumber,
    /// The hard end, before it is moved by extra time.
    #[schema(required)]
    end: Option<ExplainedMoment>,
    /// Minutes that proctors have added.
    extended_minutes: i32,
    /// The length of the pauses, that of one that lasts until now.
    paused_milliseconds: i64,
    /// When they entered.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    entered_at: Option<Moment>,
    /// What their time counts from: null while they wait for a proctor, or have yet to enter.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    base: Option<Moment>,
    /// When their time is up, and what sets it: the start, or the hard end; null while `base` is.
    #[schema(required)]
    deadline: Option<ExplainedMoment>,
}

impl ExplainedTerms {
    fn of(candidate_id: Uuid, terms: &CandidateTerms, entered_at: Option<Moment>, granted: GrantedTime) -> Self {
        let deadline = terms.deadline(entered_at, granted);
        let by_end = terms.ends_at.filter(|_| deadline.is_some() && deadline == terms.hard_end(granted));
        let source = by_end.or(terms.begins_at).map(|found| found.source);
        Self {
            candidate_id,
            start: moment(terms.starts_at),
            begin: terms.begins_at.map(moment),
            minutes: ExplainedNumber { value: terms.minutes.value, source: terms.minutes.source },
            factor: ExplainedNumber { value: terms.factor.value.percent(), source: terms.factor.source },
            extra: ExplainedNumber { value: terms.extra_minutes.value, source: terms.extra_minutes.source },
            end: terms.ends_at.map(moment),
            extended_minutes: granted.extended_minutes,
            paused_milliseconds: granted.paused_milliseconds,
            entered_at,
            base: terms.base(entered_at),
            deadline: deadline.zip(source).map(|(value, source)| ExplainedMoment { value, source }),
        }
    }
}

fn moment(found: Sourced<Moment>) -> ExplainedMoment {
    ExplainedMoment { value: found.value, source: found.source }
}

/// What holds for a candidate: each value, and which layer it comes from.
#[utoipa::path(
    operation_id = "explainCandidate",
    tag = "sittings",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Sitting id"),
        ("candidateId" = String, Path, description = "Candidate id"),
    ),
    responses(
        (status = 200, description = "The values", body = Explanation),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[get("/api/admin/sittings/{id}/candidates/{candidateId}/explain")]
pub async fn explain(
    asked: After<Manager, Path<(String, String)>>,
    service: Data<Sittings>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), path) = asked;
    let (id, candidate_id) = path.into_inner();
    let managed = service.managed(&caller, &id).await?;
    let candidate = service.candidate(&managed.sitting, &candidate_id).await?;
    let standings = load_standings_of(&service.database.read, candidate.session_id.into_iter()).await?;
    let terms = managed.sitting.terms(&candidate, managed.template.duration_minutes);
    let granted = granted(&managed.sitting, &candidate, standings.get(&candidate.id), service.clock.now());
    let terms = ExplainedTerms::of(candidate.id, &terms, candidate.entered_at, granted);
    Ok(HttpResponse::Ok().json(Explanation { explain: terms }))
}
