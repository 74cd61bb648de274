//! People's settings of the students' pages, in the database.

use domain::time::moment::Moment;
use entities::view;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ConnectionTrait, DbErr, EntityTrait};

use crate::database::Database;

/// The view of a person, as JSON.
pub async fn find(database: &Database, email: &str) -> Result<Option<String>, DbErr> {
    Ok(view::Entity::find_by_id(email).one(&database.read).await?.map(|row| row.body))
}

/// Stores the view of a person in the place of the one before.
pub async fn put(database: &Database, email: &str, body: &str, now: Moment) -> Result<(), DbErr> {
    let row = view::ActiveModel {
        email: Set(email.to_owned()),
        body: Set(body.to_owned()),
        changed_at_ms: Set(now.milliseconds()),
    };
    let replace = OnConflict::column(view::Column::Email)
        .update_columns([view::Column::Body, view::Column::ChangedAtMs])
        .to_owned();
    view::Entity::insert(row).on_conflict(replace).exec_without_returning(&database.write).await.map(drop)
}

/// Removes the view of a person. A missing one is not an error.
pub async fn delete(connection: &impl ConnectionTrait, email: &str) -> Result<(), DbErr> {
    view::Entity::delete_by_id(email).exec(connection).await.map(drop)
}
