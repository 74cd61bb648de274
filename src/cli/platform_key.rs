//! `examhall platform-key take-back`: has a key sign no more, at once, by which learning platforms know our messages.

use std::process::ExitCode;

use super::CliFailure;
use super::output::print;
use crate::app::secret::service_secret;
use crate::clock::Clock;
use crate::config::Config;
use crate::database::Database;
use crate::lti::keys::OwnKeys;

pub(super) async fn take_back(config: &Config, kid: &str) -> Result<ExitCode, CliFailure> {
    let database = Database::open(&config.store.database_url, 1, 1).await?;
    database.migrate().await?;
    let keys = OwnKeys::new(&database, &Clock::system(), &service_secret(config)?);
    let signs = keys.take_back(kid).await.map_err(|error| error.to_string())?;
    database.close().await;
    let signs = signs.ok_or_else(|| format!("there is no key {kid}: /lti/jwks lists those that there are"))?;
    print(&format!("{kid} signs no more, and {signs} signs instead"))?;
    Ok(ExitCode::SUCCESS)
}
