//! The same exam over plain HTTPS (`docs/live-protocol.md#over-https`), for networks that break WebSockets.

use std::sync::Arc;
use std::time::Duration;

use actix_web::web::{Data, Path, Payload};
use actix_web::{HttpRequest, HttpResponse, get, post};
use uuid::Uuid;

use super::error::{LiveError, LiveErrorBody};
use super::messages::ForwardedRequest;
use super::protocol::fault::Fault;
use super::protocol::read::{self, FRAME_BYTES_MAX};
use super::seat::{Introduce, SeatDirectory};
use super::seats::forward::{self, PerformedView};
use super::shapes::server::{BegunShape, ResumedShape};
use super::shapes::student::{CommandsShape, StartShape};
use super::store::StartChannel;
use super::{Live, counted, start};
use crate::auth::caller::bearer;
use crate::auth::token;
use crate::error::Error;
use crate::http::body::{Body, BodyKind, LARGE_BYTES_MAX, read as read_body};
use crate::http::compression::with_secret;
use crate::http::limits::{Counted, CountedCaller};
use crate::sessions::read::{parse_id, private};

/// How long a request waits for its commit. Then the client keeps its commands and sends them again.
const COMMIT_TIMEOUT: Duration = Duration::from_secs(10);
const NOT_SAVED: &str = "The server cannot save at the moment";
const RESTARTING: &str = "The server is restarting";

/// Starts a live exam. A `key` that was used before returns the session that it began.
#[utoipa::path(
    operation_id = "startLiveExam",
    tag = "live",
    security((), ("api_token" = [])),
    request_body = StartShape,
    responses(
        (status = 200, description = "`started`, or `resumed`", body = BegunShape),
        (status = 400, description = "What is wrong with the test", body = LiveErrorBody),
        (status = 401, description = "`TEST_GATE=sign-in`, and nobody is signed in", body = LiveErrorBody),
        (status = 403, description = "`The exam has not opened yet`", body = LiveErrorBody),
        (status = 404, description = "Unknown template", body = LiveErrorBody),
        (status = 429, description = "Too many of this account, or from this address without one", body = LiveErrorBody),
        (status = 503, description = "Not now", body = LiveErrorBody),
    )
)]
#[post("/api/live")]
pub async fn begin(
    request: HttpRequest,
    live: Data<Live>,
    body: Result<Body<FRAME_BYTES_MAX>, Error>,
) -> Result<HttpResponse, LiveError> {
    let Body(body) = body?;
    refuse_while_stopping(&live)?;
    let (live, counted_caller) = (live.into_inner(), CountedCaller::of(&request));
    let parsed = text(&body).and_then(read::parse_start);
    let start = parsed.map_err(|fault| match live.limit.count(Counted::Junk, counted_caller.as_ref()) {
        Ok(()) => LiveError::from(fault),
        Err(too_many) => too_many.into(),
    })?;
    let caller = live.callers.identify(request.headers()).await?;
    counted::start(&live, counted_caller, caller.as_ref().map(|caller| caller.email.as_str()))?;
    let begun = within(Box::pin(start::begin(&live, start, caller, StartChannel::Https))).await?;
    if let Some(seat) = begun.seat {
        let frame = seat.address.send(Introduce { token: begun.token }).await.map_err(Error::internal)?;
        return Ok(with_secret(json(frame.to_string())));
    }
    read(&live, begun.session_id, &begun.token).await.map(with_secret)
}

