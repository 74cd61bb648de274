//! `GET /api/me`: who is signed in.

use actix_web::web::Query;
use actix_web::{HttpResponse, get};
use domain::access::{Grades, Role};
use domain::grade::Grade;
use serde::{Deserialize, Serialize};
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
    #[schema(value_type = Vec<Grade>)]
    grades: Grades,
}

#[derive(Deserialize)]
struct MeQuery {
    /// Browsers write every 401 on their console, so the pages ask in a way that guests may ask too.
    #[serde(default)]
    guests: bool,
}

/// Who is signed in.
#[utoipa::path(
    operation_id = "readMe",
    tag = "sign-in",
    security(("api_token" = [])),
    params(("guests" = Option<bool>, Query, description = "`true`: 204 instead of 401 for a caller who is not signed in")),
    responses(
        (status = 200, description = "Oneself", body = MeView),
        (status = 204, description = "Not signed in, and `guests=true`"),
        (status = 401, description = "Not signed in", body = ErrorBody),
    )
)]
#[get("/api/me")]
pub async fn me(Anyone(caller): Anyone, query: Query<MeQuery>) -> Result<HttpResponse, Error> {
    let Some(caller) = caller else {
        return if query.guests { Ok(HttpResponse::NoContent().finish()) } else { Err(Error::Unauthorized) };
    };
    let grades = caller.reviews();
    Ok(HttpResponse::Ok().json(MeView {
        email: caller.email,
        name: caller.name,
        image: caller.image,
        role: caller.role,
        grades,
    }))
}
