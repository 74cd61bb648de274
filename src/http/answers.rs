//! The answer of a change that has nothing to tell: `{ "ok": true }`.

use actix_web::HttpResponse;
use serde::Serialize;
use utoipa::ToSchema;

/// Done.
#[derive(Serialize, ToSchema)]
pub struct Done {
    ok: bool,
}

/// 200 `{ "ok": true }`.
#[must_use]
pub fn done() -> HttpResponse {
    HttpResponse::Ok().json(Done { ok: true })
}
