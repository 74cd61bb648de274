//! The same exam over plain HTTPS (`docs/live-protocol.md#over-https`), for networks that break WebSockets.

mod told;

use std::sync::Arc;
use std::time::Duration;

use actix_web::web::{Data, Path, Payload, Query};
use actix_web::{HttpRequest, HttpResponse, get, post};
use domain::attempt::LINE_MAX;
use serde::Deserialize;
use tokio::sync::broadcast::Receiver;
use tokio::time::Instant;
use uuid::Uuid;

use super::error::{LiveError, LiveErrorBody};
use super::guesses::GUESSED_WITHIN;
use super::messages::ForwardedRequest;
use super::protocol::fault::Fault;
use super::protocol::read::{self, FRAME_BYTES_MAX, StartOrEnter};
use super::seat::{Introduce, SeatDirectory};
use super::seats::forward::{self, PerformedView};
use super::shapes::server::{BegunShape, ComeBackShape};
use super::shapes::student::{CommandsShape, StartOrEnterShape};
use super::store::StartChannel;
use super::{Live, counted, enter, reopening, start};
use crate::auth::caller::bearer;
use crate::auth::token;
use crate::error::Error;
use crate::http::answers::private;
use crate::http::body::{Body, BodyKind, LARGE_BYTES_MAX, read as read_body};
use crate::http::compression::with_secret;
use crate::http::limits::{Counted, CountedCaller};
use crate::sessions::read::parse_id;
use told::{AwaitedFrame, LinedFrame, TimedFrame};

/// How long a request waits for its commit. Then the client keeps its commands and sends them again.
const COMMIT_TIMEOUT: Duration = Duration::from_secs(10);
pub(super) const NOT_SAVED: &str = "The server cannot save at the moment";
const RESTARTING: &str = "The server is restarting";

/// Starts a live exam, or enters a sitting. A `key` that was used before returns the session that it began.
///
/// A template may say who may sit it, when and how often. It is looked at in the order of the answers here; staff of
/// its grades may always begin it. A test of the same account that has not ended goes on.
#[utoipa::path(
    operation_id = "startLiveExam",
    tag = "live",
    security((), ("api_token" = [])),
    request_body = StartOrEnterShape,
    responses(
        (status = 200, description = "`started`, `waiting`, or `resumed`", body = BegunShape),
        (status = 400, description = "What is wrong with the test", body = LiveErrorBody),
        (status = 401, description = "`TEST_GATE=sign-in`, or a template for people who are signed in, and nobody is", body = LiveErrorBody),
        (status = 403, description = "Of a template `Not for this account`, `Not open yet` with `opensAt`, `Closed` with `closesAt`, `Code required`, `Wrong code` or `No attempts left`; `The exam has not opened yet`; `not_open`, `entry_closed` or `not_expected` at the door of a sitting", body = LiveErrorBody),
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
    let parsed = text(&body).and_then(read::parse_start_or_enter);
    let beginning =
        parsed.map_err(|fault| match live.shared.neighbours.limit.count(Counted::Junk, counted_caller.as_ref()) {
            Ok(()) => LiveError::from(fault),
            Err(too_many) => too_many.into(),
        })?;
    let caller = live.shared.neighbours.callers.identify(request.headers()).await?;
    let begun = match beginning {
        StartOrEnter::Start(start) => {
            let account = caller.as_ref().map(|caller| caller.email.as_str());
            counted::start(&live, counted_caller.clone(), account)?;
            let limit = if start.has_code() { GUESSED_WITHIN + COMMIT_TIMEOUT } else { COMMIT_TIMEOUT };
            let starting = Box::pin(start::begin(&live, *start, caller, counted_caller, StartChannel::Https));
            within_time(limit, starting).await?
        }
        StartOrEnter::Enter(entry) => {
            let entering = Box::pin(enter::enter(&live, *entry, caller, counted_caller, StartChannel::Https));
            within_time(GUESSED_WITHIN + COMMIT_TIMEOUT, entering).await?
        }
    };
    if let Some(seat) = begun.seat {
        let frame = seat.address.send(Introduce { token: begun.token }).await.map_err(Error::internal)?;
        return Ok(with_secret(json(frame.to_string())));
    }
    read(&live, begun.session_id, &begun.token).await.map(with_secret)
}

/// How long a request waits for the beginning of an exam.
const BEGIN_TIMEOUT: Duration = Duration::from_secs(25);
/// How often a waiting request checks whether its exam has begun, because the clock may have been changed.
const BEGIN_LOOK: Duration = Duration::from_secs(1);
/// The pause before a request asks again when its exam has begun by this server's clock, but not yet by that of the
/// server with the seat.
const BEGIN_AGAIN: Duration = Duration::from_millis(100);

