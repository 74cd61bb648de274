//! Pages of other sites: which may open sockets here, and which may read answers (`ALLOWED_ORIGINS`).

use std::sync::Arc;

use actix_cors::Cors;
use actix_web::HttpRequest;
use actix_web::http::header::{
    AUTHORIZATION, CONTENT_DISPOSITION, CONTENT_TYPE, ETAG, IF_NONE_MATCH, LINK, LOCATION, ORIGIN, RETRY_AFTER,
};

use super::request::{IDEMPOTENCY_KEY, REQUEST_ID};
use crate::config::Config;
use crate::error::Error;

/// How long a browser remembers the answer to a preflight request.
const REMEMBERED_SECONDS: usize = 3_600;

/// Refuses (403) a socket that a page of another site opens in its visitor's name, unless its `Origin` is that of
/// `AUTH_URL` or in `ALLOWED_ORIGINS`. CORS does not cover sockets.
pub fn refuse_foreign(request: &HttpRequest, config: &Config) -> Result<(), Error> {
    match request.headers().get(ORIGIN).map(|origin| is_known(config, origin.as_bytes())) {
        Some(false) => Err(Error::Forbidden("Origin not allowed")),
        _ => Ok(()),
    }
}

/// Lets pages of the known origins read answers; browsers keep them from all others.
pub fn cors(config: &Arc<Config>) -> Cors {
    let config = Arc::clone(config);
    Cors::default()
        .allowed_origin_fn(move |origin, _| is_known(&config, origin.as_bytes()))
        .allowed_methods(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])
        .allowed_headers([AUTHORIZATION, CONTENT_TYPE, IDEMPOTENCY_KEY.clone(), IF_NONE_MATCH])
        .expose_headers([CONTENT_DISPOSITION, ETAG, LINK, LOCATION, RETRY_AFTER, REQUEST_ID.clone()])
        .max_age(REMEMBERED_SECONDS)
}

fn is_known(config: &Config, origin: &[u8]) -> bool {
    config.server.origins.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(origin))
}
