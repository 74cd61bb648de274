//! A Postgres and a Redis that `scripts/services` starts for one program, and stops when it ends.

use crate::failure::Failure;
use sea_orm::{ConnectionTrait, Database};
use std::path::{Path, PathBuf};
use std::process::Command;

const SCRIPT: &str = "scripts/services";
/// Redis has so many databases by default, one for each run.
const REDIS_DATABASES: u8 = 16;

/// The services. Dropping them stops them and removes their data.
pub struct OwnServices {
    folder: PathBuf,
    postgres_url: String,
    redis_url: String,
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
