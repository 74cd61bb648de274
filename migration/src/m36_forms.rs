//! Adds forms of a template, the form of each test, whether its second stage is shuffled, and the order in which its
//! options were shown where the keys of this server do not say it.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// The new columns that are null where there is one form, and the options stand as in the bank.
const COLUMNS: [(&str, &str); 3] = [("attempts", "form"), ("sessions", "form"), ("session_bodies", "option_order")];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Also on SQLite, where a step that was interrupted in its middle could never run again.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let forms = Table::alter().table("templates").add_column(text("forms").default("[]")).to_owned();
        manager.alter_table(forms).await?;
        let shuffles = Table::alter().table("attempts").add_column(boolean("shuffles").default(false)).to_owned();
        manager.alter_table(shuffles).await?;
        for (table, column) in COLUMNS {
            manager.alter_table(Table::alter().table(table).add_column(text_null(column)).to_owned()).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (table, column) in COLUMNS {
            manager.alter_table(Table::alter().table(table).drop_column(column).to_owned()).await?;
        }
        manager.alter_table(Table::alter().table("attempts").drop_column("shuffles").to_owned()).await?;
        manager.alter_table(Table::alter().table("templates").drop_column("forms").to_owned()).await
    }
}
