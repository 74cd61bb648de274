//! Files with late work: the keys for which they are encrypted, by whom they may have been made, and which were handed
//! in.

use domain::time::moment::Moment;
use entities::{attempt_token, late_file, late_key};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};
use uuid::Uuid;

use super::attempts::find_first_token;
use crate::database::Database;

/// A key pair as it is stored.
#[derive(Debug)]
pub struct StoredLateKey {
    pub id: i32,
    /// DER.
    pub public_key: Vec<u8>,
    /// The DER of the private key, sealed.
    pub sealed_key: Vec<u8>,
    pub made_at: Moment,
}

/// The keys of all servers, the newest first.
pub async fn find_late_keys(database: &Database) -> Result<Vec<StoredLateKey>, DbErr> {
    let rows = late_key::Entity::find().order_by_desc(late_key::Column::Id).all(&database.read).await?;
    let stored = |late_key::Model { id, public_key, sealed_key, made_at_ms }| {
        let made_at = Moment::from_milliseconds(made_at_ms);
        StoredLateKey { id, public_key, sealed_key, made_at }
    };
    Ok(rows.into_iter().map(stored).collect())
}

/// Stores a new key under its number, unless another server has been faster. Then that server's key counts.
pub async fn insert_late_key(database: &Database, key: StoredLateKey) -> Result<(), DbErr> {
    let StoredLateKey { id, public_key, sealed_key, made_at } = key;
    let row = late_key::ActiveModel {
        id: Set(id),
        public_key: Set(public_key),
        sealed_key: Set(sealed_key),
        made_at_ms: Set(made_at.milliseconds()),
    };
    let taken = OnConflict::new().do_nothing().to_owned();
    let transaction = database.begin_alone().await?;
    late_key::Entity::insert(row).on_conflict(taken).exec_without_returning(&transaction).await?;
    transaction.commit().await
}

/// The hashes of the tokens of a session's devices. `None` if there is no such session.
pub async fn find_device_tokens(
    connection: &impl ConnectionTrait,
    session_id: Uuid,
) -> Result<Option<Vec<[u8; 32]>>, DbErr> {
    use attempt_token::Column;
    let Some(first) = find_first_token(connection, session_id).await? else { return Ok(None) };
    let query =
        attempt_token::Entity::find().select_only().column(Column::TokenHash).filter(Column::SessionId.eq(session_id));
    let further: Vec<Vec<u8>> = query.into_tuple().all(connection).await?;
    let further = further.iter().filter_map(|hash| <[u8; 32]>::try_from(hash.as_slice()).ok());
    Ok(Some(std::iter::once(first).chain(further).collect()))
}

/// Whether a file was handed in before, by the digest of what it authenticates.
pub async fn is_handed_in(connection: &impl ConnectionTrait, digest: &[u8; 32]) -> Result<bool, DbErr> {
    Ok(late_file::Entity::find_by_id(digest.to_vec()).one(connection).await?.is_some())
}

/// Notes that a file is handed in. Returns false if it was before: of two at once, one is refused.
pub async fn note_file(
    connection: &impl ConnectionTrait,
    digest: &[u8; 32],
    session_id: Uuid,
    by: &str,
    at: Moment,
) -> Result<bool, DbErr> {
    let row = late_file::ActiveModel {
        digest: Set(digest.to_vec()),
        session_id: Set(session_id),
        handed_in_by: Set(by.to_owned()),
        at_ms: Set(at.milliseconds()),
    };
    let taken = OnConflict::new().do_nothing().to_owned();
    Ok(late_file::Entity::insert(row).on_conflict(taken).exec_without_returning(connection).await? > 0)
}
