//! The routes for signing in: through the identity provider, or with the development sign-in while none is configured
//! (docs/security.md#sign-in).

use actix_web::cookie::Cookie;
use actix_web::cookie::time::Duration;
use actix_web::http::StatusCode;
use actix_web::http::header::{ACCEPT, HOST, LOCATION};
use actix_web::web::{Data, Form, Query};
use actix_web::{HttpRequest, HttpResponse, ResponseError, get, post};
use domain::access::{Profile, new_email, normal_email};
use domain::text;
use domain::time::moment::Moment;
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;
use url::Url;
use utoipa::ToSchema;

use super::caller::Callers;
use super::cookie::Cookies;
use super::identity_provider::{IdentityProvider, SignInFailure, shown_name};
use super::{cross_site, page, token};
use crate::clock::Clock;
use crate::config::{Config, SignIn, is_loopback};
use crate::error::{Error, ErrorBody};
use crate::http::client_address::{client_address, is_hidden};
use crate::http::fallback::NOT_FOUND;
use crate::http::limits::{AddressLimit, Counted, CountedCaller};
use crate::http::read_only;
use crate::provider::Provider;

/// How long a person may stay at the provider: long enough to look for a password.
const STATE_SECONDS: i64 = 10 * 60;
/// Bytes of a `return_to`, which travels inside the `state`; a longer one leads to the start page.
const RETURN_TO_BYTES_MAX: usize = 1_024;
/// The cookie that binds a sign-in to the browser that began it.
const BROWSER: &str = "examhall-browser";
/// The purpose for which a `state` is sealed, so that no other sealed text passes for one.
const STATE: &str = "state";
/// For a server without any way to sign in.
pub(super) const SIGN_IN_OFF: &str = "No identity provider is configured";
/// For a state that belongs to another browser or is too old.
pub(super) const BAD_STATE: &str = "The sign-in has expired or was started in another browser";
/// For a person who turned back at the provider.
pub(super) const NOT_COMPLETED: &str = "The sign-in was not completed";
/// For an address that anyone could claim.
pub(super) const NOT_VERIFIED: &str = "Your e-mail address is not verified by the identity provider";
/// For an address that could be taken for another one, or is none.
pub(super) const BAD_ADDRESS: &str =
    "Your e-mail address is not valid here: it may have characters that cannot be seen";
pub(super) const PROVIDER_FAILED: &str = "The identity provider failed";
pub(super) const PROVIDER_SLOW: &str = "The identity provider did not answer in time";

/// What the server must remember of a sign-in that has begun. The browser carries it, sealed, to the provider and back,
/// so nothing is stored for people who never return (docs/decisions/0013-a-sign-in-travels-with-the-browser.md).
#[derive(Serialize, Deserialize)]
struct SignInState {
    browser: String,
    nonce: String,
    verifier: String,
    return_to: String,
    at_ms: i64,
}

#[derive(Deserialize)]
struct Begin {
    return_to: Option<String>,
}

