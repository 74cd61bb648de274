//! The provider whose data is in an external service (`assessment.md` 4.5), one file for each resource. Of that data this
//! service's own database keeps copies of what exams need, so that they go on while the service is away.

mod approvals;
mod assignments;
pub mod call;
pub mod client;
mod copies;
mod edits;
mod envelopes;
pub mod failure;
mod identities;
mod questions;
mod reviews;
pub mod sender;
mod sessions;
mod users;

use std::sync::Arc;

use tokio::sync::Notify;

use crate::clock::Clock;
use crate::config::ExternalConfig;
use crate::database::Database;
use crate::error::Error;
use crate::telemetry::Metrics;
use client::Client;
use copies::Copies;
use sender::Sender;

/// Assessment data in an external service; clones share everything.
#[derive(Clone)]
pub struct ExternalProvider {
    /// Calls the service.
    pub client: Client,
    /// Wakes whoever sends what waits to be sent.
    pub wake: Arc<Notify>,
    database: Database,
    clock: Clock,
    /// Who becomes admin when they sign in; `None`: whom the service makes one.
    admin_email: Option<String>,
    copies: Arc<Copies>,
}

impl ExternalProvider {
    /// In this service, with the copies in this database.
    ///
    /// # Errors
    /// When no client can be made.
    pub fn new(
        config: &ExternalConfig,
        database: Database,
        clock: Clock,
        admin_email: Option<String>,
    ) -> Result<Self, Error> {
        Ok(Self {
            client: Client::new(config)?,
            wake: Arc::default(),
            database,
            clock,
            admin_email,
            copies: Arc::default(),
        })
    }

    /// Who sends what waits for the service.
    #[must_use]
    pub fn sender(&self, metrics: Arc<Metrics>) -> Sender {
        Sender::new(self.database.clone(), self.client.clone(), self.clock.clone(), metrics, Arc::clone(&self.wake))
    }
}
