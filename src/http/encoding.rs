//! Sends content that clients may have already, which is answered by 304, or that is prepared in several encodings.

use actix_web::body::MessageBody;
use actix_web::http::header::{AcceptEncoding, CONTENT_ENCODING, ETAG, Encoding, HeaderMap, HeaderName, IF_NONE_MATCH};
use actix_web::web::Header;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};

/// Brotli, by its name in `Content-Encoding`.
pub const BROTLI: &str = "br";
pub const GZIP: &str = "gzip";
/// No encoding; the answer has no `Content-Encoding` then.
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

/// 304 if the client has the content, otherwise 200 with it. `tag` distinguishes it from any other content, `kind` is
/// its media type, and both answers have `headers`.
pub fn respond(
    request: &HttpRequest,
    (encoding, bytes): (&'static str, impl MessageBody + 'static),
    tag: &str,
    kind: &str,
    headers: &[(HeaderName, &str)],
) -> HttpResponse {
    let (mut response, is_known) = begin(request.headers(), &format!("{tag}-{encoding}"), headers);
    if is_known {
        return response.finish();
    }
    if encoding != PLAIN {
        response.insert_header((CONTENT_ENCODING, encoding));
    }
    response.content_type(kind).body(bytes)
}

/// Begins the answer with the content of this tag, which gets its quotes here, and these headers. Also says whether the
/// client has the content: then the answer is 304, and gets no body.
#[must_use]
pub fn begin(request: &HeaderMap, tag: &str, headers: &[(HeaderName, &str)]) -> (HttpResponseBuilder, bool) {
    let tag = format!("\"{tag}\"");
    let is_known = is_known(request, &tag);
    let mut response = if is_known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response.insert_header((ETAG, tag));
    for (name, value) in headers {
        response.insert_header((name, *value));
    }
    (response, is_known)
}

/// Returns whether the client has the content with this entity tag (in quotes).
fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let known = headers.get_all(IF_NONE_MATCH).filter_map(|value| value.to_str().ok()).flat_map(|list| list.split(','));
    known.map(|known| known.trim().trim_start_matches("W/")).any(|known| known == tag || known == "*")
}
