//! Everything that all routes share: limits on bodies, the shape of errors, headers, logs, health checks.

pub mod after;
pub mod answers;
pub mod attachment;
pub mod audit;
pub mod body;
pub mod client_address;
pub mod compression;
pub mod encoding;
pub mod entrance;
pub mod face;
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
pub mod read_only;
pub mod ready_response;
pub mod refusal;
pub mod request;
pub mod session_conditions;
pub mod status;
pub mod turnstile;
pub mod unbroken;
pub mod upgrade;
pub mod upload;

use std::sync::Arc;

use actix_web::web::{self, Data};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::base::Base;
use health::Stopping;
use large_body::BodyBudget;
use limits::AddressLimit;
use status::StatusMessages;

/// What all routes share between requests.
#[derive(Clone)]
pub struct HttpState {
    /// How many requests of some kinds an address may make.
    pub limit: Arc<AddressLimit>,
    /// How many bytes of large bodies are held for each caller.
    pub bodies: Arc<BodyBudget>,
    pub stopping: Stopping,
    /// What all pages say.
    pub status: Data<StatusMessages>,
}

impl HttpState {
    #[must_use]
    pub fn open(base: &Base) -> Self {
        let limit = base.config.server.starts_per_address;
        Self {
            limit: Arc::new(AddressLimit::new(limit)),
            bodies: Arc::new(BodyBudget::new(limit.is_some())),
            stopping: Stopping::default(),
            status: Data::new(StatusMessages::open(base)),
        }
    }

    /// Hands it to one worker's app.
    pub fn provide(&self, config: &mut web::ServiceConfig) {
        config
            .app_data(Data::from(Arc::clone(&self.limit)))
            .app_data(Data::from(Arc::clone(&self.bodies)))
            .app_data(Data::new(self.stopping.clone()))
            .app_data(self.status.clone());
    }
}

/// The API document, health and metrics.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(openapi::openapi)
        .service(status::read)
        .service(health::healthz)
        .service(health::readyz)
        .service(health::metrics);
}
