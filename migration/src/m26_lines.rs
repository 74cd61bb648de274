//! Keeps of each value by which line it was set, and which device has which line, so that an older answer of one device
//! never goes over a newer one of another.

use sea_orm_migration::sea_orm::ConnectionTrait;
use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Also on SQLite, where a step that was interrupted in its middle could never run again.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // A constant default rewrites no row, on either database.
        let line = small_integer("line").default(0).take();
        manager.alter_table(Table::alter().table("journal_entries").add_column(line).to_owned()).await?;
        manager
            .create_table(
                Table::create()
                    .table("attempt_lines")
                    .col(uuid("session_id"))
                    .col(small_integer("line"))
                    .col(blob("token_hash"))
                    .col(small_integer("device"))
                    .primary_key(Index::create().col("session_id").col("line"))
                    .to_owned(),
            )
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("attempt_lines").to_owned()).await?;
        manager.get_connection().execute_unprepared("ALTER TABLE journal_entries DROP COLUMN line").await.map(|_| ())
    }
}
