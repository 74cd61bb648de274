//! Exam Hall as a tool of learning platforms (LTI 1.3 Advantage, `docs/lti.md`): a platform sends its people here, who
//! sit exams or choose them, without another sign-in (`docs/decisions/0089-lti.md`).

pub mod admin;
pub mod choice;
pub mod chooser;
pub mod deep_linking;
pub mod enter;
pub mod jwks;
pub mod keys;
pub mod launch;
pub mod learner;
pub mod line_items;
pub mod links;
pub mod login;
pub mod members;
pub mod page;
#[cfg(test)]
mod plain_link;
pub mod platform_keys;
mod record;
pub mod refusal;
mod refusal_in_vietnamese;
pub mod register;
pub mod register_page;
pub mod review;
pub mod roster;
pub mod scores;
pub mod services;
pub mod staff;
pub mod state;
pub mod storage;
pub mod ticket;
pub mod tokens;
pub mod verify;
pub mod words;

use std::sync::Arc;

use actix_web::web;
use domain::lti::addresses::origin;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::base::Base;
use crate::clock::Clock;
use crate::database::Database;
use crate::sittings::Sittings;
use crate::templates::Templates;
use keys::OwnKeys;
use platform_keys::PlatformKeys;
use refusal::LaunchRefusal;

/// Where platforms send the browsers of their people with a launch.
pub const LAUNCH: &str = "/lti/launch";

/// Platforms, their links and scores, and rosters from courses, for those who manage them; and our public keys.
pub fn routes(config: &mut ServiceConfig<'_>) {
    admin::routes(config);
    config.service(scores::admin::list).service(scores::admin::resend).service(scores::admin::resend_failed);
    config.service(roster::take).service(roster::joining::list).service(roster::joining::join).service(jwks::read);
}

/// Where platforms and the pages of launches lead.
pub fn pages(config: &mut web::ServiceConfig) {
    config
        .route("/lti/login", web::get().to(login::by_link))
        .route("/lti/login", web::post().to(login::by_form))
        .route(LAUNCH, web::post().to(launch::launch))
        .route("/lti/enter", web::post().to(enter::enter))
        .route("/lti/choice", web::post().to(choice::choose))
        .route("/lti/register", web::get().to(register::show))
        .route("/lti/register", web::post().to(register::register));
}

/// What launches work with.
pub struct Launches {
    database: Database,
    clock: Clock,
    /// This server's own address, by which platforms know it.
    address: String,
    /// The keys of platforms.
    platform_keys: PlatformKeys,
    /// The keys with which this server signs.
    own_keys: Arc<OwnKeys>,
    sittings: Arc<Sittings>,
    templates: Arc<Templates>,
}

impl Launches {
    #[must_use]
    pub fn open(base: &Base, own_keys: Arc<OwnKeys>, sittings: &Arc<Sittings>, templates: &Arc<Templates>) -> Self {
        Self {
            database: base.database.clone(),
            clock: base.clock.clone(),
            address: base.config.server.auth_url.trim_end_matches('/').to_owned(),
            platform_keys: PlatformKeys::open(base),
            own_keys,
            sittings: Arc::clone(sittings),
            templates: Arc::clone(templates),
        }
    }

    /// The one address to which platforms send launches.
    #[must_use]
    pub fn launch_address(&self) -> String {
        format!("{}{LAUNCH}", self.address)
    }

    /// Refuses what is to be opened if it is none of this server's: a link that was made for another one.
    fn refuse_foreign_target(&self, target_link_uri: &str) -> Result<(), LaunchRefusal> {
        let is_own = origin(target_link_uri).is_some_and(|target| origin(&self.address) == Some(target));
        if is_own { Ok(()) } else { Err(LaunchRefusal::ForeignTarget) }
    }
}
