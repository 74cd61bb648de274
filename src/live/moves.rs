//! Going on with a test on another device: a student's own attempts, and further tokens for them, given to the person
//! who has begun the attempt, or to whoever has a proctor's code.

mod wrong_codes;

use std::time::Duration;

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse, get, post};
use domain::attempt::Mode;
use domain::grade::Grade;
use domain::move_code::MoveCode;
use domain::room::row::SessionState;
use domain::time::moment::Moment;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::Live;
use super::error::{LiveError, LiveErrorBody};
use super::guesses::{Aim, Guesses};
use super::protocol::fault::{Code, Fault};
use super::store::{self, MoveOutcome, Moved, Mover, NewCode, OwnAttempt};
use crate::auth::caller::Anyone;
use crate::auth::token;
use crate::clock::Clock;
use crate::config::Secret;
use crate::database::in_time;
use crate::error::Error;
use crate::http::answers::private;
use crate::http::body::Body;
use crate::http::limits::{AddressLimit, Counted, CountedCaller};
use crate::sessions::read::parse_id;
use wrong_codes::WrongMoveCodes;
pub use wrong_codes::count_wrong_codes;

/// Bytes of a body with a code.
const BODY_BYTES_MAX: usize = 4 * 1_024;
/// How long a code is valid: long enough to walk to another desk and type it.
const CODE_MILLISECONDS: i64 = 120_000;
/// The aim that guesses at codes count against when they name no session: they may hit any code that is valid.
const ALL_CODES: &str = "codes for other devices";
/// Tokens that one account may ask for per second, sustained.
const ASKS_PER_SECOND: u32 = 1;
/// Tokens that one account may ask for in one burst: a person's own tests on several devices.
const ASKS_AT_ONCE: u32 = 30;
/// Seconds after which a caller over the limit should try again.
const COME_AGAIN_SECONDS: u64 = 5;
/// How long the database may take.
const STORE_TIMEOUT: Duration = Duration::from_secs(10);
/// The answer to every code that does not count. It does not say why: that would help only those who guess.
const BAD_CODE: &str = "The code is wrong, has been used, or is more than two minutes old";
const NOT_OWN: &str = "Only the person who began this test may go on with it elsewhere";

/// How codes are stored, how often they may be tried, and how often people may ask for tokens of their own tests.
pub struct MoveCodes {
    key: [u8; 32],
    guesses: Guesses,
    wrong: WrongMoveCodes,
    /// By account, of those who ask for their own tests.
    asks: AddressLimit,
}

impl MoveCodes {
    /// Derives the key from the server's secret, so every server of one installation knows the same codes.
    #[must_use]
    pub fn new(secret: &Secret, clock: Clock) -> Self {
        let asks = AddressLimit::new(Some((ASKS_PER_SECOND, ASKS_AT_ONCE)));
        let key = token::derive(secret.reveal(), b"move codes");
        Self { key, guesses: Guesses::new(clock), wrong: WrongMoveCodes::default(), asks }
    }

    /// Counts a request for a token of an own test.
    fn count_ask(&self, email: &str) -> Result<(), Error> {
        self.asks.count(Counted::Stranger, Some(&CountedCaller::Account(email.to_owned())))
    }

    /// A code is short, so it is stored under a key that the database does not have.
    fn hash(&self, code: &MoveCode) -> [u8; 32] {
        token::derive(&self.key, code.as_str().as_bytes())
    }

    /// Forgets callers who have been quiet; never returns.
    pub async fn forget_quiet(&self, clock: &Clock) {
        self.asks.forget_quiet(clock).await;
    }
}

/// A code that a proctor has made.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MadeCode {
    /// Eight characters with a hyphen in the middle.
    #[schema(example = "K7QM-3X82")]
    code: String,
    #[schema(value_type = String, format = DateTime)]
    expires_at: Moment,
}

/// The attempts of the caller that go on.
#[derive(Serialize, ToSchema)]
struct OwnAttemptsView {
    attempts: Vec<OwnAttemptView>,
}

/// An attempt of the caller.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OwnAttemptView {
    session_id: Uuid,
    grade: Grade,
    #[schema(required)]
    template_id: Option<Uuid>,
    mode: Mode,
    #[schema(value_type = String, format = DateTime)]
    started_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    deadline: Moment,
    /// `active` or `paused`.
    #[schema(value_type = SessionState)]
    state: &'static str,
}

impl From<OwnAttempt> for OwnAttemptView {
    fn from(own: OwnAttempt) -> Self {
        let OwnAttempt { session_id, grade, template_id, mode, started_at, deadline, is_paused } = own;
        let state = if is_paused { "paused" } else { "active" };
        Self { session_id, grade, template_id, mode, started_at, deadline, state }
    }
}

/// What a request for a token may contain.
#[derive(Default, Deserialize, ToSchema)]
struct MoveRequest {
    /// A proctor's code.
    #[schema(example = "K7QM-3X82")]
    code: Option<String>,
}