/// Returns the state of a live exam, as `resumed`.
#[utoipa::path(
    operation_id = "resumeLiveExam",
    tag = "live",
    security(("session_token" = [])),
    params(("sessionId" = String, Path, description = "Session id")),
    responses(
        (status = 200, description = "`resumed`", body = ResumedShape),
        (status = 401, description = "No token", body = LiveErrorBody),
        (status = 403, description = "Wrong token", body = LiveErrorBody),
        (status = 404, description = "Unknown session", body = LiveErrorBody),
        (status = 429, description = "Too many with a wrong token from this address", body = LiveErrorBody),
    )
)]
#[get("/api/live/{sessionId}")]
pub async fn resume(
    request: HttpRequest,
    live: Data<Live>,
    session_id: Path<String>,
) -> Result<HttpResponse, LiveError> {
    let token = bearer(request.headers()).ok_or_else(LiveError::without_token)?;
    refuse_while_stopping(&live)?;
    let live = live.into_inner();
    let asked = ForwardedRequest { session_id: parse_id(&session_id)?, token_hash: token::hash(token), commands: None };
    let asked_by = (asked.session_id, &asked.token_hash);
    let asking = counted::known(&live, CountedCaller::of(&request), asked_by, forward::answer(&live, &asked, token));
    within(Box::pin(asking)).await?.map(json).map(with_secret).ok_or_else(|| Error::Unavailable(NOT_SAVED).into())
}

/// Applies 1 to 200 commands of a live exam, and answers after the commit.
#[utoipa::path(
    operation_id = "sendLiveCommands",
    tag = "live",
    security(("session_token" = [])),
    params(("sessionId" = String, Path, description = "Session id")),
    request_body = CommandsShape,
    responses(
        (status = 200, description = "Committed", body = PerformedView),
        (status = 400, description = "Not 1 to 200 commands", body = LiveErrorBody),
        (status = 401, description = "No token", body = LiveErrorBody),
        (status = 403, description = "Wrong token", body = LiveErrorBody),
        (status = 404, description = "Unknown session", body = LiveErrorBody),
        (status = 413, description = "Over 9 MiB", body = LiveErrorBody),
        (status = 429, description = "Too many with a wrong token from this address", body = LiveErrorBody),
        (status = 503, description = "Not saved: send them again", body = LiveErrorBody),
    )
)]
#[post("/api/live/{sessionId}/commands")]
pub async fn commands(
    request: HttpRequest,
    live: Data<Live>,
    session_id: Path<String>,
    body: Payload,
) -> Result<HttpResponse, LiveError> {
    let token = bearer(request.headers()).ok_or_else(LiveError::without_token)?;
    refuse_while_stopping(&live)?;
    let (live, session_id) = (live.into_inner(), parse_id(&session_id)?);
    // Checked before the body is read, so that a caller without the token cannot fill the memory with drawings.
    let hash = token::hash(token);
    let checking = live.check_token(session_id, &hash);
    within(Box::pin(counted::known(&live, CountedCaller::of(&request), (session_id, &hash), checking))).await?;
    let body = read_body(body, LARGE_BYTES_MAX, BodyKind::Live(session_id)).await?;
    let commands = Some(text(&body)?.to_owned());
    ask(&live, session_id, token, commands).await
}

async fn read(live: &Arc<Live>, session_id: Uuid, token: &str) -> Result<HttpResponse, LiveError> {
    ask(live, session_id, token, None).await
}

async fn ask(live: &Arc<Live>, session_id: Uuid, token: &str, body: Option<String>) -> Result<HttpResponse, LiveError> {
    let question = ForwardedRequest { session_id, token_hash: token::hash(token), commands: body };
    let answer = within(forward::answer(live, &question, token)).await?;
    answer.map(json).ok_or_else(|| Error::Unavailable(NOT_SAVED).into())
}

/// Answers 503 when `asking` takes too long. Its commands may or may not be saved, so the client sends them again.
async fn within<T>(asking: impl Future<Output = Result<T, Fault>>) -> Result<T, LiveError> {
    let answer = tokio::time::timeout(COMMIT_TIMEOUT, asking).await.map_err(|_| Error::Unavailable(NOT_SAVED))?;
    Ok(answer?)
}

fn refuse_while_stopping(live: &Live) -> Result<(), Error> {
    if live.registry.is_stopping() { Err(Error::Unavailable(RESTARTING)) } else { Ok(()) }
}

fn text(body: &[u8]) -> Result<&str, Fault> {
    std::str::from_utf8(body).map_err(|_| Fault::new(super::protocol::fault::Code::BadMessage, "The body is not JSON"))
}

fn json(answer: String) -> HttpResponse {
    private(&mut HttpResponse::Ok()).content_type("application/json").body(answer)
}
