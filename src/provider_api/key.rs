//! The key of those who use this service as their data service: a handler's signature states that it is needed.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};

use crate::auth::token;
use crate::config::Config;
use crate::error::Error;
use crate::http::fallback::NOT_FOUND;
use crate::provider::contract::KEY_HEADER;

/// Whoever has the key of `PROVIDER_API_KEY`: 401 for everyone else, and 404 while there is none.
pub struct ProviderKey;

impl FromRequest for ProviderKey {
    type Error = Error;
    type Future = Ready<Result<Self, Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(check(request))
    }
}

fn check(request: &HttpRequest) -> Result<ProviderKey, Error> {
    let config = request.app_data::<Data<Config>>().ok_or_else(|| Error::internal("no configuration in the app"))?;
    let key = config.provider_key.as_ref().ok_or(Error::NotFound(NOT_FOUND))?;
    let mut given = request.headers().get_all(KEY_HEADER).filter_map(|value| value.to_str().ok());
    // Hashes are compared, so that neither the time nor its length tells anything of the key.
    let kept = token::hash(&String::from_utf8_lossy(key.reveal()));
    match (given.next(), given.next()) {
        (Some(given), None) if token::matches(given, &kept) => Ok(ProviderKey),
        _ => Err(Error::Unauthorized),
    }
}
