//! The provider whose data is in an external service, one file for each resource. This server's own database keeps
//! copies of what exams need, so that exams go on while the service is down
//! (`docs/decisions/0018-data-kept-elsewhere.md`).

mod approvals;
mod assignments;
pub mod call;
pub mod client;
mod copies;
mod edits;
mod envelopes;
pub mod failure;
mod first_admin;
mod identities;
mod questions;
mod reviews;
mod sessions;
mod transfers;
mod users;

use std::sync::Arc;

use tokio::sync::Notify;

use crate::clock::Clock;
use crate::config::ExternalConfig;
use crate::database::Database;
use crate::error::Error;
use crate::outgoing::transfers::TransferSender;
use crate::provider::ProviderState;
use crate::telemetry::Metrics;
use call::Lane;
use client::Client;
use copies::Copies;
use transfers::TransferCalls;

/// Assessment data in an external service. Clones share everything.
#[derive(Clone)]
pub struct ExternalProvider {
    /// Makes the calls to the service.
    pub client: Client,
    /// Wakes the sender task.
    pub wake: Arc<Notify>,
    database: Database,
    clock: Clock,
    /// The person with this address becomes admin at their sign-in. `None`: the first person to sign in does, once,
    /// unless the service has an admin already.
    admin_email: Option<String>,
    copies: Arc<Copies>,
}

impl ExternalProvider {
    /// Calls the service that `config` names, and keeps the copies in `database`.
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
            client: Client::new(config, clock.clone())?,
            wake: Arc::default(),
            database,
            clock,
            admin_email,
            copies: Arc::default(),
        })
    }

    /// The sender task, to be run in the background.
    #[must_use]
    pub fn sender(&self, metrics: Arc<Metrics>) -> TransferSender {
        let service = TransferCalls { database: self.database.clone(), client: self.client.clone() };
        let wake = Arc::clone(&self.wake);
        TransferSender::new(self.database.clone(), Arc::new(service), self.clock.clone(), metrics, wake)
    }
}

impl ProviderState for ExternalProvider {
    fn kind(&self) -> &'static str {
        "api"
    }

    fn is_answering(&self) -> bool {
        ![Lane::Banks, Lane::Sending, Lane::People].into_iter().any(|lane| self.client.is_tripped(lane))
    }
}
