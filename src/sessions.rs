//! Finished tests: storing one, reading one, the lists of all, and their results as a table.

pub mod create;
pub mod finished;
pub mod hand_in;
pub mod keys_under_way;
pub mod large_writes;
pub mod list;
pub mod read;
pub mod recorder;
pub mod release_wait;
pub mod results;

use utoipa_actix_web::service_config::ServiceConfig;

/// Finished tests.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(create::create).service(list::sessions_list).service(read::session).service(results::results);
}
