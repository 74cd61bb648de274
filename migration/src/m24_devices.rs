//! Keeps at which device each student works and how each token was got, so that a proctor can end all other devices
//! and nobody's tokens push out those of another kind.

use sea_orm_migration::sea_orm::ConnectionTrait;
use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// The new columns by their tables.
const COLUMNS: [(&str, &str); 3] = [("attempt_tokens", "origin"), ("seats", "device"), ("seats", "is_connected")];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Also on SQLite, where a step that was interrupted in its middle could never run again.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // One statement for each, since SQLite adds only one at a time.
        let columns = [
            small_integer("origin").default(0).take(),
            blob_null("device").take(),
            boolean("is_connected").default(false).take(),
        ];
        for ((table, _), column) in COLUMNS.into_iter().zip(columns) {
            manager.alter_table(Table::alter().table(table).add_column(column).to_owned()).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (table, column) in COLUMNS {
            manager.get_connection().execute_unprepared(&format!("ALTER TABLE {table} DROP COLUMN {column}")).await?;
        }
        Ok(())
    }
}
