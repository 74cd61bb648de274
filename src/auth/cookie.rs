//! Cookies and other texts that browsers keep for the server: sealed, so that nobody else can read, change or forge
//! them.
//!
//! The seal and its cipher are explained in docs/decisions/0013-a-sign-in-travels-with-the-browser.md.

use std::sync::Arc;

use actix_web::cookie::time::Duration;
use actix_web::cookie::{Cookie, SameSite};
use actix_web::http::header::{COOKIE, HeaderMap};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::time::moment::Moment;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use serde::{Deserialize, Serialize};

use super::token;
use crate::config::Secret;

/// How long a sign-in lasts: longer than a school day.
pub const SIGNED_IN_SECONDS: i64 = 12 * 60 * 60;
/// How far another server's clock may be ahead of this one, so that its new cookies count here at once.
const AHEAD_MILLISECONDS_MAX: i64 = 60_000;
/// Bytes of a sealed text that is decrypted at all; browsers keep no longer cookies.
const SEALED_BYTES_MAX: usize = 4_096;
/// The same of a text that forms carry: a form with one has 16 KiB at most.
const SEALED_FORM_BYTES_MAX: usize = 15 * 1_024;
/// The name of the sign-in's cookie. On https it has a prefix by which browsers confine it to this host.
const SESSION_NAME: &str = "examhall";
const HOST_PREFIX: &str = "__Host-";

/// Seals and opens what browsers carry.
#[derive(Clone)]
pub struct Cookies {
    key: Arc<LessSafeKey>,
    /// Whether the server is reached over https.
    is_secure: bool,
}

/// Who has signed in, and when. The secret tells this sign-in from all others, so that it can be ended.
#[derive(Serialize, Deserialize)]
struct SignedIn {
    email: String,
    at_ms: i64,
    secret: String,
}

/// A sign-in as its cookie describes it. It counts only while it is in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignInCookie {
    pub email: String,
    pub since: Moment,
    /// The hash under which the store knows it.
    pub secret_hash: [u8; 32],
}

impl Cookies {
    /// Derives the key from the server's secret, so every server of one installation opens the same cookies.
    #[must_use]
    pub fn new(secret: &Secret, auth_url: &str) -> Option<Self> {
        let key = UnboundKey::new(&CHACHA20_POLY1305, &token::derive(secret.reveal(), b"cookies")).ok()?;
        Some(Self { key: Arc::new(LessSafeKey::new(key)), is_secure: auth_url.starts_with("https://") })
    }

