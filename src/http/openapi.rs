//! The OpenAPI document, generated from the code, and the page for reading and trying it.

pub mod complete;

use actix_web::http::header::LOCATION;
use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::tag::{Tag, TagBuilder};
use utoipa::openapi::{ComponentsBuilder, InfoBuilder, License, LicenseBuilder, OpenApi, ServerBuilder};

/// The address of that page.
const DOCS: &str = "/api/docs/";

/// The document as it is sent.
pub struct Document(pub String);

/// What the routes are for, in the order of the page.
const TAGS: [(&str, &str); 10] = [
    ("students", "Taking a test with a client of one's own: banks, templates, finished tests and their reports."),
    ("live", "Exams that the server keeps while they are taken, by WebSocket or plain HTTPS, and their proctors."),
    ("sign-in", "Signing in and out, and who is signed in."),
    ("review", "Reviewing and editing the questions of the grades that one is assigned to."),
    ("sign-off", "Approving grades, and how far their review has come."),
    ("templates", "Tests that admins put together and share by a link."),
    ("sittings", "Exams for a list of people at a set time: their planning, rosters, extra time and results."),
    ("results", "Results with every answer, for those who teach."),
    ("administration", "Users, tokens, assignments, workbooks of questions, finished tests and webhooks."),
    ("operations", "For whoever runs the server: health, metrics, and these documents."),
];

/// The name, version, tags, server and security schemes; paths and schemas are collected from the routes.
#[must_use]
pub fn base(public_address: &str) -> OpenApi {
    let info = InfoBuilder::new()
        .title("Exam Hall")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(
            "Question banks, tests, sessions, reports and webhooks, and live exams over WebSocket (`/api/live`) or plain HTTPS. \
             Every error is `{ \"error\": \"…\" }`; some have more beside it, such as the `code` of live exams. The frames of the WebSockets are described by the AsyncAPI document at \
             `/api/asyncapi.json`.",
        ))
        .license(Some(license()))
        .build();
    let mut document = OpenApi::new(info, utoipa::openapi::Paths::new());
    let components = [
        ("api_token", http(HttpAuthScheme::Bearer, "An API token, from `POST /api/admin/tokens`")),
        ("api_token_basic", http(HttpAuthScheme::Basic, "An API token as the password; the user name is ignored")),
        ("session_token", http(HttpAuthScheme::Bearer, "The `token` of one live exam, from the answer to its start")),
        ("sign_in", cookie()),
    ]
    .into_iter()
    .fold(ComponentsBuilder::new(), |components, (name, scheme)| components.security_scheme(name, scheme));
    document.components = Some(components.build());
    document.tags = Some(tags(&TAGS));
    document.servers = Some(vec![ServerBuilder::new().url(public_address.trim_end_matches('/')).build()]);
    document
}

/// The license of the server, and so of its documents.
#[must_use]
pub fn license() -> License {
    let license = env!("CARGO_PKG_LICENSE");
    LicenseBuilder::new().name(license).identifier(Some(license)).build()
}

/// The tags of a document, each with a sentence.
#[must_use]
pub fn tags(tags: &[(&str, &str)]) -> Vec<Tag> {
    tags.iter().map(|(name, about)| TagBuilder::new().name(*name).description(Some(*about)).build()).collect()
}

fn http(scheme: HttpAuthScheme, about: &str) -> SecurityScheme {
    SecurityScheme::Http(HttpBuilder::new().scheme(scheme).description(Some(about)).build())
}

fn cookie() -> SecurityScheme {
    let about = "Of a sign-in; `__Host-examhall` on https";
    SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::with_description("examhall", about)))
}

/// The OpenAPI 3.1 document of all routes.
#[utoipa::path(operation_id = "readApiDocument", tag = "operations", responses((status = 200, description = "The document", body = Object, content_type = "application/json")))]
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
