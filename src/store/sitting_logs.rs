//! The logs of sittings in the database: their leaves, which are only ever inserted, and what was last signed of them.

use std::collections::BTreeSet;

use domain::merkle::TreeHash;
use domain::time::moment::Moment;
use entities::{receipt, session, sitting_leaf, sitting_log};
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect, QueryTrait,
};
use uuid::Uuid;

use super::Unreadable;
use super::receipts::{ReceiptName, StoredReceipt};
use crate::database::Database;

/// Rows of one statement: SQLite takes 32,766 values.
const ROWS_PER_STATEMENT: usize = 1_000;

/// The log of a sitting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SittingLog {
    pub sitting_id: Uuid,
    /// When a test was last finished in the sitting, as far as the log has noticed.
    pub heard_at: Moment,
    /// Whether its beginning tells that the sitting has ended; `None` until it was first to begin.
    pub is_news: Option<bool>,
    /// What was signed last; `None` before the log has begun.
    pub signed: Option<SignedLog>,
}

/// What was last signed of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedLog {
    pub begun_at: Moment,
    pub size: u64,
    pub root: TreeHash,
    /// A signed note.
    pub checkpoint: String,
    /// The one with which the log began.
    pub first_checkpoint: String,
    /// The key that checks the checkpoint.
    pub vkey: String,
}

/// A leaf of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLeaf {
    /// Its index.
    pub position: u64,
    pub name: ReceiptName,
    /// The index of the leaf whose place it takes.
    pub replaces: Option<u64>,
    pub hash: TreeHash,
}

/// Notes that a test was finished in the sitting. Its log has a row from the first one on.
pub async fn hear(transaction: &DatabaseTransaction, sitting_id: Uuid, now: Moment) -> Result<(), DbErr> {
    let row = sitting_log::ActiveModel {
        sitting_id: Set(sitting_id),
        begun_at_ms: Set(None),
        heard_at_ms: Set(now.milliseconds()),
        is_news: Set(None),
        size: Set(0),
        root: Set(None),
        checkpoint: Set(None),
        first_checkpoint: Set(None),
        vkey: Set(None),
    };
    let mut heard = OnConflict::column(sitting_log::Column::SittingId);
    heard.update_column(sitting_log::Column::HeardAtMs);
    sitting_log::Entity::insert(row).on_conflict(heard).exec_without_returning(transaction).await.map(|_| ())
}

/// Remembers whether the beginning of a log is news. What was said first stays: later there are receipts of an attempt
/// to begin.
pub async fn note_news(connection: &impl ConnectionTrait, sitting_id: Uuid, is_news: bool) -> Result<(), DbErr> {
    use sitting_log::Column;
    let update = sitting_log::Entity::update_many().col_expr(Column::IsNews, Expr::value(is_news));
    let unknown = Column::SittingId.eq(sitting_id).and(Column::IsNews.is_null());
    update.filter(unknown).exec(connection).await.map(|_| ())
}

/// Finds a log, and keeps every other server from writing it until the transaction ends.
pub async fn lock(transaction: &DatabaseTransaction, sitting_id: Uuid) -> Result<Option<SittingLog>, DbErr> {
    let row = sitting_log::Entity::find_by_id(sitting_id).lock_exclusive().one(transaction).await?;
    Ok(row.map(from_row).transpose()?)
}

/// Finds a log.
pub async fn find(connection: &impl ConnectionTrait, sitting_id: Uuid) -> Result<Option<SittingLog>, DbErr> {
    let row = sitting_log::Entity::find_by_id(sitting_id).one(connection).await?;
    Ok(row.map(from_row).transpose()?)
}

/// Finds those of these logs that have begun.
pub async fn load_signed(database: &Database, sitting_ids: Vec<Uuid>) -> Result<Vec<SittingLog>, DbErr> {
    use sitting_log::Column;
    let begun = sitting_log::Entity::find().filter(Column::BegunAtMs.is_not_null());
    let rows = begun.filter(Column::SittingId.is_in(sitting_ids)).all(&database.read).await?;
    Ok(rows.into_iter().map(from_row).collect::<Result<_, _>>()?)
}

