//! Opens the database (SQLite, created if missing, or Postgres), checks that its commits are durable, and runs the
//! migrations.

mod address;
mod durability;
pub mod failure;
mod hosts;
mod look;
mod pool;
mod primary;
pub mod private;
mod read_only;
mod transaction;

use std::fmt::Display;
use std::fs::File;
use std::sync::Arc;
use std::time::Duration;

use migration::Migrator;
use migration::sea_orm_migration::MigratorTrait;
use sea_orm::sqlx;
use sea_orm::sqlx::Connection;
use sea_orm::sqlx::postgres::PgConnectOptions;
use sea_orm::sqlx::sqlite::{SqliteJournalMode, SqliteSynchronous};
use sea_orm::{
    AccessMode, ConnAcquireErr, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr,
    IsolationLevel, RuntimeErr, SqliteTransactionMode, SqlxPostgresConnector, SqlxSqliteConnector, TransactionOptions,
    TransactionTrait,
};
use thiserror::Error;
use tokio::sync::Mutex;

use crate::telemetry::PoolState;
pub use address::sqlite_file;
use address::{is_sqlite, reach, sqlite_options};
pub use durability::{Unprotected, watch_protection};
use durability::{inspect, protection};
use failure::migration_failure;
pub use look::Look;
use pool::{note_silence, state_of};
pub use primary::primary_url;
use primary::{DatabaseHosts, Primary};
use private::SqliteFile;
pub use transaction::{BesideChange, Transaction, with_each_change};

/// How long a caller waits for a free connection before the server answers that it is unavailable.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);
/// How long SQLite waits for another process's write, such as that of `examhall token create`.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// Connections of the journal for each batch that may commit at once. A batch that was abandoned keeps its connection
/// until the kernel gives the connection up, and others take its place meanwhile.
const JOURNAL_SPARE: u32 = 4;
/// How long a planned stop waits for each pool to close.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(3);
/// How long a change of questions, or of the calendar, waits for another one.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a server may stand still in the middle of a short transaction, before Postgres ends it and frees its locks.
const STALL_TIMEOUT: Duration = Duration::from_secs(3);
/// How long the database may take to say that it is there.
const THERE_WITHIN: Duration = Duration::from_secs(2);
/// Postgres' code for a lock that could not be had in time.
const LOCK_NOT_AVAILABLE: &str = "55P03";
/// SQLite's code for a writer that was busy for too long.
const SQLITE_BUSY: &str = "5";
/// For a proxy between server and Postgres that drops what connections are opened with.
pub const PROXY_DROPS: &str = "a proxy drops the limits of connections, such as idle_in_transaction_session_timeout: \
    set them in Postgres, or let DATABASE_URL lead around the proxy";
/// Postgres ends a statement that hangs before the journal abandons its batch for the third time. If a server stands
/// still in the middle of a batch, its seats become free soon.
const JOURNAL_SETTINGS: [(&str, &str); 2] =
    [("statement_timeout", "14s"), ("idle_in_transaction_session_timeout", "3s")];
/// Connections that read SQLite; one more writes.
const SQLITE_READERS: u32 = 4;
/// Connections for the lease and the outbox, so that neither waits for requests: a server without its lease is taken
/// for dead, and a webhook is late.
const BACKGROUND_CONNECTIONS: u32 = 4;

/// The connections to the database.
#[derive(Clone, Debug)]
pub struct Database {
    pub read: DatabaseConnection,
    /// SQLite allows one writer at a time, so this pool has one connection: a second would only wait for it.
    pub write: DatabaseConnection,
    /// On Postgres a pool of its own, which does not try each connection before use: that would cost each commit a
    /// round trip. A dead connection shows as a failed batch, which is tried again.
    pub journal: DatabaseConnection,
    /// Held while the calendar is changed: each server makes one change at a time.
    pub calendar: Arc<Mutex<()>>,
    /// Held while it is noted that a sign-in or a token is used: each server notes one use at a time.
    pub noting: Arc<Mutex<()>>,
    background: BackgroundPools,
    /// `None` on SQLite, and for a database that is only read: their pools never move.
    primary: Option<Arc<Primary>>,
    is_read_only: bool,
    /// Shows a restore that the SQLite file is in use.
    _in_use: Option<Arc<File>>,
}

