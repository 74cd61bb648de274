//! Our public keys, where platforms look for them.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use serde::Serialize;
use utoipa::ToSchema;

use super::keys::{OwnKeys, RsaJsonWebKey};
use crate::error::{Error, ErrorBody};

/// How long others may keep the list. A key is shown for a day before it signs, and for a day after.
const CACHED: &str = "public, max-age=300";

/// A list of public keys as JSON (RFC 7517).
#[derive(Serialize, ToSchema)]
struct RsaJsonWebKeys {
    /// The key that signs latest first.
    keys: Vec<RsaJsonWebKey>,
}

/// The public keys with which this server signs what it sends to learning platforms.
#[utoipa::path(
    operation_id = "readPlatformKeys",
    tag = "administration",
    responses(
        (status = 200, description = "The keys", body = RsaJsonWebKeys),
        (status = 503, description = "The database does not answer", body = ErrorBody),
    )
)]
#[get("/lti/jwks")]
pub async fn read(keys: Data<OwnKeys>) -> Result<HttpResponse, Error> {
    let keys = RsaJsonWebKeys { keys: keys.published().await? };
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, CACHED)).json(keys))
}
