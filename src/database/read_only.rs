//! Opens the database so that nothing can be written through any connection, for a server that only reads
//! (docs/decisions/0092-read-only-mode.md). Whatever forgets that the server does not write is refused here.

use std::sync::Arc;
use std::time::Duration;

use sea_orm::sqlx::postgres::PgConnectOptions;
use sea_orm::{SqlxPostgresConnector, SqlxSqliteConnector, sqlx};

use super::address::{is_sqlite, postgres_options, reach, sqlite_options};
use super::private::SqliteFile;
use super::{
    ACQUIRE_TIMEOUT, BACKGROUND_CONNECTIONS, BUSY_TIMEOUT, BackgroundPools, Database, OpenError, SQLITE_READERS, pool,
};

/// With it Postgres refuses what a connection writes. A standby refuses that by itself.
const POSTGRES_READS: [(&str, &str); 1] = [("default_transaction_read_only", "on")];

impl Database {
    /// Opens the database at `url` for reading alone. It must exist, and may be a standby. Nothing is made or changed,
    /// and no durability is asked for.
    pub async fn open_read_only(url: &str, connections: u32) -> Result<Self, OpenError> {
        if is_sqlite(url) {
            Self::read_sqlite(url).await
        } else if url.starts_with("postgres:") || url.starts_with("postgresql:") {
            Self::read_postgres(url, connections).await
        } else {
            Err(OpenError::Scheme)
        }
    }

    /// Whether every write is refused.
    #[must_use]
    pub const fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    async fn read_sqlite(url: &str) -> Result<Self, OpenError> {
        let options = sqlite_options(url)?.create_if_missing(false);
        if !options.get_filename().exists() {
            return Err(OpenError::NothingToRead);
        }
        let in_use = SqliteFile::new(options.get_filename()).note_use()?.ok_or(OpenError::Restoring)?;
        // The file is opened for writing all the same: SQLite needs that to read what its log has and the file not yet.
        let options = options.busy_timeout(BUSY_TIMEOUT).pragma("query_only", "ON");
        let read = pool::sqlite(SQLITE_READERS).connect_with(options.clone()).await?;
        let read = SqlxSqliteConnector::from_sqlx_sqlite_pool(read);
        let background = pool::sqlite(BACKGROUND_CONNECTIONS).connect_lazy_with(options);
        let background = SqlxSqliteConnector::from_sqlx_sqlite_pool(background);
        let background = BackgroundPools { read: background.clone(), write: background };
        Ok(Self {
            journal: read.clone(),
            write: read.clone(),
            read,
            calendar: Arc::default(),
            noting: Arc::default(),
            background,
            primary: None,
            is_read_only: true,
            _in_use: Some(Arc::new(in_use)),
        })
    }

    async fn read_postgres(url: &str, connections: u32) -> Result<Self, OpenError> {
        let options = reachable(postgres_options(url)?).await?;
        let main = pool::reading(connections).connect_with(options.clone()).await?;
        // Some proxies drop what a connection is opened with, and then it would write.
        let mode: String =
            sqlx::query_scalar("SELECT current_setting('transaction_read_only')").fetch_one(&main).await?;
        if mode != "on" {
            return Err(OpenError::Writable);
        }
        let background = pool::reading(BACKGROUND_CONNECTIONS).connect_lazy_with(options);
        let background = SqlxPostgresConnector::from_sqlx_postgres_pool(background);
        let background = BackgroundPools { read: background.clone(), write: background };
        let read = SqlxPostgresConnector::from_sqlx_postgres_pool(main);
        Ok(Self {
            journal: read.clone(),
            write: read.clone(),
            read,
            calendar: Arc::default(),
            noting: Arc::default(),
            background,
            primary: None,
            is_read_only: true,
            _in_use: None,
        })
    }
}

/// The options of the first host that answers: each has what there is to read.
async fn reachable(hosts: Vec<PgConnectOptions>) -> Result<PgConnectOptions, OpenError> {
    let is_alone = hosts.len() == 1;
    let mut failure = OpenError::Scheme;
    for options in hosts.into_iter().map(|options| options.options(POSTGRES_READS)) {
        match reach(&options, if is_alone { ACQUIRE_TIMEOUT } else { Duration::ZERO }).await {
            Ok(_) => return Ok(options),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}
