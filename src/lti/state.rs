//! What must be remembered of a login that has begun at a platform. It travels with the browser, sealed, as with other
//! sign-ins (`docs/decisions/0013-a-sign-in-travels-with-the-browser.md`), and counts once, in the browser that began.

use actix_web::http::header::HeaderMap;
use domain::lti::claims::Launch;
use domain::time::moment::Moment;
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;
use url::Url;
use uuid::Uuid;

use crate::auth::cookie::Cookies;
use crate::auth::token;
use crate::error::Error;

/// How long a person may stay at the platform, which mostly sends them back at once.
pub const STATE_SECONDS: i64 = 10 * 60;
/// Bytes of all hints of a login, as they are stored, that are kept to begin it again in a window of its own. Longer
/// ones are not: then whoever needs a window follows the link again.
const HINTS_BYTES_MAX: usize = 1_536;
/// The cookie that binds a login to its browser.
pub const BROWSER: &str = "lti";
/// The purpose for which a state is sealed.
const PURPOSE: &str = "lti state";
/// How the name of a state begins in a platform's storage.
const STORAGE_KEY: &str = "state-";

/// How a platform begins a login: with it the login can be begun again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoginHints {
    pub login_hint: String,
    pub target_link_uri: String,
    pub lti_message_hint: Option<String>,
    pub deployment_id: Option<String>,
}

impl LoginHints {
    /// In the form in which they are sealed: some hints are JSON themselves, and get longer by it.
    fn bytes(&self) -> usize {
        serde_json::to_vec(self).map_or(usize::MAX, |text| text.len())
    }
}

/// A login that has begun.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LoginState {
    pub platform_id: Uuid,
    pub nonce: String,
    /// The secret that the browser has as its cookie, or the platform in its storage.
    browser: String,
    /// The frame of the platform that has storage, if it has said so.
    pub storage: Option<String>,
    /// `None` if they are too long to be carried.
    pub hints: Option<LoginHints>,
    at_ms: i64,
}

/// What of a launch says which browser it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrowserProof {
    /// The one that began.
    Same,
    /// Another one, or somebody who has guessed.
    Other,
    /// It has no cookie: it may take none in a frame.
    Missing,
}

impl LoginState {
    /// Begins a login. A browser that has begun one before, in another tab, keeps its cookie.
    pub fn begin(
        cookies: &Cookies,
        headers: &HeaderMap,
        platform_id: Uuid,
        storage: Option<String>,
        hints: LoginHints,
        now: Moment,
    ) -> Result<Self, Error> {
        let secret = || token::random_bytes().map(|bytes| token::encode(&bytes)).map_err(Error::internal);
        let known = cookies.value(headers, BROWSER).filter(|value| value.len() == token::encode(&[0; 32]).len());
        Ok(Self {
            platform_id,
            nonce: secret()?,
            browser: known.map_or_else(secret, Ok)?,
            storage,
            hints: Some(hints).filter(|hints| hints.bytes() <= HINTS_BYTES_MAX),
            at_ms: now.milliseconds(),
        })
    }

    /// As it travels.
    pub fn sealed(&self, cookies: &Cookies) -> Result<String, Error> {
        cookies.seal(PURPOSE, serde_json::to_vec(self)?).ok_or_else(|| Error::internal("a state cannot be sealed"))
    }

    /// The login that came back, if it is not too old.
    #[must_use]
    pub fn open(cookies: &Cookies, sealed: &str, now: Moment) -> Option<Self> {
        let state: Self = serde_json::from_slice(&cookies.open(PURPOSE, sealed)?).ok()?;
        let age = now.since(Moment::from_milliseconds(state.at_ms));
        (age < STATE_SECONDS * 1_000).then_some(state)
    }

    /// Whether a launch is what the platform has begun: the same deployment, where it has named one, and the same page
    /// to be opened. Hints that were too long are not compared.
    #[must_use]
    pub fn began(&self, launch: &Launch) -> bool {
        let Some(hints) = &self.hints else { return true };
        let page = |address: &str| Url::parse(address).ok().map(|url| (url.origin(), url.path().to_owned()));
        let is_deployment = hints.deployment_id.as_ref().is_none_or(|id| *id == launch.deployment_id);
        is_deployment && page(&hints.target_link_uri) == page(&launch.target_link_uri)
    }

    /// The `Set-Cookie` header that binds it to its browser.
    #[must_use]
    pub fn cookie(&self, cookies: &Cookies) -> String {
        cookies.framed(BROWSER, &self.browser, STATE_SECONDS)
    }

