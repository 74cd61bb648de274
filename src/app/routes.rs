//! Every route of the service: those of the API with their descriptions, and the pages. What is not here does not exist.

use actix_web::{Route, guard, web};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::admin;
use crate::auth::{gate, me, sign_in};
use crate::http::{health, openapi, pages};
use crate::live;
use crate::manager;
use crate::questions;
use crate::reports;
use crate::review;
use crate::sessions::{create, read};
use crate::templates;
use crate::webhooks;

/// Mounts the API.
pub(super) fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(sign_in::begin)
        .service(sign_in::end)
        .service(sign_in::local)
        .service(sign_in::sign_out)
        .service(me::me)
        .service(admin::questions::list)
        .service(admin::export::export)
        .service(admin::import::import)
        .service(admin::users::list)
        .service(admin::users::change)
        .service(admin::users::remove)
        .service(admin::tokens::list)
        .service(admin::tokens::make)
        .service(admin::tokens::revoke)
        .service(questions::questions)
        .service(create::create)
        .service(read::sessions_list)
        .service(read::session)
        .service(reports::download)
        .service(reports::questions::questions)
        .service(templates::public::template)
        .service(templates::admin::list)
        .service(templates::admin::create)
        .service(templates::admin::read)
        .service(templates::admin::update)
        .service(templates::admin::delete)
        .service(templates::admin::generate)
        .service(templates::swap::candidates)
        .service(templates::swap::swap)
        .service(live::socket::open)
        .service(live::https::begin)
        .service(live::proctor::socket::open)
        .service(live::proctor::list::sessions)
        .service(live::events::events)
        .service(live::https::resume)
        .service(live::https::commands)
        .service(webhooks::admin::list)
        .service(webhooks::admin::key)
        .service(webhooks::admin::replay)
        .service(review::questions::questions)
        .service(review::questions::submit)
        .service(review::edit::log)
        .service(review::edit::edit)
        .service(manager::stats::stats)
        .service(manager::approvals::list)
        .service(manager::approvals::decide)
        .service(admin::assignments::reviewers)
        .service(admin::assignments::assign_reviewer)
        .service(admin::assignments::remove_reviewer)
        .service(admin::assignments::managers)
        .service(admin::assignments::assign_manager)
        .service(admin::assignments::remove_manager)
        .service(admin::stats::stats)
        .service(admin::log::log)
        .service(admin::items::items)
        .service(openapi::openapi)
        .service(health::healthz)
        .service(health::readyz)
        .service(health::metrics);
}

/// Mounts the pages and their files.
pub(super) fn pages(config: &mut web::ServiceConfig) {
    config
        .route("/", page().to(pages::student))
        .route("/test/{grade}", page().to(gate::test))
        .route("/t/{template}", page().to(pages::student))
        .route("/report/{session}", page().to(pages::secret))
        .route("/continue", page().to(pages::secret))
        .route("/assets/{name}", page().to(pages::file))
        .route("/icon.svg", page().to(pages::file))
        .route("/service-worker.js", page().to(pages::file));
}

/// Whoever looks whether a link leads anywhere asks for the head alone.
fn page() -> Route {
    web::route().guard(guard::Any(guard::Get()).or(guard::Head()))
}
