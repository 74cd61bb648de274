//! The pages as the browser gets them: files that are kept for ever, and documents that run nothing but those.

use actix_web::http::header::{
    AcceptEncoding, CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, HeaderValue, REFERRER_POLICY, VARY,
};
use actix_web::web::Header;
use actix_web::{HttpRequest, HttpResponse};
use web::File;

use super::encoding::{self, BROTLI, GZIP, PLAIN};
use super::fallback::NOT_FOUND;
use crate::error::Error;

/// Scripts and styles come from this site's files alone; pictures of questions may be anywhere on https.
const POLICY: &str = "default-src 'self'; img-src 'self' data: https:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
/// The name of such a file changes with what is in it.
const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// A file of the pages, as it was built.
///
/// # Errors
/// 404 when there is none of that name; documents are served under their own addresses only.
pub async fn file(request: HttpRequest, accepted: Option<Header<AcceptEncoding>>) -> Result<HttpResponse, Error> {
    let file = web::find(request.path()).filter(|file| !is_document(file)).ok_or(Error::NotFound(NOT_FOUND))?;
    Ok(sent(file, &request, accepted))
}

/// The students' pages: which one is shown, the page finds in its own address.
///
/// # Errors
/// When the pages were built without an entry for students.
pub async fn student(request: HttpRequest, accepted: Option<Header<AcceptEncoding>>) -> Result<HttpResponse, Error> {
    document(web::STUDENT, &request, accepted)
}

/// A page whose address holds a secret, so it is told to nobody and kept by nobody: a report, and a test that was begun on another device.
///
/// # Errors
/// As [`student`].
pub async fn secret(request: HttpRequest, accepted: Option<Header<AcceptEncoding>>) -> Result<HttpResponse, Error> {
    let mut response = document(web::STUDENT, &request, accepted)?;
    let headers = response.headers_mut();
    for (name, value) in [
        (CACHE_CONTROL, "no-store"),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("x-robots-tag"), "noindex"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}

fn document(
    path: &str,
    request: &HttpRequest,
    accepted: Option<Header<AcceptEncoding>>,
) -> Result<HttpResponse, Error> {
    let file = web::find(path).ok_or(Error::NotFound(NOT_FOUND))?;
    Ok(sent(file, request, accepted))
}

fn is_document(file: &File) -> bool {
    file.path.ends_with(".html")
}

fn sent(file: &'static File, request: &HttpRequest, accepted: Option<Header<AcceptEncoding>>) -> HttpResponse {
    let held = match encoding::best(accepted) {
        BROTLI => file.brotli.map(|bytes| (BROTLI, bytes)),
        GZIP => file.gzip.map(|bytes| (GZIP, bytes)),
        _ => None,
    };
    let headers = [
        (VARY, "Accept-Encoding"),
        (CACHE_CONTROL, if file.is_immutable { FOR_EVER } else { "no-cache" }),
        // The usual `no-referrer` would make the `Origin` of the page's own forms `null`.
        (REFERRER_POLICY, "same-origin"),
        (CONTENT_SECURITY_POLICY, POLICY),
    ];
    encoding::respond(request, held.unwrap_or((PLAIN, file.plain)), file.tag, file.kind, &headers)
}
