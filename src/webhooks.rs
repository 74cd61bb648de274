//! Webhooks: the events of finished tests and of sittings, how they are signed, and what admins see of their
//! deliveries.
//!
//! An event is written to the outbox (`src/outgoing.rs`) in the transaction that stores the session. The receivers'
//! side is in `docs/integrators.md#webhooks`, the rules for targets in `docs/security.md#webhooks`.

pub mod admin;
pub mod events;
pub mod signature;
pub mod sitting_events;
pub mod store;
pub mod test_event;

use std::sync::Arc;

use actix_web::web::{self, Data};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::base::Base;
use crate::outgoing::kind::OutgoingKind;
use events::WebhookEvents;
use signature::SigningKey;
use sitting_events::SittingEvents;

/// The events, and the key that signs them.
#[derive(Clone)]
pub struct Webhooks {
    /// Those of finished tests, for the outbox.
    pub events: Arc<dyn OutgoingKind>,
    /// Those of sittings, for the outbox.
    pub sitting_events: Arc<dyn OutgoingKind>,
    key: SigningKey,
}

impl Webhooks {
    /// `sends_sessions` says whether finished tests must be sent to an external data provider, too.
    #[must_use]
    pub fn open(base: &Base, sends_sessions: bool) -> Self {
        let key = SigningKey::new(base.config.webhooks.signing_key.clone(), &base.secret);
        let events = WebhookEvents {
            database: base.database.for_background(),
            clock: base.clock.clone(),
            key: key.clone(),
            secret: base.config.webhooks.secret.clone(),
            sends_sessions,
            has_public_answers: base.config.access.public_answers,
            embargo: Arc::clone(&base.embargo),
        };
        let sitting_events = SittingEvents {
            database: events.database.clone(),
            clock: base.clock.clone(),
            key: key.clone(),
            secret: base.config.webhooks.secret.clone(),
        };
        Self { events: Arc::new(events), sitting_events: Arc::new(sitting_events), key }
    }

    /// Hands it to one worker's app.
    pub fn provide(&self, config: &mut web::ServiceConfig) {
        config.app_data(Data::new(self.key.clone()));
    }
}

/// The outbox, for admins.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(admin::list).service(admin::key).service(test_event::send).service(admin::replay);
}
