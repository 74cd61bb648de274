//! Reading sessions: one, its webhook-shaped payload, and the list of all.

use std::sync::Arc;

use actix_web::http::header::HeaderName;
use actix_web::web::{Bytes, Data, Path, Query};
use actix_web::{HttpResponse, HttpResponseBuilder, get};
use futures_util::{Stream, stream};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::auth::caller::AdminOnly;
use crate::database::Database;
use crate::domain::moment::Moment;
use crate::error::{Error, ErrorBody};
use crate::provider::local::sessions::{self, Summary};

/// For an unknown session.
pub const SESSION_NOT_FOUND: &str = "Session not found";
/// Summaries that are in memory at once.
const SUMMARIES_AT_ONCE: u64 = 1_000;

#[derive(Deserialize)]
struct Form {
    payload: Option<String>,
}

/// A stored session; with `payload=1` the payload of its webhook.
#[utoipa::path(
    tag = "students",
    params(("id" = String, Path, description = "Session id"), ("payload" = Option<String>, Query, description = "`1` for the webhook's payload")),
    responses((status = 200, description = "The session", content_type = "application/json"), (status = 404, description = "Unknown", body = ErrorBody))
)]
#[get("/api/sessions/{id}")]
pub async fn session(id: Path<String>, form: Query<Form>, database: Data<Database>) -> Result<HttpResponse, Error> {
    let id = id.parse::<Uuid>().map_err(|_| Error::NotFound(SESSION_NOT_FOUND))?;
    let session = sessions::find(&database, id).await?.ok_or(Error::NotFound(SESSION_NOT_FOUND))?;
    let json = if form.payload.as_deref() == Some("1") { session.completed_json()? } else { session.stored_json()? };
    Ok(private(&mut HttpResponse::Ok()).content_type("application/json").body(json))
}

/// What belongs to one student is kept by no cache and listed by no search engine.
pub fn private(response: &mut HttpResponseBuilder) -> &mut HttpResponseBuilder {
    response.insert_header(("Cache-Control", "no-store")).insert_header((HeaderName::from_static("x-robots-tag"), "noindex"))
}

/// One session in the list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SummaryView<'a> {
    session_id: Uuid,
    grade: i16,
    #[schema(value_type = String)]
    timestamp: Moment,
    score: i32,
    correct_answers: i32,
    total_questions: i32,
    report_url: &'a str,
    webhook_sent: bool,
}

/// All sessions, the newest first, without their answers.
#[utoipa::path(
    tag = "administration",
    security(("api_token" = [])),
    responses((status = 200, description = "All sessions", body = Vec<SummaryView<'static>>), (status = 401, description = "Not an admin", body = ErrorBody))
)]
#[get("/api/sessions")]
pub async fn sessions_list(_admin: AdminOnly, database: Data<Database>) -> Result<HttpResponse, Error> {
    let first = sessions::summaries_after(&database, None, SUMMARIES_AT_ONCE).await?;
    Ok(private(&mut HttpResponse::Ok()).content_type("application/json").streaming(list(database.into_inner(), first)))
}

/// Where the list stands: each page is asked for when the one before it has been sent.
enum Page {
    First(Vec<Summary>),
    After((i64, Uuid)),
    Last,
}

fn list(database: Arc<Database>, first: Vec<Summary>) -> impl Stream<Item = Result<Bytes, Error>> {
    stream::try_unfold(Page::First(first), move |page| {
        let database = Arc::clone(&database);
        async move {
            let (opening, summaries) = match page {
                Page::First(summaries) => ("[", summaries),
                Page::After(last) => (",", sessions::summaries_after(&database, Some(last), SUMMARIES_AT_ONCE).await?),
                Page::Last => return Ok(None),
            };
            chunk(opening, &summaries).map(Some)
        }
    })
}

fn chunk(opening: &str, summaries: &[Summary]) -> Result<(Bytes, Page), Error> {
    let lines = summaries.iter().map(|summary| serde_json::to_string(&view(summary))).collect::<Result<Vec<_>, _>>()?;
    let is_full = u64::try_from(summaries.len()).is_ok_and(|count| count == SUMMARIES_AT_ONCE);
    let opening = if lines.is_empty() && opening == "," { "" } else { opening };
    match summaries.last().filter(|_| is_full) {
        Some(last) => Ok((format!("{opening}{}", lines.join(",")).into(), Page::After((last.completed_at_ms, last.session_id)))),
        None => Ok((format!("{opening}{}]", lines.join(",")).into(), Page::Last)),
    }
}

fn view(summary: &Summary) -> SummaryView<'_> {
    SummaryView {
        session_id: summary.session_id,
        grade: summary.grade,
        timestamp: Moment::from_milliseconds(summary.completed_at_ms),
        score: summary.score,
        correct_answers: summary.correct_answers,
        total_questions: summary.total_questions,
        report_url: &summary.report_url,
        webhook_sent: summary.webhook_sent,
    }
}
