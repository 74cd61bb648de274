//! Opens the transactions that change the calendar, of which only one runs at a time, on Postgres as on SQLite.

use std::sync::Arc;
use std::time::Duration;

use sea_orm::{ConnAcquireErr, ConnectionTrait, DatabaseTransaction, DbBackend, DbErr};
use tokio::sync::OwnedMutexGuard;
use tokio::time::timeout;

use crate::database::{Database, Transaction, bound_stalls};

/// The advisory lock that a change holds until its transaction ends. The number has no other use in this database.
const CALENDAR_LOCK: i64 = 7_011;

/// How long a change waits for earlier ones: then the caller gets 503 and can try again.
const TURN_TIMEOUT: Duration = Duration::from_secs(10);

/// The right of one change on this server to run.
pub(super) type WriteTurn = OwnedMutexGuard<()>;

/// Begins a change. Few people change the calendar, so waiting for each other costs them milliseconds. In return, no
/// other change can falsify a free slug, a name or a count that this one has read.
///
/// Keep the turn until the transaction has ended. Only one change of a server at a time may hold a connection while it
/// waits, since exams need the others.
pub(super) async fn begin(database: &Database) -> Result<(WriteTurn, Transaction), DbErr> {
    let turn = timeout(TURN_TIMEOUT, Arc::clone(&database.calendar).lock_owned()).await;
    let turn = turn.map_err(|_| DbErr::ConnectionAcquire(ConnAcquireErr::Timeout))?;
    let transaction = database.begin().await?;
    join(&transaction).await?;
    Ok((turn, transaction))
}

/// Lets no other change run until this transaction ends, which has begun with something else. It must not wait for
/// anything that a change of the calendar may hold. On SQLite it is the only writer already.
pub(super) async fn join(transaction: &DatabaseTransaction) -> Result<(), DbErr> {
    bound_stalls(transaction).await?;
    if transaction.get_database_backend() == DbBackend::Postgres {
        transaction.execute_unprepared(&format!("SELECT pg_advisory_xact_lock({CALENDAR_LOCK})")).await?;
    }
    Ok(())
}
