//! Adds the receipts of finished tests, the keys that have signed them, and a log of them for each sitting. Tests that
//! were finished before have no row: their receipts are made when somebody asks.

use sea_orm_migration::sea_orm::ConnectionTrait;
use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// The two unique indexes are what no program can get around: an index of a log has one leaf, and a receipt one index.
const INDEXES: [&str; 3] = [
    "CREATE INDEX receipts_due_order ON receipts_due (due_at_ms)",
    "CREATE UNIQUE INDEX sitting_leaves_receipt ON sitting_leaves (session_id, version)",
    // Those that are not written yet are few.
    "CREATE INDEX sitting_logs_to_begin ON sitting_logs (sitting_id) WHERE begun_at_ms IS NULL",
];
const TABLES: [&str; 5] = ["receipts", "receipts_due", "receipt_keys", "sitting_logs", "sitting_leaves"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Also on SQLite, where a step that was interrupted in its middle could never run again.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [receipts(), receipts_due(), receipt_keys(), sitting_logs(), sitting_leaves()] {
            manager.create_table(table).await?;
        }
        for statement in INDEXES {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in TABLES {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}

fn receipts() -> TableCreateStatement {
    Table::create()
        .table("receipts")
        .col(uuid("session_id"))
        .col(integer("version"))
        .col(text("jws"))
        .col(blob_null("seal"))
        .primary_key(Index::create().col("session_id").col("version"))
        .to_owned()
}

fn receipts_due() -> TableCreateStatement {
    Table::create()
        .table("receipts_due")
        .col(uuid("session_id"))
        .col(integer("version"))
        .col(uuid("sitting_id"))
        .col(big_integer("due_at_ms"))
        .primary_key(Index::create().col("session_id").col("version"))
        .to_owned()
}

fn receipt_keys() -> TableCreateStatement {
    Table::create()
        .table("receipt_keys")
        .col(text("kid").primary_key())
        .col(blob("public_key"))
        .col(big_integer("since_ms"))
        .to_owned()
}

fn sitting_logs() -> TableCreateStatement {
    Table::create()
        .table("sitting_logs")
        .col(uuid("sitting_id").primary_key())
        .col(big_integer_null("begun_at_ms"))
        .col(big_integer("heard_at_ms"))
        .col(big_integer("size"))
        .col(blob_null("root"))
        .col(text_null("checkpoint"))
        .col(text_null("first_checkpoint"))
        .col(text_null("vkey"))
        .to_owned()
}

fn sitting_leaves() -> TableCreateStatement {
    Table::create()
        .table("sitting_leaves")
        .col(uuid("sitting_id"))
        .col(big_integer("position"))
        .col(uuid("session_id"))
        .col(integer("version"))
        .col(big_integer_null("replaces"))
        .col(blob("hash"))
        .primary_key(Index::create().col("sitting_id").col("position"))
        .to_owned()
}
