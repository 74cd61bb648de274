//! The log of edits as it is sent: page by page, since it only grows.

use actix_web::HttpResponse;
use domain::resources::Edit;
use futures_util::stream::BoxStream;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::Error;
use crate::http::listed::listed;

/// The log, the newest first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EditLog {
    edit_log: Vec<Edit>,
}

/// The log as an answer.
///
/// # Errors
/// When its first page can't be had.
pub async fn answer(pages: BoxStream<'static, Result<Vec<Edit>, Error>>) -> Result<HttpResponse, Error> {
    listed(r#"{"editLog":["#, pages, "]}", serde_json::to_string).await
}
