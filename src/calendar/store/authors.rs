//! The numbers by which the calendar knows its authors. A number is assigned to an author with their first record, and
//! never changes.

use entities::calendar::author::{ActiveModel, Column, Entity};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter};

use crate::database::Database;
use crate::store::Unreadable;

/// The number of the author with this e-mail address, if one is assigned.
pub async fn find(database: &Database, email: &str) -> Result<Option<i64>, DbErr> {
    Ok(Entity::find().filter(Column::Email.eq(email)).one(&database.read).await?.map(|row| row.id))
}

/// The number of the author with this e-mail address. It is assigned if there is none yet.
pub async fn number(database: &Database, email: &str) -> Result<i64, DbErr> {
    if let Some(found) = find(database, email).await? {
        return Ok(found);
    }
    assign(&database.write, email).await
}

/// The same in the transaction of a change.
pub(super) async fn assign(connection: &impl ConnectionTrait, email: &str) -> Result<i64, DbErr> {
    let row = ActiveModel { id: ActiveValue::NotSet, email: ActiveValue::Set(email.to_owned()) };
    let taken = OnConflict::column(Column::Email).do_nothing().to_owned();
    Entity::insert(row).on_conflict(taken).exec_without_returning(connection).await?;
    let row = Entity::find().filter(Column::Email.eq(email)).one(connection).await?;
    Ok(row.ok_or(Unreadable("author"))?.id)
}

/// Forgets whose number this is. What the author has written stays, without a name.
pub async fn forget(database: &Database, email: &str) -> Result<(), DbErr> {
    let Some(id) = find(database, email).await? else { return Ok(()) };
    // Not an e-mail address, but unique, as the column requires.
    let row = ActiveModel { email: ActiveValue::Set(format!("nobody {id}")), ..Default::default() };
    Entity::update_many().set(row).filter(Column::Id.eq(id)).exec(&database.write).await.map(|_| ())
}

/// Returns whether this number is assigned.
pub async fn exists(database: &Database, id: i64) -> Result<bool, DbErr> {
    Ok(Entity::find_by_id(id).one(&database.read).await?.is_some())
}