/// Connections to read and to write that no request uses.
#[derive(Clone, Debug)]
struct BackgroundPools {
    read: DatabaseConnection,
    write: DatabaseConnection,
}

/// Why the database can't be opened. Each message is one sentence for the operator.
#[derive(Debug, Error)]
pub enum OpenError {
    #[error("DATABASE_URL must begin with sqlite:// or postgres://")]
    Scheme,
    #[error("the folder of the database file cannot be made: {0}")]
    Folder(#[from] std::io::Error),
    #[error("the database cannot be opened: {0}")]
    Connect(#[from] sqlx::Error),
    #[error("the database cannot be reached: {0} refused the connection, so nothing listens there")]
    Refused(String),
    #[error("the database does not answer: no connection to {0} within {seconds} s", seconds = ACQUIRE_TIMEOUT.as_secs())]
    NoAnswer(String),
    #[error("the database is being restored: start again when `examhall restore` has ended")]
    Restoring,
    #[error("Postgres has {0} off: an acknowledged answer could be lost, so the server does not start")]
    NotDurable(&'static str),
    #[error(
        "the database is a standby: DATABASE_URL must lead to the primary, or name all hosts, as in \
         postgres://user@host1:5432,host2:5432/exam?target_session_attrs=read-write"
    )]
    Standby,
    #[error("the database is read only: default_transaction_read_only is on")]
    ReadOnly,
    #[error("no host of DATABASE_URL takes writes: {0}")]
    NoPrimary(String),
    #[error("DATABASE_URL: {0}")]
    Hosts(&'static str),
    #[error("REQUIRE_SYNC_STANDBY: {0}")]
    Unprotected(#[from] Unprotected),
    #[error("READ_ONLY: there is no database at DATABASE_URL that could be read")]
    NothingToRead,
    #[error(
        "READ_ONLY: a proxy drops what connections are opened with, so they could write: let DATABASE_URL lead around the proxy"
    )]
    Writable,
    #[error("DATABASE_URL has a parameter that is not known: {0}")]
    Parameter(String),
    #[error("{}", migration_failure(.0))]
    Migrate(#[from] DbErr),
}

impl Database {
    /// Opens the database at `url`, and creates the SQLite file if it is missing. On Postgres, `connections` is the
    /// size of the main pool, and `journals` how many batches may commit at once.
    pub async fn open(url: &str, connections: u32, journals: u32) -> Result<Self, OpenError> {
        if is_sqlite(url) {
            Self::open_sqlite(url).await
        } else if url.starts_with("postgres:") || url.starts_with("postgresql:") {
            Self::open_postgres(url, connections, journals).await
        } else {
            Err(OpenError::Scheme)
        }
    }

    async fn open_sqlite(url: &str) -> Result<Self, OpenError> {
        let options = sqlite_options(url)?.create_if_missing(true);
        let file = SqliteFile::new(options.get_filename());
        file.prepare()?;
        let in_use = file.note_use()?.ok_or(OpenError::Restoring)?;
        let options = options
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(BUSY_TIMEOUT);
        let write = SqlxSqliteConnector::from_sqlx_sqlite_pool(pool::sqlite(1).connect_with(options.clone()).await?);
        let read = pool::sqlite(SQLITE_READERS).connect_with(options.clone()).await?;
        let read = SqlxSqliteConnector::from_sqlx_sqlite_pool(read);
        let readers = pool::sqlite(BACKGROUND_CONNECTIONS).connect_lazy_with(options);
        let readers = SqlxSqliteConnector::from_sqlx_sqlite_pool(readers);
        // There is one writer, and whoever waits for it in the pool is served in turn. SQLite itself knows no turns.
        let background = BackgroundPools { read: readers, write: write.clone() };
        let in_use = Some(Arc::new(in_use));
        Ok(Self {
            read,
            journal: write.clone(),
            write,
            calendar: Arc::default(),
            noting: Arc::default(),
            background,
            primary: None,
            is_read_only: false,
            _in_use: in_use,
        })
    }

    async fn open_postgres(url: &str, connections: u32, journals: u32) -> Result<Self, OpenError> {
        let mut hosts = DatabaseHosts::of(url)?;
        let options = hosts.find(ACQUIRE_TIMEOUT).await?;
        let mut trial = reach(&options, ACQUIRE_TIMEOUT).await?;
        if !inspect(&mut trial).await? {
            tracing::warn!("{PROXY_DROPS}");
        }
        trial.close().await?;
        hosts.warn_of_loss().await;
        let primary = Arc::clone(hosts.primary());
        let main = pool::postgres(connections, false, &primary).connect_with(options.clone()).await?;
        let background = pool::postgres(BACKGROUND_CONNECTIONS, false, &primary).connect_lazy_with(options.clone());
        let journal = pool::postgres(journals * JOURNAL_SPARE, true, &primary).connect_lazy_with(of_journal(options));
        hosts.lead([(main.clone(), same), (background.clone(), same), (journal.clone(), of_journal)]);
        let background = SqlxPostgresConnector::from_sqlx_postgres_pool(background);
        let read = SqlxPostgresConnector::from_sqlx_postgres_pool(main);
        let journal = SqlxPostgresConnector::from_sqlx_postgres_pool(journal);
        let background = BackgroundPools { read: background.clone(), write: background };
        Ok(Self {
            write: read.clone(),
            read,
            journal,
            calendar: Arc::default(),
            noting: Arc::default(),
            background,
            primary: Some(primary),
            is_read_only: false,
            _in_use: None,
        })
    }

    /// Refuses a Postgres whose commits wait for no standby. SQLite has none.
    pub async fn require_standby(&self) -> Result<(), OpenError> {
        if self.is_sqlite() {
            return Ok(());
        }
        Ok(protection(self.background.read.get_postgres_connection_pool()).await??)
    }

    /// Brings the schema up to date. If a step fails, the steps before it stay.
    pub async fn migrate(&self) -> Result<(), OpenError> {
        Ok(Migrator::up(&self.write, None).await?)
    }

    /// The number of steps by which the schema is behind.
    pub async fn pending_migrations(&self) -> Result<usize, DbErr> {
        Ok(Migrator::get_pending_migrations_read_only(&self.read).await?.len())
    }

    /// Whether the database answers now.
    pub async fn is_there(&self) -> bool {
        let asking = self.background.read.execute_unprepared("SELECT 1");
        in_time("whether it is there", THERE_WITHIN, asking).await.is_some()
    }

    /// The same database by the connections that no request uses: for the lease and the outbox.
    #[must_use]
    pub fn for_background(&self) -> Self {
        Self { read: self.background.read.clone(), write: self.background.write.clone(), ..self.clone() }
    }

    #[must_use]
    pub fn is_sqlite(&self) -> bool {
        self.read.get_database_backend() == DbBackend::Sqlite
    }

    /// Begins a transaction that will write, and what belongs beside a change of this task with it.
    pub async fn begin(&self) -> Result<Transaction, DbErr> {
        begin(&self.write).await.map(Transaction::of_task)
    }

    /// Begins a transaction that will write what nobody has asked this task for, such as a copy of what another server
    /// has.
    pub async fn begin_alone(&self) -> Result<Transaction, DbErr> {
        begin(&self.write).await.map(Transaction::alone)
    }

    /// Begins a transaction that only reads: all its statements see the data of one moment.
    pub async fn snapshot(&self) -> Result<DatabaseTransaction, DbErr> {
        // Every transaction of SQLite is a snapshot already.
        let options = if self.is_sqlite() {
            TransactionOptions::default()
        } else {
            let (isolation_level, access_mode) = (Some(IsolationLevel::RepeatableRead), Some(AccessMode::ReadOnly));
            TransactionOptions { isolation_level, access_mode, ..TransactionOptions::default() }
        };
        self.read.begin_with_options(options).await
    }

    /// The connections of each pool, by its name.
    #[must_use]
    pub fn pools(&self) -> Vec<(&'static str, PoolState)> {
        if self.is_sqlite() {
            // The journal writes by the one connection that writes.
            let pools = [("read", &self.read), ("write", &self.write), ("background", &self.background.read)];
            return pools.map(|(name, pool)| (name, state_of(pool.get_sqlite_connection_pool()))).to_vec();
        }
        let pools = [("main", &self.read), ("journal", &self.journal), ("background", &self.background.read)];
        pools.map(|(name, pool)| (name, state_of(pool.get_postgres_connection_pool()))).to_vec()
    }

    /// Closes all connections after the work that they do now.
    pub async fn close(self) {
        for connection in [self.journal, self.background.write, self.background.read, self.write, self.read] {
            match tokio::time::timeout(CLOSE_TIMEOUT, connection.close()).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tracing::warn!(%error, "the store's connections could not be closed"),
                Err(_) => tracing::warn!("the store's connections are not closed in time"),
            }
        }
    }
}

/// The options of a pool whose connections have no settings of their own.
fn same(options: PgConnectOptions) -> PgConnectOptions {
    options
}

fn of_journal(options: PgConnectOptions) -> PgConnectOptions {
    options.options(JOURNAL_SETTINGS)
}

/// Begins a transaction that will write. SQLite takes its lock at once, so that the transaction waits for another
/// process's write here instead of failing in the middle.
pub async fn begin(connection: &DatabaseConnection) -> Result<DatabaseTransaction, DbErr> {
    let options = TransactionOptions {
        sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
        ..TransactionOptions::default()
    };
    connection.begin_with_options(options).await
}

/// Bounds the transaction's waits for locks by [`LOCK_TIMEOUT`]. A caller who waits longer is told that the server is
/// unavailable, and the connection is free for others. On SQLite the wait for the one writer has its own bounds.
pub async fn bound_lock_waits(transaction: &DatabaseTransaction) -> Result<(), DbErr> {
    if transaction.get_database_backend() == DbBackend::Postgres {
        transaction.execute_unprepared(&format!("SET LOCAL lock_timeout = '{}s'", LOCK_TIMEOUT.as_secs())).await?;
    }
    Ok(())
}

/// Bounds the waits for locks, and also the time that this server may stand still in the middle of the transaction.
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

/// Whether the error means that such a bound was reached.
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
    match within(limit, asking).await {
        Some(Ok(found)) => return Some(found),
        Some(Err(error)) => tracing::warn!(%error, what, "the database cannot be asked"),
        None => tracing::warn!(what, "the database does not answer in time"),
    }
    None
}

/// What the database answers within `limit`. A question that takes longer is given up, and its connection is closed
/// unless it is found alive: it may be one whose other end is gone.
pub fn within<T>(limit: Duration, asking: impl Future<Output = T>) -> impl Future<Output = Option<T>> {
    let mut asking = Box::pin(asking);
    async move {
        let answer = tokio::time::timeout(limit, asking.as_mut()).await.ok();
        if answer.is_none() {
            // Before the question is dropped, which gives its connection back.
            note_silence();
        }
        answer
    }
}

/// The error of a question that was given up by [`within`]: its other end may be gone.
#[must_use]
pub const fn no_answer() -> DbErr {
    DbErr::ConnectionAcquire(ConnAcquireErr::Timeout)
}