/// Begins a sign-in.
///
/// Redirects to the identity provider. Without one, on loopback, it shows the page of the development sign-in.
#[utoipa::path(
    operation_id = "beginSignIn",
    tag = "sign-in",
    params(("return_to" = Option<String>, Query, description = "Path of this site to come back to; `/` when it is anything else")),
    responses(
        (status = 200, description = "The development sign-in", body = String, content_type = "text/html"),
        (status = 303, description = "To the identity provider"),
        (status = 404, description = "There is no sign-in", body = ErrorBody),
        (status = 429, description = "Too many from this address", body = ErrorBody),
        (status = 502, description = "The identity provider failed", body = ErrorBody),
        (status = 504, description = "The identity provider did not answer in time", body = ErrorBody),
    )
)]
#[get("/auth/sign-in")]
pub async fn begin(
    request: HttpRequest,
    query: Query<Begin>,
    limit: Data<AddressLimit>,
    config: Data<Config>,
    provider: Data<Option<IdentityProvider>>,
    cookies: Data<Cookies>,
    clock: Data<Clock>,
) -> HttpResponse {
    let return_to = own_path(query.return_to.as_deref().unwrap_or_default());
    // Before anybody types a password for nothing.
    if read_only::is_on(&request) {
        return failed(&request, &Error::ReadOnly, &return_to).await;
    }
    let Some(provider) = provider.as_ref() else {
        return if is_local(&request, &config) {
            page::local(&request, &return_to, None).await
        } else {
            failed(&request, &Error::NotFound(SIGN_IN_OFF), &return_to).await
        };
    };
    let led = async {
        limit.count(Counted::SignIn, CountedCaller::of(&request).as_ref())?;
        to_provider(&request, provider, &cookies, return_to.clone(), clock.now()).await
    };
    match led.await {
        Ok((url, browser)) => HttpResponse::SeeOther().insert_header((LOCATION, url.as_str())).cookie(browser).finish(),
        Err(error) => failed(&request, &error, &return_to).await,
    }
}

async fn to_provider(
    request: &HttpRequest,
    provider: &IdentityProvider,
    cookies: &Cookies,
    return_to: String,
    now: Moment,
) -> Result<(Url, Cookie<'static>), Error> {
    let secret = || token::random_bytes().map(|bytes| token::encode(&bytes)).map_err(Error::internal);
    // A sign-in that has begun in another tab stays valid, since both use the same cookie.
    let known = cookies.value(request.headers(), BROWSER).filter(|value| value.len() == token::encode(&[0; 32]).len());
    let browser = known.map_or_else(secret, Ok)?;
    let state = SignInState {
        browser: browser.clone(),
        nonce: secret()?,
        verifier: secret()?,
        return_to,
        at_ms: now.milliseconds(),
    };
    let sealed =
        cookies.seal(STATE, serde_json::to_vec(&state)?).ok_or_else(|| Error::internal("a state cannot be sealed"))?;
    let url = provider.authorization_url(sealed, &state.nonce, &state.verifier).await?;
    Ok((url, cookies.cookie(BROWSER, browser, Duration::seconds(STATE_SECONDS))))
}

#[derive(Default, Deserialize)]
struct Back {
    code: Option<String>,
    state: Option<String>,
}

/// Completes a sign-in: the identity provider sends the browser here.
#[utoipa::path(
    operation_id = "completeSignIn",
    tag = "sign-in",
    params(("code" = Option<String>, Query, description = "From the provider"), ("state" = Option<String>, Query, description = "As it was sent to the provider")),
    responses(
        (status = 303, description = "Signed in, to where the sign-in began"),
        (status = 400, description = "Not completed, expired, or started in another browser", body = ErrorBody),
        (status = 403, description = "The e-mail address is not verified, or nobody may sign in with it", body = ErrorBody),
        (status = 404, description = "There is no identity provider", body = ErrorBody),
        (status = 502, description = "The identity provider failed", body = ErrorBody),
        (status = 504, description = "The identity provider did not answer in time", body = ErrorBody),
    )
)]
#[get("/auth/callback")]
pub async fn end(
    request: HttpRequest,
    provider: Data<Option<IdentityProvider>>,
    cookies: Data<Cookies>,
    data: Data<dyn Provider>,
    callers: Data<Callers>,
    clock: Data<Clock>,
) -> HttpResponse {
    let Some(provider) = provider.as_ref() else {
        return failed(&request, &Error::NotFound(NOT_FOUND), "/").await;
    };
    // A query that can't be read counts as one with neither code nor state.
    let back = Query::<Back>::from_query(request.query_string()).map(Query::into_inner).unwrap_or_default();
    let state = open_state(&request, &back, &cookies, clock.now());
    let return_to = state.as_ref().map_or("/", |state| &state.return_to).to_owned();
    let ended = async {
        if read_only::is_on(&request) {
            return Err(Error::ReadOnly);
        }
        // No limit per address here: a request with a valid state was counted when the sign-in began.
        let state = state.ok_or_else(|| Error::Invalid(BAD_STATE.to_owned()))?;
        let code = back.code.ok_or_else(|| Error::Invalid(NOT_COMPLETED.to_owned()))?;
        let profile = provider.redeem(code, &state.nonce, state.verifier).await?;
        signed_in(&request, &profile, &state.return_to, &cookies, &callers, &**data).await
    };
    match ended.await {
        Ok(answer) => answer,
        Err(error) => failed(&request, &error, &return_to).await,
    }
}

