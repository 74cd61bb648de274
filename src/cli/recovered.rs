//! `examhall recovered`: makes a database ready that was recovered by other means than `examhall restore`. It ends the
//! same claims of the past.

use std::process::ExitCode;

use super::CliFailure;
use super::output::print;
use super::restore::IN_USE;
use crate::config::Config;
use crate::database::private::SqliteFile;
use crate::database::{primary_url, sqlite_file};
use crate::store::backups::{self, CopyFault, SqliteUse};

pub(super) async fn recovered(config: &Config) -> Result<ExitCode, CliFailure> {
    let url = &config.store.database_url;
    let which = match sqlite_file(url) {
        Some(file) => {
            settle_file(&SqliteFile::new(&file)).await?;
            file.display().to_string()
        }
        None => {
            settle_postgres(&primary_url(url).await?).await?;
            "the Postgres database of DATABASE_URL".to_owned()
        }
    };
    print(&format!("{which} is ready: no server holds a seat, and everyone signs in anew"))?;
    Ok(ExitCode::SUCCESS)
}

async fn settle_file(database: &SqliteFile) -> Result<(), CliFailure> {
    if !database.path().exists() {
        return Err(format!("there is no database: {} does not exist", database.path().display()).into());
    }
    let failed = |error: std::io::Error| format!("{} cannot be used: {error}", database.path().display());
    let _alone = database.keep_others_away().map_err(failed)?.ok_or(IN_USE)?;
    match backups::release_sqlite(database.path()).await {
        SqliteUse::Free => {}
        SqliteUse::InUse => return Err(IN_USE.into()),
        SqliteUse::Damaged(reason) => return Err(refused(CopyFault::Damaged(reason))),
    }
    backups::settle_sqlite(database.path()).await.map_err(refused)
}

async fn settle_postgres(url: &str) -> Result<(), CliFailure> {
    let found = backups::ask_postgres(url).await.map_err(|error| format!("the database cannot be asked: {error}"))?;
    if found.connections > 0 {
        return Err(IN_USE.into());
    }
    backups::check_steps(&found.steps).map_err(refused)?;
    backups::settle_postgres(url, &found.schema).await.map_err(refused)
}

fn refused(fault: impl Into<CopyFault>) -> CliFailure {
    let fault: CopyFault = fault.into();
    format!("the database is left as it is: {fault}").into()
}
