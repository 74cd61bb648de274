//! The base of every feature: opened before all of them, and passed to each when that is opened.

use std::sync::Arc;

use actix_web::web::{Data, ServiceConfig};

use crate::clock::Clock;
use crate::config::{Config, DataProvider, Secret};
use crate::database::Database;
use crate::redis::Redis;
use crate::store::embargo::Embargo;
use crate::strain::Strain;
use crate::telemetry::Metrics;

/// What every feature stands on.
#[derive(Clone)]
pub struct Base {
    pub config: Arc<Config>,
    /// The service's secret, of which each feature derives keys of its own.
    pub secret: Secret,
    pub database: Database,
    pub clock: Clock,
    pub redis: Option<Redis>,
    pub metrics: Arc<Metrics>,
    pub embargo: Arc<Embargo>,
    pub strain: Arc<Strain>,
}

impl Base {
    /// Whether assessment data is in this server's own database, and not in an external service.
    #[must_use]
    pub fn is_local(&self) -> bool {
        matches!(self.config.data, DataProvider::Local)
    }

    /// Hands what handlers ask for to one worker's app.
    pub fn provide(&self, config: &mut ServiceConfig) {
        config
            .app_data(Data::from(Arc::clone(&self.config)))
            .app_data(Data::new(self.clock.clone()))
            .app_data(Data::new(self.database.clone()))
            .app_data(Data::new(self.redis.clone()))
            .app_data(Data::from(Arc::clone(&self.metrics)))
            .app_data(Data::from(Arc::clone(&self.embargo)))
            .app_data(Data::from(Arc::clone(&self.strain)));
    }
}
