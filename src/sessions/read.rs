//! Reading a session: what is stored, and the payload of its webhook, as far as the reader may see it.

use std::collections::HashMap;

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, get};
use domain::access::{Grades, Identity, Role};
use domain::session::{AskedQuestion, CompletedView, Session, SessionOrigin, StoredView, TextState};
use domain::sight::{Reader, Sight};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::exam_name;
use super::release_wait::ReleaseWaits;
use crate::auth::caller::Callers;
use crate::clock::Clock;
use crate::config::Config;
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::answers::private;
use crate::http::audit;
use crate::http::health::Stopping;
use crate::http::parameters;
use crate::provider::Provider;
use crate::store::embargo::{Embargo, RESULTS_HELD, WithheldPart};
use crate::store::retired::find_secure_asked;
use crate::store::{marks, session_versions};

pub const SESSION_NOT_FOUND: &str = "Session not found";
pub const VERSION_NOT_FOUND: &str = "Version not found";
const VERSIONS_FOR_STAFF: &str = "Versions are for staff of the grade";

#[derive(Deserialize)]
struct Form {
    payload: Option<String>,
    wait: Option<String>,
    #[serde(flatten)]
    version: VersionQuery,
}

/// Which version is asked for.
#[derive(Deserialize)]
pub struct VersionQuery {
    version: Option<String>,
}

impl VersionQuery {
    /// The number of the version; `None` for the newest.
    pub fn number(&self) -> Result<Option<u32>, Error> {
        version_number(&self.version)
    }
}

/// The number of a version that is asked for; `None` for the newest.
pub fn version_number(version: &Option<String>) -> Result<Option<u32>, Error> {
    let number = parameters::number("version", version, i32::MAX.unsigned_abs().into())?;
    Ok(number.and_then(|number| u32::try_from(number).ok()))
}

/// What a request may wait for.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes a parameter")]
enum SessionWait {
    #[schema(rename = "release")]
    Release,
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
/// `isCorrect` and lines of both breakdowns for staff of its grade alone. So has one whose template does not show
/// answers, or not yet, and one with keys that are kept by the marks of its questions or by another template. Until the
/// sitting of a test is released, only staff of its grade may read it; with `wait=release` others wait up to 25 seconds
/// for the release. An earlier `version` is for staff of the grade; what `webhookSent` says is of the newest.
#[utoipa::path(
    operation_id = "readSession",
    tag = "students",
    security((), ("api_token" = [])),
    params(
        ("id" = String, Path, description = "Session id"),
        ("payload" = inline(Option<PayloadFlag>), Query, description = "`1` for the webhook's payload"),
        ("wait" = inline(Option<SessionWait>), Query, description = "`release` to wait until the result may be seen"),
        ("version" = Option<u32>, Query, description = "Another version than the newest", minimum = 1),
    ),
    responses(
        (status = 200, description = "The session", body = SessionShape),
        (status = 400, description = "`Invalid wait`, or `Invalid version`", body = ErrorBody),
        (status = 403, description = "`Results are not released`, or `Versions are for staff of the grade`", body = ErrorBody),
        (status = 404, description = "`Session not found`, or `Version not found`", body = ErrorBody),
        (status = 409, description = "`The test goes on`, since it was reopened; staff of the grade see what was handed in before", body = ErrorBody),
        (status = 503, description = "Too many wait, or the database does not answer: ask again later", body = ErrorBody),
    )
)]
#[get("/api/sessions/{id}")]
pub async fn session(
    request: HttpRequest,
    id: Path<String>,
    form: Query<Form>,
    provider: Data<dyn Provider>,
    (callers, config, embargo): SightServices,
    (stopping, waiting, clock, database): (Data<Stopping>, Data<ReleaseWaits>, Data<Clock>, Data<Database>),
) -> Result<HttpResponse, Error> {
    let is_waiting = match form.wait.as_deref() {
        None | Some("") => false,
        Some("release") => true,
        Some(_) => return Err(Error::invalid("wait")),
    };
    let version = form.version.number()?;
    let session = find(&**provider, &id).await?;
    let reader = reader(&request, &callers, &config).await;
    let session = at_version(session, version, reader, &database).await?;
    if is_waiting && session.sitting_id.is_some() && !reader.is_above_embargo(session.grade) {
        waiting.wait(&embargo, &session, &stopping, &clock).await?;
    }
    let sight = sight(&session, reader, &embargo).await?;
    if is_early(&session, reader, &embargo).await {
        note_early(&request, &callers).await;
    }
    let session = marks::completed(&database, session).await?;
    let is_payload = form.payload.as_deref() == Some("1");
    // Others were refused.
    let is_asked = session.origin == SessionOrigin::Live && reader.is_above_embargo(session.grade);
    let goes_on = is_asked && embargo.goes_on(session.session_id).await.unwrap_or(false);
    let json = if is_payload {
        session.completed_json(sight)?
    } else {
        // Nobody waits for a name without which the report is whole.
        let exam = exam_name::find(&database, &session).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "the name of an exam is not read");
            None
        });
        session.told_json(sight, exam.as_deref(), goes_on)?
    };
    Ok(private(&mut HttpResponse::Ok()).content_type("application/json").body(json))
}

