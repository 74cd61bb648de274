//! A database of a scenario's own: in a Postgres that it has started, or in a file of SQLite.

use crate::failure::Failure;
use crate::own::services::OwnServices;
use std::path::PathBuf;
use uuid::Uuid;

/// Where the data is. Dropping it removes the data.
pub enum OwnStorage {
    Services(OwnServices),
    Folder(PathBuf),
}

impl OwnStorage {
    pub async fn open(is_postgres: bool) -> Result<Self, Failure> {
        if is_postgres {
            return Ok(Self::Services(OwnServices::start().await?));
        }
        let folder = std::env::temp_dir().join(format!("examhall-loadtests-{}", Uuid::new_v4()));
        std::fs::create_dir(&folder)?;
        Ok(Self::Folder(folder))
    }

    /// The URL of an empty database, and that of a Redis, which is empty without one.
    pub async fn empty(&self, name: &str) -> Result<(String, String), Failure> {
        match self {
            Self::Services(services) => Ok((services.empty_database(name).await?, services.redis_url(0))),
            Self::Folder(folder) => Ok((format!("sqlite://{}/{name}.db", folder.display()), String::new())),
        }
    }
}

impl Drop for OwnStorage {
    fn drop(&mut self) {
        if let Self::Folder(folder) = self {
            // What can't be removed stays in the system's folder for such files.
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}
