//! Reading a session: what is stored, and the payload of its webhook, as far as the reader may see it.

use actix_web::http::header::{CACHE_CONTROL, HeaderName, HeaderValue};
use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, get};
use domain::session::{CompletedView, Session, Sight, StoredView};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::auth::caller::Callers;
use crate::config::Config;
use crate::error::{Error, ErrorBody};
use crate::provider::Provider;

pub const SESSION_NOT_FOUND: &str = "Session not found";

#[derive(Deserialize)]
struct Form {
    payload: Option<String>,
}

/// `1`.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes a parameter")]
enum PayloadFlag {
    #[schema(rename = "1")]
    On,
}

/// A stored session, or the payload of its webhook.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = Session)]
#[allow(dead_code, reason = "describes an answer")]
enum SessionShape {
    Stored(StoredView<'static>),
    Completed(CompletedView<'static>),
}

/// A stored session; with `payload=1` the payload of its webhook.
///
/// Staff are told the signed-in `account` too. With `PUBLIC_ANSWERS=false` a session of origin `client` has `correct`,
/// `isCorrect` and lines of both breakdowns for staff alone.
#[utoipa::path(
    operation_id = "readSession",
    tag = "students",
    security((), ("api_token" = [])),
    params(("id" = String, Path, description = "Session id"), ("payload" = inline(Option<PayloadFlag>), Query, description = "`1` for the webhook's payload")),
    responses((status = 200, description = "The session", body = SessionShape), (status = 404, description = "Unknown", body = ErrorBody))
)]
#[get("/api/sessions/{id}")]
pub async fn session(
    request: HttpRequest,
    id: Path<String>,
    form: Query<Form>,
    provider: Data<dyn Provider>,
    callers: Data<Callers>,
    config: Data<Config>,
) -> Result<HttpResponse, Error> {
    let session = find(&**provider, &id).await?;
    let sight = SessionReader::of(&request, &callers, &config).await.sight(&session);
    let is_payload = form.payload.as_deref() == Some("1");
    let json = if is_payload { session.completed_json(sight)? } else { session.stored_json(sight)? };
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

/// What decides, beside a session itself, which of its parts a caller who has its id may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SessionReader {
    is_staff: bool,
    has_public_answers: bool,
}

impl SessionReader {
    /// The caller of a request. While nobody can say who calls, they are not staff: a student whose report is open must
    /// not lose it for that.
    pub async fn of(request: &HttpRequest, callers: &Callers, config: &Config) -> Self {
        let is_staff = callers.is_staff(request.headers()).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "the reader of a session cannot be identified");
            false
        });
        Self { is_staff, has_public_answers: config.access.public_answers }
    }

    /// The parts of this session that they may see.
    #[must_use]
    pub fn sight(self, stored: &Session) -> Sight {
        stored.sight(self.is_staff, self.has_public_answers)
    }
}

/// Keeps a student's data out of caches and search engines.
pub fn private(response: &mut HttpResponseBuilder) -> &mut HttpResponseBuilder {
    response
        .insert_header(("Cache-Control", "no-store"))
        .insert_header((HeaderName::from_static("x-robots-tag"), "noindex"))
}

/// The same for an answer that is made already.
pub fn keep_private(response: &mut HttpResponse) {
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response.headers_mut().insert(HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex"));
}
