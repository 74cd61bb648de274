//! Answers that several features give: `{ "ok": true }` for a change that has nothing to return, files, and people's
//! data.

use actix_web::http::header::{CACHE_CONTROL, HeaderName, HeaderValue};
use actix_web::{HttpResponse, HttpResponseBuilder};
use serde::Serialize;
use utoipa::ToSchema;

const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");

/// The change is made.
#[derive(Serialize, ToSchema)]
pub struct Done {
    ok: bool,
}

/// The bytes of the file.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[allow(dead_code, reason = "describes an answer in the OpenAPI document")]
pub struct FileBytes(Vec<u8>);

#[must_use]
pub fn done() -> HttpResponse {
    HttpResponse::Ok().json(Done { ok: true })
}

/// Keeps a person's data out of caches and search engines.
pub fn private(response: &mut HttpResponseBuilder) -> &mut HttpResponseBuilder {
    response.insert_header((CACHE_CONTROL, "no-store")).insert_header((ROBOTS, "noindex"))
}

/// The same for an answer that is made already.
pub fn keep_private(response: &mut HttpResponse) {
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response.headers_mut().insert(ROBOTS, HeaderValue::from_static("noindex"));
}
