//! Webhooks: the events of finished tests, how they are signed, and what admins see of their deliveries.
//!
//! An event is written to the outbox (`src/outgoing.rs`) in the transaction that stores the session. The receivers'
//! side is in `docs/integrators.md#webhooks`, the rules for targets in `docs/security.md#webhooks`.

pub mod admin;
pub mod events;
pub mod signature;
pub mod store;
pub mod test_event;

use utoipa_actix_web::service_config::ServiceConfig;

/// The outbox, for admins.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(admin::list).service(admin::key).service(test_event::send).service(admin::replay);
}
