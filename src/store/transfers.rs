//! What waits to be sent to an external data provider, in the database: in order, and until it is taken.

use domain::grade::Grade;
use domain::resources::Edit;
use domain::time::moment::Moment;
use domain::transfer::{TransferKind, TransferStatus};
use entities::transfer::{ActiveModel, Column, Entity, Model};
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{
    ActiveValue::NotSet, ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait,
    QueryFilter, QueryOrder,
};
use uuid::Uuid;

use super::Unreadable;
use crate::database::Database;

/// Rows of one statement: SQLite takes 32,766 values.
const ROWS_PER_STATEMENT: usize = 1_000;

/// Something to be sent.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// Its row.
    pub id: i64,
    revision: i64,
    /// Id of the session or of the edit.
    pub key: Uuid,
    /// The entry of the log, for an edit.
    pub body: Option<String>,
    /// Tries since there was something new to send, with the one that is claimed.
    pub attempts: i32,
    /// Not before.
    pub next_attempt_at: Moment,
}

/// Finished tests are to be sent; to be called in the transaction that stores them. One that is known already stays.
///
/// # Errors
/// When the store is unavailable.
pub async fn insert_sessions(
    connection: &impl ConnectionTrait,
    session_ids: impl IntoIterator<Item = Uuid>,
) -> Result<(), DbErr> {
    let rows: Vec<ActiveModel> = session_ids.into_iter().map(|id| new(TransferKind::Session, id, None)).collect();
    for rows in rows.chunks(ROWS_PER_STATEMENT) {
        let conflict = OnConflict::column(Column::Key).do_nothing().to_owned();
        Entity::insert_many(rows.to_vec()).on_conflict(conflict).exec_without_returning(connection).await?;
    }
    Ok(())
}

/// An entry of the edit log is to be sent.
///
/// # Errors
/// When the store is unavailable.
pub async fn insert_edit(database: &Database, edit: &Edit) -> Result<(), DbErr> {
    let body = serde_json::to_string(edit).map_err(|error| DbErr::Custom(error.to_string()))?;
    Entity::insert(new(TransferKind::Edit, edit.id, Some(body)))
        .exec_without_returning(&database.write)
        .await
        .map(|_| ())
}

/// The entries of the edit log that the external service does not have yet, of one grade or of all.
///
/// # Errors
/// When the store is unavailable.
pub async fn waiting_edits(database: &Database, grade: Option<Grade>) -> Result<Vec<Edit>, DbErr> {
    let unsent = of_kind(TransferKind::Edit).filter(Column::Status.ne(TransferStatus::Sent.name()));
    let rows = unsent.order_by_asc(Column::Id).all(&database.read).await?;
    let edit = |row: Model| serde_json::from_str::<Edit>(&row.body.unwrap_or_default()).map_err(|_| Unreadable("edit"));
    let edits = rows.into_iter().map(edit).collect::<Result<Vec<_>, _>>()?;
    Ok(edits.into_iter().filter(|edit| grade.is_none_or(|grade| edit.grade == grade)).collect())
}

/// There is something new to send of it. What was never to be sent stays so.
///
/// # Errors
/// When the store is unavailable.
pub async fn renew(connection: &impl ConnectionTrait, key: Uuid) -> Result<(), DbErr> {
    let raised = Entity::update_many()
        .col_expr(Column::Revision, Expr::col(Column::Revision).add(1))
        .filter(Column::Key.eq(key));
    raised.exec(connection).await?;
    // One that waits may be under way: whoever sends it lets go of it.
    let waiting = ActiveModel {
        status: Set(TransferStatus::Waiting.name().to_owned()),
        attempts: Set(0),
        next_attempt_at_ms: Set(0),
        ..Default::default()
    };
    let rested = Column::Key.eq(key).and(Column::Status.ne(TransferStatus::Waiting.name()));
    Entity::update_many().set(waiting).filter(rested).exec(connection).await.map(|_| ())
}

/// Whether the external service has it as it is now.
///
/// # Errors
/// When the store is unavailable.
pub async fn is_sent(database: &Database, key: Uuid) -> Result<bool, DbErr> {
    let sent = Entity::find().filter(Column::Key.eq(key)).filter(Column::Status.eq(TransferStatus::Sent.name()));
    Ok(sent.count(&database.read).await? > 0)
}

/// The next of a kind: the first that waits, whether or not its time has come, since no other may go before it; when
/// none waits, one that was refused and whose time has come.
///
/// # Errors
/// When the store is unavailable.
pub async fn find_next(database: &Database, kind: TransferKind, now: Moment) -> Result<Option<Transfer>, DbErr> {
    let first = of_kind(kind)
        .filter(Column::Status.eq(TransferStatus::Waiting.name()))
        .order_by_asc(Column::Id)
        .one(&database.read)
        .await?;
    if first.is_some() {
        return Ok(first.map(transfer));
    }
    let due = Column::Status.eq(TransferStatus::Refused.name()).and(Column::NextAttemptAtMs.lte(now.milliseconds()));
    Ok(of_kind(kind).filter(due).order_by_asc(Column::Id).one(&database.read).await?.map(transfer))
}

