//! How far the review of all banks has come.

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use domain::access::Grades;
use domain::progress::Progress;

use crate::auth::caller::Admin;
use crate::error::{Error, ErrorBody};
use crate::manager::stats::progress;
use crate::provider::Provider;

/// How far the review of all ten grades has come.
#[utoipa::path(
    tag = "administration",
    security(("api_token" = [])),
    responses(
        (status = 200, description = "All grades", body = Progress),
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 403, description = "Not an admin", body = ErrorBody),
    )
)]
#[get("/api/admin/review/stats")]
pub async fn stats(_admin: Admin, provider: Data<dyn Provider>) -> Result<HttpResponse, Error> {
    Ok(HttpResponse::Ok().json(progress(&**provider, Grades::ALL).await?))
}
