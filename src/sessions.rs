//! Finished tests: storing one, reading one, and the list of all.

pub mod create;
pub mod large_writes;
pub mod read;

use utoipa_actix_web::service_config::ServiceConfig;

/// Finished tests.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(create::create).service(read::sessions_list).service(read::session);
}
