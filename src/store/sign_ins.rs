//! Sign-ins, in the database: a cookie counts only while its sign-in is here. Only hashes are stored, so that nobody
//! who reads the database can sign in as someone else.

use domain::time::moment::Moment;
use entities::sign_in;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter};

use crate::database::Database;

/// Stores a sign-in.
pub async fn insert(database: &Database, secret_hash: &[u8], email: &str, at: Moment) -> Result<(), DbErr> {
    let row = sign_in::ActiveModel {
        secret_hash: Set(secret_hash.to_vec()),
        email: Set(email.to_owned()),
        at_ms: Set(at.milliseconds()),
    };
    sign_in::Entity::insert(row).exec_without_returning(&database.write).await.map(drop)
}

/// Returns whether a sign-in of this user has not ended.
pub async fn exists(database: &Database, secret_hash: &[u8], email: &str) -> Result<bool, DbErr> {
    let known = sign_in::Entity::find()
        .filter(sign_in::Column::SecretHash.eq(secret_hash))
        .filter(sign_in::Column::Email.eq(email));
    Ok(known.count(&database.read).await? > 0)
}

/// Ends one sign-in. A missing one is not an error.
pub async fn delete(database: &Database, secret_hash: &[u8]) -> Result<(), DbErr> {
    let ended = sign_in::Entity::delete_many().filter(sign_in::Column::SecretHash.eq(secret_hash));
    ended.exec(&database.write).await.map(drop)
}

/// Ends all sign-ins of a user.
pub async fn end_of(database: &Database, email: &str) -> Result<(), DbErr> {
    let transaction = database.begin().await?;
    delete_of(&transaction, email).await?;
    transaction.commit().await
}

/// The same in the transaction of another change.
pub async fn delete_of(connection: &impl ConnectionTrait, email: &str) -> Result<(), DbErr> {
    let ended = sign_in::Entity::delete_many().filter(sign_in::Column::Email.eq(email));
    ended.exec(connection).await.map(drop)
}

/// Removes the sign-ins from before this time.
pub async fn delete_before(database: &Database, at: Moment) -> Result<u64, DbErr> {
    let expired = sign_in::Entity::delete_many().filter(sign_in::Column::AtMs.lt(at.milliseconds()));
    Ok(expired.exec(&database.write).await?.rows_affected)
}
