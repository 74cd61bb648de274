//! In which form an answer that is held ready is sent, and whether the caller has it already.

use actix_web::HttpRequest;
use actix_web::http::header::{AcceptEncoding, Encoding, IF_NONE_MATCH};
use actix_web::web::Header;

/// Brotli, as `Content-Encoding` names it.
pub const BROTLI: &str = "br";
/// Gzip.
pub const GZIP: &str = "gzip";
/// As it is; no answer says so.
pub const PLAIN: &str = "identity";

/// The best encoding that the caller accepts.
#[must_use]
pub fn best(accepted: Option<Header<AcceptEncoding>>) -> &'static str {
    let offered = [Encoding::brotli(), Encoding::gzip(), Encoding::identity()];
    match accepted.and_then(|Header(accepted)| accepted.negotiate(offered.iter())) {
        Some(encoding) if encoding == Encoding::brotli() => BROTLI,
        Some(encoding) if encoding == Encoding::gzip() => GZIP,
        _ => PLAIN,
    }
}

/// Whether the caller has what this entity tag names; `tag` in its quotes.
#[must_use]
pub fn is_known(request: &HttpRequest, tag: &str) -> bool {
    let known = request.headers().get_all(IF_NONE_MATCH).filter_map(|value| value.to_str().ok()).flat_map(|list| list.split(','));
    known.map(|known| known.trim().trim_start_matches("W/")).any(|known| known == tag || known == "*")
}
