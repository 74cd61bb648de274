//! The OpenAPI document, generated from the code, and the page for reading and trying it.

use actix_web::http::header::LOCATION;
use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::{ComponentsBuilder, InfoBuilder, OpenApi};

/// The address of that page.
const DOCS: &str = "/api/docs/";

/// The document as it is sent.
pub struct Document(pub String);

/// The name, version and security schemes; paths and schemas are collected from the routes.
#[must_use]
pub fn base() -> OpenApi {
    let info = InfoBuilder::new()
        .title("Exam Hall")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(
            "Question banks, tests, sessions, reports and webhooks, and live exams over WebSocket (`/api/live`) or plain HTTPS. \
             Every error is `{ \"error\": \"…\" }`.",
        ))
        .build();
    let bearer = SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build());
    let mut document = OpenApi::new(info, utoipa::openapi::Paths::new());
    let cookie = SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::with_description(
        "examhall",
        "Of a sign-in; `__Host-examhall` on https",
    )));
    let components =
        ComponentsBuilder::new().security_scheme("api_token", bearer.clone()).security_scheme("session_token", bearer);
    document.components = Some(components.security_scheme("sign_in", cookie).build());
    document
}

/// Adds the cookie to every operation that takes an API token: a caller may use either.
pub fn allow_sign_in(document: &mut OpenApi) {
    for item in document.paths.paths.values_mut() {
        for operation in
            [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete].into_iter().flatten()
        {
            let takes_token = |needed: &SecurityRequirement| {
                serde_json::to_value(needed).is_ok_and(|needed| needed.get("api_token").is_some())
            };
            if let Some(needed) = operation.security.as_mut().filter(|needed| needed.iter().any(takes_token)) {
                needed.push(SecurityRequirement::new("sign_in", [""; 0]));
            }
        }
    }
}

/// The OpenAPI 3.1 document of all routes.
#[utoipa::path(tag = "operations", responses((status = 200, description = "The document", content_type = "application/json")))]
#[get("/api/openapi.json")]
pub async fn openapi(document: Data<Document>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header(("Cache-Control", "no-cache"))
        .content_type("application/json")
        .body(document.0.clone())
}

/// Redirects `/api/docs` to the page, whose address ends in a slash.
pub async fn to_docs() -> HttpResponse {
    HttpResponse::Found().insert_header((LOCATION, DOCS)).finish()
}