    /// The cookie of a person who has just signed in.
    #[must_use]
    pub fn signed_in(&self, email: &str, now: Moment, secret: &str) -> Option<Cookie<'static>> {
        let (email, secret) = (email.to_owned(), secret.to_owned());
        let content = serde_json::to_vec(&SignedIn { email, at_ms: now.milliseconds(), secret }).ok()?;
        let sealed = self.seal(SESSION_NAME, content)?;
        Some(self.cookie(SESSION_NAME, sealed, Duration::seconds(SIGNED_IN_SECONDS)))
    }

    /// The cookie that replaces a sign-in's and expires at once.
    #[must_use]
    pub fn signed_out(&self) -> Cookie<'static> {
        self.cookie(SESSION_NAME, String::new(), Duration::ZERO)
    }

    /// The sign-in of a request's cookie, until it expires. A cookie of a release that did not store sign-ins has no
    /// secret, and does not count.
    #[must_use]
    pub fn who(&self, headers: &HeaderMap, now: Moment) -> Option<SignInCookie> {
        let sealed = self.value(headers, SESSION_NAME)?;
        let content: SignedIn = serde_json::from_slice(&self.open(SESSION_NAME, &sealed)?).ok()?;
        let since = Moment::from_milliseconds(content.at_ms);
        (-AHEAD_MILLISECONDS_MAX..SIGNED_IN_SECONDS * 1_000).contains(&now.since(since)).then(|| SignInCookie {
            email: content.email,
            since,
            secret_hash: token::hash(&content.secret),
        })
    }

    /// Returns whether the request has a sign-in's cookie, valid or not.
    #[must_use]
    pub fn is_carried(&self, headers: &HeaderMap) -> bool {
        self.value(headers, SESSION_NAME).is_some()
    }

    /// The value of the cookie with that name.
    #[must_use]
    pub fn value(&self, headers: &HeaderMap, name: &str) -> Option<String> {
        let name = self.full_name(name);
        let pairs =
            headers.get_all(COOKIE).filter_map(|header| header.to_str().ok()).flat_map(|header| header.split(';'));
        pairs
            .filter_map(|pair| pair.trim().split_once('='))
            .find(|(of, _)| *of == name)
            .map(|(_, value)| value.to_owned())
    }

    /// A cookie for this site only, which no script can read.
    #[must_use]
    pub fn cookie(&self, name: &str, value: String, kept: Duration) -> Cookie<'static> {
        let cookie = Cookie::build(self.full_name(name), value).path("/").http_only(true).same_site(SameSite::Lax);
        cookie.secure(self.is_secure).max_age(kept).finish()
    }

    /// The `Set-Cookie` header of a cookie that also counts in a frame on a page of another site, and there alone: it
    /// has a jar of its own for each of these sites (`Partitioned`). Without https browsers have no such cookies.
    #[must_use]
    pub fn framed(&self, name: &str, value: &str, seconds: i64) -> String {
        let name = self.full_name(name);
        let site = if self.is_secure { "Secure; SameSite=None; Partitioned" } else { "SameSite=Lax" };
        format!("{name}={value}; Path=/; HttpOnly; {site}; Max-Age={seconds}")
    }

    fn full_name(&self, name: &str) -> String {
        format!("{}{name}", if self.is_secure { HOST_PREFIX } else { "" })
    }

    /// Seals bytes for one purpose; they can't be opened for another. `None` if nobody could open them, since they are
    /// too many.
    #[must_use]
    pub fn seal(&self, purpose: &str, content: Vec<u8>) -> Option<String> {
        self.sealed(purpose, content).filter(|sealed| sealed.len() <= SEALED_BYTES_MAX)
    }

    /// The same for a text that a form carries, which may be longer than a cookie.
    #[must_use]
    pub fn seal_for_form(&self, purpose: &str, content: Vec<u8>) -> Option<String> {
        self.sealed(purpose, content).filter(|sealed| sealed.len() <= SEALED_FORM_BYTES_MAX)
    }

    fn sealed(&self, purpose: &str, mut content: Vec<u8>) -> Option<String> {
        let random = token::random_bytes().ok()?;
        let mut sealed = random.get(..NONCE_LEN)?.to_vec();
        let nonce = Nonce::try_assume_unique_for_key(&sealed).ok()?;
        self.key.seal_in_place_append_tag(nonce, Aad::from(purpose.as_bytes()), &mut content).ok()?;
        sealed.append(&mut content);
        Some(URL_SAFE_NO_PAD.encode(sealed))
    }

    /// Opens what was sealed for that purpose; `None` for anything else.
    #[must_use]
    pub fn open(&self, purpose: &str, sealed: &str) -> Option<Vec<u8>> {
        self.opened(purpose, Some(sealed).filter(|text| text.len() <= SEALED_BYTES_MAX)?)
    }

    /// The same of what a form has carried.
    #[must_use]
    pub fn open_of_form(&self, purpose: &str, sealed: &str) -> Option<Vec<u8>> {
        self.opened(purpose, Some(sealed).filter(|text| text.len() <= SEALED_FORM_BYTES_MAX)?)
    }

    fn opened(&self, purpose: &str, sealed: &str) -> Option<Vec<u8>> {
        let mut bytes = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        let (nonce, content) = bytes.split_at_mut_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        self.key.open_in_place(nonce, Aad::from(purpose.as_bytes()), content).ok().map(|plain| plain.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderValue;

    fn cookies(auth_url: &str) -> Cookies {
        Cookies::new(&Secret::new(vec![7; 32]), auth_url).unwrap()
    }

    fn headers(cookie: &Cookie<'_>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(COOKIE, HeaderValue::from_str(&format!("a=b; {}={}", cookie.name(), cookie.value())).unwrap());
        headers
    }

    #[test]
    fn a_sign_in_holds_for_twelve_hours() {
        let cookies = cookies("http://exam.test");
        let now = Moment::from_milliseconds(1_000_000_000);
        let cookie = cookies.signed_in("ada@exam.test", now, "secret").unwrap();
        assert!(!cookie.value().contains("ada"));
        let headers = headers(&cookie);
        let known = SignInCookie { email: "ada@exam.test".into(), since: now, secret_hash: token::hash("secret") };
        assert_eq!(cookies.who(&headers, now), Some(known));
        assert!(cookies.who(&headers, now.plus(SIGNED_IN_SECONDS * 1_000 - 1)).is_some());
        assert_eq!(cookies.who(&headers, now.plus(SIGNED_IN_SECONDS * 1_000)), None);
        assert_eq!(cookies.who(&headers, now.plus(-AHEAD_MILLISECONDS_MAX - 1)), None);
        let other = Cookies::new(&Secret::new(vec![8; 32]), "http://exam.test").unwrap();
        assert_eq!(other.who(&headers, now), None);
    }

    #[test]
    fn a_cookie_without_a_secret_does_not_count() {
        let cookies = cookies("http://exam.test");
        let old = cookies.seal(SESSION_NAME, br#"{"email":"ada@exam.test","at_ms":1000}"#.to_vec()).unwrap();
        let cookie = cookies.cookie(SESSION_NAME, old, Duration::seconds(SIGNED_IN_SECONDS));
        assert_eq!(cookies.who(&headers(&cookie), Moment::from_milliseconds(1_000)), None);
    }

    #[test]
    fn what_was_changed_does_not_open() {
        let cookies = cookies("http://exam.test");
        let sealed = cookies.seal("one", b"content".to_vec()).unwrap();
        assert_eq!(cookies.open("one", &sealed).as_deref(), Some(&b"content"[..]));
        assert_eq!(cookies.open("two", &sealed), None);
        let bytes = URL_SAFE_NO_PAD.decode(&sealed).unwrap();
        for index in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[index] ^= 1;
            assert_eq!(cookies.open("one", &URL_SAFE_NO_PAD.encode(&changed)), None);
            assert_eq!(cookies.open("one", &URL_SAFE_NO_PAD.encode(&bytes[..index])), None);
        }
    }

    #[test]
    fn whatever_is_sealed_can_be_opened() {
        let cookies = cookies("http://exam.test");
        for bytes in [3_000, 3_045, 3_072, 11_000, 11_500, 11_600] {
            let content = vec![b'x'; bytes];
            let opened = cookies.seal("one", content.clone()).map(|sealed| cookies.open("one", &sealed));
            assert_eq!(opened, (bytes < 3_045).then(|| Some(content.clone())), "{bytes}");
            let carried = cookies.seal_for_form("one", content.clone());
            let carried = carried.map(|sealed| cookies.open_of_form("one", &sealed));
            assert_eq!(carried, (bytes < 11_500).then_some(Some(content)), "{bytes}");
        }
    }

    #[test]
    fn in_a_frame_a_cookie_has_a_jar_of_its_own() {
        let expected = "__Host-lti=v; Path=/; HttpOnly; Secure; SameSite=None; Partitioned; Max-Age=600";
        assert_eq!(cookies("https://exam.test").framed("lti", "v", 600), expected);
        assert_eq!(
            cookies("http://exam.test").framed("lti", "v", 600),
            "lti=v; Path=/; HttpOnly; SameSite=Lax; Max-Age=600"
        );
    }

    #[test]
    fn on_https_the_cookie_is_bound_to_the_host() {
        let cookie = cookies("https://exam.test")
            .signed_in("ada@exam.test", Moment::from_milliseconds(0), "secret")
            .unwrap()
            .to_string();
        for part in ["__Host-examhall=", "; Secure", "; HttpOnly", "; SameSite=Lax", "; Path=/", "; Max-Age=43200"] {
            assert!(cookie.contains(part), "{cookie}");
        }
        assert!(!cookie.contains("Domain"));
    }
}
