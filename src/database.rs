//! Opens the store: SQLite, made when missing, or Postgres; checks that a commit is durable, and runs the migrations.

use std::fmt::Display;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use migration::Migrator;
use migration::sea_orm_migration::MigratorTrait;
use sea_orm::sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sea_orm::sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sea_orm::sqlx::{self, ConnectOptions};
use sea_orm::{
    AccessMode, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, IsolationLevel, RuntimeErr,
    SqliteTransactionMode, SqlxPostgresConnector, SqlxSqliteConnector, TransactionOptions, TransactionTrait,
};
use thiserror::Error;
use tokio::sync::Mutex;

/// How long a caller waits for a free connection before it is told that the store is unavailable.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);
/// How long SQLite waits for another process's write, such as that of `examhall token create`.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// A batch that was given up leaves its connection to the kernel's patience: others take its place.
const JOURNAL_SPARE: u32 = 4;
/// How long a planned stop waits for the connections.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(3);
/// How long a change of questions waits for another one.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);
/// A server may stand still for so long in the middle of a short transaction.
const STALL_TIMEOUT: Duration = Duration::from_secs(3);
/// What Postgres calls it when that is over.
const LOCK_NOT_AVAILABLE: &str = "55P03";
/// SQLite's, when its one writer was another one for too long.
const SQLITE_BUSY: &str = "5";
/// A connection that the network has swallowed is let go by the database soon, with the locks that it holds.
const POSTGRES_SETTINGS: [(&str, &str); 4] = [
    ("idle_in_transaction_session_timeout", "20s"),
    ("tcp_keepalives_idle", "20"),
    ("tcp_keepalives_interval", "5"),
    ("tcp_keepalives_count", "3"),
];
/// A batch that hangs is given up by the database before the journal does so; and one whose server stands still in the
/// middle of it lets its seats go soon.
const JOURNAL_SETTINGS: [(&str, &str); 2] =
    [("statement_timeout", "14s"), ("idle_in_transaction_session_timeout", "3s")];
/// Connections that read SQLite; one more writes.
const SQLITE_READERS: u32 = 4;

/// The store's connections.
#[derive(Clone, Debug)]
pub struct Database {
    /// For reading.
    pub read: DatabaseConnection,
    /// For writing: SQLite has one writer, and a second would only wait for it.
    pub write: DatabaseConnection,
    /// For the journal: on Postgres a pool of its own that doesn't ask each connection whether it lives.
    pub journal: DatabaseConnection,
    /// Held by whoever changes the calendar: on each server one at a time.
    pub calendar: Arc<Mutex<()>>,
}

