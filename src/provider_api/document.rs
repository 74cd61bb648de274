//! The OpenAPI document of the contract. It is generated from the code, so that others can implement the contract.

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa::openapi::{ComponentsBuilder, InfoBuilder, OpenApi, ServerBuilder};

use super::ROOT;
use crate::provider::contract::KEY_HEADER;

/// The part of the contract that an implementer cannot learn from the routes alone.
const DESCRIPTION: &str = include_str!("contract.md");

/// The document as JSON.
pub struct ContractDocument(pub String);

/// The document without its routes: name, description and key. Paths and schemas are collected from the routes.
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

/// Returns the OpenAPI 3.1 document of the contract. It needs no key, and is served even where the contract is not.
#[utoipa::path(tag = "contract", responses((status = 200, description = "The document", content_type = "application/json")))]
#[get("/openapi.json")]
pub async fn openapi(document: Data<ContractDocument>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header(("Cache-Control", "no-cache"))
        .content_type("application/json")
        .body(document.0.clone())
}