/// One that waits behind it: the one that was tried the least.
///
/// # Errors
/// When the store is unavailable.
pub async fn find_behind(database: &Database, kind: TransferKind, first: &Transfer) -> Result<Option<Transfer>, DbErr> {
    let waiting = Column::Status.eq(TransferStatus::Waiting.name()).and(Column::Id.gt(first.id));
    Ok(of_kind(kind)
        .filter(waiting)
        .order_by_asc(Column::Attempts)
        .order_by_asc(Column::Id)
        .one(&database.read)
        .await?
        .map(transfer))
}

/// Claims it for one try, which counts from now on and ends before `until`; false when another server was first.
///
/// # Errors
/// When the store is unavailable.
pub async fn claim(database: &Database, transfer: &mut Transfer, until: Moment) -> Result<bool, DbErr> {
    let attempt = transfer.attempts + 1;
    let claimed =
        ActiveModel { attempts: Set(attempt), next_attempt_at_ms: Set(until.milliseconds()), ..Default::default() };
    let as_found = Column::Revision.eq(transfer.revision).and(Column::Attempts.eq(transfer.attempts));
    let unclaimed = Column::NextAttemptAtMs.eq(transfer.next_attempt_at.milliseconds());
    let update =
        Entity::update_many().set(claimed).filter(Column::Id.eq(transfer.id)).filter(as_found).filter(unclaimed);
    let is_claimed = update.exec(&database.write).await?.rows_affected == 1;
    if is_claimed {
        transfer.attempts = attempt;
    }
    Ok(is_claimed)
}

/// How a try ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The external service has it.
    Taken,
    /// It does not want it; asked again then.
    Refused(String, Moment),
    /// Not now; sent again then.
    NotNow(String, Moment),
}

/// Notes how a try ended, unless there has been something new to send meanwhile, which is then to be sent.
///
/// # Errors
/// When the store is unavailable.
pub async fn finish(database: &Database, transfer: &Transfer, ended: Ended) -> Result<(), DbErr> {
    let ended = match ended {
        Ended::Taken => row(TransferStatus::Sent, 0, None, 0),
        Ended::Refused(reason, at) => row(TransferStatus::Refused, transfer.attempts, Some(reason), at.milliseconds()),
        Ended::NotNow(reason, at) => row(TransferStatus::Waiting, transfer.attempts, Some(reason), at.milliseconds()),
    };
    // Only the try that was claimed last may say how it went.
    let of_it = || Column::Id.eq(transfer.id).and(Column::Attempts.eq(transfer.attempts));
    let as_sent = of_it().and(Column::Revision.eq(transfer.revision));
    if Entity::update_many().set(ended).filter(as_sent).exec(&database.write).await?.rows_affected == 0 {
        let again = ActiveModel { attempts: Set(0), next_attempt_at_ms: Set(0), ..Default::default() };
        let renewed = of_it().and(Column::Revision.ne(transfer.revision));
        Entity::update_many().set(again).filter(renewed).exec(&database.write).await?;
    }
    Ok(())
}

/// How many wait, and how many were refused.
///
/// # Errors
/// When the store is unavailable.
pub async fn count(database: &Database) -> Result<(u64, u64), DbErr> {
    let of_status =
        |status: TransferStatus| Entity::find().filter(Column::Status.eq(status.name())).count(&database.read);
    Ok((of_status(TransferStatus::Waiting).await?, of_status(TransferStatus::Refused).await?))
}

fn of_kind(kind: TransferKind) -> sea_orm::Select<Entity> {
    Entity::find().filter(Column::Kind.eq(kind.name()))
}

fn new(kind: TransferKind, key: Uuid, body: Option<String>) -> ActiveModel {
    ActiveModel {
        id: NotSet,
        kind: Set(kind.name().to_owned()),
        key: Set(key),
        body: Set(body),
        revision: Set(1),
        status: Set(TransferStatus::Waiting.name().to_owned()),
        attempts: Set(0),
        next_attempt_at_ms: Set(0),
        last_error: Set(None),
    }
}

fn row(status: TransferStatus, attempts: i32, last_error: Option<String>, next_attempt_at_ms: i64) -> ActiveModel {
    ActiveModel {
        status: Set(status.name().to_owned()),
        attempts: Set(attempts),
        last_error: Set(last_error),
        next_attempt_at_ms: Set(next_attempt_at_ms),
        ..Default::default()
    }
}

fn transfer(row: Model) -> Transfer {
    Transfer {
        id: row.id,
        revision: row.revision,
        key: row.key,
        body: row.body,
        attempts: row.attempts,
        next_attempt_at: Moment::from_milliseconds(row.next_attempt_at_ms),
    }
}