/// Why the store can't be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The address is of neither kind.
    #[error("DATABASE_URL must begin with sqlite:// or postgres://")]
    Scheme,
    /// The folder of the SQLite file can't be made.
    #[error("the folder of the database file cannot be made: {0}")]
    Folder(#[from] std::io::Error),
    /// The database can't be reached or refuses.
    #[error("the database cannot be opened: {0}")]
    Connect(#[from] sqlx::Error),
    /// A commit would not be durable.
    #[error("Postgres has {0} off: an acknowledged answer could be lost, so the server does not start")]
    NotDurable(&'static str),
    /// A migration failed.
    #[error("the database's schema cannot be brought up to date: {0}")]
    Migrate(#[from] DbErr),
}

impl Database {
    /// Opens the store at `url`, and makes the SQLite file when it is missing. `connections` is for Postgres,
    /// and so is `journals`: how many batches may be committed at once.
    ///
    /// # Errors
    /// One sentence for the operator.
    pub async fn open(url: &str, connections: u32, journals: u32) -> Result<Self, OpenError> {
        if url.starts_with("sqlite:") {
            Self::open_sqlite(url).await
        } else if url.starts_with("postgres:") || url.starts_with("postgresql:") {
            Self::open_postgres(url, connections, journals).await
        } else {
            Err(OpenError::Scheme)
        }
    }

    async fn open_sqlite(url: &str) -> Result<Self, OpenError> {
        let options = SqliteConnectOptions::from_str(url)?
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(BUSY_TIMEOUT)
            .disable_statement_logging();
        if let Some(folder) = options.get_filename().parent().filter(|folder| *folder != Path::new("")) {
            std::fs::create_dir_all(folder)?;
        }
        let pool = |size| SqlitePoolOptions::new().max_connections(size).acquire_timeout(ACQUIRE_TIMEOUT);
        let write = SqlxSqliteConnector::from_sqlx_sqlite_pool(pool(1).connect_with(options.clone()).await?);
        let read = SqlxSqliteConnector::from_sqlx_sqlite_pool(pool(SQLITE_READERS).connect_with(options).await?);
        Ok(Self { read, journal: write.clone(), write, calendar: Arc::default() })
    }

    async fn open_postgres(url: &str, connections: u32, journals: u32) -> Result<Self, OpenError> {
        let options = PgConnectOptions::from_str(url)?
            .application_name("examhall")
            .options(POSTGRES_SETTINGS)
            .disable_statement_logging();
        let pool = |size| PgPoolOptions::new().max_connections(size).acquire_timeout(ACQUIRE_TIMEOUT);
        let main = pool(connections).connect_with(options.clone()).await?;
        for setting in ["fsync", "synchronous_commit"] {
            let value: String = sqlx::query_scalar("SELECT current_setting($1)").bind(setting).fetch_one(&main).await?;
            if value == "off" {
                return Err(OpenError::NotDurable(setting));
            }
        }
        let journal = pool(journals * JOURNAL_SPARE)
            .test_before_acquire(false)
            .connect_lazy_with(options.options(JOURNAL_SETTINGS));
        let read = SqlxPostgresConnector::from_sqlx_postgres_pool(main);
        let journal = SqlxPostgresConnector::from_sqlx_postgres_pool(journal);
        Ok(Self { write: read.clone(), read, journal, calendar: Arc::default() })
    }

    /// Brings the schema up to date.
    ///
    /// # Errors
    /// When a step fails; the steps before it stay.
    pub async fn migrate(&self) -> Result<(), OpenError> {
        Ok(Migrator::up(&self.write, None).await?)
    }

    /// How many steps the schema is behind.
    ///
    /// # Errors
    /// When the store can't be asked.
    pub async fn pending_migrations(&self) -> Result<usize, DbErr> {
        Ok(Migrator::get_pending_migrations(&self.read).await?.len())
    }

    /// Whether it is SQLite, which has one writer.
    #[must_use]
    pub fn is_sqlite(&self) -> bool {
        self.read.get_database_backend() == DbBackend::Sqlite
    }

    /// Begins a transaction that will write.
    ///
    /// # Errors
    /// When the store is unavailable.
    pub async fn begin(&self) -> Result<DatabaseTransaction, DbErr> {
        begin(&self.write).await
    }

    /// Begins to read: whatever is read in it is as it was at one moment, however many statements that takes.
    ///
    /// # Errors
    /// When the store is unavailable.
    pub async fn snapshot(&self) -> Result<DatabaseTransaction, DbErr> {
        // SQLite has no other kind.
        let options = if self.is_sqlite() {
            TransactionOptions::default()
        } else {
            let (isolation_level, access_mode) = (Some(IsolationLevel::RepeatableRead), Some(AccessMode::ReadOnly));
            TransactionOptions { isolation_level, access_mode, ..TransactionOptions::default() }
        };
        self.read.begin_with_options(options).await
    }

    /// Closes all connections after their work.
    pub async fn close(self) {
        for connection in [self.journal, self.write, self.read] {
            match tokio::time::timeout(CLOSE_TIMEOUT, connection.close()).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tracing::warn!(%error, "the store's connections could not be closed"),
                Err(_) => tracing::warn!("the store's connections are not closed in time"),
            }
        }
    }
}

/// Begins a transaction that will write: SQLite takes its lock at once, so that it waits for another process's
/// write instead of failing in the middle.
///
/// # Errors
/// When the store is unavailable.
pub async fn begin(connection: &DatabaseConnection) -> Result<DatabaseTransaction, DbErr> {
    let options = TransactionOptions {
        sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
        ..TransactionOptions::default()
    };
    connection.begin_with_options(options).await
}

/// In this transaction nobody waits longer than this for what others have locked: a caller is told that the store is
/// unavailable, and the connection is free for others. On SQLite the wait for the one writer has its own bounds.
///
/// # Errors
/// When the store is unavailable.
pub async fn bound_lock_waits(transaction: &DatabaseTransaction) -> Result<(), DbErr> {
    if transaction.get_database_backend() == DbBackend::Postgres {
        transaction.execute_unprepared(&format!("SET LOCAL lock_timeout = '{}s'", LOCK_TIMEOUT.as_secs())).await?;
    }
    Ok(())
}

/// The same, and a server that stands still in the middle of it lets go what it has locked soon.
///
/// # Errors
/// When the store is unavailable.
pub async fn bound_stalls(transaction: &DatabaseTransaction) -> Result<(), DbErr> {
    bound_lock_waits(transaction).await?;
    if transaction.get_database_backend() == DbBackend::Postgres {
        transaction
            .execute_unprepared(&format!(
                "SET LOCAL idle_in_transaction_session_timeout = '{}s'",
                STALL_TIMEOUT.as_secs()
            ))
            .await?;
    }
    Ok(())
}

/// Whether the time for that was over.
#[must_use]
pub fn is_lock_timeout(error: &DbErr) -> bool {
    match error {
        DbErr::Exec(RuntimeErr::SqlxError(error)) | DbErr::Query(RuntimeErr::SqlxError(error)) => error
            .as_database_error()
            .and_then(|error| error.code())
            .is_some_and(|code| code == LOCK_NOT_AVAILABLE || code == SQLITE_BUSY),
        _ => false,
    }
}

/// The answer to a question to the database, when it comes within `limit`. A question that fails or takes longer gives
/// `None`, and a warning names what was asked.
pub async fn in_time<T, E: Display>(
    what: &'static str,
    limit: Duration,
    asking: impl Future<Output = Result<T, E>>,
) -> Option<T> {
    match tokio::time::timeout(limit, asking).await {
        Ok(Ok(found)) => return Some(found),
        Ok(Err(error)) => tracing::warn!(%error, what, "the database cannot be asked"),
        Err(_) => tracing::warn!(what, "the database does not answer in time"),
    }
    None
}
