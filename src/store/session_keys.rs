//! Idempotency keys of results that clients hand in: which session a key has stored, and from which body.

use std::collections::HashSet;

use domain::time::moment::Moment;
use entities::session_key::{Column, Entity};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, Statement, Value};
use uuid::Uuid;

use super::many_rows::places;
use crate::database::Database;

/// How long a request may be repeated by its key, as with starts of live exams.
const KEY_MILLISECONDS: i64 = 24 * 60 * 60 * 1_000;

/// Rows of one statement. A row has 5 values and SQLite accepts 32,766 in a statement.
const ROWS_PER_STATEMENT: usize = 1_000;

const INTO: &str = "INSERT INTO session_keys (key_hash, body_hash, session_id, report_url, created_at_ms) VALUES";
/// Takes over a key that is too old to be repeated.
const UNLESS_RECENT: &str = "ON CONFLICT (key_hash) DO UPDATE SET body_hash = excluded.body_hash, \
    session_id = excluded.session_id, report_url = excluded.report_url, created_at_ms = excluded.created_at_ms \
    WHERE session_keys.created_at_ms <";

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

/// A key that is to be taken for a session.
pub struct WantedKey<'a> {
    pub request: &'a RepeatableRequest,
    pub session_id: Uuid,
    pub report_url: &'a str,
}

/// Takes keys for sessions, in the transaction that stores these. Returns the sessions whose key another request has;
/// if another server is storing that one now, this waits for its end. The caller bounds that wait, and names a key
/// once.
pub async fn take(
    connection: &impl ConnectionTrait,
    mut wanted: Vec<WantedKey<'_>>,
    now: Moment,
) -> Result<HashSet<Uuid>, DbErr> {
    // Two servers that take the same keys at once wait for each other in one order.
    wanted.sort_unstable_by_key(|one| one.request.key_hash);
    let mut refused: HashSet<Uuid> = wanted.iter().map(|one| one.session_id).collect();
    let backend = connection.get_database_backend();
    for wanted in wanted.chunks(ROWS_PER_STATEMENT) {
        let values = |one: &WantedKey<'_>| -> [Value; 5] {
            [
                one.request.key_hash.to_vec().into(),
                one.request.body_hash.to_vec().into(),
                one.session_id.into(),
                one.report_url.into(),
                now.milliseconds().into(),
            ]
        };
        let (places, last) = (places::<5>(wanted.len()), wanted.len() * 5 + 1);
        let text = format!("{INTO} {places} {UNLESS_RECENT} ${last} RETURNING session_id");
        let values = wanted.iter().flat_map(values).chain([oldest(now).into()]);
        let statement = Statement::from_sql_and_values(backend, text, values);
        for row in connection.query_all_raw(statement).await? {
            refused.remove(&row.try_get("", "session_id")?);
        }
    }
    Ok(refused)
}

/// Removes keys that are too old to be repeated.
pub async fn forget_old(database: &Database, now: Moment) -> Result<(), DbErr> {
    Entity::delete_many().filter(Column::CreatedAtMs.lt(oldest(now))).exec(&database.write).await.map(|_| ())
}

fn oldest(now: Moment) -> i64 {
    now.plus(-KEY_MILLISECONDS).milliseconds()
}
