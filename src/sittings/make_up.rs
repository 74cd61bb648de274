//! `POST /api/admin/sittings/{id}/make-up`: a second sitting for those who missed the first.

use std::collections::HashSet;

use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use domain::sitting::SittingState;
use domain::sitting::candidate::{Candidate, CandidateState};
use domain::sitting::plan::SittingPlan;
use domain::text::NAME_CHARACTERS_MAX;
use domain::time::moment::Moment;
use utoipa::ToSchema;
use uuid::Uuid;

use super::admin::answer;
use super::fields::SittingFields;
use super::later::{LaterRequest, fields_of};
use super::roster::overview::candidate_state;
use super::view::OneSitting;
use super::{ManagedSitting, Sittings};
use crate::auth::caller::Manager;
use crate::auth::refusals::ManagerRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::store::candidates;

/// The ending of the new sitting's name, unless the request names it.
const SUFFIX: &str = " (make-up)";
/// The answer when everybody has come and nobody is named.
const NOBODY_ABSENT: &str = "Sitting has no absent candidates";

/// What may differ from the first sitting. Every field of a new sitting may be given.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes a body that is read field by field, to name the field that is wrong")]
struct MakeUp {
    /// The ids of the candidates; those who were absent if it is left out.
    candidates: Option<Vec<Uuid>>,
    /// That of the first with ` (make-up)` if it is left out.
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    /// That of the first if it is left out.
    template_id: Option<Uuid>,
    /// If it is left out, the same time on the same day of the first week that lies ahead.
    #[schema(value_type = Option<String>, format = DateTime)]
    starts_at: Option<Moment>,
}

/// Makes a new draft with those who were absent (everybody, if it was called off), or with those who are named.
///
/// They keep their rooms, seats, notes and values of their own; all times are moved as the start is.
#[utoipa::path(
    operation_id = "createMakeUpSitting",
    tag = "sittings",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Sitting id")),
    request_body = Option<MakeUp>,
    responses(
        (status = 200, description = "The new sitting", body = OneSitting, headers(("ETag" = String))),
        (status = 400, description = "`Invalid <field>`; of a template that is gone `Invalid templateId`", body = ErrorBody),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`Sitting has no absent candidates`, or `Room has candidates` for `rooms` without one of theirs", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[post("/api/admin/sittings/{id}/make-up")]
pub async fn make_up(asked: LaterRequest, service: Data<Sittings>) -> Result<HttpResponse, Error> {
    let After(Manager(caller), After(id, body)) = asked;
    let first = service.managed(&caller, &id).await?;
    let fields = fields_of(&body)?;
    let named = fields.field("candidates").optional::<HashSet<Uuid>>()?;
    let missing = missing(&service, &first, named, service.clock.now()).await?;
    let asked = SittingFields::read(&fields)?;
    let of_first = first.sitting.plan.clone();
    // Nobody but those who missed the first need know of it, unless the request says so.
    let plan = SittingPlan { name: with_suffix(&of_first.name), publish: false, ..of_first };
    let second = service.plan_later(&caller, first, missing, plan, asked).await?;
    answer(&service, &caller, second).await
}

/// The candidates who are named, or those who were absent.
async fn missing(
    service: &Sittings,
    managed: &ManagedSitting,
    named: Option<HashSet<Uuid>>,
    now: Moment,
) -> Result<Vec<Candidate>, Error> {
    let sitting = &managed.sitting;
    let mut roster = candidates::load_of(&service.database.read, sitting.id).await?;
    if let Some(named) = named {
        roster.retain(|candidate| named.contains(&candidate.id));
        let is_known = !named.is_empty() && roster.len() == named.len();
        return if is_known { Ok(roster) } else { Err(Error::invalid("candidates")) };
    }
    let state = service.overview(managed, now).await?.state;
    roster.retain(|candidate| {
        let terms = sitting.terms(candidate, managed.template.duration_minutes);
        let standing = candidate_state(candidate, None, &terms, state, now);
        // Of one that was called off, those too who had entered.
        let has_waited = matches!(standing, CandidateState::Waiting | CandidateState::Ready);
        standing == CandidateState::Absent || state == SittingState::Ended && has_waited
    });
    if roster.is_empty() { Err(Error::Conflict(NOBODY_ABSENT)) } else { Ok(roster) }
}

fn with_suffix(name: &str) -> String {
    let kept = NAME_CHARACTERS_MAX.saturating_sub(SUFFIX.chars().count());
    let stem = name.strip_suffix(SUFFIX).unwrap_or(name);
    stem.chars().take(kept).chain(SUFFIX.chars()).collect()
}