/// The logs that have not begun.
pub async fn load_to_begin(database: &Database) -> Result<Vec<SittingLog>, DbErr> {
    let to_begin = sitting_log::Entity::find().filter(sitting_log::Column::BegunAtMs.is_null());
    let rows = to_begin.order_by_asc(sitting_log::Column::SittingId).all(&database.read).await?;
    Ok(rows.into_iter().map(from_row).collect::<Result<_, _>>()?)
}

/// The sittings that have a log, begun or not, or a test that is sealed: what a corrected key has made silently has no
/// log before the release, if all else is of a release that had none.
pub async fn load_sittings(connection: &impl ConnectionTrait) -> Result<BTreeSet<Uuid>, DbErr> {
    let logged = sitting_log::Entity::find().select_only().column(sitting_log::Column::SittingId);
    let mut found: BTreeSet<Uuid> = logged.into_tuple::<Uuid>().all(connection).await?.into_iter().collect();
    let sealed = receipt::Entity::find().select_only().column(receipt::Column::SessionId);
    let sealed = sealed.filter(receipt::Column::Seal.is_not_null()).into_query();
    let tests = session::Entity::find().select_only().column(session::Column::SittingId).distinct();
    let tests =
        tests.filter(session::Column::SittingId.is_not_null()).filter(session::Column::SessionId.in_subquery(sealed));
    found.extend(tests.into_tuple::<Uuid>().all(connection).await?);
    Ok(found)
}

/// The leaves of a log by their indexes.
pub async fn load_leaves(connection: &impl ConnectionTrait, sitting_id: Uuid) -> Result<Vec<LogLeaf>, DbErr> {
    use sitting_leaf::Column;
    let query = sitting_leaf::Entity::find().filter(Column::SittingId.eq(sitting_id)).order_by_asc(Column::Position);
    Ok(query.all(connection).await?.iter().map(leaf).collect::<Result<_, _>>()?)
}

/// Finds the leaf of a receipt, with the sitting of its log.
pub async fn find_leaf(connection: &impl ConnectionTrait, name: ReceiptName) -> Result<Option<(Uuid, LogLeaf)>, DbErr> {
    use sitting_leaf::Column;
    let of_it = Column::SessionId.eq(name.0).and(Column::Version.eq(name.1));
    let row = sitting_leaf::Entity::find().filter(of_it).one(connection).await?;
    Ok(row.map(|row| Ok::<_, Unreadable>((row.sitting_id, leaf(&row)?))).transpose()?)
}

/// Inserts leaves. The database refuses an index that is taken, and a receipt that has one.
pub async fn insert_leaves(
    transaction: &DatabaseTransaction,
    sitting_id: Uuid,
    leaves: &[LogLeaf],
) -> Result<(), DbErr> {
    let number = |index: u64| i64::try_from(index).unwrap_or(i64::MAX);
    let row = |leaf: &LogLeaf| sitting_leaf::ActiveModel {
        sitting_id: Set(sitting_id),
        position: Set(number(leaf.position)),
        session_id: Set(leaf.name.0),
        version: Set(leaf.name.1),
        replaces: Set(leaf.replaces.map(number)),
        hash: Set(leaf.hash.to_vec()),
    };
    for leaves in leaves.chunks(ROWS_PER_STATEMENT) {
        sitting_leaf::Entity::insert_many(leaves.iter().map(row)).exec_without_returning(transaction).await?;
    }
    Ok(())
}

