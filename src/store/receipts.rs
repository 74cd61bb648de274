//! Receipts of finished tests, the keys that have signed them, and which of them are to be looked after.

use std::collections::HashMap;

use domain::grade::Grade;
use domain::time::moment::Moment;
use entities::{attempt, attempt_token, receipt, receipt_due, receipt_key, session};
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Value,
};
use subtle::ConstantTimeEq;
use uuid::Uuid;

use super::{Unreadable, many_rows};
use crate::database::Database;

/// Rows of one statement: SQLite takes 32,766 values.
const ROWS_PER_STATEMENT: usize = 1_000;

/// A version of a test, by which its receipt is known.
pub type ReceiptName = (Uuid, i32);

/// A receipt to store. Once there is one of a version it stays.
#[derive(Clone, Debug)]
pub struct NewReceipt {
    pub name: ReceiptName,
    /// A compact JWS.
    pub jws: String,
}

/// A receipt as it is stored.
#[derive(Clone, Debug)]
pub struct StoredReceipt {
    pub jws: String,
    pub seal: Option<Vec<u8>>,
}

/// A version of a test in a sitting, whose receipt is to be looked after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueReceipt {
    pub sitting_id: Uuid,
    pub name: ReceiptName,
    /// From when on.
    pub at: Moment,
}

/// A key that has signed receipts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownKey {
    pub kid: String,
    pub public_key: Vec<u8>,
}

/// Stores receipts; versions that have one keep it.
pub async fn insert(connection: &impl ConnectionTrait, receipts: &[NewReceipt]) -> Result<(), DbErr> {
    let row = |NewReceipt { name: (session_id, version), jws }: &NewReceipt| receipt::ActiveModel {
        session_id: Set(*session_id),
        version: Set(*version),
        jws: Set(jws.clone()),
        seal: Set(None),
    };
    for receipts in receipts.chunks(ROWS_PER_STATEMENT) {
        let kept = OnConflict::columns([receipt::Column::SessionId, receipt::Column::Version]).do_nothing().to_owned();
        let inserting = receipt::Entity::insert_many(receipts.iter().map(row)).on_conflict(kept);
        inserting.exec_without_returning(connection).await?;
    }
    Ok(())
}

/// Finds the receipt of a version.
pub async fn find(connection: &impl ConnectionTrait, name: ReceiptName) -> Result<Option<StoredReceipt>, DbErr> {
    let row = receipt::Entity::find_by_id(name).one(connection).await?;
    Ok(row.map(|row| StoredReceipt { jws: row.jws, seal: row.seal }))
}

/// Seals those of these receipts that have no seal.
pub async fn seal(connection: &impl ConnectionTrait, seals: &[(ReceiptName, Vec<u8>)]) -> Result<(), DbErr> {
    const SET: &str = "UPDATE receipts SET seal = new.column3";
    const UNSEALED: &str =
        "receipts.session_id = new.column1 AND receipts.version = new.column2 AND receipts.seal IS NULL";
    for seals in seals.chunks(ROWS_PER_STATEMENT) {
        let values = |((session_id, version), seal): &(ReceiptName, Vec<u8>)| -> [Value; 3] {
            [(*session_id).into(), (*version).into(), seal.clone().into()]
        };
        many_rows::update(connection, SET, UNSEALED, seals.iter().map(values)).await?;
    }
    Ok(())
}

/// Has these versions looked after as soon as they are committed.
pub async fn queue(connection: &impl ConnectionTrait, due: &[DueReceipt]) -> Result<(), DbErr> {
    let row = |DueReceipt { sitting_id, name: (session_id, version), at }: &DueReceipt| receipt_due::ActiveModel {
        session_id: Set(*session_id),
        version: Set(*version),
        sitting_id: Set(*sitting_id),
        due_at_ms: Set(at.milliseconds()),
    };
    for due in due.chunks(ROWS_PER_STATEMENT) {
        // A batch of the journal that is repeated may contain the end of a test that is stored already.
        let kept =
            OnConflict::columns([receipt_due::Column::SessionId, receipt_due::Column::Version]).do_nothing().to_owned();
        let inserting = receipt_due::Entity::insert_many(due.iter().map(row)).on_conflict(kept);
        inserting.exec_without_returning(connection).await?;
    }
    Ok(())
}

/// Finds what is due, longest waiting first: at most `count`.
pub async fn find_due(database: &Database, now: Moment, count: u64) -> Result<Vec<DueReceipt>, DbErr> {
    use receipt_due::Column;
    let query = receipt_due::Entity::find().filter(Column::DueAtMs.lte(now.milliseconds()));
    let query = query.order_by_asc(Column::DueAtMs).order_by_asc(Column::SessionId).order_by_asc(Column::Version);
    let rows = query.limit(count).all(&database.read).await?;
    let due = |row: receipt_due::Model| DueReceipt {
        sitting_id: row.sitting_id,
        name: (row.session_id, row.version),
        at: Moment::from_milliseconds(row.due_at_ms),
    };
    Ok(rows.into_iter().map(due).collect())
}

