//! Adds numbers as answers: what the key of a question has beside its value, and which types of questions a live test
//! draws.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// The new columns, with their tables.
const COLUMNS: [(&str, &str); 2] = [("questions", "number"), ("attempts", "types")];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Also on SQLite, where a step that was interrupted in its middle could never run again.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // Null everywhere stands for multiple choice, which was all that there was.
        for (table, column) in COLUMNS {
            manager.alter_table(Table::alter().table(table).add_column(text_null(column)).to_owned()).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // Without what their keys have beside the value, nobody could read them again.
        manager.get_connection().execute_unprepared("DELETE FROM questions WHERE kind = 'number'").await?;
        for (table, column) in COLUMNS {
            manager.alter_table(Table::alter().table(table).drop_column(column).to_owned()).await?;
        }
        Ok(())
    }
}