/// A further token of a session.
#[derive(Serialize, ToSchema)]
struct FurtherTokenView {
    token: String,
    /// Of the device that gets the token: it names it in its commands, until `resumed` gives it another.
    line: u16,
}

/// The session of a code, and a further token of it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MovedView {
    session_id: Uuid,
    /// Whose questions the new device needs; null if the test has no template, or is a sitting's.
    #[schema(required)]
    template_id: Option<Uuid>,
    token: String,
    /// Of the device that gets the token: it names it in its commands, until `resumed` gives it another.
    line: u16,
}

/// Lists the caller's own tests that go on, the newest first.
#[utoipa::path(
    operation_id = "listMyAttempts",
    tag = "live",
    security(("api_token" = [])),
    responses(
        (status = 200, description = "The attempts", body = OwnAttemptsView),
        (status = 401, description = "Not signed in", body = LiveErrorBody),
        (status = 503, description = "The store is away", body = LiveErrorBody),
    )
)]
#[get("/api/live/mine")]
pub async fn mine(caller: Result<Anyone, Error>, live: Data<Live>) -> Result<HttpResponse, LiveError> {
    let caller = caller?.0.ok_or(Error::Unauthorized)?;
    let services = &live.services;
    let finding = store::find_own(&services.database, &caller.email, services.clock.now());
    let own = in_time("a person's own attempts", STORE_TIMEOUT, finding).await.ok_or_else(Fault::storage)?;
    let attempts = own.into_iter().map(Into::into).collect();
    Ok(private(&mut HttpResponse::Ok()).json(OwnAttemptsView { attempts }))
}

/// Makes a further token of a session, with which another device can go on.
///
/// For the signed-in person who began the test, or without sign-in for whoever sends a proctor's `code`. The socket
/// that resumes with the token takes the session over.
#[utoipa::path(
    operation_id = "createSessionToken",
    tag = "live",
    security((), ("api_token" = [])),
    params(("sessionId" = String, Path, description = "Session id")),
    request_body(content = MoveRequest, description = "Empty, or a proctor's code"),
    responses(
        (status = 200, description = "The token", body = FurtherTokenView),
        (status = 400, description = "Not JSON", body = LiveErrorBody),
        (status = 401, description = "Neither signed in nor a code", body = LiveErrorBody),
        (status = 403, description = "Someone else's test, or no valid code", body = LiveErrorBody),
        (status = 404, description = "Unknown session", body = LiveErrorBody),
        (status = 409, description = "The test has been submitted", body = LiveErrorBody),
        (status = 429, description = "Too many tokens of this session or for this account, or too many codes from this address", body = LiveErrorBody),
        (status = 503, description = "Not now", body = LiveErrorBody),
    )
)]
#[post("/api/live/{sessionId}/token")]
pub async fn further_token(
    request: HttpRequest,
    live: Data<Live>,
    session_id: Path<String>,
    body: Result<Body<BODY_BYTES_MAX>, Error>,
) -> Result<HttpResponse, LiveError> {
    let session_id = parse_id(&session_id)?;
    let MovedView { token, line, .. } = match read(&body?.0)?.code {
        Some(code) => give_by_code(&live, &request, Some(session_id), &code).await?,
        None => {
            let caller =
                live.shared.neighbours.callers.identify(request.headers()).await?.ok_or(Error::Unauthorized)?;
            live.shared.codes.count_ask(&caller.email)?;
            give(&live, Mover::Owner(session_id, &caller.email)).await?
        }
    };
    Ok(private(&mut HttpResponse::Ok()).json(FurtherTokenView { token, line }))
}

/// Makes a further token of the session that a proctor's code is for. A code serves once.
#[utoipa::path(
    operation_id = "moveByCode",
    tag = "live",
    request_body(content = MoveRequest, description = "A proctor's code"),
    responses(
        (status = 200, description = "The session and its token", body = MovedView),
        (status = 400, description = "Not JSON, or no code", body = LiveErrorBody),
        (status = 403, description = "No valid code", body = LiveErrorBody),
        (status = 409, description = "The test has been submitted", body = LiveErrorBody),
        (status = 429, description = "Too many codes from this address", body = LiveErrorBody),
        (status = 503, description = "Not now", body = LiveErrorBody),
    )
)]
#[post("/api/live/move")]
pub async fn by_code(
    request: HttpRequest,
    live: Data<Live>,
    body: Result<Body<BODY_BYTES_MAX>, Error>,
) -> Result<HttpResponse, LiveError> {
    let code = read(&body?.0)?.code.ok_or_else(|| Fault::new(Code::BadMessage, "code is missing"))?;
    Ok(private(&mut HttpResponse::Ok()).json(give_by_code(&live, &request, None, &code).await?))
}

