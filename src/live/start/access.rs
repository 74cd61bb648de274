//! Who may begin a test of a template, checked in the order of `docs/live-protocol.md#begin`, and the test of the same
//! account that goes on already (`docs/decisions/0087-who-may-sit-a-template.md`).

use domain::access::Identity;
use domain::template::access::{AccessRefusal, Audience, TemplateAccess, TypedCode};
use domain::time::moment::Moment;
use uuid::Uuid;

use super::{StartedAttempt, random, ready};
use crate::auth::token;
use crate::error::Error;
use crate::http::limits::CountedCaller;
use crate::live::Live;
use crate::live::guesses::shared_codes::GuessedCode;
use crate::live::protocol::fault::{Code, Fault};
use crate::live::store::{self, MoveOutcome, Mover};
use crate::store::{classes, counted_attempts};

/// A test that may begin.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Admission {
    /// Which of the account's tests it is, where they are counted.
    pub(super) number: Option<i32>,
    /// When it ends at the latest.
    pub(super) closes_at: Option<Moment>,
}

/// What becomes of a start.
pub(super) enum AdmittedStart {
    Begins(Admission),
    /// The account has begun one that has not ended.
    GoesOn(StartedAttempt),
}

/// Lets somebody begin a test of a template who is not of its staff, or go on with their own.
pub(super) async fn admit(
    live: &Live,
    template_id: Uuid,
    typed: Option<&str>,
    caller: Option<&Identity>,
    address: Option<CountedCaller>,
) -> Result<AdmittedStart, Fault> {
    let ready = ready(live, template_id).await?;
    let access = &ready.rules.access;
    let database = &live.services.database;
    let is_of_classes = match caller.filter(|_| access.who == Audience::Classes) {
        Some(caller) => classes::has_person(&database.read, &access.class_ids, &caller.email).await.map_err(unread)?,
        None => false,
    };
    access.admits(caller.is_some(), is_of_classes).map_err(refused)?;
    let owner = caller.filter(|_| access.needs_account()).map(|caller| caller.email.as_str());
    let begun = match find_begun(live, template_id, owner).await? {
        Begun::Running(started) => return Ok(AdmittedStart::GoesOn(started)),
        Begun::Ended(begun) => begun,
    };
    access.window(live.services.clock.now()).map_err(refused)?;
    // Also where no account is needed: whoever has one shares nothing with others behind the same address.
    let guesser = caller.map(|caller| CountedCaller::Account(caller.email.clone())).or(address);
    refuse_wrong_code(live, template_id, access, typed, guesser).await?;
    next(access, owner, begun)
}

/// The same for somebody whom a learning platform has sent: its link stands for the class and the code, and their tests
/// are always counted. Those of nobody are not: they never count.
pub(super) async fn admit_sent(
    live: &Live,
    template_id: Uuid,
    caller: Option<&Identity>,
) -> Result<AdmittedStart, Fault> {
    let ready = ready(live, template_id).await?;
    let access = &ready.rules.access;
    let owner = caller.map(|caller| caller.email.as_str());
    let begun = match find_begun(live, template_id, owner).await? {
        Begun::Running(started) => return Ok(AdmittedStart::GoesOn(started)),
        Begun::Ended(begun) => begun,
    };
    access.window(live.services.clock.now()).map_err(refused)?;
    next(access, owner, begun)
}

/// What an account has begun of a template before.
enum Begun {
    Running(StartedAttempt),
    /// How many, none of which goes on.
    Ended(u32),
}

async fn find_begun(live: &Live, template_id: Uuid, owner: Option<&str>) -> Result<Begun, Fault> {
    let Some(owner) = owner else { return Ok(Begun::Ended(0)) };
    let now = live.services.clock.now();
    let found = counted_attempts::find(&live.services.database, template_id, owner, now).await.map_err(unread)?;
    if let Some(session_id) = found.running
        && let Some(started) = go_on(live, session_id, owner).await?
    {
        return Ok(Begun::Running(started));
    }
    Ok(Begun::Ended(found.begun))
}

