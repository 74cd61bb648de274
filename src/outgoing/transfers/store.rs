//! The queue of what is to be sent to an external data provider, in the database. Each row waits until the provider has
//! accepted it, and rows of a kind are sent in order.

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

use crate::database::Database;
use crate::store::Unreadable;

/// Rows of one statement. A row has 10 values and SQLite accepts 32,766 in a statement.
const ROWS_PER_STATEMENT: usize = 1_000;

/// A finished test or an edit that is to be sent.
#[derive(Clone, Debug)]
pub struct Transfer {
    pub id: i64,
    revision: i64,
    /// The id of the session or of the edit.
    pub key: Uuid,
    /// The version of the session.
    pub version: i32,
    /// The log entry, for an edit. A session is read when it is sent.
    pub body: Option<String>,
    /// Attempts since there was last something new to send. The attempt that is claimed counts.
    pub attempts: i32,
    /// The next attempt is not made before this time.
    pub next_attempt_at: Moment,
}

/// Queues versions of finished tests. Call it in the transaction that stores them, so that none is lost between the
/// two. A version that is queued already keeps its row.
pub async fn insert_sessions(
    connection: &impl ConnectionTrait,
    versions: impl IntoIterator<Item = (Uuid, i32)>,
) -> Result<(), DbErr> {
    let rows: Vec<ActiveModel> =
        versions.into_iter().map(|(id, version)| new(TransferKind::Session, id, version, None)).collect();
    for rows in rows.chunks(ROWS_PER_STATEMENT) {
        let conflict = OnConflict::columns([Column::Key, Column::Version]).do_nothing().to_owned();
        Entity::insert_many(rows.to_vec()).on_conflict(conflict).exec_without_returning(connection).await?;
    }
    Ok(())
}

/// Queues an entry of the edit log. One that was queued already stays as it is.
pub async fn insert_edit(database: &Database, edit: &Edit) -> Result<(), DbErr> {
    let body = serde_json::to_string(edit).map_err(|error| DbErr::Custom(error.to_string()))?;
    let conflict = OnConflict::columns([Column::Key, Column::Version]).do_nothing().to_owned();
    let insert = Entity::insert_many([new(TransferKind::Edit, edit.id, 1, Some(body))]).on_conflict(conflict);
    insert.exec_without_returning(&database.write).await.map(|_| ())
}

/// Finds an entry of the edit log that was queued here, be it sent or not.
pub async fn find_edit(database: &Database, id: Uuid) -> Result<Option<Edit>, DbErr> {
    let row = of_kind(TransferKind::Edit).filter(Column::Key.eq(id)).one(&database.read).await?;
    let edit = |body: String| serde_json::from_str(&body).map_err(|_| Unreadable("edit").into());
    row.and_then(|row| row.body).map(edit).transpose()
}

/// Loads the entries of the edit log that the external service does not have yet, of one grade or of all.
pub async fn waiting_edits(database: &Database, grade: Option<Grade>) -> Result<Vec<Edit>, DbErr> {
    let unsent = of_kind(TransferKind::Edit).filter(Column::Status.ne(TransferStatus::Sent.name()));
    let rows = unsent.order_by_asc(Column::Id).all(&database.read).await?;
    let edit = |row: Model| serde_json::from_str::<Edit>(&row.body.unwrap_or_default()).map_err(|_| Unreadable("edit"));
    let edits = rows.into_iter().map(edit).collect::<Result<Vec<_>, _>>()?;
    Ok(edits.into_iter().filter(|edit| grade.is_none_or(|grade| edit.grade == grade)).collect())
}

/// Queues the newest version of a session again after it has changed. One that has never been queued stays out of the
/// queue.
pub async fn renew(connection: &impl ConnectionTrait, (key, version): (Uuid, i32)) -> Result<(), DbErr> {
    let of_it = || Column::Key.eq(key).and(Column::Version.eq(version));
    let raised = Entity::update_many().col_expr(Column::Revision, Expr::col(Column::Revision).add(1)).filter(of_it());
    raised.exec(connection).await?;
    // A row that waits already may be under way. It is left alone here, and [`finish`] sees by the revision that it
    // must be sent again.
    let waiting = ActiveModel {
        status: Set(TransferStatus::Waiting.name().to_owned()),
        attempts: Set(0),
        next_attempt_at_ms: Set(0),
        ..Default::default()
    };
    let rested = of_it().and(Column::Status.ne(TransferStatus::Waiting.name()));
    Entity::update_many().set(waiting).filter(rested).exec(connection).await.map(|_| ())
}

/// Whether the external service has the latest state of a session.
pub async fn is_sent(database: &Database, key: Uuid) -> Result<bool, DbErr> {
    let newest = Entity::find().filter(Column::Key.eq(key)).order_by_desc(Column::Version).one(&database.read).await?;
    Ok(newest.is_some_and(|newest| newest.status == TransferStatus::Sent.name()))
}

