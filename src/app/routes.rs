//! Every route of the service: those of the API with their descriptions, and the pages. A route that is neither here
//! nor in `src/calendar/request/routes.rs` does not exist.

use std::sync::Arc;

use actix_web::dev::HttpServiceFactory;
use actix_web::middleware::from_fn;
use actix_web::web;
use actix_web::{FromRequest, Handler, Responder, Route};
use utoipa_actix_web::service_config::ServiceConfig;

use super::parameters;
use crate::auth::{cross_site, destination, gate};
use crate::config::Config;
use crate::http::{openapi, origin, pages, read_only};
use crate::provider_api::{self, ROOT};
use crate::{
    audit, auth, calendar, classes, corrections, http, live, lti, operations, pictures, questions, receipts, reports,
    results, review, school, sessions, sittings, templates, users, webhooks,
};

/// Everything but the calendar, which says itself which pages of other sites may read it, and refuses in an envelope of
/// its own.
pub(super) fn all_but_the_calendar(config: &Arc<Config>) -> impl HttpServiceFactory + use<> {
    web::scope("")
        .configure(|config| routes(&mut ServiceConfig::new(config)))
        .service(web::scope(ROOT).configure(|config| provider_api::routes(&mut ServiceConfig::new(config))))
        .route("/api/docs/", web::get().to(pages::reference))
        .route("/api/docs", web::get().to(openapi::to_docs))
        .configure(pages)
        .wrap(from_fn(parameters::refuse_unknown))
        .wrap(from_fn(read_only::refuse))
        .wrap(from_fn(cross_site::refuse))
        .wrap(from_fn(destination::refuse))
        .wrap(origin::cors(config))
}

/// Mounts the API, feature by feature; the `routes` of each stands beside its handlers.
pub(super) fn routes(config: &mut ServiceConfig<'_>) {
    auth::routes(config);
    users::routes(config);
    questions::routes(config);
    pictures::routes(config);
    sessions::routes(config);
    reports::routes(config);
    templates::routes(config);
    sittings::routes(config);
    classes::routes(config);
    results::routes(config);
    corrections::routes(config);
    receipts::routes(config);
    live::routes(config);
    webhooks::routes(config);
    lti::routes(config);
    review::routes(config);
    school::routes(config);
    audit::routes(config);
    operations::routes(config);
    http::routes(config);
}

/// Mounts the pages and their files.
fn pages(config: &mut web::ServiceConfig) {
    config
        .route("/", page(pages::student))
        .route("/test/{grade}", page(gate::test))
        .route("/t/{template}", page(pages::student))
        .route("/s/{sitting}", page(pages::student))
        .route("/sittings", page(pages::student))
        .route("/event/{slug}", page(calendar::show_event))
        .route("/event/{slug}/", page(calendar::show_event))
        .route("/report/{session}", page(pages::secret))
        .route("/continue", page(pages::secret))
        .route("/auth/sign-ins", page(pages::student))
        .route("/staff", page(pages::staff))
        .route("/staff/{rest:.*}", page(pages::staff))
        .route("/sittings/{id}/screen", page(pages::staff))
        .route("/verify", page(pages::verify))
        .route("/assets/{name}", web::get().to(pages::file))
        .route("/icon.svg", web::get().to(pages::file))
        .route("/service-worker.js", web::get().to(pages::file))
        .route("/verify-worker.js", web::get().to(pages::file))
        .configure(lti::pages);
}

fn page<F, Args>(handler: F) -> Route
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    web::get().to(handler).wrap(from_fn(calendar::announce))
}
