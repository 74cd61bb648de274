//! Everything that all routes share: limits on bodies, the shape of errors, headers, logs, health checks.

pub mod after;
pub mod answers;
pub mod audit;
pub mod body;
pub mod client_address;
pub mod compression;
pub mod encoding;
pub mod fair_pool;
pub mod fallback;
pub mod fields;
pub mod grade_query;
pub mod health;
pub mod if_match;
pub mod large_body;
pub mod limits;
pub mod network;
pub mod openapi;
pub mod origin;
pub mod paged_stream;
pub mod pages;
pub mod parameters;
pub mod ready_response;
pub mod request;
pub mod session_conditions;
pub mod turnstile;
pub mod unbroken;
pub mod upgrade;
pub mod upload;

use utoipa_actix_web::service_config::ServiceConfig;

/// The API document, health and metrics.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(openapi::openapi).service(health::healthz).service(health::readyz).service(health::metrics);
}