/// The state, if it was made for this browser and is not too old.
fn open_state(request: &HttpRequest, back: &Back, cookies: &Cookies, now: Moment) -> Option<SignInState> {
    let state: SignInState = serde_json::from_slice(&cookies.open(STATE, back.state.as_deref()?)?).ok()?;
    let browser = cookies.value(request.headers(), BROWSER)?;
    let age = now.since(Moment::from_milliseconds(state.at_ms));
    // In constant time, so that nobody can find the cookie's value out by measuring.
    let is_of_this_browser: bool = state.browser.as_bytes().ct_eq(browser.as_bytes()).into();
    (is_of_this_browser && age < STATE_SECONDS * 1_000).then_some(state)
}

async fn signed_in(
    request: &HttpRequest,
    profile: &Profile,
    return_to: &str,
    cookies: &Cookies,
    callers: &Callers,
    data: &dyn Provider,
) -> Result<HttpResponse, Error> {
    let since = data.sign_in(profile).await?;
    let secret = callers.begin_sign_in(&profile.email, since, request.headers()).await?;
    let cookie = cookies.signed_in(&profile.email, since, &secret);
    let cookie = cookie.ok_or_else(|| Error::internal("a cookie cannot be sealed"))?;
    // The new cookie replaces the one of the browser's sign-in before, which nobody could end after that. If the
    // database cannot do it now, that sign-in expires by itself.
    callers.sign_out(request.headers(), false).await;
    Ok(HttpResponse::SeeOther().insert_header((LOCATION, return_to)).cookie(cookie).finish())
}

/// The form of the development sign-in.
#[derive(Deserialize, ToSchema)]
pub struct LocalForm {
    #[serde(default)]
    email: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    return_to: String,
}

/// The development sign-in: anyone on this machine may sign in as anyone.
///
/// It exists only while no identity provider is configured and the server listens on loopback.
#[utoipa::path(
    operation_id = "signInForDevelopment",
    tag = "sign-in",
    request_body(content = LocalForm, content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 303, description = "Signed in"),
        (status = 400, description = "`Invalid email`", body = ErrorBody),
        (status = 403, description = "From another site", body = ErrorBody),
        (status = 404, description = "It does not exist here", body = ErrorBody),
    )
)]
#[post("/auth/local")]
pub async fn local(
    request: HttpRequest,
    form: Option<Form<LocalForm>>,
    config: Data<Config>,
    cookies: Data<Cookies>,
    callers: Data<Callers>,
    data: Data<dyn Provider>,
) -> Result<HttpResponse, Error> {
    if !is_local(&request, &config) {
        return Err(Error::NotFound(NOT_FOUND));
    }
    cross_site::refuse_foreign_page(&request)?;
    let Form(form) = form.ok_or_else(|| Error::invalid("body"))?;
    let return_to = own_path(&form.return_to);
    if read_only::is_on(&request) {
        return Ok(failed(&request, &Error::ReadOnly, &return_to).await);
    }
    let Some(email) = new_email(&form.email) else {
        return if wants_page(&request) {
            Ok(page::local(&request, &return_to, Some(what_is_wrong(&form.email))).await)
        } else {
            Err(Error::invalid("email"))
        };
    };
    if text::has_control(&form.name) {
        return if wants_page(&request) {
            Ok(page::local(&request, &return_to, Some("This is not a name.")).await)
        } else {
            Err(Error::invalid("name"))
        };
    }
    let name = Some(shown_name(&form.name))
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| email.split('@').next().unwrap_or_default().to_owned());
    let profile = Profile { email, name, image: String::new() };
    signed_in(&request, &profile, &return_to, &cookies, &callers, &**data).await
}

