//! The contract's own OpenAPI document, written from the code, so that others can implement it.

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa::openapi::{ComponentsBuilder, InfoBuilder, OpenApi, ServerBuilder};

use super::ROOT;
use crate::provider::contract::KEY_HEADER;

/// What an implementer must know beside the routes.
const DESCRIPTION: &str = include_str!("contract.md");

/// The document as it is sent.
pub struct ContractDocument(pub String);

/// The name, the description and the key; paths and schemas are collected from the routes.
#[must_use]
pub fn base() -> OpenApi {
    let info = InfoBuilder::new()
        .title("Exam Hall: data provider")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(DESCRIPTION))
        .build();
    let mut document = OpenApi::new(info, utoipa::openapi::Paths::new());
    let key = SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::with_description(
        KEY_HEADER,
        "The key that both services are configured with",
    )));
    document.components = Some(ComponentsBuilder::new().security_scheme("key", key).build());
    document.servers = Some(vec![ServerBuilder::new().url(ROOT).build()]);
    document
}

/// OpenAPI 3.1 of the contract; needs no key, and is served also where the contract is not.
#[utoipa::path(tag = "contract", responses((status = 200, description = "The document", content_type = "application/json")))]
#[get("/openapi.json")]
pub async fn openapi(document: Data<ContractDocument>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header(("Cache-Control", "no-cache"))
        .content_type("application/json")
        .body(document.0.clone())
}
