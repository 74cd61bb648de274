//! Adds how much of the work that came after the end of a test was there at the last decision about it: what comes
//! later is to be decided about too.

use sea_orm_migration::sea_orm::ConnectionTrait;
use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// Of decisions from before nobody knows what came after them. It stays as decided about as it was.
const DECIDED: &str = "UPDATE late_works SET decided_changes = changes WHERE accepted > 0 OR declined > 0";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Also on SQLite, where a step that was interrupted in its middle could never run again.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = integer_null("decided_changes");
        manager.alter_table(Table::alter().table("late_works").add_column(column).to_owned()).await?;
        manager.get_connection().execute_unprepared(DECIDED).await.map(|_| ())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("late_works").drop_column("decided_changes").to_owned()).await
    }
}
