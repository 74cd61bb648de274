//! This server as the data service of other servers: the external data-provider contract, served under `/v1` to callers
//! with the key. It is the other end of `src/provider/api.rs`.

mod approvals;
mod assignments;
pub mod document;
mod edit_log;
mod key;
mod people;
mod questions;
mod reviews;
mod sessions;
mod users;

use utoipa_actix_web::service_config::ServiceConfig;

/// The prefix of all addresses of the contract.
pub const ROOT: &str = "/v1";

/// All routes of the contract with their descriptions, relative to [`ROOT`].
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(questions::list)
        .service(questions::override_one)
        .service(questions::import)
        .service(users::create)
        .service(users::read)
        .service(users::change)
        .service(sessions::read)
        .service(sessions::put)
        .service(reviews::list)
        .service(reviews::put)
        .service(edit_log::list)
        .service(edit_log::append)
        .service(assignments::reviewers)
        .service(assignments::reviewer)
        .service(assignments::assign_reviewer)
        .service(assignments::remove_reviewer)
        .service(assignments::managers)
        .service(assignments::assign_manager)
        .service(assignments::remove_manager)
        .service(approvals::list)
        .service(approvals::put)
        .service(document::openapi);
}
