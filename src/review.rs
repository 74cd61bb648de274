//! The review of questions by the teachers who are assigned to their grade, and the sign-off by managers.

pub mod approvals;
pub mod assignments;
pub mod edits;
pub mod items;
pub mod log;
pub mod measurement;
pub mod progress;
pub mod questions;

use utoipa_actix_web::service_config::ServiceConfig;

/// Review, sign-off, assignments and item statistics.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(questions::questions)
        .service(questions::submit)
        .service(edits::log)
        .service(edits::edit)
        .service(progress::stats)
        .service(approvals::list)
        .service(approvals::decide)
        .service(assignments::reviewers)
        .service(assignments::assign_reviewer)
        .service(assignments::remove_reviewer)
        .service(assignments::managers)
        .service(assignments::assign_manager)
        .service(assignments::remove_manager)
        .service(progress::all_stats)
        .service(log::all_edits)
        .service(items::items);
}
