//! `GET /api/admin/questions`: the questions of a grade as they are now, read from the store.

use actix_web::web::{Data, Query};
use actix_web::{HttpResponse, get};
use domain::question::Question;

use crate::auth::caller::Admin;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::asked_grade::AskedGrade;
use crate::provider::Provider;

/// All questions of a grade with their answers, edits and imports included.
#[utoipa::path(
    tag = "administration",
    security(("api_token" = [])),
    params(("grade" = u8, Query, description = "1 to 10", minimum = 1, maximum = 10)),
    responses(
        (status = 200, description = "The questions, in the order of their ids", body = Vec<Question>),
        (status = 400, description = "`Invalid grade`", body = ErrorBody),
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 403, description = "Not an admin", body = ErrorBody),
    )
)]
#[get("/api/admin/questions")]
pub async fn list(asked: After<Admin, Query<AskedGrade>>, provider: Data<dyn Provider>) -> Result<HttpResponse, Error> {
    let After(_admin, asked) = asked;
    Ok(HttpResponse::Ok().json(provider.bank(asked.required()?).await?))
}
