//! Adds to a link when its roster was tried last to be taken by itself, and when that failed.

use sea_orm_migration::{prelude::*, schema::*};

const COLUMNS: [&str; 2] = ["roster_tried_at_ms", "roster_failed_at_ms"];

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Also on SQLite, where a step that was interrupted in its middle could never run again.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // SQLite adds one column at a time.
        for column in COLUMNS {
            let column = big_integer_null(column);
            manager.alter_table(Table::alter().table("lti_links").add_column(column).to_owned()).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in COLUMNS {
            manager.alter_table(Table::alter().table("lti_links").drop_column(column).to_owned()).await?;
        }
        Ok(())
    }
}