/// Whether a version waits to be looked after.
pub async fn is_due(connection: &impl ConnectionTrait, name: ReceiptName) -> Result<bool, DbErr> {
    Ok(receipt_due::Entity::find_by_id(name).one(connection).await?.is_some())
}

/// Puts something off that failed, so that nothing else waits for it.
pub async fn postpone(connection: &impl ConnectionTrait, name: ReceiptName, until: Moment) -> Result<(), DbErr> {
    use receipt_due::Column;
    let of_it = Column::SessionId.eq(name.0).and(Column::Version.eq(name.1));
    let query = receipt_due::Entity::update_many().col_expr(Column::DueAtMs, Expr::value(until.milliseconds()));
    query.filter(of_it).exec(connection).await.map(|_| ())
}

/// These have been looked after.
pub async fn settle(connection: &impl ConnectionTrait, names: &[ReceiptName]) -> Result<(), DbErr> {
    use receipt_due::Column;
    for names in names.chunks(ROWS_PER_STATEMENT) {
        let mut by_version: HashMap<i32, Vec<Uuid>> = HashMap::new();
        for (session_id, version) in names {
            by_version.entry(*version).or_default().push(*session_id);
        }
        for (version, ids) in by_version {
            let those = Column::Version.eq(version).and(Column::SessionId.is_in(ids));
            receipt_due::Entity::delete_many().filter(those).exec(connection).await?;
        }
    }
    Ok(())
}

/// Notes that this key signs from now on, unless it is known.
pub async fn know_key(database: &Database, key: &KnownKey, now: Moment) -> Result<(), DbErr> {
    let row = receipt_key::ActiveModel {
        kid: Set(key.kid.clone()),
        public_key: Set(key.public_key.clone()),
        since_ms: Set(now.milliseconds()),
    };
    let kept = OnConflict::column(receipt_key::Column::Kid).do_nothing().to_owned();
    receipt_key::Entity::insert(row).on_conflict(kept).exec_without_returning(&database.write).await.map(|_| ())
}

/// All keys that have signed receipts, newest first.
pub async fn load_keys(connection: &impl ConnectionTrait) -> Result<Vec<KnownKey>, DbErr> {
    use receipt_key::Column;
    let query = receipt_key::Entity::find().order_by_desc(Column::SinceMs).order_by_asc(Column::Kid);
    let rows = query.all(connection).await?;
    Ok(rows.into_iter().map(|row| KnownKey { kid: row.kid, public_key: row.public_key }).collect())
}

/// What decides on who may have the receipts of a test.
#[derive(Clone, Debug)]
pub struct ReceiptOwner {
    pub grade: Grade,
    /// E-mail of the person who was signed in when the test began.
    pub account: Option<String>,
    pub sitting_id: Option<Uuid>,
    /// The number of its newest version.
    pub version: i32,
}

/// Finds whose receipts those of a test are; `None` if there is no such test here.
pub async fn find_owner(database: &Database, session_id: Uuid) -> Result<Option<ReceiptOwner>, DbErr> {
    use session::Column;
    let columns = [Column::Grade, Column::Account, Column::SittingId, Column::Version];
    let query = session::Entity::find_by_id(session_id).select_only().columns(columns);
    let row: Option<(i16, Option<String>, Option<Uuid>, i32)> = query.into_tuple().one(&database.read).await?;
    let owner = |(grade, account, sitting_id, version): (i16, Option<String>, Option<Uuid>, i32)| {
        let grade = Grade::new(grade.into()).ok_or(Unreadable("grade"))?;
        Ok::<_, Unreadable>(ReceiptOwner { grade, account, sitting_id, version })
    };
    Ok(row.map(owner).transpose()?)
}

/// Whether a token with this hash is one of a session.
pub async fn has_token(database: &Database, session_id: Uuid, token_hash: &[u8; 32]) -> Result<bool, DbErr> {
    let query = attempt::Entity::find_by_id(session_id).select_only().column(attempt::Column::TokenHash);
    let first: Option<Vec<u8>> = query.into_tuple().one(&database.read).await?;
    if first.is_some_and(|first| token_hash.as_slice().ct_eq(&first).into()) {
        return Ok(true);
    }
    let further = attempt_token::Entity::find_by_id(token_hash.to_vec()).one(&database.read).await?;
    Ok(further.is_some_and(|row| row.session_id == session_id))
}

/// Whether a token with this hash is one of any session in a sitting.
pub async fn has_token_in(database: &Database, sitting_id: Uuid, token_hash: &[u8; 32]) -> Result<bool, DbErr> {
    use attempt::Column;
    let columns = || attempt::Entity::find().select_only().column(Column::SessionId);
    let of_it = || columns().filter(Column::SittingId.eq(sitting_id));
    let first = of_it().filter(Column::TokenHash.eq(token_hash.to_vec()));
    if first.into_tuple::<Uuid>().one(&database.read).await?.is_some() {
        return Ok(true);
    }
    let Some(further) = attempt_token::Entity::find_by_id(token_hash.to_vec()).one(&database.read).await? else {
        return Ok(false);
    };
    let of_session = of_it().filter(Column::SessionId.eq(further.session_id));
    Ok(of_session.into_tuple::<Uuid>().one(&database.read).await?.is_some())
}
