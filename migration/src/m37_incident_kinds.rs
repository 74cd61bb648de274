//! Adds kinds of incidents of a school's own.

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
        let school = Table::alter().table("school").add_column(text_null("incident_kinds")).to_owned();
        manager.alter_table(school).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let school = Table::alter().table("school").drop_column("incident_kinds").to_owned();
        manager.alter_table(school).await
    }
}
