//! Adds live tests: attempts, the latest value of each of their questions, and their history.

use sea_orm_migration::sea_orm::{ConnectionTrait, DbBackend};
use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        create_attempts(manager).await?;
        create_journal_entries(manager).await?;
        create_attempt_events(manager).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["attempt_events", "journal_entries", "attempts"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}

async fn create_attempts(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager
        .create_table(
            Table::create()
                .table("attempts")
                .col(uuid("session_id").primary_key())
                .col(blob("token_hash"))
                .col(blob_null("start_key_hash").unique_key())
                .col(blob_null("token_salt"))
                .col(small_integer("grade"))
                .col(text("mode"))
                .col(integer("duration_minutes"))
                .col(big_integer("started_at_ms"))
                .col(big_integer("deadline_ms"))
                .col(text("annotations"))
                .col(text_null("webhook_url"))
                .col(text("base_url"))
                .col(text_null("owner"))
                .col(text("paper"))
                .col(text_null("second_paper"))
                .col(text_null("band"))
                .col(big_integer_null("ended_at_ms"))
                .col(text_null("ended_by"))
                .to_owned(),
        )
        .await?;
    // Only running attempts are ever searched by deadline.
    let lasting = "CREATE INDEX attempts_lasting ON attempts (deadline_ms) WHERE ended_at_ms IS NULL";
    manager.get_connection().execute_unprepared(lasting).await.map(|_| ())
}

async fn create_journal_entries(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager
        .create_table(
            Table::create()
                .table("journal_entries")
                .col(uuid("session_id"))
                .col(small_integer("position"))
                .col(small_integer("kind"))
                .col(big_integer("seq"))
                .col(text_null("value"))
                .col(integer_null("time_taken"))
                .primary_key(Index::create().col("session_id").col("position").col("kind"))
                .to_owned(),
        )
        .await?;
    if manager.get_database_backend() == DbBackend::Postgres {
        // Rows are updated often, and there is no index but the primary key. Free space in each page lets Postgres put
        // the new version of a row into the same page, without touching the index.
        manager.get_connection().execute_unprepared("ALTER TABLE journal_entries SET (fillfactor = 80)").await?;
    }
    Ok(())
}

async fn create_attempt_events(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager
        .create_table(
            Table::create()
                .table("attempt_events")
                .col(big_pk_auto("id"))
                .col(uuid("session_id"))
                .col(big_integer("at_ms"))
                .col(text("kind"))
                .col(text("by"))
                .col(text("detail"))
                .to_owned(),
        )
        .await?;
    manager
        .create_index(
            Index::create()
                .name("attempt_events_session")
                .table("attempt_events")
                .col("session_id")
                .col("id")
                .to_owned(),
        )
        .await
}
