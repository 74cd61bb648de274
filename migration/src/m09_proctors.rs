//! Adds what several servers and proctors need: which server holds each running attempt, with which fence, and what
//! proctors have ordered.

use sea_orm_migration::sea_orm::ConnectionTrait;
use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// New columns of `attempts`, one statement for each, since SQLite adds only one at a time.
const ATTEMPT_COLUMNS: [&str; 3] = [
    "ALTER TABLE attempts ADD COLUMN paused_at_ms bigint",
    "ALTER TABLE attempts ADD COLUMN extended_minutes integer NOT NULL DEFAULT 0",
    "ALTER TABLE attempts ADD COLUMN finish_by text",
];
const INDEXES: [&str; 4] = [
    "CREATE INDEX attempts_grade ON attempts (grade, ended_at_ms)",
    "CREATE INDEX attempts_template ON attempts (template_id, ended_at_ms)",
    "CREATE INDEX attempts_finish ON attempts (session_id) WHERE ended_at_ms IS NULL AND finish_by IS NOT NULL",
    "CREATE INDEX seats_ordered ON seats (server) WHERE orders <> orders_taken",
];
/// Attempts that are running during the migration have no server yet: the first one that is asked for such an attempt
/// takes it.
const LASTING_SEATS: &str = "INSERT INTO seats (session_id, fence, orders, orders_taken, notices_told, by_socket) \
    SELECT session_id, 0, 0, 0, 0, FALSE FROM attempts WHERE ended_at_ms IS NULL";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        create_seats(manager).await?;
        create_servers(manager).await?;
        create_proctor_commands(manager).await?;
        let connection = manager.get_connection();
        for statement in ATTEMPT_COLUMNS.into_iter().chain(INDEXES).chain([LASTING_SEATS]) {
            connection.execute_unprepared(statement).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        for index in ["attempts_grade", "attempts_template", "attempts_finish"] {
            connection.execute_unprepared(&format!("DROP INDEX {index}")).await?;
        }
        for column in ["paused_at_ms", "extended_minutes", "finish_by"] {
            connection.execute_unprepared(&format!("ALTER TABLE attempts DROP COLUMN {column}")).await?;
        }
        for table in ["proctor_commands", "servers", "seats"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}

async fn create_seats(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager
        .create_table(
            Table::create()
                .table("seats")
                .col(uuid("session_id").primary_key())
                .col(uuid_null("server"))
                .col(big_integer("fence"))
                .col(big_integer("orders"))
                .col(big_integer("orders_taken"))
                .col(big_integer("notices_told"))
                .col(boolean("by_socket"))
                .to_owned(),
        )
        .await
}

async fn create_servers(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager
        .create_table(
            Table::create()
                .table("servers")
                .col(uuid("id").primary_key())
                .col(big_integer("lease_until_ms"))
                .to_owned(),
        )
        .await
}

async fn create_proctor_commands(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager
        .create_table(
            Table::create()
                .table("proctor_commands")
                .col(text("proctor"))
                .col(text("room"))
                .col(text("command_id"))
                .col(big_integer("at_ms"))
                .col(text("answer"))
                .primary_key(Index::create().col("proctor").col("room").col("command_id"))
                .to_owned(),
        )
        .await?;
    manager
        .create_index(Index::create().name("proctor_commands_at").table("proctor_commands").col("at_ms").to_owned())
        .await
}
