//! Answers that several features give: `{ "ok": true }` for a change that has nothing to return, and files.

use actix_web::HttpResponse;
use serde::Serialize;
use utoipa::ToSchema;

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
