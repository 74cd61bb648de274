//! Adds what lets a student go on elsewhere (further tokens, codes of proctors, attempts by their owner), and keeps
//! proctors' orders by content and connection, so that an `id` that is used again is noticed.

use sea_orm_migration::sea_orm::ConnectionTrait;
use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// Orders of the last hour stay answered: their room takes the place of the connection, which is not known, and their
/// content stays null.
const KEEP_ORDERS: [&str; 5] = [
    "INSERT INTO proctor_commands_by_connection (proctor, connection, command_id, content, is_first, at_ms, answer) \
     SELECT proctor, room, command_id, NULL, TRUE, at_ms, answer FROM proctor_commands",
    "DROP TABLE proctor_commands",
    "ALTER TABLE proctor_commands_by_connection RENAME TO proctor_commands",
    "CREATE INDEX proctor_commands_at ON proctor_commands (at_ms)",
    "CREATE UNIQUE INDEX proctor_commands_first ON proctor_commands (proctor, command_id, content) WHERE is_first",
];
const INDEXES: [&str; 2] = [
    "CREATE INDEX attempt_tokens_session ON attempt_tokens (session_id, made_at_ms)",
    "CREATE INDEX attempts_owner ON attempts (owner) WHERE ended_at_ms IS NULL AND owner IS NOT NULL",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Also on SQLite, where a step that was interrupted in its middle could never run again.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        create_commands(manager).await?;
        create_tokens(manager).await?;
        create_codes(manager).await?;
        for statement in KEEP_ORDERS.into_iter().chain(INDEXES) {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["attempt_tokens", "move_codes", "proctor_commands"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        for statement in [
            "DROP INDEX attempts_owner",
            "CREATE TABLE proctor_commands (proctor text NOT NULL, room text NOT NULL, command_id text NOT NULL, \
             at_ms bigint NOT NULL, answer text NOT NULL, PRIMARY KEY (proctor, room, command_id))",
            "CREATE INDEX proctor_commands_at ON proctor_commands (at_ms)",
        ] {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }
}

/// The new form of the table; neither database can exchange a primary key in place.
async fn create_commands(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager
        .create_table(
            Table::create()
                .table("proctor_commands_by_connection")
                .col(text("proctor"))
                .col(text("connection"))
                .col(text("command_id"))
                .col(blob_null("content"))
                .col(boolean("is_first"))
                .col(big_integer("at_ms"))
                .col(text("answer"))
                .primary_key(Index::create().col("proctor").col("connection").col("command_id"))
                .to_owned(),
        )
        .await
}

async fn create_tokens(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager
        .create_table(
            Table::create()
                .table("attempt_tokens")
                .col(blob("token_hash").primary_key())
                .col(uuid("session_id"))
                .col(big_integer("made_at_ms"))
                .to_owned(),
        )
        .await
}

async fn create_codes(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager
        .create_table(
            Table::create()
                .table("move_codes")
                .col(uuid("session_id").primary_key())
                .col(blob("code_hash").unique_key())
                .col(text("made_by"))
                .col(big_integer("expires_at_ms"))
                .col(integer("guesses_left"))
                .to_owned(),
        )
        .await
}