fn what_is_wrong(email: &str) -> &'static str {
    if normal_email(email).is_some() {
        "This e-mail address has characters that cannot be seen. Type it by hand."
    } else {
        "This is not an e-mail address."
    }
}

/// Returns whether the development sign-in exists for this request: it is configured, and the request comes from this
/// machine, for a name of this machine, and not through a proxy that could hide another client.
fn is_local(request: &HttpRequest, config: &Config) -> bool {
    let headers = request.headers();
    let client = client_address(request);
    let is_here = client.is_some_and(|client| client.is_loopback());
    // A request for the server's public name must have come through a proxy. A foreign name that resolves to this
    // machine is an attack by the owner of that name (DNS rebinding).
    let host = headers
        .get(HOST)
        .and_then(|host| host.to_str().ok())
        .and_then(|host| Url::parse(&format!("http://{host}")).ok());
    matches!(config.access.sign_in, SignIn::Local)
        && is_here
        && !is_hidden(request, config)
        && host.is_some_and(|url| is_loopback(&url))
}

/// The text if it is a path of this site, otherwise `/`.
fn own_path(text: &str) -> String {
    let is_path = text.starts_with('/') && !text.starts_with("//") && text.len() <= RETURN_TO_BYTES_MAX;
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    // The browser's reading of the text decides, not its look: some texts that begin with a slash lead to another site.
    let stays = Url::parse("http://own.invalid")
        .and_then(|base| base.join(text))
        .is_ok_and(|url| url.host_str() == Some("own.invalid"));
    if is_path && is_plain && stays { text.to_owned() } else { "/".to_owned() }
}

/// Returns whether a browser shows the answer to a person.
pub fn wants_page(request: &HttpRequest) -> bool {
    request
        .headers()
        .get(ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|accept| accept.contains("text/html"))
}

/// Answers with a page to browsers, and with the usual JSON error to programs.
async fn failed(request: &HttpRequest, error: &Error, return_to: &str) -> HttpResponse {
    if error.status_code() == StatusCode::INTERNAL_SERVER_ERROR {
        tracing::error!(?error, "a sign-in failed");
    }
    if wants_page(request) {
        page::failed(request, error.status_code(), &error.to_string(), return_to).await
    } else {
        error.error_response()
    }
}

impl From<SignInFailure> for Error {
    fn from(failure: SignInFailure) -> Self {
        tracing::warn!(%failure, "nobody was signed in");
        match failure {
            SignInFailure::Failed(_) | SignInFailure::NotBelieved(_) => Self::BadGateway(PROVIDER_FAILED),
            SignInFailure::Slow => Self::GatewayTimeout(PROVIDER_SLOW),
            SignInFailure::Refused(_) => Self::Invalid(NOT_COMPLETED.to_owned()),
            SignInFailure::NotVerified => Self::Forbidden(NOT_VERIFIED),
            SignInFailure::BadAddress => Self::Forbidden(BAD_ADDRESS),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_return_leads_to_this_site_alone() {
        for path in ["/", "/test/5?mode=adaptive", "/report/0b0e#q3", "/a//b"] {
            assert_eq!(own_path(path), path);
        }
        for text in [
            "",
            "test",
            "//evil.example",
            "/\\evil.example",
            "/\t/evil.example",
            "https://evil.example",
            "javascript:alert(1)",
            "/a b",
            "/\u{e9}",
        ] {
            assert_eq!(own_path(text), "/", "{text:?}");
        }
        assert_eq!(own_path(&format!("/{}", "x".repeat(RETURN_TO_BYTES_MAX))), "/");
    }
}
