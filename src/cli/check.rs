//! `examhall check`: whether the server would find what it needs, a line each.

use std::process::ExitCode;

use super::{Failure, print};
use crate::auth::identity_provider::IdentityProvider;
use crate::cache::redis::Redis;
use crate::config::{Config, SignIn};
use crate::database::Database;

pub(super) async fn check(config: &Config) -> Result<ExitCode, Failure> {
    let results = [
        ("configuration", Ok("ok".to_owned())),
        ("database", check_database(config).await),
        ("redis", check_redis(config).await),
        ("identity provider", check_provider(config).await),
    ];
    let mut code = ExitCode::SUCCESS;
    for (name, result) in results {
        let line = result.unwrap_or_else(|reason| {
            code = ExitCode::from(1);
            format!("failed: {reason}")
        });
        print(&format!("{name}: {line}"));
    }
    Ok(code)
}

async fn check_database(config: &Config) -> Result<String, String> {
    let database = Database::open(&config.store.database_url, 1, 1).await.map_err(|error| error.to_string())?;
    let pending = database.pending_migrations().await.map_err(|error| error.to_string())?;
    database.close().await;
    Ok(if pending == 0 { "ok".to_owned() } else { format!("ok, {pending} migrations to run at the next start") })
}

async fn check_redis(config: &Config) -> Result<String, String> {
    let Some(url) = &config.store.redis_url else { return Ok("off".to_owned()) };
    let redis = Redis::new(url, &config.store.redis_prefix).map_err(|error| error.to_string())?;
    redis.ping().await.map(|()| "ok".to_owned()).map_err(|error| error.to_string())
}

async fn check_provider(config: &Config) -> Result<String, String> {
    match &config.access.sign_in {
        SignIn::Local => Ok("none: development sign-in, on this machine alone".to_owned()),
        SignIn::Off => Ok("none: nobody can sign in, only API tokens are known".to_owned()),
        SignIn::Provider(provider) => {
            // The server's own start does this too; here it may be there already.
            drop(rustls::crypto::ring::default_provider().install_default());
            let provider = IdentityProvider::new(provider, &config.server.auth_url).map_err(|error| error.to_string())?;
            provider.check().await.map(|()| "ok".to_owned()).map_err(|error| error.to_string())
        }
    }
}
