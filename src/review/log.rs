//! The log of edits as it is sent: page by page, because it only grows.

use actix_web::web::{Data, Query};
use actix_web::{HttpResponse, get};
use domain::resources::Edit;
use futures_util::stream::BoxStream;
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::caller::Admin;
use crate::auth::refusals::AdminRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::grade_query::GradeQuery;
use crate::http::paged_stream::listed;
use crate::provider::Provider;

/// The log, newest first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EditLog {
    edit_log: Vec<Edit>,
}

/// Streams the log as an answer.
///
/// # Errors
/// When the first page cannot be read. A later failure breaks off the answer, whose status has been sent by then.
pub async fn answer(pages: BoxStream<'static, Result<Vec<Edit>, Error>>) -> Result<HttpResponse, Error> {
    listed(r#"{"editLog":["#, pages, "]}", serde_json::to_string).await
}

/// Lists the edits of one grade's questions, or of all, newest first.
#[utoipa::path(
    operation_id = "listAllEdits",
    tag = "administration",
    security(("api_token" = [])),
    params(("grade" = Option<u8>, Query, description = "1 to 10; all grades when it is absent", minimum = 1, maximum = 10)),
    responses(
        (status = 200, description = "All edits", body = EditLog),
        (status = 400, description = "`Invalid grade`", body = ErrorBody),
        AdminRefusals,
    )
)]
#[get("/api/admin/review/log")]
pub async fn all_edits(
    asked: After<Admin, Query<GradeQuery>>,
    provider: Data<dyn Provider>,
) -> Result<HttpResponse, Error> {
    let After(_admin, asked) = asked;
    answer(provider.edits(asked.optional()?)).await
}
