//! Adds what else templates choose their questions by: topics, reviews, sources, single questions, and their order.

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
        // Templates from before choose among all questions of their grades.
        let choice = Table::alter().table("templates").add_column(text("choice").default("{}")).to_owned();
        manager.alter_table(choice).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("templates").drop_column("choice").to_owned()).await
    }
}
