//! `/api/me/sign-ins`: the sign-ins of whoever calls, and how they end those that they do not know or need any more.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse, delete, get};
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::caller::{Callers, Credential, SignedIn};
use super::cookie::SIGNED_IN_SECONDS;
use super::token;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{Done, done, private};
use crate::store::sign_ins::StoredSignIn;

/// For a sign-in that has ended, or never was.
pub const SIGN_IN_NOT_FOUND: &str = "Sign-in not found";

/// Somebody is signed in with a browser. Nothing here lets anybody in, and no address is stored.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignInView {
    id: Uuid,
    /// What the browser was called when it signed in, such as `Firefox`; null if it did not say so.
    #[schema(required)]
    browser: Option<String>,
    /// What its system was called, such as `Windows`.
    #[schema(required)]
    system: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    since: Moment,
    /// Ten minutes behind at most; null for those of earlier releases.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    last_used_at: Option<Moment>,
    /// When it ends by itself.
    #[schema(value_type = String, format = DateTime)]
    ends_at: Moment,
    /// Whether the request was made with it.
    current: bool,
}

/// All sign-ins of one user.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignInsView {
    /// The latest first, 100 at most.
    sign_ins: Vec<SignInView>,
}

impl SignInsView {
    /// As they are shown to the owner of this credential, or to somebody else.
    #[must_use]
    pub fn of(stored: Vec<StoredSignIn>, credential: Option<&Credential>) -> Self {
        let own = own_hash(credential);
        let view = |one: StoredSignIn| SignInView {
            id: token::sign_in_id(&one.secret_hash),
            current: own.is_some_and(|own| own.as_slice() == one.secret_hash),
            browser: one.browser,
            system: one.system,
            since: one.since,
            last_used_at: one.last_used_at,
            ends_at: one.since.plus(SIGNED_IN_SECONDS * 1_000),
        };
        Self { sign_ins: stored.into_iter().map(view).collect() }
    }
}

/// The hash of the sign-in with which somebody calls; `None` for an API token.
const fn own_hash(credential: Option<&Credential>) -> Option<&[u8; 32]> {
    match credential {
        Some(Credential::SignIn(_, _, secret_hash)) => Some(secret_hash),
        Some(Credential::Token(_)) | None => None,
    }
}

/// One's own sign-ins that have not ended, the latest first.
#[utoipa::path(
    operation_id = "listMySignIns",
    tag = "sign-in",
    security(("api_token" = [])),
    responses(
        (status = 200, description = "One's own sign-ins", body = SignInsView),
        (status = 401, description = "Not signed in", body = ErrorBody),
    )
)]
#[get("/api/me/sign-ins")]
pub async fn list(
    request: HttpRequest,
    SignedIn(caller): SignedIn,
    callers: Data<Callers>,
) -> Result<HttpResponse, Error> {
    let stored = callers.sign_ins_of(&caller.email).await?;
    let view = SignInsView::of(stored, callers.credential(request.headers()).as_ref());
    Ok(private(&mut HttpResponse::Ok()).json(view))
}

/// Ends one of one's own sign-ins: at once on this server, and on others within five seconds.
#[utoipa::path(
    operation_id = "endMySignIn",
    tag = "sign-in",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "From the list")),
    responses(
        (status = 200, description = "Ended", body = Done),
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 404, description = "It has ended, or is somebody else's", body = ErrorBody),
    )
)]
#[delete("/api/me/sign-ins/{id}")]
pub async fn end_one(
    request: HttpRequest,
    asked: After<SignedIn, Path<String>>,
    callers: Data<Callers>,
) -> Result<HttpResponse, Error> {
    let After(SignedIn(caller), id) = asked;
    let credential = callers.credential(request.headers());
    // Whoever has a copy of a sign-in that has ended ends nothing more.
    if let Some(own) = own_hash(credential.as_ref())
        && !callers.is_signed_in(&caller.email, own).await?
    {
        return Err(Error::Unauthorized);
    }
    end(&callers, &caller.email, &id).await
}

/// Ends all of one's own sign-ins but the one with which this is asked. API tokens stay.
///
/// Asked with an API token, it ends all.
#[utoipa::path(
    operation_id = "endMyOtherSignIns",
    tag = "sign-in",
    security(("api_token" = [])),
    responses(
        (status = 200, description = "Ended", body = Done),
        (status = 401, description = "Not signed in", body = ErrorBody),
    )
)]
#[delete("/api/me/sign-ins")]
pub async fn end_others(
    request: HttpRequest,
    SignedIn(caller): SignedIn,
    callers: Data<Callers>,
) -> Result<HttpResponse, Error> {
    let credential = callers.credential(request.headers());
    let Some(own) = own_hash(credential.as_ref()) else {
        callers.end_sign_ins_of(&caller.email).await?;
        return Ok(done());
    };
    if callers.end_other_sign_ins(&caller.email, own).await? { Ok(done()) } else { Err(Error::Unauthorized) }
}

/// Ends a sign-in of this user by the id in a path.
pub async fn end(callers: &Callers, email: &str, id: &str) -> Result<HttpResponse, Error> {
    let id = id.parse::<Uuid>().map_err(|_| Error::NotFound(SIGN_IN_NOT_FOUND))?;
    if callers.end_sign_in(email, id).await? { Ok(done()) } else { Err(Error::NotFound(SIGN_IN_NOT_FOUND)) }
}