/// The next test of an account, if it has any left.
fn next(access: &TemplateAccess, owner: Option<&str>, begun: u32) -> Result<AdmittedStart, Fault> {
    if access.attempts_left(begun) == Some(0) {
        return Err(Fault::new(Code::NoAttemptsLeft, "No attempts left"));
    }
    let number = owner.map(|_| i32::try_from(begun.saturating_add(1)).unwrap_or(i32::MAX));
    Ok(AdmittedStart::Begins(Admission { number, closes_at: access.closes_at }))
}

/// After a start was to be stored: the test that has its number, if that is another one, which another tab or device
/// of the account has begun at the same moment.
pub(super) async fn find_quicker(
    live: &Live,
    (template_id, session_id): (Uuid, Uuid),
    number: i32,
    owner: &str,
) -> Result<Option<StartedAttempt>, Fault> {
    let database = &live.services.database;
    let holder = counted_attempts::find_numbered(database, template_id, owner, number).await;
    match holder.map_err(unread)? {
        Some(holder) if holder == session_id => Ok(None),
        // What has ended by now, or is not there, is found by the next start.
        Some(holder) => go_on(live, holder, owner).await?.ok_or_else(Fault::storage).map(Some),
        None => Err(Fault::storage()),
    }
}

/// Gives an account a further token of its own test; `None` if that has ended.
async fn go_on(live: &Live, session_id: Uuid, owner: &str) -> Result<Option<StartedAttempt>, Fault> {
    let token = token::encode(&random()?);
    let (database, now) = (&live.services.database, live.services.clock.now());
    let hash = token::hash(&token);
    let giving = store::add_token(database, Mover::Owner(session_id, owner), &hash, now);
    match giving.await.map_err(unread)? {
        MoveOutcome::Done(_) => Ok(Some(StartedAttempt { seat: None, session_id, token })),
        MoveOutcome::TooMany { .. } => Err(Fault::new(Code::RateLimited, "Too many devices: try again a little later")),
        MoveOutcome::UnknownSession | MoveOutcome::AlreadySubmitted | MoveOutcome::Refused => Ok(None),
    }
}

/// The code is one for all, so guesses at it have a budget of their own (`docs/security.md#keys-of-questions`).
async fn refuse_wrong_code(
    live: &Live,
    template_id: Uuid,
    access: &TemplateAccess,
    typed: Option<&str>,
    guesser: Option<CountedCaller>,
) -> Result<(), Fault> {
    let verdict = access.typed(typed);
    if access.code.is_none() {
        return Ok(());
    }
    if verdict == TypedCode::Missing {
        return Err(Fault::new(Code::CodeRequired, "Code required"));
    }
    match live.shared.shared_codes.judge(template_id, guesser, verdict == TypedCode::Right).await {
        GuessedCode::Right => Ok(()),
        GuessedCode::Wrong => Err(Fault::new(Code::WrongCode, "Wrong code")),
        GuessedCode::TooMany => Err(Fault::new(Code::RateLimited, "Too many wrong codes: try again a little later")),
    }
}

fn refused(refusal: AccessRefusal) -> Fault {
    match refusal {
        AccessRefusal::NotSignedIn => Fault::new(Code::SignInRequired, "Sign in to start this test"),
        AccessRefusal::NotForThem => Fault::new(Code::NotForAccount, "Not for this account"),
        AccessRefusal::NotOpenYet(at) => Fault { opens_at: Some(at), ..Fault::new(Code::NotOpen, "Not open yet") },
        AccessRefusal::Closed(at) => Fault { closes_at: Some(at), ..Fault::new(Code::Closed, "Closed") },
    }
}

fn unread(error: impl Into<Error>) -> Fault {
    let error: Error = error.into();
    tracing::warn!(%error, "a start was refused: it could not be read who may sit the template");
    Fault::storage()
}
