//! This service as the data service of others: the external data-provider contract (`assessment.md` 4.5), served under `/v1`
//! to whoever has the key.

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

/// What all addresses of the contract begin with.
pub const ROOT: &str = "/v1";

/// Every route of the contract with its description, relative to [`ROOT`].
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
