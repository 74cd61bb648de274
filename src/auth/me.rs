//! `GET /api/me`: who is signed in.

use actix_web::{HttpResponse, get};
use domain::access::{Grades, Role};
use serde::Serialize;
use utoipa::ToSchema;

use super::caller::Anyone;
use crate::error::{Error, ErrorBody};

/// The user who calls.
#[derive(Serialize, ToSchema)]
struct MeView {
    email: String,
    name: String,
    /// Link to a picture, or empty.
    image: String,
    role: Role,
    /// Grades that the user may review, watch or sign off: all for admins, none for students.
    #[schema(value_type = Vec<u8>)]
    grades: Grades,
}

/// Who is signed in.
#[utoipa::path(
    tag = "sign-in",
    security(("api_token" = [])),
    responses((status = 200, description = "Oneself", body = MeView), (status = 401, description = "Not signed in", body = ErrorBody))
)]
#[get("/api/me")]
pub async fn me(Anyone(caller): Anyone) -> Result<HttpResponse, Error> {
    let caller = caller.ok_or(Error::Unauthorized)?;
    let grades = caller.reviews();
    Ok(HttpResponse::Ok().json(MeView {
        email: caller.email,
        name: caller.name,
        image: caller.image,
        role: caller.role,
        grades,
    }))
}
