//! Pools of connections, and what a connection must be before it is used and before it goes back.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::ArcSwapOption;
use sea_orm::sqlx::pool::PoolConnectionMetadata;
use sea_orm::sqlx::postgres::PgPoolOptions;
use sea_orm::sqlx::sqlite::SqlitePoolOptions;
use sea_orm::sqlx::{self, Connection};
use tokio::time::timeout;

use super::ACQUIRE_TIMEOUT;

/// How long a connection may take to answer when it is tried. Longer than a loaded server needs, and much shorter than
/// the minutes after which the kernel gives up a connection whose other end is frozen or cut off.
const TRIED_WITHIN: Duration = Duration::from_secs(1);
/// How long after a silence each connection is tried before it goes back.
const WARY_FOR: Duration = Duration::from_secs(30);

/// When the database was last silent. All pools of the process reach the same database.
static SILENT_SINCE: ArcSwapOption<Instant> = ArcSwapOption::const_empty();

/// Notes that the database did not answer in time, before the question is given up. From now on no connection is used
/// that nobody has used since, and each is tried before it goes back.
pub fn note_silence() {
    SILENT_SINCE.store(Some(Arc::new(Instant::now())));
}

/// How long ago the database was last silent, while that still matters.
fn last_silence() -> Option<Duration> {
    SILENT_SINCE.load().as_deref().map(Instant::elapsed).filter(|ago| *ago < WARY_FOR)
}

/// Connections to SQLite.
pub(super) fn sqlite(size: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(size)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .after_release(|connection, _| Box::pin(is_outside_a_transaction(connection)))
}

/// Connections to Postgres. Each is tried before it is used, unless it is `trusted`: that saves a round trip, and a
/// dead one shows by the statement that fails.
pub(super) fn postgres(size: u32, trusted: bool) -> PgPoolOptions {
    PgPoolOptions::new()
        .max_connections(size)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .test_before_acquire(false)
        .before_acquire(move |connection, meta| Box::pin(may_be_used(connection, meta, trusted)))
        .after_release(|connection, _| {
            Box::pin(async move {
                if last_silence().is_some() {
                    answers(connection).await?;
                }
                Ok(!connection.is_in_transaction())
            })
        })
}

/// SQLite ends a transaction by itself when a write fails, as on a full disk. The driver then fails to roll back, and
/// would begin the next transaction as a part of one that nobody commits: it would be told as stored, and lost.
async fn is_outside_a_transaction<C: Connection>(connection: &mut C) -> Result<bool, sqlx::Error> {
    // A rollback is only queued, and has been done when this is answered.
    connection.ping().await?;
    Ok(!connection.is_in_transaction())
}

async fn may_be_used<C: Connection>(
    connection: &mut C,
    meta: PoolConnectionMetadata,
    trusted: bool,
) -> Result<bool, sqlx::Error> {
    // Whatever made the database silent has met this connection too. A new one costs less than finding out.
    if last_silence().is_some_and(|ago| meta.idle_for >= ago) {
        return Ok(false);
    }
    if !trusted {
        answers(connection).await?;
    }
    Ok(true)
}

/// Fails when the connection is dead, also if nothing tells so.
async fn answers<C: Connection>(connection: &mut C) -> Result<(), sqlx::Error> {
    timeout(TRIED_WITHIN, connection.ping()).await.unwrap_or_else(|_| {
        note_silence();
        Err(sqlx::Error::Io(std::io::ErrorKind::TimedOut.into()))
    })
}
