//! Finished tests that another service keeps here.

use std::collections::BTreeMap;

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, get, put};
use domain::grade::Grade;
use domain::scoring::TestResult;
use domain::session::{Session, SessionOrigin, VersionReason, is_annotations};
use domain::sight::Reader;
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::key::{KeyRefusal, ProviderKey};
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{Done, done, private};
use crate::http::body::{Body, LARGE_BYTES_MAX};
use crate::provider::Provider;
use crate::sessions::read::{SESSION_NOT_FOUND, find};
use crate::store::embargo::Embargo;
use crate::store::sessions;

/// Bytes of a stored session. It is longer than the body that the student's client sent, because the result is added.
const STORED_BYTES_MAX: usize = LARGE_BYTES_MAX + 256 * 1_024;

/// The version before.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes what the domain reads and writes itself")]
struct PreviousVersion {
    /// Its number.
    #[schema(minimum = 1)]
    version: u32,
    /// Its score, 200 to 800.
    score: u32,
}

/// A stored session, with everything that a server knows of it.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes what the domain reads and writes itself")]
struct StoredSession {
    /// The id in the path.
    session_id: Uuid,
    grade: Grade,
    /// When the test ended.
    #[schema(format = DateTime)]
    timestamp: String,
    /// When the student began.
    #[schema(format = DateTime)]
    started_at: String,
    /// The same as `timestamp`.
    #[schema(format = DateTime)]
    completed_at: String,
    /// Whether the receiver of the webhook has answered 2xx.
    webhook_sent: bool,
    /// The link to the report.
    report_url: String,
    /// An object with any keys and values, stored as it is.
    #[schema(value_type = Option<Object>, nullable = false)]
    annotations: Option<Value>,
    result: TestResult,
    /// Whether the server graded the test by its own bank. Must be stored.
    verified: bool,
    /// `live` if a live exam was sat, `client` if a client handed the test in. Should be stored; what is not said to
    /// be live is not.
    #[schema(required = false)]
    origin: SessionOrigin,
    /// E-mail of the person who was signed in when a live exam began; null or absent when there was none. Should be
    /// stored.
    account: Option<String>,
    /// From question id to drawing; absent when there are none. Must be stored.
    #[schema(value_type = Option<Object>, nullable = false)]
    drawings: Option<Value>,
    /// Counts the results that the test has had, from 1, which it is without this field. Must be stored.
    #[schema(required = false, minimum = 1)]
    version: u32,
    /// Why the result was changed; absent for the first version. Should be stored.
    #[schema(nullable = false)]
    reason: Option<VersionReason>,
    /// The version before; absent for the first one. Should be stored.
    #[schema(nullable = false)]
    previous: Option<PreviousVersion>,
    /// The form of the template that was sat, `A` to `H`; absent where there was only one. Should be stored.
    #[schema(nullable = false, example = "B")]
    form: Option<String>,
    /// From question id to the letters of its options in the order in which the student saw them, such as `CADB`; only
    /// of questions whose options stood in another order than in the bank, and absent when there are none. Should be
    /// stored. All other letters are those of the bank.
    #[schema(nullable = false)]
    option_order: Option<BTreeMap<String, String>>,
}

/// The id in a body, of any JSON type: it is compared with the path before the session is parsed.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SessionIdBody {
    #[serde(default)]
    session_id: Option<Value>,
}

/// Stores a session. It replaces a session of the same id, unless that is a later version.
#[utoipa::path(
    operation_id = "storeSession",
    tag = "sessions",
    security(("key" = [])),
    params(("id" = Uuid, Path, description = "Session id")),
    request_body = StoredSession,
    responses(
        (status = 200, description = "Stored", body = Done),
        (status = 400, description = "`Invalid body`, `Invalid sessionId` or `Invalid session`", body = ErrorBody),
        KeyRefusal,
        (status = 413, description = "Over 9.25 MiB", body = ErrorBody),
    )
)]
#[put("/sessions/{id}")]
pub async fn put(
    asked: After<ProviderKey, After<Path<String>, Body<STORED_BYTES_MAX>>>,
    database: Data<Database>,
) -> Result<HttpResponse, Error> {
    let After(_key, After(id, Body(body))) = asked;
    let id: Uuid = id.parse().map_err(|_| Error::invalid("sessionId"))?;
    let json = std::str::from_utf8(&body)
        .ok()
        .filter(|json| json.trim_start().starts_with('{'))
        .ok_or_else(|| Error::invalid("body"))?;
    let SessionIdBody { session_id } = serde_json::from_str(json).map_err(|_| Error::invalid("body"))?;
    let is_its_own = session_id.is_none_or(|named| named.as_str().and_then(|named| named.parse().ok()) == Some(id));
    if !is_its_own {
        return Err(Error::invalid("sessionId"));
    }
    let session = Session::from_stored_json_of(id, json)
        .filter(|session| is_annotations(session.annotations.get()))
        .ok_or_else(|| Error::invalid("session"))?;
    sessions::put(&database, &session).await?;
    Ok(done())
}

/// Returns a stored session.
///
/// One that a sitting holds counts as unknown until its release, since another server would show it to its candidate.
/// So does one with any of the questions that a sitting withholds now.
#[utoipa::path(
    operation_id = "readSession",
    tag = "sessions",
    security(("key" = [])),
    params(("id" = Uuid, Path, description = "Session id")),
    responses(
        (status = 200, description = "The session", body = StoredSession),
        KeyRefusal,
        (status = 404, description = "`Session not found`", body = ErrorBody),
    )
)]
#[get("/sessions/{id}")]
pub async fn read(
    asked: After<ProviderKey, Path<String>>,
    provider: Data<dyn Provider>,
    embargo: Data<Embargo>,
) -> Result<HttpResponse, Error> {
    let After(_key, id) = asked;
    let session = find(&**provider, &id).await?;
    let sight = embargo.sight(&session, Reader::OtherServer).await?;
    if !sight.shows_result() {
        return Err(Error::NotFound(SESSION_NOT_FOUND));
    }
    Ok(private(&mut HttpResponse::Ok()).content_type("application/json").body(session.stored_json(sight)?))
}
