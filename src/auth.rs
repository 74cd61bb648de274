//! Authentication and rights: sign-in through the identity provider, the cookie that it leaves, API tokens, and who may
//! do what.

pub mod caller;
pub mod cookie;
pub mod cross_site;
pub mod destination;
pub mod gate;
pub mod identity_provider;
pub mod me;
pub mod page;
pub mod refusals;
pub mod sign_in;
pub mod sign_out;
pub mod token;

use utoipa_actix_web::service_config::ServiceConfig;

/// Signing in and out, and who is signed in.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(sign_in::begin)
        .service(sign_in::end)
        .service(sign_in::local)
        .service(sign_out::sign_out)
        .service(me::me);
}
