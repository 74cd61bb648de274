//! Adds to the log of a sitting whether its beginning tells that the sitting has ended.

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
        let column = boolean_null("is_news");
        manager.alter_table(Table::alter().table("sitting_logs").add_column(column).to_owned()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("sitting_logs").drop_column("is_news").to_owned()).await
    }
}
