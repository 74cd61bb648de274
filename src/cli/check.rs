//! `examhall check`: whether the server would find what it needs, one line each; with `--provider`, whether a data
//! provider keeps the contract.

mod assignments;
mod provider;
mod questions;
mod reviews;
mod sessions;
mod users;
mod visit;

use std::process::ExitCode;

use prometheus_client::metrics::counter::Counter;
use url::Url;

use domain::time::moment::Moment;

use super::CliFailure;
use super::output::print;
use crate::auth::identity_provider::IdentityProvider;
use crate::clock::Clock;
use crate::config::{Config, DataProvider, Secret, SignIn};
use crate::database::{Database, Look, PROXY_DROPS};
use crate::redis::Redis;
use crate::tls::own_certificate;

pub(super) async fn check(config: &Config) -> Result<ExitCode, CliFailure> {
    let results = [
        ("configuration", Ok("ok".to_owned())),
        ("database", check_database(config).await),
        ("redis", check_redis(config).await),
        ("identity provider", check_identity_provider(config).await),
        ("data provider", check_data_provider(config).await),
        ("certificate", check_certificate(config)),
    ];
    let mut code = ExitCode::SUCCESS;
    for (name, result) in results {
        let line = result.unwrap_or_else(|reason| {
            code = ExitCode::from(1);
            format!("failed: {reason}")
        });
        print(&format!("{name}: {line}"))?;
    }
    Ok(code)
}

/// Prints one line for each route of the provider at that address.
pub(super) async fn check_provider(config: &Config, base_url: Url) -> Result<ExitCode, CliFailure> {
    let key = config.external_key.as_ref().ok_or("EXTERNAL_API_KEY: must be set to check a data provider")?;
    let timeout = match &config.data {
        DataProvider::Local => visit::CALL_TIMEOUT,
        DataProvider::Api(external) => external.timeout,
    };
    provider::check(base_url, key, timeout).await
}

async fn check_data_provider(config: &Config) -> Result<String, String> {
    match &config.data {
        DataProvider::Local => Ok("local".to_owned()),
        DataProvider::Api(external) => provider::is_there(external.base_url.clone(), &external.key, external.timeout)
            .await
            .map(|()| "ok".to_owned()),
    }
}

async fn check_database(config: &Config) -> Result<String, String> {
    let store = &config.store;
    let look = Database::look(&store.database_url, store.require_sync_standby).await;
    let Some(Look { primary, pending, keeps_settings }) = look.map_err(|error| error.to_string())? else {
        return Ok("ok, the next start makes its file".to_owned());
    };
    let migrations =
        if pending > 0 { format!(", {pending} migrations to run at the next start") } else { String::new() };
    let settings = if keeps_settings { String::new() } else { format!(", but {PROXY_DROPS}") };
    let primary = primary.map(|host| format!(", {host} is the primary")).unwrap_or_default();
    let standby = if store.require_sync_standby { ", a standby has all that is saved" } else { "" };
    Ok(format!("ok{primary}{standby}{migrations}{settings}"))
}

/// Until when the server's own certificate is good, and what browsers may not like. Reading two small files waits for
/// nothing.
fn check_certificate(config: &Config) -> Result<String, String> {
    let Some(files) = &config.edge.certificate else { return Ok("none: plain HTTP".to_owned()) };
    let state = own_certificate::look_at(files, &config.server.auth_url).map_err(|fault| fault.to_string())?;
    let [begins, ends] = [state.begins, state.ends].map(|at| Moment::from_milliseconds(at.saturating_mul(1_000)));
    let now = Clock::system().now();
    if ends <= now {
        return Err(format!("has ended: {}", ends.iso()));
    }
    if begins > now {
        return Err(format!("is not valid before {}", begins.iso()));
    }
    let doubts = state.doubts().into_iter().map(|doubt| format!(", but {doubt}")).collect::<Vec<_>>().concat();
    Ok(format!("ok, until {}{doubts}", ends.iso()))
}

async fn check_redis(config: &Config) -> Result<String, String> {
    let Some(url) = &config.store.redis_url else { return Ok("off".to_owned()) };
    // A ping is not signed, so no secret is needed.
    let (unused, refused) = (Secret::new(Vec::new()), Counter::default());
    let redis = Redis::new(url, &config.store.redis_prefix, &unused, refused).map_err(|error| error.to_string())?;
    redis.ping().await.map(|()| "ok".to_owned()).map_err(|error| error.to_string())
}

async fn check_identity_provider(config: &Config) -> Result<String, String> {
    match &config.access.sign_in {
        SignIn::Local => Ok("none: development sign-in, on this machine alone".to_owned()),
        SignIn::Off => Ok("none: nobody can sign in, only API tokens are known".to_owned()),
        SignIn::Provider(provider) => {
            // The server installs it at its start; an error here means that it is installed already.
            drop(rustls::crypto::ring::default_provider().install_default());
            let provider =
                IdentityProvider::new(provider, &config.server.auth_url).map_err(|error| error.to_string())?;
            provider.check().await.map(|()| "ok".to_owned()).map_err(|error| error.to_string())
        }
    }
}
