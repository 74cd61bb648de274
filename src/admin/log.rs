//! The log of all edits.

use actix_web::web::{Data, Query};
use actix_web::{HttpResponse, get};

use crate::auth::caller::Admin;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::asked_grade::AskedGrade;
use crate::provider::Provider;
use crate::review::log::{EditLog, answer};

/// The edits of a grade's questions, or of all, the newest first.
#[utoipa::path(
    tag = "administration",
    security(("api_token" = [])),
    params(("grade" = Option<u8>, Query, description = "1 to 10; all grades when it is absent", minimum = 1, maximum = 10)),
    responses(
        (status = 200, description = "All edits", body = EditLog),
        (status = 400, description = "`Invalid grade`", body = ErrorBody),
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 403, description = "Not an admin", body = ErrorBody),
    )
)]
#[get("/api/admin/review/log")]
pub async fn log(asked: After<Admin, Query<AskedGrade>>, provider: Data<dyn Provider>) -> Result<HttpResponse, Error> {
    let After(_admin, asked) = asked;
    answer(provider.edits(asked.optional()?)).await
}