/// Notes for the audit who reads what others may not see yet, on a road that is open to everyone.
pub async fn note_early(request: &HttpRequest, callers: &Callers) {
    if let Ok(Some(caller)) = callers.identify(request.headers()).await {
        audit::note_caller(request, &caller);
    }
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

/// The version of a session that a reader asks for: the newest, unless staff of its grade name another one.
pub async fn at_version(
    newest: Session,
    version: Option<u32>,
    reader: Reader,
    database: &Database,
) -> Result<Session, Error> {
    let Some(number) = version else { return Ok(newest) };
    if !reader.is_above_embargo(newest.grade) {
        return Err(Error::Forbidden(VERSIONS_FOR_STAFF));
    }
    if newest.version.number == number {
        return Ok(newest);
    }
    session_versions::find(database, newest.session_id, number).await?.ok_or(Error::NotFound(VERSION_NOT_FOUND))
}

/// What decides on the sight of a request.
pub type SightServices = (Data<Callers>, Data<Config>, Data<Embargo>);

/// The caller of a request as a reader of sessions. While nobody can say who calls, they are not staff: a student whose
/// report is open must not lose it for that.
pub async fn reader(request: &HttpRequest, callers: &Callers, config: &Config) -> Reader {
    let caller = callers.identify(request.headers()).await.unwrap_or_else(|error| {
        tracing::warn!(%error, "the reader of a session cannot be identified");
        None
    });
    reader_of(caller.as_ref(), config)
}

/// A caller who has been identified, or a guest, as a reader of sessions.
pub fn reader_of(caller: Option<&Identity>, config: &Config) -> Reader {
    Reader::Caller {
        is_staff: caller.is_some_and(|caller| caller.role != Role::Student),
        reviews: caller.map_or(Grades::NONE, Identity::reviews),
        has_public_answers: config.access.public_answers,
    }
}

/// The parts of a session that its reader may see.
///
/// # Errors
/// 403 while its result is held, and 409 while the test goes on.
pub async fn sight(stored: &Session, reader: Reader, embargo: &Embargo) -> Result<Sight, Error> {
    let sight = embargo.sight(stored, reader).await?;
    if sight.shows_result() { Ok(sight) } else { Err(Error::Forbidden(RESULTS_HELD)) }
}

/// Whether a reader sees a result that is held, which is for the audit. What cannot be known now is rather recorded.
pub async fn is_early(stored: &Session, reader: Reader, embargo: &Embargo) -> bool {
    reader.is_above_embargo(stored.grade) && embargo.is_held(stored).await.unwrap_or(true)
}

/// Removes questions that a reader may not see in a report, and tells what of them others are still to write.
pub async fn withhold(
    stored: &Session,
    reader: Reader,
    questions: &mut HashMap<String, AskedQuestion>,
    database: &Database,
    embargo: &Embargo,
) -> Result<Option<WithheldPart>, Error> {
    if reader.is_above_embargo(stored.grade) {
        return Ok(None);
    }
    let withheld = embargo.withheld().await?;
    questions.retain(|id, _| !withheld.has_any(std::iter::once(id.as_str()), stored.sitting_id));
    // Anyone may hand in a test with the ids of any questions, and must not learn whether an exam has them. Of one
    // that is gone nobody knows whether it was for exams alone.
    if stored.origin == SessionOrigin::Client {
        let secure = find_secure_asked(&database.read, questions.keys().map(String::as_str)).await?;
        questions.retain(|id, asked| !secure.contains(id) && asked.state != TextState::Removed);
        return Ok(None);
    }
    Ok(withheld.part_of(stored.question_ids(), stored.sitting_id))
}