/// How long a request waits for news of the time: short enough that the client soon notices when its network is away.
const TIME_TIMEOUT: Duration = Duration::from_secs(8);
/// How often a waiting request checks for news of the time while another server has the seat.
const TIME_LOOK: Duration = Duration::from_secs(1);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResumeQuery {
    wait: Option<String>,
    time_version: Option<i64>,
    line: Option<u16>,
}

/// What a request waits for.
#[derive(Clone, Copy)]
enum Wait {
    Nothing,
    Begin,
    /// That the version of the times is another than this.
    Time(i64),
    /// That a test that has ended goes on.
    Reopening,
}

impl ResumeQuery {
    /// The line that the device says it has.
    fn line(&self) -> Result<Option<u16>, Error> {
        if self.line > Some(LINE_MAX) { Err(Error::invalid("line")) } else { Ok(self.line) }
    }

    fn wait(&self) -> Result<Wait, Error> {
        match (self.wait.as_deref(), self.time_version) {
            (None, _) => Ok(Wait::Nothing),
            (Some("begin"), _) => Ok(Wait::Begin),
            (Some("reopening"), _) => Ok(Wait::Reopening),
            (Some("time"), Some(version)) => Ok(Wait::Time(version)),
            (Some("time"), None) => Err(Error::invalid("timeVersion")),
            (Some(_), _) => Err(Error::invalid("wait")),
        }
    }
}

/// Returns the state of a live exam, as `resumed`; before the beginning of a sitting as `waiting`.
///
/// With `wait=begin` it is answered when the exam begins or something of it changes, or after 25 s; with `wait=time`
/// when the version of its times is another than `timeVersion`, when it ends, or after 8 s. With `wait=reopening` a
/// test that has ended is answered when it goes on, and with 204 after 25 s. After the end of a test in a sitting
/// `resumed` has no `keys` of its paper.
#[utoipa::path(
    operation_id = "resumeLiveExam",
    tag = "live",
    security(("session_token" = [])),
    params(
        ("sessionId" = String, Path, description = "Session id"),
        ("wait" = Option<String>, Query, description = "`begin`: answer when the exam begins; `time`: when its time changes; `reopening`: when it goes on after its end"),
        ("timeVersion" = Option<i64>, Query, description = "With `wait=time`: the version that the client knows"),
        ("line" = Option<u16>, Query, description = "The line that the device has, 0 for none: it keeps it unless another device has come since"),
    ),
    responses(
        (status = 200, description = "`resumed`, or `waiting`", body = ComeBackShape),
        (status = 204, description = "With `wait=reopening`: the test has ended, and does not go on"),
        (status = 400, description = "Another `wait`, no `timeVersion` with `time`, or a `line` above 1,000", body = LiveErrorBody),
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
    query: Query<ResumeQuery>,
) -> Result<HttpResponse, LiveError> {
    let token = bearer(request.headers()).ok_or_else(LiveError::without_token)?;
    refuse_while_stopping(&live)?;
    let wait = query.wait()?;
    let live = live.into_inner();
    let mut changes = live.shared.neighbours.sittings.changes.listen();
    let line = query.line()?;
    let (session_id, token_hash) = (parse_id(&session_id)?, token::hash(token));
    let mut asked = ForwardedRequest { session_id, token_hash, commands: None, line, receipt: false };
    let asked_by = (session_id, &token_hash);
    if matches!(wait, Wait::Reopening) {
        // Without the seat, which a page that waits for hours would keep in memory.
        let waiting = &live.shared.reopenings;
        if !waiting.knows(session_id, token_hash).await {
            let checking = live.check_token(session_id, &token_hash);
            within(Box::pin(counted::known(&live, CountedCaller::of(&request), asked_by, checking))).await?;
            waiting.learn(session_id, token_hash).await;
        }
        if !reopening::wait(&live, session_id).await? {
            return Ok(private(&mut HttpResponse::NoContent()).finish());
        }
    }
    let asking = counted::known(&live, CountedCaller::of(&request), asked_by, forward::answer(&live, &asked, token));
    let mut answer = within(Box::pin(asking)).await?;
    // The device has this line from now on, also where it is asked again below.
    asked.line = line.and(answer.as_deref()).and_then(LinedFrame::line_of).or(line);
    if let Wait::Time(version) = wait {
        answer = wait_for_time(&live, &asked, token, version, answer).await?;
    }
    let first = answer.as_deref().filter(|_| matches!(wait, Wait::Begin)).and_then(AwaitedFrame::of);
    let until = Instant::now() + BEGIN_TIMEOUT;
    while let Some(awaited) = answer.as_deref().and_then(AwaitedFrame::of)
        && first.as_ref() == Some(&awaited)
        && Instant::now() < until
        && !live.shared.registry.is_stopping()
    {
        wait_for(&live, &awaited, &mut changes, until).await;
        answer = within(forward::answer(&live, &asked, token)).await?;
    }
    answer.map(json).map(with_secret).ok_or_else(|| Error::Unavailable(NOT_SAVED).into())
}

