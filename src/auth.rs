//! Authentication and rights: sign-in through the identity provider, the cookie that it leaves, API tokens, and who may
//! do what.

pub mod caller;
pub mod cookie;
pub mod cross_site;
pub mod destination;
pub mod gate;
pub mod identity_provider;
pub mod me;
pub mod own_sign_ins;
pub mod page;
pub mod platform_account;
pub mod refusals;
pub mod sign_in;
pub mod sign_out;
pub mod token;

use std::sync::Arc;

use actix_web::web::{self, Data};
use thiserror::Error as ThisError;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::base::Base;
use crate::config::SignIn;
use crate::provider::Provider;
use caller::Callers;
use cookie::Cookies;
use identity_provider::{IdentityProvider, SignInFailure};

/// Why nobody could sign in, ever.
#[derive(Debug, ThisError)]
pub enum AuthUnusable {
    /// The secret is no source of keys.
    #[error("AUTH_SECRET: no key can be made of it")]
    Secret,
    /// The identity provider can't be asked.
    #[error("AUTH_URL: {0}")]
    Provider(#[from] SignInFailure),
}

/// What sign-in and the check of rights work with.
#[derive(Clone)]
pub struct Auth {
    pub callers: Arc<Callers>,
    cookies: Data<Cookies>,
    provider: Data<Option<IdentityProvider>>,
}

impl Auth {
    pub fn open(base: &Base, data: &Arc<dyn Provider>) -> Result<Self, AuthUnusable> {
        let address = &base.config.server.auth_url;
        let cookies = Cookies::new(&base.secret, address).ok_or(AuthUnusable::Secret)?;
        let provider = match &base.config.access.sign_in {
            SignIn::Provider(provider) => Some(IdentityProvider::new(provider, address)?),
            SignIn::Local | SignIn::Off => None,
        };
        let callers = Callers::new(base.database.clone(), Arc::clone(data), base.clock.clone(), cookies.clone());
        Ok(Self { callers: Arc::new(callers), cookies: Data::new(cookies), provider: Data::new(provider) })
    }

    /// Hands it to one worker's app.
    pub fn provide(&self, config: &mut web::ServiceConfig) {
        config
            .app_data(Data::from(Arc::clone(&self.callers)))
            .app_data(self.cookies.clone())
            .app_data(self.provider.clone());
    }
}

/// Signing in and out, and who is signed in.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(sign_in::begin)
        .service(sign_in::end)
        .service(sign_in::local)
        .service(sign_out::sign_out)
        .service(me::me)
        .service(own_sign_ins::list)
        .service(own_sign_ins::end_one)
        .service(own_sign_ins::end_others);
}
