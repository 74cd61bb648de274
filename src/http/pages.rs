//! The built pages: files that browsers may keep forever, and documents that run no other scripts.

use actix_web::http::header::{
    AcceptEncoding, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, HeaderName, HeaderValue, REFERRER_POLICY,
    VARY,
};
use actix_web::web::Header;
use actix_web::{HttpRequest, HttpResponse};
use web::File;

use super::encoding::{self, BROTLI, GZIP, PLAIN};
use super::fallback::NOT_FOUND;
use crate::error::Error;

/// Scripts and styles come from this site only; pictures of questions may come from anywhere over https.
const POLICY: &str = "default-src 'self'; img-src 'self' data: https:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
/// How the address of the pages' style sheet begins. The rest changes with its content.
const STYLES: &str = "/assets/student-";
/// For files whose name changes with their content.
const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// A file of the pages. Documents get 404 here, since they are served at their own addresses only.
pub async fn file(request: HttpRequest, accepted: Option<Header<AcceptEncoding>>) -> Result<HttpResponse, Error> {
    let file = web::find(request.path()).filter(|file| !is_document(file)).ok_or(Error::NotFound(NOT_FOUND))?;
    Ok(sent(file, &request, accepted))
}

/// The document of the students' pages, which chooses what to show by its own address.
pub async fn student(request: HttpRequest, accepted: Option<Header<AcceptEncoding>>) -> Result<HttpResponse, Error> {
    document(web::STUDENT, &request, accepted)
}

/// The same document with status 404, for an unknown address: the page says that there is nothing. It has no entity
/// tag, because a browser that has it would be answered 304 instead.
pub fn unknown(accepted: Option<Header<AcceptEncoding>>) -> Result<HttpResponse, Error> {
    let file = web::find(web::STUDENT).ok_or(Error::NotFound(NOT_FOUND))?;
    let (encoding, bytes) = held(file, accepted);
    let mut response = HttpResponse::NotFound();
    for header in headers(file) {
        response.insert_header(header);
    }
    if encoding != PLAIN {
        response.insert_header((CONTENT_ENCODING, encoding));
    }
    Ok(response.content_type(file.kind).body(bytes))
}

/// The address of the pages' style sheet, for pages that the server renders itself.
#[must_use]
pub fn style_sheet() -> Option<&'static str> {
    web::files().iter().map(|file| file.path).find(|path| path.starts_with(STYLES) && path.ends_with(".css"))
}

/// The same document at an address that holds a secret: a report, or a test that was begun on another device. No cache
/// keeps it, no search engine lists it, and no other site learns its address.
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

/// The document of the staff pages, which shows what the API gives to whoever is signed in, and nothing to others.
pub async fn staff(request: HttpRequest, accepted: Option<Header<AcceptEncoding>>) -> Result<HttpResponse, Error> {
    document(web::STAFF, &request, accepted)
}

/// The page on which anyone can check a receipt, also without the server once it was opened.
pub async fn verify(request: HttpRequest, accepted: Option<Header<AcceptEncoding>>) -> Result<HttpResponse, Error> {
    document(web::VERIFY, &request, accepted)
}

/// The page on which the API can be read and tried.
pub async fn reference(request: HttpRequest, accepted: Option<Header<AcceptEncoding>>) -> Result<HttpResponse, Error> {
    document(web::REFERENCE, &request, accepted)
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
    encoding::respond(request, held(file, accepted), file.tag, file.kind, &headers(file))
}

/// The smallest form of the file that the caller accepts, with its encoding.
fn held(file: &'static File, accepted: Option<Header<AcceptEncoding>>) -> (&'static str, &'static [u8]) {
    let held = match encoding::best(accepted) {
        BROTLI => file.brotli.map(|bytes| (BROTLI, bytes)),
        GZIP => file.gzip.map(|bytes| (GZIP, bytes)),
        _ => None,
    };
    held.unwrap_or((PLAIN, file.plain))
}

fn headers(file: &File) -> [(HeaderName, &'static str); 4] {
    [
        (VARY, "Accept-Encoding"),
        (CACHE_CONTROL, if file.is_immutable { FOR_EVER } else { "no-cache" }),
        // With the usual `no-referrer`, forms of the page would send `Origin: null`.
        (REFERRER_POLICY, "same-origin"),
        (CONTENT_SECURITY_POLICY, POLICY),
    ]
}