    /// The name and the value under which it is in the platform's storage. The name is not the nonce, which is secret.
    #[must_use]
    pub fn stored(&self) -> (String, &str) {
        (format!("{STORAGE_KEY}{}", token::encode(&token::hash(&self.nonce))), self.browser.as_str())
    }

    /// Whether the browser that comes back is the one that began, by its cookie, or by what its platform has stored.
    #[must_use]
    pub fn proof(&self, cookies: &Cookies, headers: &HeaderMap, stored: Option<&str>) -> BrowserProof {
        // In constant time, so that nobody finds the value out by measuring.
        let is_same = |value: &str| bool::from(self.browser.as_bytes().ct_eq(value.as_bytes()));
        match (cookies.value(headers, BROWSER), stored) {
            (Some(value), _) if is_same(&value) => BrowserProof::Same,
            (_, Some(value)) if is_same(value) => BrowserProof::Same,
            (None, None) => BrowserProof::Missing,
            _ => BrowserProof::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{COOKIE, HeaderValue};

    use super::*;
    use crate::config::Secret;

    fn cookies() -> Cookies {
        Cookies::new(&Secret::new(vec![7; 32]), "https://exam.test").unwrap()
    }

    fn begun(hints: LoginHints) -> LoginState {
        let now = Moment::from_milliseconds(1_000);
        LoginState::begin(&cookies(), &HeaderMap::new(), Uuid::nil(), None, hints, now).unwrap()
    }

    fn with_cookie(set_cookie: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        let pair = set_cookie.split(';').next().unwrap();
        headers.insert(COOKIE, HeaderValue::from_str(pair).unwrap());
        headers
    }

    #[test]
    fn a_state_counts_for_ten_minutes_in_its_browser() {
        let (cookies, state) = (cookies(), begun(LoginHints::default()));
        let sealed = state.sealed(&cookies).unwrap();
        let later = |milliseconds| Moment::from_milliseconds(1_000).plus(milliseconds);
        let opened = LoginState::open(&cookies, &sealed, later(STATE_SECONDS * 1_000 - 1)).unwrap();
        assert_eq!(opened.nonce, state.nonce);
        assert!(LoginState::open(&cookies, &sealed, later(STATE_SECONDS * 1_000)).is_none());
        assert!(LoginState::open(&cookies, "x", later(0)).is_none());
        let headers = with_cookie(&state.cookie(&cookies));
        assert_eq!(opened.proof(&cookies, &headers, None), BrowserProof::Same);
        let others = with_cookie(&begun(LoginHints::default()).cookie(&cookies));
        assert_eq!(opened.proof(&cookies, &others, None), BrowserProof::Other);
        let nothing = HeaderMap::new();
        assert_eq!(opened.proof(&cookies, &nothing, None), BrowserProof::Missing);
        assert_eq!(opened.proof(&cookies, &nothing, Some(state.stored().1)), BrowserProof::Same);
        assert_eq!(opened.proof(&cookies, &nothing, Some("")), BrowserProof::Other);
    }

    #[test]
    fn a_second_tab_keeps_the_cookie_of_the_first_and_long_hints_are_not_carried() {
        let (cookies, first) = (cookies(), begun(LoginHints::default()));
        let headers = with_cookie(&first.cookie(&cookies));
        let now = Moment::from_milliseconds(1_000);
        let second = LoginState::begin(&cookies, &headers, Uuid::nil(), None, LoginHints::default(), now).unwrap();
        assert!(second.browser == first.browser && second.nonce != first.nonce);
        let long = LoginHints { login_hint: "x".repeat(HINTS_BYTES_MAX + 1), ..LoginHints::default() };
        assert!(begun(long).hints.is_none() && first.hints.is_some());
        // Each of these takes two bytes when it is stored.
        let quoted = LoginHints { lti_message_hint: Some("\"".repeat(HINTS_BYTES_MAX - 100)), ..LoginHints::default() };
        assert!(begun(quoted).hints.is_none());
        let frame = Some("\"".repeat(200));
        let hints = LoginHints { login_hint: "x".repeat(HINTS_BYTES_MAX - 100), ..LoginHints::default() };
        let state = LoginState::begin(&cookies, &headers, Uuid::nil(), frame, hints, now).unwrap();
        assert!(state.hints.is_some() && LoginState::open(&cookies, &state.sealed(&cookies).unwrap(), now).is_some());
    }
}
