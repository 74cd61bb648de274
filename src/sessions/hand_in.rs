//! Checks who may hand in a result (`CLIENT_RESULTS`), and answers repeats by their `Idempotency-Key`.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};
use sha2::{Digest, Sha256};

use super::keys_under_way::{KeyTurn, KeysUnderWay};
use crate::auth::caller::{Callers, Credential};
use crate::config::{ClientResults, Config};
use crate::error::Error;
use crate::http::limits::CountedCaller;
use crate::http::request::IDEMPOTENCY_KEY;

/// Characters of an `Idempotency-Key`. Callers without a sign-in are all the same to the server, so a short key could
/// be another's.
const KEY_CHARACTERS: std::ops::RangeInclusive<usize> = 16..=255;
pub const INVALID_KEY: &str = "Invalid Idempotency-Key: 16 to 255 visible ASCII characters";
/// For a key that came with another body before.
pub const KEY_REUSED: &str = "This Idempotency-Key was used with another body";
const NOT_TAKEN: &str = "This server takes no results from clients";
const TOKENS_ALONE: &str = "This server takes results from API tokens alone";

/// A caller who may hand in results. With a closed road, callers who are not signed in get 401, others 403.
pub struct HandsIn;

impl FromRequest for HandsIn {
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Error>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move { admit(&request).await.map(|()| Self) })
    }
}

/// Refuses a `baseUrl` to which this server links nobody.
pub fn check_base_url(request: &HttpRequest, base_url: &str) -> Result<(), Error> {
    if config(request)?.server.may_link_to(base_url) { Ok(()) } else { Err(Error::invalid("baseUrl")) }
}

async fn admit(request: &HttpRequest) -> Result<(), Error> {
    let results = config(request)?.access.client_results;
    match results {
        // The caller need not be identified, so that a slow database costs nobody a result for that reason.
        ClientResults::Open => return Ok(()),
        ClientResults::Off => return Err(Error::Forbidden(NOT_TAKEN)),
        ClientResults::SignedIn | ClientResults::Token => {}
    }
    let callers = callers(request)?;
    let credential = callers.credential(request.headers()).ok_or(Error::Unauthorized)?;
    let is_token = matches!(credential, Credential::Token(_));
    callers.who(credential).await?.ok_or(Error::Unauthorized)?;
    if results == ClientResults::Token && !is_token { Err(Error::Forbidden(TOKENS_ALONE)) } else { Ok(()) }
}

/// Against whom a result counts: the account of a caller who is signed in, or their address. A caller who cannot be
/// looked up at the moment counts by address.
pub async fn counted_caller(request: &HttpRequest) -> Option<CountedCaller> {
    let address = CountedCaller::of(request)?;
    let identity = match callers(request) {
        Ok(callers) => callers.identify(request.headers()).await.ok().flatten(),
        Err(_) => None,
    };
    Some(address.signed_in(identity.as_ref().map(|identity| identity.email.as_str())))
}

fn config(request: &HttpRequest) -> Result<&Data<Config>, Error> {
    request.app_data::<Data<Config>>().ok_or_else(|| Error::internal("no configuration in the app"))
}

fn callers(request: &HttpRequest) -> Result<&Data<Callers>, Error> {
    request.app_data::<Data<Callers>>().ok_or_else(|| Error::internal("no callers in the app"))
}

/// The hash of the caller and the key by which the request may be repeated; `None` if it has no key. 400 if its key
/// cannot be one.
pub fn key_hash(request: &HttpRequest) -> Result<Option<[u8; 32]>, Error> {
    let mut keys = request.headers().get_all(&IDEMPOTENCY_KEY);
    let Some(key) = keys.next() else { return Ok(None) };
    let key = key.as_bytes();
    let is_sound = KEY_CHARACTERS.contains(&key.len()) && key.iter().all(u8::is_ascii_graphic) && keys.next().is_none();
    if !is_sound {
        return Err(Error::Invalid(INVALID_KEY.to_owned()));
    }
    // Each caller has their own keys. A sign-in that was renewed meanwhile is still the same caller.
    let mut hasher = Sha256::new();
    match callers(request)?.credential(request.headers()) {
        Some(Credential::Token(hash)) => hasher.update([&b"token\0"[..], &hash[..]].concat()),
        Some(Credential::SignIn(email, ..)) => hasher.update(format!("account\0{email}\0")),
        None => hasher.update("anyone\0"),
    }
    hasher.update(key);
    Ok(Some(hasher.finalize().into()))
}

/// Waits until no other request with this key is being stored here.
pub async fn turn(request: &HttpRequest, key_hash: [u8; 32]) -> Result<KeyTurn, Error> {
    let keys = request.app_data::<Data<KeysUnderWay>>().ok_or_else(|| Error::internal("no keys in the app"))?;
    keys.clone().into_inner().turn(key_hash).await
}
