//! The OpenAPI document of the contract. It is generated from the code, so that others can implement the contract.

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa::openapi::{ComponentsBuilder, InfoBuilder, OpenApi, ServerBuilder};

use super::ROOT;
use crate::http::openapi::{license, tags};
use crate::provider::contract::KEY_HEADER;

/// The part of the contract that an implementer cannot learn from the routes alone.
const DESCRIPTION: &str = include_str!("contract.md");

/// What the routes are for, in the order of the contract.
const TAGS: [(&str, &str); 7] = [
    ("questions", "The question banks, read as a whole and changed question by question."),
    ("users", "The people who have signed in, and their roles."),
    ("sessions", "Finished tests."),
    ("review", "Reviews of questions, and the log of their edits."),
    ("assignments", "Who reviews and who signs off which grades."),
    ("sign-off", "Managers' decisions on grades."),
    ("contract", "This document."),
];

/// The document as JSON.
pub struct ContractDocument(pub String);

/// The document without its routes: name, description and key. Paths and schemas are collected from the routes.
#[must_use]
pub fn base() -> OpenApi {
    let info = InfoBuilder::new()
        .title("Exam Hall: data provider")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(DESCRIPTION))
        .license(Some(license()))
        .build();
    let mut document = OpenApi::new(info, utoipa::openapi::Paths::new());
    let key = SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::with_description(
        KEY_HEADER,
        "The key that both services are configured with",
    )));
    document.components = Some(ComponentsBuilder::new().security_scheme("key", key).build());
    document.tags = Some(tags(&TAGS));
    document.servers = Some(vec![ServerBuilder::new().url(ROOT).build()]);
    document
}

/// Returns the OpenAPI 3.1 document of the contract. It needs no key, and is served even where the contract is not.
#[utoipa::path(operation_id = "readContractDocument", tag = "contract", responses((status = 200, description = "The document", body = Object, content_type = "application/json")))]
#[get("/openapi.json")]
pub async fn openapi(document: Data<ContractDocument>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header(("Cache-Control", "no-cache"))
        .content_type("application/json")
        .body(document.0.clone())
}
