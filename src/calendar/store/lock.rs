//! How the calendar is changed: in transactions of which there is one at a time, on Postgres as on SQLite.

use std::sync::Arc;
use std::time::Duration;

use sea_orm::{ConnAcquireErr, ConnectionTrait, DatabaseTransaction, DbBackend, DbErr};
use tokio::sync::OwnedMutexGuard;
use tokio::time::timeout;

use crate::database::{Database, bound_stalls};

/// Whoever changes the calendar holds this, until the transaction ends: a number that means nothing else here.
const CALENDAR_LOCK: i64 = 7_011;

/// A change waits so long for the ones before it.
const TURN_TIMEOUT: Duration = Duration::from_secs(10);

/// The right to change the calendar, of one on this server.
pub(super) type WriteTurn = OwnedMutexGuard<()>;

/// Begins a change. The calendar is written by a few people; that their changes come one after another costs them
/// milliseconds, and no free slug, no name and no count is read that another change makes untrue.
///
/// The turn is to be kept until the transaction has ended: only one of a server's changes waits with a connection in its
/// hand, since exams need the others.
pub(super) async fn begin(database: &Database) -> Result<(WriteTurn, DatabaseTransaction), DbErr> {
    let turn = timeout(TURN_TIMEOUT, Arc::clone(&database.calendar).lock_owned()).await;
    let turn = turn.map_err(|_| DbErr::ConnectionAcquire(ConnAcquireErr::Timeout))?;
    let transaction = database.begin().await?;
    bound_stalls(&transaction).await?;
    if transaction.get_database_backend() == DbBackend::Postgres {
        transaction.execute_unprepared(&format!("SELECT pg_advisory_xact_lock({CALENDAR_LOCK})")).await?;
    }
    Ok((turn, transaction))
}
