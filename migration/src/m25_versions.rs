//! Keeps each earlier result of a session, says of the newest how it came about, and of each delivery and transfer
//! which of them it is about. All new columns have constant defaults, so that no stored result is rewritten.

use sea_orm_migration::sea_orm::{ConnectionTrait, DbBackend, Statement};
use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// As in `m18_compression`.
const KNOWN_METHODS: &str =
    "SELECT 1 AS known FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY(enumvals)";
const COMPRESSED: &str = "ALTER TABLE session_versions ALTER COLUMN result SET COMPRESSION lz4, \
    ALTER COLUMN drawings SET COMPRESSION lz4, ALTER COLUMN graded_by SET COMPRESSION lz4";
const NEW_KEYS: [&str; 4] = [
    "DROP INDEX deliveries_session_event",
    "CREATE UNIQUE INDEX deliveries_session_event ON deliveries (session_id, event, version)",
    "DROP INDEX transfers_key",
    "CREATE UNIQUE INDEX transfers_key ON transfers (key, version)",
];
/// Before this step a session has one row in each queue: that of its newest version.
const OLD_KEYS: [&str; 6] = [
    "DELETE FROM deliveries WHERE event = 'result.changed'",
    "DROP INDEX deliveries_session_event",
    "CREATE UNIQUE INDEX deliveries_session_event ON deliveries (session_id, event)",
    "DELETE FROM transfers WHERE version < \
     (SELECT MAX(newer.version) FROM transfers newer WHERE newer.key = transfers.key)",
    "DROP INDEX transfers_key",
    "CREATE UNIQUE INDEX transfers_key ON transfers (key)",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Also on SQLite, where a step that was interrupted in its middle could never run again.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(session_versions()).await?;
        // One statement for each, since SQLite adds only one at a time.
        for column in [
            integer("version").default(1).take(),
            text_null("version_reason"),
            big_integer_null("version_at_ms"),
            text_null("version_by"),
            text_null("version_comment"),
            integer_null("previous_score"),
        ] {
            manager.alter_table(Table::alter().table("sessions").add_column(column).to_owned()).await?;
        }
        for table in ["deliveries", "transfers"] {
            let version = integer("version").default(1).take();
            manager.alter_table(Table::alter().table(table).add_column(version).to_owned()).await?;
        }
        let connection = manager.get_connection();
        for statement in NEW_KEYS {
            connection.execute_unprepared(statement).await?;
        }
        let is_postgres = connection.get_database_backend() == DbBackend::Postgres;
        let known = Statement::from_string(DbBackend::Postgres, KNOWN_METHODS);
        if is_postgres && connection.query_one_raw(known).await?.is_some() {
            connection.execute_unprepared(COMPRESSED).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        for statement in OLD_KEYS {
            connection.execute_unprepared(statement).await?;
        }
        for (table, column) in [
            ("transfers", "version"),
            ("deliveries", "version"),
            ("sessions", "previous_score"),
            ("sessions", "version_comment"),
            ("sessions", "version_by"),
            ("sessions", "version_at_ms"),
            ("sessions", "version_reason"),
            ("sessions", "version"),
        ] {
            connection.execute_unprepared(&format!("ALTER TABLE {table} DROP COLUMN {column}")).await?;
        }
        manager.drop_table(Table::drop().table("session_versions").to_owned()).await
    }
}

fn session_versions() -> TableCreateStatement {
    Table::create()
        .table("session_versions")
        .col(uuid("session_id"))
        .col(integer("version"))
        .col(text_null("reason"))
        .col(big_integer_null("at_ms"))
        .col(text_null("made_by"))
        .col(text_null("comment"))
        .col(integer_null("previous_score"))
        .col(big_integer("completed_at_ms"))
        .col(boolean("verified"))
        .col(integer("score"))
        .col(integer("correct_answers"))
        .col(integer("total_questions"))
        .col(integer("time_taken"))
        .col(text("result"))
        .col(text_null("drawings"))
        .col(text("graded_by"))
        .primary_key(Index::create().col("session_id").col("version"))
        .to_owned()
}
