//! Adds what students' pages need: what each person has set them to, and the calculator that a template allows and an
//! attempt keeps.

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
        let views = Table::create()
            .table("views")
            .col(text("email").primary_key())
            .col(text("body"))
            .col(big_integer("changed_at_ms"))
            .to_owned();
        manager.create_table(views).await?;
        let calculator = Table::alter().table("templates").add_column(text("calculator").default("none")).to_owned();
        manager.alter_table(calculator).await?;
        manager.alter_table(Table::alter().table("attempts").add_column(text_null("calculator")).to_owned()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["attempts", "templates"] {
            manager.alter_table(Table::alter().table(table).drop_column("calculator").to_owned()).await?;
        }
        manager.drop_table(Table::drop().table("views").to_owned()).await
    }
}
