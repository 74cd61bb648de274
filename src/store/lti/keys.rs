//! The keys that sign what platforms are sent, as they are stored: the private halves are sealed.

use domain::time::moment::Moment;
use entities::lti_key;
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder};

/// A key as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedKey {
    pub kid: String,
    /// The public modulus, with the highest byte first.
    pub modulus: Vec<u8>,
    /// The private key, sealed.
    pub sealed: Vec<u8>,
    pub published_at: Moment,
    pub signs_from: Moment,
    /// Until when it is shown; `None` while it signs or is about to.
    pub ends_at: Option<Moment>,
}

/// Loads all keys, those first that sign latest.
pub async fn load_keys(connection: &impl ConnectionTrait) -> Result<Vec<SealedKey>, DbErr> {
    let rows = lti_key::Entity::find().order_by_desc(lti_key::Column::SignsFromMs).all(connection).await?;
    Ok(rows.into_iter().map(from_row).collect())
}

/// Stores a new key. Returns false, and stores nothing, if another server has stored one that signs from then on.
pub async fn insert_key(connection: &impl ConnectionTrait, key: &SealedKey) -> Result<bool, DbErr> {
    let row = lti_key::ActiveModel {
        kid: Set(key.kid.clone()),
        modulus: Set(key.modulus.clone()),
        sealed: Set(key.sealed.clone()),
        published_at_ms: Set(key.published_at.milliseconds()),
        signs_from_ms: Set(key.signs_from.milliseconds()),
        ends_at_ms: Set(key.ends_at.map(Moment::milliseconds)),
    };
    let taken = OnConflict::column(lti_key::Column::SignsFromMs).do_nothing().to_owned();
    Ok(lti_key::Entity::insert(row).on_conflict(taken).exec_without_returning(connection).await? > 0)
}

/// Says until when a key is shown that signs no more.
pub async fn end_key(connection: &impl ConnectionTrait, kid: &str, ends_at: Moment) -> Result<(), DbErr> {
    use lti_key::Column;
    let query = lti_key::Entity::update_many().col_expr(Column::EndsAtMs, Expr::value(ends_at.milliseconds()));
    query.filter(Column::Kid.eq(kid)).filter(Column::EndsAtMs.is_null()).exec(connection).await.map(|_| ())
}

/// Has a key sign from this moment on.
pub async fn sign_from(connection: &impl ConnectionTrait, kid: &str, signs_from: Moment) -> Result<(), DbErr> {
    use lti_key::Column;
    let query = lti_key::Entity::update_many().col_expr(Column::SignsFromMs, Expr::value(signs_from.milliseconds()));
    query.filter(Column::Kid.eq(kid)).exec(connection).await.map(|_| ())
}

/// Removes a key. Returns false when there was none.
pub async fn delete_key(connection: &impl ConnectionTrait, kid: &str) -> Result<bool, DbErr> {
    Ok(lti_key::Entity::delete_by_id(kid.to_owned()).exec(connection).await?.rows_affected > 0)
}

/// Removes keys that are shown no more.
pub async fn delete_ended_keys(connection: &impl ConnectionTrait, now: Moment) -> Result<(), DbErr> {
    let ended = lti_key::Column::EndsAtMs.lte(now.milliseconds());
    lti_key::Entity::delete_many().filter(ended).exec(connection).await.map(|_| ())
}

fn from_row(row: lti_key::Model) -> SealedKey {
    SealedKey {
        kid: row.kid,
        modulus: row.modulus,
        sealed: row.sealed,
        published_at: Moment::from_milliseconds(row.published_at_ms),
        signs_from: Moment::from_milliseconds(row.signs_from_ms),
        ends_at: row.ends_at_ms.map(Moment::from_milliseconds),
    }
}
