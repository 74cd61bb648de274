//! `GET /api/admin/proctors`: whom a manager is offered as a proctor while typing a name.

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use serde::Serialize;
use utoipa::ToSchema;

use super::Sittings;
use crate::auth::caller::Manager;
use crate::auth::refusals::ManagerRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::answers::private;
use crate::store::users::load_staff;

/// People who are offered. A school with more has its own way to name them: any address can be typed.
const OFFERED_PROCTORS_MAX: u64 = 2_000;

/// `{ people }`, by address.
#[derive(Serialize, ToSchema)]
struct OfferedProctors {
    people: Vec<OfferedProctor>,
}

/// Somebody of the staff.
#[derive(Serialize, ToSchema)]
struct OfferedProctor {
    email: String,
    /// Empty if nobody has told it.
    name: String,
}

/// Those of the staff, by name and address, to name proctors of. Anybody else can be a proctor too.
#[utoipa::path(
    operation_id = "listOfferedProctors",
    tag = "sittings",
    security(("api_token" = [])),
    responses(
        (status = 200, description = "Reviewers, managers and admins, also those who are invited", body = OfferedProctors),
        ManagerRefusals,
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[get("/api/admin/proctors")]
pub async fn list(_manager: Manager, service: Data<Sittings>) -> Result<HttpResponse, Error> {
    service.here()?;
    let staff = load_staff(&service.database, OFFERED_PROCTORS_MAX).await?;
    let people = staff.into_iter().map(|(email, name)| OfferedProctor { email, name }).collect();
    Ok(private(&mut HttpResponse::Ok()).json(OfferedProctors { people }))
}
