//! Sign-ins, in the database: a cookie counts only while its sign-in is here. Only hashes are stored, so that nobody
//! who reads the database can sign in as someone else.

use domain::browser_name::BrowserName;
use domain::time::moment::Moment;
use entities::sign_in::{ActiveModel, Column, Entity};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect,
};

use super::use_notes;
use crate::database::Database;

/// How far the stored time of the last use may lag behind. Without it each request would write to the database; ten
/// minutes are exact enough to know a device again, or to find one that nobody uses.
const LAST_USED_LAG_MILLISECONDS: i64 = 10 * 60 * 1_000;

/// A sign-in as people know it.
#[derive(Clone, Debug)]
pub struct StoredSignIn {
    /// SHA-256 of its secret.
    pub secret_hash: Vec<u8>,
    pub since: Moment,
    /// Ten minutes behind at most; `None` for those of earlier releases.
    pub last_used_at: Option<Moment>,
    pub browser: Option<String>,
    pub system: Option<String>,
}

/// Stores a sign-in, which is in use from now on.
pub async fn insert(
    database: &Database,
    secret_hash: &[u8],
    email: &str,
    at: Moment,
    name: BrowserName,
) -> Result<(), DbErr> {
    let row = ActiveModel {
        secret_hash: Set(secret_hash.to_vec()),
        email: Set(email.to_owned()),
        at_ms: Set(at.milliseconds()),
        browser: Set(name.browser.map(str::to_owned)),
        system: Set(name.system.map(str::to_owned)),
        last_used_at_ms: Set(Some(at.milliseconds())),
    };
    Entity::insert(row).exec_without_returning(&database.write).await.map(drop)
}

/// Returns whether a sign-in of this user has not ended.
pub async fn exists(database: &Database, secret_hash: &[u8], email: &str) -> Result<bool, DbErr> {
    is_there(&database.read, secret_hash, email).await
}

async fn is_there(connection: &impl ConnectionTrait, secret_hash: &[u8], email: &str) -> Result<bool, DbErr> {
    let known = Entity::find().filter(Column::SecretHash.eq(secret_hash)).filter(Column::Email.eq(email));
    Ok(known.count(connection).await? > 0)
}

/// As [`exists`], and notes that it is used.
pub async fn use_one(database: &Database, secret_hash: &[u8], email: &str, now: Moment) -> Result<bool, DbErr> {
    let known = Entity::find().filter(Column::SecretHash.eq(secret_hash)).filter(Column::Email.eq(email));
    let used_at = known.select_only().column(Column::LastUsedAtMs).into_tuple::<Option<i64>>();
    let Some(used_at) = used_at.one(&database.read).await? else { return Ok(false) };
    let is_old = used_at.is_none_or(|used| used < now.milliseconds() - LAST_USED_LAG_MILLISECONDS);
    if is_old && !database.is_read_only() {
        use_notes::begin(database, "the use of a sign-in", note_use(database.clone(), secret_hash.to_vec(), now));
    }
    Ok(true)
}

async fn note_use(database: Database, secret_hash: Vec<u8>, now: Moment) -> Result<(), DbErr> {
    let used = ActiveModel { last_used_at_ms: Set(Some(now.milliseconds())), ..Default::default() };
    let noting = Entity::update_many().set(used).filter(Column::SecretHash.eq(secret_hash));
    noting.exec(&database.write).await.map(drop)
}

/// Loads the sign-ins of a user since this time, the latest first, as many as `limit`.
pub async fn load_of(database: &Database, email: &str, since: Moment, limit: u64) -> Result<Vec<StoredSignIn>, DbErr> {
    let rows = Entity::find()
        .filter(Column::Email.eq(email))
        .filter(Column::AtMs.gt(since.milliseconds()))
        .order_by_desc(Column::AtMs)
        .order_by_asc(Column::SecretHash)
        .limit(limit)
        .all(&database.read)
        .await?;
    let known = rows.into_iter().map(|row| StoredSignIn {
        secret_hash: row.secret_hash,
        since: Moment::from_milliseconds(row.at_ms),
        last_used_at: row.last_used_at_ms.map(Moment::from_milliseconds),
        browser: row.browser,
        system: row.system,
    });
    Ok(known.collect())
}

/// Ends one sign-in. A missing one is not an error.
pub async fn delete(database: &Database, secret_hash: &[u8]) -> Result<(), DbErr> {
    let ended = Entity::delete_many().filter(Column::SecretHash.eq(secret_hash));
    ended.exec(&database.write).await.map(drop)
}

/// Ends one sign-in of a user as a change of its own. Returns false when there was none.
pub async fn end_one(database: &Database, secret_hash: &[u8], email: &str) -> Result<bool, DbErr> {
    let transaction = database.begin().await?;
    let ended = Entity::delete_many().filter(Column::SecretHash.eq(secret_hash)).filter(Column::Email.eq(email));
    let was_there = ended.exec(&transaction).await?.rows_affected > 0;
    if was_there {
        transaction.commit().await?;
    } else {
        transaction.rollback().await?;
    }
    Ok(was_there)
}

/// Ends all sign-ins of a user.
pub async fn end_of(database: &Database, email: &str) -> Result<(), DbErr> {
    let transaction = database.begin().await?;
    delete_of(&transaction, email).await?;
    transaction.commit().await
}

/// Ends all sign-ins of a user but one. Returns false, and ends none, when that one has ended itself: whoever has a
/// copy of it ends nothing more.
pub async fn end_others(database: &Database, email: &str, kept: &[u8]) -> Result<bool, DbErr> {
    let transaction = database.begin().await?;
    if !is_there(&transaction, kept, email).await? {
        transaction.rollback().await?;
        return Ok(false);
    }
    let others = Entity::delete_many().filter(Column::Email.eq(email)).filter(Column::SecretHash.ne(kept));
    others.exec(&transaction).await?;
    transaction.commit().await?;
    Ok(true)
}

/// All of them in the transaction of another change.
pub async fn delete_of(connection: &impl ConnectionTrait, email: &str) -> Result<(), DbErr> {
    let ended = Entity::delete_many().filter(Column::Email.eq(email));
    ended.exec(connection).await.map(drop)
}

/// Removes the sign-ins from before this time.
pub async fn delete_before(database: &Database, at: Moment) -> Result<u64, DbErr> {
    let expired = Entity::delete_many().filter(Column::AtMs.lt(at.milliseconds()));
    Ok(expired.exec(&database.write).await?.rows_affected)
}
