//! Every route of the service: those of the API with their descriptions, and the pages. What is neither here nor in
//! `src/calendar/routes.rs` does not exist.

use actix_web::dev::HttpServiceFactory;
use actix_web::middleware::from_fn;
use actix_web::web::{self, Data};
use actix_web::{FromRequest, Handler, Responder, Route, guard};
use utoipa_actix_web::service_config::ServiceConfig;
use utoipa_swagger_ui::SwaggerUi;

use crate::auth::{cross_site, gate, me, sign_in};
use crate::config::Config;
use crate::http::{health, openapi, origin, pages};
use crate::provider_api::{self, ROOT};
use crate::sessions::{create, read};
use crate::{admin, calendar, live, manager, questions, reports, review, templates, webhooks};

/// Everything but the calendar, which says itself which pages of other sites may read it, and refuses in an envelope of its
/// own.
pub(super) fn all_but_the_calendar(config: &Data<Config>) -> impl HttpServiceFactory + use<> {
    web::scope("")
        .configure(|config| routes(&mut ServiceConfig::new(config)))
        .service(web::scope(ROOT).configure(|config| provider_api::routes(&mut ServiceConfig::new(config))))
        .service(SwaggerUi::new("/api/docs/{_:.*}").config(utoipa_swagger_ui::Config::from("/api/openapi.json")))
        .route("/api/docs", web::get().to(openapi::to_docs))
        .configure(pages)
        .wrap(from_fn(cross_site::refuse))
        .wrap(origin::cors(config))
}

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
fn pages(config: &mut web::ServiceConfig) {
    config
        .route("/", page(pages::student))
        .route("/test/{grade}", page(gate::test))
        .route("/t/{template}", page(pages::student))
        .route("/report/{session}", page(pages::secret))
        .route("/continue", page(pages::secret))
        .route("/assets/{name}", get_or_head().to(pages::file))
        .route("/icon.svg", get_or_head().to(pages::file))
        .route("/service-worker.js", get_or_head().to(pages::file));
}

fn page<F, Args>(handler: F) -> Route
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    get_or_head().to(handler).wrap(from_fn(calendar::announce))
}

/// Whoever looks whether a link leads anywhere asks for the head alone.
fn get_or_head() -> Route {
    web::route().guard(guard::Any(guard::Get()).or(guard::Head()))
}
