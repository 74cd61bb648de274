//! The answer to a change that has nothing to return: `{ "ok": true }`.

use actix_web::HttpResponse;
use serde::Serialize;
use utoipa::ToSchema;

/// The change is made.
#[derive(Serialize, ToSchema)]
pub struct Done {
    ok: bool,
}

#[must_use]
pub fn done() -> HttpResponse {
    HttpResponse::Ok().json(Done { ok: true })
}
