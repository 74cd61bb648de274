//! The message that an admin has all pages show, in the database: one row.

use domain::status_message::StatusMessage;
use domain::time::moment::Moment;
use entities::status_message::{ActiveModel, Column, Entity};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, DbErr, EntityTrait};

use crate::database::Database;

/// The key of the only row.
const ROW: i16 = 1;

/// A message, and when it was last changed.
#[derive(Clone, Debug, Default)]
pub struct StoredStatus {
    pub message: StatusMessage,
    /// `None` before the first change.
    pub changed_at: Option<Moment>,
}

/// Loads the message; an empty one if nothing is said.
pub async fn load(database: &Database) -> Result<StoredStatus, DbErr> {
    let Some(row) = Entity::find_by_id(ROW).one(&database.read).await? else { return Ok(StoredStatus::default()) };
    let message = StatusMessage { en: row.en, vi: row.vi };
    Ok(StoredStatus { message, changed_at: Some(Moment::from_milliseconds(row.changed_at_ms)) })
}

/// Stores the message in the place of the one before.
pub async fn put(database: &Database, message: &StatusMessage, now: Moment) -> Result<(), DbErr> {
    let transaction = database.begin().await?;
    let row = ActiveModel {
        id: Set(ROW),
        en: Set(message.en.clone()),
        vi: Set(message.vi.clone()),
        changed_at_ms: Set(now.milliseconds()),
    };
    let replaced = [Column::En, Column::Vi, Column::ChangedAtMs];
    let conflict = OnConflict::column(Column::Id).update_columns(replaced).to_owned();
    Entity::insert(row).on_conflict(conflict).exec_without_returning(&transaction).await?;
    transaction.commit().await
}
