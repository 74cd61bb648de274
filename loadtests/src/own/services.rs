//! A Postgres and a Redis that `scripts/services` starts for one program, and stops when it ends.

use crate::failure::Failure;
use crate::machine::processor_time;
use sea_orm::{ConnectionTrait, Database, DbBackend, Statement};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const SCRIPT: &str = "scripts/services";
/// Databases that Redis has by default, one for each run.
const REDIS_DATABASES: u8 = 16;

/// The services. Dropping them stops them and removes their data.
pub struct OwnServices {
    folder: PathBuf,
    postgres_url: String,
    redis_url: String,
}

/// What Postgres has used until some moment.
pub struct PostgresUsage {
    pub processor: Duration,
    pub wal_bytes: f64,
    /// The size of one database.
    pub stored_bytes: f64,
}

impl OwnServices {
    /// Starts both; the working folder must be that of the repository.
    pub async fn start() -> Result<Self, Failure> {
        let started = tokio::process::Command::new(SCRIPT).arg("start").output().await;
        let started = started.map_err(|error| format!("{SCRIPT} cannot be run from this folder: {error}"))?;
        if !started.status.success() {
            return Err(format!("{SCRIPT} failed: {}", String::from_utf8_lossy(&started.stderr)).into());
        }
        let text = String::from_utf8(started.stdout)?;
        let setting = |name: &str| {
            let line =
                text.lines().find_map(|line| line.strip_prefix("export ")?.strip_prefix(name)?.strip_prefix('='));
            line.map(|value| value.trim_matches('\'').to_owned()).ok_or_else(|| format!("{SCRIPT} prints no {name}"))
        };
        Ok(Self {
            folder: setting("TEST_SERVICES")?.into(),
            postgres_url: setting("TEST_DATABASE_URL")?,
            redis_url: setting("TEST_REDIS_URL")?,
        })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes a database anew. Returns its URL.
    pub async fn empty_database(&self, name: &str) -> Result<String, Failure> {
        let connection = Database::connect(&self.postgres_url).await?;
        connection.execute_unprepared(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await?;
        connection.execute_unprepared(&format!("CREATE DATABASE {name}")).await?;
        connection.close().await?;
        Ok(self.url_of(name))
    }

    /// Ends Postgres without letting it finish anything, and starts it again at its port.
    pub async fn crash_postgres(&self) -> Result<(), Failure> {
        let mut command = tokio::process::Command::new(SCRIPT);
        let restarted = command.arg("restart-postgres").arg(&self.folder).arg("immediate").output().await?;
        if !restarted.status.success() {
            return Err(format!("{SCRIPT} failed: {}", String::from_utf8_lossy(&restarted.stderr)).into());
        }
        Ok(())
    }

    /// What Postgres has used so far, in all its databases.
    pub async fn usage(&self, database: &str) -> Result<PostgresUsage, Failure> {
        let connection = Database::connect(&self.url_of(database)).await?;
        let text = "SELECT (pg_current_wal_lsn() - '0/0')::float8 AS wal, pg_database_size(current_database())::float8 AS stored";
        let row = connection.query_one_raw(Statement::from_string(DbBackend::Postgres, text)).await?.ok_or("no row")?;
        let usage = PostgresUsage {
            processor: processor_time().get("postgres").copied().unwrap_or_default(),
            wal_bytes: row.try_get("", "wal")?,
            stored_bytes: row.try_get("", "stored")?,
        };
        connection.close().await?;
        Ok(usage)
    }

    /// The Redis of one run, in which there is nothing yet.
    pub fn redis_url(&self, run: u8) -> String {
        let server = self.redis_url.rsplit_once('/').map_or(self.redis_url.as_str(), |(server, _)| server);
        format!("{server}/{}", run % REDIS_DATABASES)
    }

    fn url_of(&self, database: &str) -> String {
        let server = self.postgres_url.rsplit_once('/').map_or(self.postgres_url.as_str(), |(server, _)| server);
        format!("{server}/{database}")
    }
}

impl Drop for OwnServices {
    fn drop(&mut self) {
        // If it fails, the services stay, and the script has said why.
        let _ = Command::new(SCRIPT).arg("stop").arg(&self.folder).status();
    }
}
