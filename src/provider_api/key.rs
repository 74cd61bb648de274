//! The key of callers that use this server as their data service. A handler that takes a [`ProviderKey`] requires it.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};
use utoipa::IntoResponses;

use crate::auth::token;
use crate::config::Config;
use crate::error::{Error, ErrorBody};
use crate::http::fallback::NOT_FOUND;
use crate::provider::contract::KEY_HEADER;

/// Proof that the caller has sent the key of `PROVIDER_API_KEY`. Other callers get 401, and everyone gets 404 while no
/// key is configured.
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
    // Hashes are compared, so that timing reveals neither the key nor its length.
    let kept = token::hash(&String::from_utf8_lossy(key.reveal()));
    match (given.next(), given.next()) {
        (Some(given), None) if token::matches(given, &kept) => Ok(ProviderKey),
        _ => Err(Error::Unauthorized),
    }
}

/// The error of every route of the contract without a right key, for the OpenAPI document.
#[derive(IntoResponses)]
#[response(status = 401, description = "No key, or a wrong one")]
#[allow(dead_code, reason = "describes a response")]
pub struct KeyRefusal(ErrorBody);