/// Finds the next row of a kind. This is the first one that waits, even when its time has not come, because no later
/// one may overtake it. When none waits, it is a refused one whose time has come.
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

/// Finds the row behind `first` that has been tried least often. Sending it shows whether the service is down or
/// `first` is to blame. A version of a session whose earlier one waits is none, since it would be overwritten by that.
pub async fn find_behind(database: &Database, kind: TransferKind, first: &Transfer) -> Result<Option<Transfer>, DbErr> {
    const FIRST_OF_ITS_KEY: &str = "NOT EXISTS (SELECT 1 FROM transfers earlier WHERE earlier.key = transfers.key \
        AND earlier.version < transfers.version AND earlier.status = 'waiting')";
    let waiting = Column::Status.eq(TransferStatus::Waiting.name()).and(Column::Id.gt(first.id));
    Ok(of_kind(kind)
        .filter(waiting)
        .filter(Expr::cust(FIRST_OF_ITS_KEY))
        .order_by_asc(Column::Attempts)
        .order_by_asc(Column::Id)
        .one(&database.read)
        .await?
        .map(transfer))
}

/// Claims a row for one attempt, which counts at once and ends before `until`. Returns false when another server was
/// faster. One that was refused waits again meanwhile, so that no other server sends a later version of its session.
pub async fn claim(database: &Database, transfer: &mut Transfer, until: Moment) -> Result<bool, DbErr> {
    let attempt = transfer.attempts + 1;
    let claimed = ActiveModel {
        status: Set(TransferStatus::Waiting.name().to_owned()),
        attempts: Set(attempt),
        next_attempt_at_ms: Set(until.milliseconds()),
        ..Default::default()
    };
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

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The external service has accepted it.
    Taken,
    /// The service refuses it for this reason. It is sent again at this time.
    Refused(String, Moment),
    /// The attempt failed for this reason. It is sent again at this time.
    NotNow(String, Moment),
}

/// Notes how an attempt ended. When the session has changed meanwhile, it is queued again instead. Earlier versions
/// that the service has refused are not sent any more once it has a newer one, which they would overwrite; one that may
/// have arrived after a newer one all the same, since its claim had expired, has that sent again.
pub async fn finish(database: &Database, transfer: &Transfer, ended: Ended) -> Result<(), DbErr> {
    if ended == Ended::Taken && transfer.version > 1 {
        let overtaken = Column::Key.eq(transfer.key).and(Column::Version.lt(transfer.version));
        let overtaken = overtaken.and(Column::Status.eq(TransferStatus::Refused.name()));
        let sent = row(TransferStatus::Sent, 0, None, 0);
        Entity::update_many().set(sent).filter(overtaken).exec(&database.write).await?;
    }
    let may_be_there = !matches!(ended, Ended::Refused(..));
    let ended = match ended {
        Ended::Taken => row(TransferStatus::Sent, 0, None, 0),
        Ended::Refused(reason, at) => row(TransferStatus::Refused, transfer.attempts, Some(reason), at.milliseconds()),
        Ended::NotNow(reason, at) => row(TransferStatus::Waiting, transfer.attempts, Some(reason), at.milliseconds()),
    };
    // Only the latest attempt may say how it went. An earlier one may have outlived its claim.
    let of_it = || Column::Id.eq(transfer.id).and(Column::Attempts.eq(transfer.attempts));
    let as_sent = of_it().and(Column::Revision.eq(transfer.revision));
    if Entity::update_many().set(ended).filter(as_sent).exec(&database.write).await?.rows_affected == 0 {
        let again = ActiveModel { attempts: Set(0), next_attempt_at_ms: Set(0), ..Default::default() };
        let renewed = of_it().and(Column::Revision.ne(transfer.revision));
        Entity::update_many().set(again).filter(renewed).exec(&database.write).await?;
        // While the latest attempt at a version is under way its row waits, and no later version is sent beside it. So
        // only an attempt that has outlived its claim may have arrived after one, and only then that is asked for.
        if may_be_there {
            return renew_overwritten(database, transfer).await;
        }
    }
    Ok(())
}

/// Queues the newest version of the session again if it is later than this one, and was sent already or tried.
async fn renew_overwritten(database: &Database, transfer: &Transfer) -> Result<(), DbErr> {
    let later = Entity::find().filter(Column::Key.eq(transfer.key)).filter(Column::Version.gt(transfer.version));
    let newest = later.order_by_desc(Column::Version).one(&database.read).await?;
    let is_waiting = |newest: &Model| newest.status == TransferStatus::Waiting.name() && newest.attempts > 0;
    let is_sent = |newest: &Model| newest.status == TransferStatus::Sent.name();
    match newest.filter(|newest| is_sent(newest) || is_waiting(newest)) {
        Some(newest) => renew(&database.write, (newest.key, newest.version)).await,
        None => Ok(()),
    }
}

