//! Adds scales of marks: of the school, of templates, of sittings, and of tests that belong to no sitting.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

const COLUMN: &str = "mark_scale";
/// Where it is null there is no scale, and in a template the school's.
const TABLES: [&str; 5] = ["school", "templates", "sittings", "attempts", "sessions"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Also on SQLite, where a step that was interrupted in its middle could never run again.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in TABLES {
            manager.alter_table(Table::alter().table(table).add_column(text_null(COLUMN)).to_owned()).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in TABLES {
            manager.alter_table(Table::alter().table(table).drop_column(COLUMN).to_owned()).await?;
        }
        Ok(())
    }
}
