//! Every route of the service: those of the API with their descriptions, and the pages. What is neither here nor in
//! `src/calendar/request/routes.rs` does not exist.

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
use crate::{calendar, live, questions, reports, review, templates, users, webhooks};

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
        .service(questions::all_with_keys)
        .service(questions::export::export)
        .service(questions::import::import)
        .service(users::list)
        .service(users::change)
        .service(users::remove)
        .service(users::tokens::list)
        .service(users::tokens::make)
        .service(users::tokens::revoke)
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
        .service(live::socket::student::open)
        .service(live::https::begin)
        .service(live::socket::proctor::open)
        .service(live::proctor::list::sessions)
        .service(live::proctor::history::events)
        .service(live::https::resume)
        .service(live::https::commands)
        .service(webhooks::admin::list)
        .service(webhooks::admin::key)
        .service(webhooks::admin::replay)
        .service(review::questions::questions)
        .service(review::questions::submit)
        .service(review::edits::log)
        .service(review::edits::edit)
        .service(review::progress::stats)
        .service(review::approvals::list)
        .service(review::approvals::decide)
        .service(review::assignments::reviewers)
        .service(review::assignments::assign_reviewer)
        .service(review::assignments::remove_reviewer)
        .service(review::assignments::managers)
        .service(review::assignments::assign_manager)
        .service(review::assignments::remove_manager)
        .service(review::progress::all_stats)
        .service(review::log::all_edits)
        .service(review::items::items)
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
