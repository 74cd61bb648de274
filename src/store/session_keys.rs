//! Idempotency keys of results that clients hand in: which session a key has stored, and from which body.

use domain::time::moment::Moment;
use entities::session_key::{ActiveModel, Column, Entity};
use sea_orm::sea_query::{ExprTrait, OnConflict};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter};
use uuid::Uuid;

use crate::database::Database;

/// How long a request may be repeated by its key, as with starts of live exams.
const KEY_MILLISECONDS: i64 = 24 * 60 * 60 * 1_000;

/// A request that may be repeated, as hashes.
#[derive(Clone, Copy, Debug)]
pub struct RepeatableRequest {
    /// Of the caller and the key.
    pub key_hash: [u8; 32],
    /// Of the body.
    pub body_hash: [u8; 32],
}

/// What the first request with a key has stored.
#[derive(Clone, Debug)]
pub struct FirstRequest {
    pub body_hash: Vec<u8>,
    pub session_id: Uuid,
    pub report_url: String,
}

/// Finds the request that has used the key in the last 24 hours.
pub async fn find(database: &Database, key_hash: &[u8; 32], now: Moment) -> Result<Option<FirstRequest>, DbErr> {
    let is_recent = Column::CreatedAtMs.gte(oldest(now));
    // From the connections that write: a request that was answered a moment ago must be found.
    let found = Entity::find_by_id(key_hash.to_vec()).filter(is_recent).one(&database.write).await?;
    let first = |row: entities::session_key::Model| FirstRequest {
        body_hash: row.body_hash,
        session_id: row.session_id,
        report_url: row.report_url,
    };
    Ok(found.map(first))
}

/// Takes the key for a session, in the transaction that stores the session. Returns false if another request has it;
/// if that one is being stored now by another server, this waits for its end. The caller bounds that wait.
pub async fn take(
    connection: &impl ConnectionTrait,
    request: &RepeatableRequest,
    session_id: Uuid,
    report_url: &str,
    now: Moment,
) -> Result<bool, DbErr> {
    let is_old = Column::KeyHash.eq(request.key_hash.to_vec()).and(Column::CreatedAtMs.lt(oldest(now)));
    Entity::delete_many().filter(is_old).exec(connection).await?;
    let row = ActiveModel {
        key_hash: Set(request.key_hash.to_vec()),
        body_hash: Set(request.body_hash.to_vec()),
        session_id: Set(session_id),
        report_url: Set(report_url.to_owned()),
        created_at_ms: Set(now.milliseconds()),
    };
    let conflict = OnConflict::column(Column::KeyHash).do_nothing().to_owned();
    let taken = Entity::insert(row).on_conflict(conflict).exec_without_returning(connection).await?;
    Ok(taken == 1)
}

/// Removes keys that are too old to be repeated.
pub async fn forget_old(database: &Database, now: Moment) -> Result<(), DbErr> {
    Entity::delete_many().filter(Column::CreatedAtMs.lt(oldest(now))).exec(&database.write).await.map(|_| ())
}

fn oldest(now: Moment) -> i64 {
    now.plus(-KEY_MILLISECONDS).milliseconds()
}