/// Reads again whenever there may be news, until the version of the times is another than this one.
async fn wait_for_time(
    live: &Arc<Live>,
    asked: &ForwardedRequest,
    token: &str,
    version: i64,
    mut answer: Option<String>,
) -> Result<Option<String>, LiveError> {
    let until = Instant::now() + TIME_TIMEOUT;
    let mut news = None;
    while answer.as_deref().is_some_and(|frame| TimedFrame::is_of(frame, version))
        && Instant::now() < until
        && !live.shared.registry.is_stopping()
    {
        let clock = &live.services.clock;
        match &mut news {
            // The seat is listened to before it is read again, so that nothing is missed.
            None => news = live.shared.registry.find(asked.session_id).map(|handle| handle.news()),
            Some(heard) => tokio::select! {
                heard = heard.changed() => if heard.is_err() { news = None },
                () = live.shared.registry.stopping() => {}
                () = clock.sleep(until.saturating_duration_since(Instant::now())) => {}
            },
        }
        if news.is_none() {
            clock.sleep(TIME_LOOK).await;
        }
        answer = within(forward::answer(live, asked, token)).await?;
    }
    Ok(answer)
}

/// Waits until the exam begins or its sitting changes, and at most until then.
async fn wait_for(live: &Live, awaited: &AwaitedFrame, changes: &mut Receiver<Uuid>, until: Instant) {
    let clock = &live.services.clock;
    let changed = async {
        loop {
            match changes.recv().await {
                Ok(sitting_id) if sitting_id == awaited.sitting_id => return,
                Err(_) => return clock.sleep(BEGIN_LOOK).await,
                Ok(_) => {}
            }
        }
    };
    let left = || awaited.begins_at.map(|begins_at| begins_at.since(clock.now()));
    let begun = async {
        if left().is_some_and(|left| left <= 0) {
            return clock.sleep(BEGIN_AGAIN).await;
        }
        while let Some(pause) = pause_before(left()) {
            clock.sleep(pause).await;
        }
    };
    let stopping = live.shared.registry.stopping();
    tokio::select! {
        () = changed => {}
        () = begun => {}
        () = stopping => {}
        () = clock.sleep(until.saturating_duration_since(Instant::now())) => {}
    }
}

/// How long to wait before the next look at the clock; `None` once the moment has come.
fn pause_before(left_ms: Option<i64>) -> Option<Duration> {
    let Some(left_ms) = left_ms else { return Some(BEGIN_LOOK) };
    let left = u64::try_from(left_ms).ok().filter(|left| *left > 0)?;
    Some(Duration::from_millis(left).min(BEGIN_LOOK))
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
    let token_hash = token::hash(token);
    let question = ForwardedRequest { session_id, token_hash, commands: body, line: None, receipt: false };
    let answer = within(forward::answer(live, &question, token)).await?;
    answer.map(json).ok_or_else(|| Error::Unavailable(NOT_SAVED).into())
}

/// Answers 503 when `asking` takes too long. Its commands may or may not be saved, so the client sends them again.
pub(super) async fn within<T>(asking: impl Future<Output = Result<T, Fault>>) -> Result<T, LiveError> {
    within_time(COMMIT_TIMEOUT, asking).await
}

async fn within_time<T>(limit: Duration, asking: impl Future<Output = Result<T, Fault>>) -> Result<T, LiveError> {
    let answer = tokio::time::timeout(limit, asking).await.map_err(|_| Error::Unavailable(NOT_SAVED))?;
    Ok(answer?)
}

pub(super) fn refuse_while_stopping(live: &Live) -> Result<(), Error> {
    if live.shared.registry.is_stopping() { Err(Error::Unavailable(RESTARTING)) } else { Ok(()) }
}

fn text(body: &[u8]) -> Result<&str, Fault> {
    std::str::from_utf8(body).map_err(|_| Fault::new(super::protocol::fault::Code::BadMessage, "The body is not JSON"))
}

pub(super) fn json(answer: String) -> HttpResponse {
    private(&mut HttpResponse::Ok()).content_type("application/json").body(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_looked_at_until_the_moment_has_come() {
        assert_eq!(pause_before(None), Some(BEGIN_LOOK));
        assert_eq!(pause_before(Some(60_000)), Some(BEGIN_LOOK));
        assert_eq!(pause_before(Some(7)), Some(Duration::from_millis(7)));
        assert_eq!([0, -1, -60_000].map(|left| pause_before(Some(left))), [None; 3]);
    }
}
