//! Lets a test that has ended go on: how often it was reopened, by whom last, whether its student has been shown the
//! key, and whether its second stage began with its end. All new columns have constant defaults, so that no attempt is
//! rewritten.

use sea_orm_migration::sea_orm::{ConnectionTrait, DbBackend};
use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

const COLUMNS: [&str; 7] = [
    "reopenings",
    "reopened_at_ms",
    "reopened_by",
    "reopened_forced",
    "ended_ms",
    "answers_seen_at_ms",
    "stage_unseen",
];

/// For how long an ended test may be reopened, or late work of it be accepted.
const ASKED_ABOUT_MS: i64 = 48 * 60 * 60 * 1_000;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Also on SQLite, where a step that was interrupted in its middle could never run again.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // One statement for each, since SQLite adds only one at a time.
        for column in [
            integer("reopenings").default(0).take(),
            big_integer_null("reopened_at_ms"),
            text_null("reopened_by"),
            boolean("reopened_forced").default(false).take(),
            big_integer("ended_ms").default(0).take(),
            big_integer_null("answers_seen_at_ms"),
            boolean("stage_unseen").default(false).take(),
        ] {
            manager.alter_table(Table::alter().table("attempts").add_column(column).to_owned()).await?;
        }
        let now_ms = match manager.get_database_backend() {
            DbBackend::Sqlite => "CAST(strftime('%s', 'now') AS INTEGER) * 1000",
            _ => "CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT)",
        };
        // Whoever has ended before could see the key where it was shown at once, and nobody has noted it: only those
        // whose tests may still be reopened are asked about.
        let noting = format!(
            "UPDATE attempts SET answers_seen_at_ms = ended_at_ms WHERE ended_at_ms > {now_ms} - {ASKED_ABOUT_MS} \
             AND (sitting_id IS NULL OR sitting_id IN \
             (SELECT id FROM sittings WHERE results = 'now' OR released_at_ms IS NOT NULL))"
        );
        manager.get_connection().execute_unprepared(&noting).await.map(|_| ())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in COLUMNS {
            let statement = format!("ALTER TABLE attempts DROP COLUMN {column}");
            manager.get_connection().execute_unprepared(&statement).await?;
        }
        Ok(())
    }
}
