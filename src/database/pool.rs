//! Pools of connections, and what a connection must be before it is used and before it goes back.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::ArcSwapOption;
use sea_orm::sqlx::pool::PoolConnectionMetadata;
use sea_orm::sqlx::postgres::{PgConnection, PgPoolOptions};
use sea_orm::sqlx::sqlite::SqlitePoolOptions;
use sea_orm::sqlx::{self, Connection};
use tokio::time::timeout;

use super::ACQUIRE_TIMEOUT;
use super::primary::{Primary, is_read_only};
use crate::telemetry::PoolState;

/// How long a connection may take to answer when it is tried. Longer than a loaded server needs, and much shorter than
/// the minutes after which the kernel gives up a connection whose other end is frozen or cut off.
const TRIED_WITHIN: Duration = Duration::from_secs(1);
/// How long after a silence each connection is tried before it goes back.
const WARY_FOR: Duration = Duration::from_secs(30);

/// How long a connection that can only read is kept while the database refuses to be written: what reads then need not
/// connect each time.
const READ_ONLY_FOR: Duration = Duration::from_secs(5);
/// How long a journal of several hosts waits for a new connection: the host may be gone, and the next try may find
/// another one.
const MOVING_TIMEOUT: Duration = Duration::from_secs(2);

/// When the database was last silent. All pools of the process reach the same database.
static SILENT_SINCE: ArcSwapOption<Instant> = ArcSwapOption::const_empty();

/// Notes that the database did not answer in time, before the question is given up. From now on no connection is used
/// that nobody has used since, and each is tried before it goes back.
pub fn note_silence() {
    SILENT_SINCE.store(Some(Arc::new(Instant::now())));
}

/// When a statement was last refused because its connection can only read.
static REFUSED_AT: ArcSwapOption<Instant> = ArcSwapOption::const_empty();

/// Notes that a statement was refused because its connection can only read. Such a connection stays so when the
/// database can be written again, so that each is asked now before it is used, and closed.
pub(super) fn note_read_only() {
    REFUSED_AT.store(Some(Arc::new(Instant::now())));
}

/// How long ago the database was last silent, while that still matters.
fn last_silence() -> Option<Duration> {
    lately(&SILENT_SINCE)
}

/// How long ago something was, while that still matters.
fn lately(moment: &ArcSwapOption<Instant>) -> Option<Duration> {
    moment.load().as_deref().map(Instant::elapsed).filter(|ago| *ago < WARY_FOR)
}

/// How many connections a pool has at this moment.
pub(super) fn state_of<DB: sqlx::Database>(pool: &sqlx::Pool<DB>) -> PoolState {
    let (open, idle) = (usize::try_from(pool.size()).unwrap_or(usize::MAX), pool.num_idle());
    let max = usize::try_from(pool.options().get_max_connections()).unwrap_or(usize::MAX);
    PoolState { in_use: open.saturating_sub(idle), idle, max }
}

/// Connections to SQLite.
pub(super) fn sqlite(size: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(size)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .after_release(|connection, _| Box::pin(is_outside_a_transaction(connection)))
}

/// Connections to the primary. Each is tried before it is used, unless it is `trusted`: that saves a round trip, and a
/// dead one shows by the statement that fails. None leads to a standby, or to a host that was left.
pub(super) fn postgres(size: u32, trusted: bool, primary: &Arc<Primary>) -> PgPoolOptions {
    let [admitting, using, releasing] = [(); 3].map(|()| Arc::clone(primary));
    // Nobody waits for a connection of the journal that others use, but for one to a host.
    let patience = if trusted && primary.may_move() { MOVING_TIMEOUT } else { ACQUIRE_TIMEOUT };
    PgPoolOptions::new()
        .max_connections(size)
        .acquire_timeout(patience)
        .test_before_acquire(false)
        .after_connect(move |connection, _| {
            let primary = Arc::clone(&admitting);
            Box::pin(async move { primary.admit(connection).await })
        })
        .before_acquire(move |connection, meta| {
            let is_left = using.is_left(meta.age);
            Box::pin(async move { Ok(!is_left && may_be_used(connection, meta, trusted).await?) })
        })
        .after_release(move |connection, meta| {
            let is_left = releasing.is_left(meta.age);
            Box::pin(async move {
                if is_left {
                    return Ok(false);
                }
                if last_silence().is_some() {
                    answers(connection).await?;
                }
                Ok(!connection.is_in_transaction())
            })
        })
}

/// Connections to a Postgres that is only read, whichever host it is. Each is tried before it is used.
pub(super) fn reading(size: u32) -> PgPoolOptions {
    PgPoolOptions::new()
        .max_connections(size)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .test_before_acquire(false)
        .before_acquire(|connection, _| Box::pin(async move { answers(connection).await.map(|()| true) }))
        .after_release(|connection, _| Box::pin(async move { Ok(!connection.is_in_transaction()) }))
}

/// SQLite ends a transaction by itself when a write fails, as on a full disk. The driver then fails to roll back, and
/// would begin the next transaction as a part of one that nobody commits: it would be told as stored, and lost.
async fn is_outside_a_transaction<C: Connection>(connection: &mut C) -> Result<bool, sqlx::Error> {
    // A rollback is only queued, and has been done when this is answered.
    connection.ping().await?;
    Ok(!connection.is_in_transaction())
}

async fn may_be_used(
    connection: &mut PgConnection,
    meta: PoolConnectionMetadata,
    trusted: bool,
) -> Result<bool, sqlx::Error> {
    // Whatever made the database silent has met this connection too. A new one costs less than finding out.
    if last_silence().is_some_and(|ago| meta.idle_for >= ago) {
        return Ok(false);
    }
    if lately(&REFUSED_AT).is_some() && meta.age >= READ_ONLY_FOR && is_read_only(connection).await? {
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
