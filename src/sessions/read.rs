//! Reading sessions: one session, the payload of its webhook, and the list of all.

use std::sync::Arc;

use actix_web::http::header::HeaderName;
use actix_web::web::{Bytes, Data, Path, Query};
use actix_web::{HttpResponse, HttpResponseBuilder, get};
use domain::resources::{RowPosition, SessionSummary};
use domain::session::Session;
use futures_util::{Stream, stream};
use serde::Deserialize;
use uuid::Uuid;

use crate::auth::caller::AdminOnly;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::provider::Provider;

pub const SESSION_NOT_FOUND: &str = "Session not found";
/// Summaries in memory at once; a longer list is streamed page by page.
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
pub async fn session(id: Path<String>, form: Query<Form>, provider: Data<dyn Provider>) -> Result<HttpResponse, Error> {
    let session = find(&**provider, &id).await?;
    let json = if form.payload.as_deref() == Some("1") { session.completed_json()? } else { session.stored_json()? };
    Ok(private(&mut HttpResponse::Ok()).content_type("application/json").body(json))
}

/// The session with this id. A text that is no id gets the same 404 as an unknown id.
pub async fn find(provider: &dyn Provider, id: &str) -> Result<Session, Error> {
    load(provider, parse_id(id)?).await
}

/// A session's id; 404 for a text that is none.
pub fn parse_id(id: &str) -> Result<Uuid, Error> {
    id.parse().map_err(|_| Error::NotFound(SESSION_NOT_FOUND))
}

pub async fn load(provider: &dyn Provider, id: Uuid) -> Result<Session, Error> {
    provider.session(id).await?.ok_or(Error::NotFound(SESSION_NOT_FOUND))
}

/// Keeps a student's data out of caches and search engines.
pub fn private(response: &mut HttpResponseBuilder) -> &mut HttpResponseBuilder {
    response
        .insert_header(("Cache-Control", "no-store"))
        .insert_header((HeaderName::from_static("x-robots-tag"), "noindex"))
}

#[derive(Deserialize)]
struct SessionsQuery {
    event: Option<String>,
}

impl SessionsQuery {
    /// The event whose sessions are asked for; `None` for all sessions.
    fn event(&self) -> Result<Option<i64>, Error> {
        let event = self.event.as_deref().filter(|event| !event.is_empty());
        event
            .map(|event| event.parse().ok().filter(|number| *number > 0).ok_or_else(|| Error::invalid("event")))
            .transpose()
    }
}

/// All sessions, the newest first, without their answers; with `event` only the sessions of one calendar event.
#[utoipa::path(
    tag = "administration",
    security(("api_token" = [])),
    params(("event" = Option<i64>, Query, description = "The event that the sessions' `annotations` name as `event`")),
    responses(
        (status = 200, description = "The sessions", body = Vec<SessionSummary>),
        (status = 400, description = "`Invalid event`", body = ErrorBody),
        (status = 401, description = "Not an admin", body = ErrorBody),
        (status = 501, description = "`Not available from the external data provider`", body = ErrorBody),
    )
)]
#[get("/api/sessions")]
pub async fn sessions_list(
    asked: After<AdminOnly, Query<SessionsQuery>>,
    provider: Data<dyn Provider>,
) -> Result<HttpResponse, Error> {
    let After(_admin, Query(asked)) = asked;
    let event = asked.event()?;
    let first = provider.summaries_after(event, None, SUMMARIES_AT_ONCE).await?;
    Ok(private(&mut HttpResponse::Ok()).content_type("application/json").streaming(list(
        provider.into_inner(),
        event,
        first,
    )))
}

/// Position in the list. The next page is read only when the previous one has been sent, so a slow client costs one
/// page of memory.
enum ListPosition {
    First(Vec<SessionSummary>),
    After(RowPosition),
    Last,
}

fn list(
    provider: Arc<dyn Provider>,
    event: Option<i64>,
    first: Vec<SessionSummary>,
) -> impl Stream<Item = Result<Bytes, Error>> {
    stream::try_unfold(ListPosition::First(first), move |page| {
        let provider = Arc::clone(&provider);
        async move {
            let (opening, summaries) = match page {
                ListPosition::First(summaries) => ("[", summaries),
                ListPosition::After(last) => {
                    (",", provider.summaries_after(event, Some(last), SUMMARIES_AT_ONCE).await?)
                }
                ListPosition::Last => return Ok(None),
            };
            chunk(opening, &summaries).map(Some)
        }
    })
}

fn chunk(opening: &str, summaries: &[SessionSummary]) -> Result<(Bytes, ListPosition), Error> {
    let lines = summaries.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
    let is_full = u64::try_from(summaries.len()).is_ok_and(|count| count == SUMMARIES_AT_ONCE);
    let opening = if lines.is_empty() && opening == "," { "" } else { opening };
    match summaries.last().filter(|_| is_full) {
        Some(last) => Ok((format!("{opening}{}", lines.join(",")).into(), ListPosition::After(last.place()))),
        None => Ok((format!("{opening}{}]", lines.join(",")).into(), ListPosition::Last)),
    }
}
