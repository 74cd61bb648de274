//! `examhall migrate`: brings the schema up to date without serving.

use std::process::ExitCode;

use super::CliFailure;
use super::output::print;
use crate::config::Config;
use crate::database::Database;

pub(super) async fn migrate(config: &Config) -> Result<ExitCode, CliFailure> {
    let database = Database::open(&config.store.database_url, 1, 1).await?;
    let pending = database.pending_migrations().await.unwrap_or_default();
    database.migrate().await?;
    database.close().await;
    print(&format!("{pending} steps done; the schema is up to date"))?;
    Ok(ExitCode::SUCCESS)
}
