//! `POST /api/admin/sittings/{id}/again`: the same exam with the same people once more, such as next week.

use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use domain::time::moment::Moment;
use utoipa::ToSchema;
use uuid::Uuid;

use super::Sittings;
use super::admin::answer;
use super::fields::SittingFields;
use super::later::{LaterRequest, fields_of};
use super::view::OneSitting;
use crate::auth::caller::Manager;
use crate::auth::refusals::ManagerRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::fallback::NOT_FOUND;
use crate::store::{candidates, sittings};

/// What may differ from the first sitting. Every field of a new sitting may be given.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes a body that is read field by field, to name the field that is wrong")]
struct SittingAgain {
    /// That of the first if it is left out.
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    /// That of the first if it is left out.
    template_id: Option<Uuid>,
    /// If it is left out, the same time on the same day of the first week that lies ahead.
    #[schema(value_type = Option<String>, format = DateTime)]
    starts_at: Option<Moment>,
}

/// Makes a new draft of a sitting, whatever has become of it, with everybody on its roster.
///
/// Paper, rules, rooms and proctors are the same, and people keep their rooms, seats, notes and values of their own.
/// All times are moved as the start is, by the clocks of the school. Codes are new, and nothing of what happened comes
/// along: no results, no minutes that were given, no attendance.
#[utoipa::path(
    operation_id = "repeatSitting",
    tag = "sittings",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Sitting id")),
    request_body = Option<SittingAgain>,
    responses(
        (status = 200, description = "The new sitting", body = OneSitting, headers(("ETag" = String))),
        (status = 400, description = "`Invalid <field>`; of a template that is gone `Invalid templateId`", body = ErrorBody),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`Room has candidates` for `rooms` without one of theirs", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[post("/api/admin/sittings/{id}/again")]
pub async fn again(asked: LaterRequest, service: Data<Sittings>) -> Result<HttpResponse, Error> {
    let After(Manager(caller), After(id, body)) = asked;
    let found = service.managed(&caller, &id).await?;
    let asked = SittingFields::read(&fields_of(&body)?)?;
    // Of one moment: people stand in the rooms of this plan, and not of one that was saved in between.
    let snapshot = service.database.snapshot().await?;
    let sitting = sittings::find_in(&snapshot, found.sitting.id).await?.ok_or(Error::NotFound(NOT_FOUND))?;
    let people = candidates::load_of(&snapshot, sitting.id).await?;
    snapshot.commit().await?;
    let first = service.managed_by(&caller, sitting).await?;
    let plan = first.sitting.plan.clone();
    let next = service.plan_later(&caller, first, people, plan, asked).await?;
    answer(&service, &caller, next).await
}