/// Stores what was signed. The caller has locked the log.
pub async fn save(transaction: &DatabaseTransaction, sitting_id: Uuid, signed: &SignedLog) -> Result<(), DbErr> {
    use sitting_log::Column;
    let SignedLog { begun_at, size, root, checkpoint, first_checkpoint, vkey } = signed;
    sitting_log::Entity::update_many()
        .col_expr(Column::BegunAtMs, Expr::value(begun_at.milliseconds()))
        .col_expr(Column::Size, Expr::value(i64::try_from(*size).unwrap_or(i64::MAX)))
        .col_expr(Column::Root, Expr::value(root.to_vec()))
        .col_expr(Column::Checkpoint, Expr::value(checkpoint.as_str()))
        .col_expr(Column::FirstCheckpoint, Expr::value(first_checkpoint.as_str()))
        .col_expr(Column::Vkey, Expr::value(vkey.as_str()))
        .filter(Column::SittingId.eq(sitting_id))
        .exec(transaction)
        .await
        .map(|_| ())
}

/// Whether the first version of any of these tests is sealed: an earlier release made no receipts.
pub async fn has_first_receipt(connection: &impl ConnectionTrait, session_ids: &[Uuid]) -> Result<bool, DbErr> {
    use receipt::Column;
    for ids in session_ids.chunks(ROWS_PER_STATEMENT) {
        let sealed_first = Column::Version.eq(1).and(Column::Seal.is_not_null());
        let query = receipt::Entity::find().filter(Column::SessionId.is_in(ids.iter().copied()).and(sealed_first));
        if query.select_only().column(Column::Version).limit(1).into_tuple::<i32>().one(connection).await?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// All receipts of these tests, by test and version.
pub async fn load_receipts(
    connection: &impl ConnectionTrait,
    session_ids: &[Uuid],
) -> Result<Vec<(ReceiptName, StoredReceipt)>, DbErr> {
    use receipt::Column;
    let mut found = Vec::new();
    for ids in session_ids.chunks(ROWS_PER_STATEMENT) {
        let query = receipt::Entity::find().filter(Column::SessionId.is_in(ids.iter().copied()));
        let query = query.order_by_asc(Column::SessionId).order_by_asc(Column::Version);
        let stored =
            |row: receipt::Model| ((row.session_id, row.version), StoredReceipt { jws: row.jws, seal: row.seal });
        found.extend(query.all(connection).await?.into_iter().map(stored));
    }
    Ok(found)
}

fn from_row(row: sitting_log::Model) -> Result<SittingLog, Unreadable> {
    let (sitting_id, heard_at, is_news) = (row.sitting_id, Moment::from_milliseconds(row.heard_at_ms), row.is_news);
    let Some(begun_at_ms) = row.begun_at_ms else {
        return Ok(SittingLog { sitting_id, heard_at, is_news, signed: None });
    };
    let unreadable = || Unreadable("log of a sitting");
    let signed = SignedLog {
        begun_at: Moment::from_milliseconds(begun_at_ms),
        size: u64::try_from(row.size).map_err(|_| unreadable())?,
        root: row.root.and_then(|root| hash(&root)).ok_or_else(unreadable)?,
        checkpoint: row.checkpoint.ok_or_else(unreadable)?,
        first_checkpoint: row.first_checkpoint.ok_or_else(unreadable)?,
        vkey: row.vkey.ok_or_else(unreadable)?,
    };
    Ok(SittingLog { sitting_id, heard_at, is_news, signed: Some(signed) })
}

fn leaf(row: &sitting_leaf::Model) -> Result<LogLeaf, Unreadable> {
    let index = |position: i64| u64::try_from(position).map_err(|_| Unreadable("leaf"));
    Ok(LogLeaf {
        position: index(row.position)?,
        name: (row.session_id, row.version),
        replaces: row.replaces.map(index).transpose()?,
        hash: hash(&row.hash).ok_or(Unreadable("leaf"))?,
    })
}

fn hash(bytes: &[u8]) -> Option<TreeHash> {
    TreeHash::try_from(bytes).ok()
}