/// Counts the rows that wait and the rows that were refused.
pub async fn count(database: &Database) -> Result<(u64, u64), DbErr> {
    let of_status =
        |status: TransferStatus| Entity::find().filter(Column::Status.eq(status.name())).count(&database.read);
    Ok((of_status(TransferStatus::Waiting).await?, of_status(TransferStatus::Refused).await?))
}

fn of_kind(kind: TransferKind) -> sea_orm::Select<Entity> {
    Entity::find().filter(Column::Kind.eq(kind.name()))
}

fn new(kind: TransferKind, key: Uuid, version: i32, body: Option<String>) -> ActiveModel {
    ActiveModel {
        id: NotSet,
        kind: Set(kind.name().to_owned()),
        key: Set(key),
        version: Set(version),
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
        version: row.version,
        body: row.body,
        attempts: row.attempts,
        next_attempt_at: Moment::from_milliseconds(row.next_attempt_at_ms),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_000_000;
    const HOUR: i64 = 60 * 60 * 1_000;

    fn at(milliseconds: i64) -> Moment {
        Moment::from_milliseconds(milliseconds)
    }

    /// A queue with the first version of a session, which the service has refused, and is to be sent again in an hour.
    async fn refused(folder: &tempfile::TempDir) -> (Database, Uuid) {
        let url = format!("sqlite://{}", folder.path().join("transfers.db").display());
        let database = Database::open(&url, 2, 1).await.unwrap();
        database.migrate().await.unwrap();
        let key = Uuid::from_u128(7);
        insert_sessions(&database.write, [(key, 1)]).await.unwrap();
        let first = claimed(&database, NOW).await;
        finish(&database, &first, Ended::Refused("No".to_owned(), at(NOW + HOUR))).await.unwrap();
        assert_eq!(count(&database).await.unwrap(), (0, 1));
        (database, key)
    }

    async fn next(database: &Database, now: i64) -> Option<Transfer> {
        find_next(database, TransferKind::Session, at(now)).await.unwrap()
    }

    async fn claimed(database: &Database, now: i64) -> Transfer {
        let mut found = next(database, now).await.unwrap();
        assert!(claim(database, &mut found, at(now + 60_000)).await.unwrap());
        found
    }

    #[tokio::test]
    async fn no_later_version_is_sent_beside_a_refused_one() {
        let folder = tempfile::tempdir().unwrap();
        let (database, key) = refused(&folder).await;
        let first = claimed(&database, NOW + HOUR).await;
        insert_sessions(&database.write, [(key, 2)]).await.unwrap();
        let found = next(&database, NOW + HOUR).await.unwrap();
        assert_eq!((found.version, found.next_attempt_at), (1, at(NOW + HOUR + 60_000)), "another server waits for it");
        finish(&database, &first, Ended::Refused("No".to_owned(), at(NOW + 2 * HOUR))).await.unwrap();
        let second = claimed(&database, NOW + HOUR).await;
        assert_eq!(second.version, 2);
        finish(&database, &second, Ended::Taken).await.unwrap();
        assert!(next(&database, NOW + 3 * HOUR).await.is_none(), "it would go over the second");
        database.close().await;
    }

    #[tokio::test]
    async fn the_newest_is_sent_again_after_an_earlier_one_that_came_late() {
        for is_under_way in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let (database, key) = refused(&folder).await;
            // Its server stands still until another one has sent it again.
            let late = claimed(&database, NOW + HOUR).await;
            let again = claimed(&database, NOW + HOUR + 60_000).await;
            finish(&database, &again, Ended::Taken).await.unwrap();
            assert!(next(&database, NOW + 2 * HOUR).await.is_none());
            insert_sessions(&database.write, [(key, 2)]).await.unwrap();
            let second = claimed(&database, NOW + 2 * HOUR).await;
            if is_under_way {
                finish(&database, &late, Ended::Taken).await.unwrap();
                finish(&database, &second, Ended::Taken).await.unwrap();
            } else {
                finish(&database, &second, Ended::Taken).await.unwrap();
                finish(&database, &late, Ended::NotNow("in time".to_owned(), at(0))).await.unwrap();
            }
            let again = claimed(&database, NOW + 2 * HOUR).await;
            assert_eq!(again.version, 2, "{is_under_way}");
            finish(&database, &again, Ended::Taken).await.unwrap();
            assert!(next(&database, NOW + 4 * HOUR).await.is_none(), "once");
            database.close().await;
        }
    }
}
