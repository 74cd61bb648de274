//! Keeps rosters as they were before their last import, so that it can be taken back.

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
        let rosters = Table::create()
            .table("former_rosters")
            .col(uuid("sitting_id").primary_key())
            .col(big_integer("at_ms"))
            .col(text("by"))
            .col(integer("added"))
            .col(integer("updated"))
            .col(integer("removed"))
            .col(text("body"))
            .to_owned();
        manager.create_table(rosters).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("former_rosters").to_owned()).await
    }
}