/// Makes a code for a session; the one before it is no longer valid. Fails with `unknown_session`,
/// `already_submitted` or `storage_unavailable`.
pub(super) async fn make_code(live: &Live, session_id: Uuid, proctor: &str) -> Result<MadeCode, Fault> {
    let code = loop {
        if let Some(code) = MoveCode::of_random(&random()?) {
            break code;
        }
    };
    let now = live.services.clock.now();
    let expires_at = now.plus(CODE_MILLISECONDS);
    let new = NewCode { session_id, code_hash: &live.shared.codes.hash(&code), made_by: proctor, expires_at };
    settle(in_time("a new code", STORE_TIMEOUT, store::add_code(&live.services.database, new, now)).await)?;
    Ok(MadeCode { code: code.to_string(), expires_at })
}

/// Gives the session of a code that someone has typed a further token. Wrong ones have a budget, as those at access
/// codes have.
async fn give_by_code(
    live: &Live,
    request: &HttpRequest,
    session_id: Option<Uuid>,
    code: &str,
) -> Result<MovedView, LiveError> {
    let code = MoveCode::parse(code);
    let half = code.as_ref().map(|code| code.first_half().to_owned()).unwrap_or_default();
    let at = session_id.map_or_else(|| ALL_CODES.to_owned(), |session_id| session_id.to_string());
    let aim = Aim { at, half };
    let guess = live.shared.codes.guesses.guess(CountedCaller::of(request), aim).await;
    let guess = guess.ok_or_else(|| Error::TooMany(COME_AGAIN_SECONDS))?;
    // What can't be a code gets the hash of none, so that it counts for the session like any other wrong one.
    let code_hash = code.map_or([0; 32], |code| live.shared.codes.hash(&code));
    let tried = match session_id {
        Some(session_id) => find_tried(live, session_id).await?,
        None => None,
    };
    let given = give(live, Mover::Code(session_id, &code_hash)).await;
    match &given {
        Ok(moved) => guess.right(moved.session_id),
        Err(error) if error.is(Code::BadCode) => {
            tried.into_iter().for_each(|tried| live.shared.codes.wrong.add(tried, 1));
            if guess.wrong().await {
                return Err(Error::TooMany(COME_AGAIN_SECONDS).into());
            }
        }
        Err(_) => {}
    }
    given
}

/// The code that a session has, at which another one is about to be tried: read first, since one that is made meanwhile
/// is not the one that is guessed. Where there is none the read takes as long.
async fn find_tried(live: &Live, session_id: Uuid) -> Result<Option<(Uuid, Vec<u8>)>, Fault> {
    let finding = store::find_code_hash(&live.services.database, session_id);
    let found = in_time("the code of a session", STORE_TIMEOUT, finding).await.ok_or_else(Fault::storage)?;
    Ok(found.map(|code_hash| (session_id, code_hash)))
}

/// Gives a session a further token.
async fn give(live: &Live, mover: Mover<'_>) -> Result<MovedView, LiveError> {
    let token = token::encode(&random()?);
    let services = &live.services;
    let (token_hash, now) = (token::hash(&token), services.clock.now());
    let adding = store::add_token(&services.database, mover, &token_hash, now);
    let refusal = match mover {
        Mover::Owner(..) => Fault::new(Code::Forbidden, NOT_OWN),
        Mover::Candidate { .. } => Fault::not_expected(),
        Mover::Code(..) => Fault::new(Code::BadCode, BAD_CODE),
    };
    match in_time("a further token", STORE_TIMEOUT, adding).await {
        Some(MoveOutcome::Refused) => Err(refusal.into()),
        Some(MoveOutcome::TooMany { until }) => {
            let milliseconds = u64::try_from(until.since(now)).unwrap_or_default();
            Err(Error::TooMany(milliseconds.div_ceil(1_000).max(1)).into())
        }
        outcome => {
            let Moved { session_id, template_id, line } = settle(outcome)?;
            Ok(MovedView { session_id, template_id, token, line })
        }
    }
}

fn settle<T>(outcome: Option<MoveOutcome<T>>) -> Result<T, Fault> {
    match outcome {
        Some(MoveOutcome::Done(done)) => Ok(done),
        Some(MoveOutcome::UnknownSession) => Err(Fault::unknown_session()),
        Some(MoveOutcome::AlreadySubmitted) => Err(Fault::new(Code::AlreadySubmitted, "The test has been submitted")),
        Some(MoveOutcome::TooMany { .. }) => Err(Fault::new(Code::RateLimited, "Too many tokens within a minute")),
        Some(MoveOutcome::Refused) => Err(Fault::new(Code::Forbidden, NOT_OWN)),
        None => Err(Fault::storage()),
    }
}

fn read(body: &[u8]) -> Result<MoveRequest, Fault> {
    if body.iter().all(u8::is_ascii_whitespace) {
        return Ok(MoveRequest::default());
    }
    serde_json::from_slice(body).map_err(|_| Fault::new(Code::BadMessage, "The body is not a JSON object with a code"))
}

fn random() -> Result<[u8; 32], Fault> {
    token::random_bytes().map_err(|error| {
        tracing::error!(%error, "the system gives no randomness");
        Fault::internal()
    })
}
