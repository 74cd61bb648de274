//! Makes what proctors order for everyone a state of the hall, which meets whoever enters later, and keeps in which
//! time no server could save.

use sea_orm_migration::sea_orm::ConnectionTrait;
use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// New columns, one statement for each, since SQLite adds only one at a time.
const COLUMNS: [(&str, &str, &str); 7] = [
    ("attempts", "paused_in", "smallint NOT NULL DEFAULT 0"),
    ("attempts", "pause_text", "text"),
    ("sittings", "standing", "text"),
    ("rooms", "standing", "text"),
    ("proctor_commands", "room", "text"),
    ("proctor_commands", "target", "text"),
    ("proctor_commands", "reversal", "text"),
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Also on SQLite, where a step that was interrupted in its middle could never run again.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (table, column, kind) in COLUMNS {
            let statement = format!("ALTER TABLE {table} ADD COLUMN {column} {kind}");
            manager.get_connection().execute_unprepared(&statement).await?;
        }
        let standings = Table::create()
            .table("room_standings")
            .col(text("room").primary_key())
            .col(text("standing"))
            .col(big_integer("changed_at_ms"))
            .to_owned();
        manager.create_table(standings).await?;
        let heartbeat = Table::create()
            .table("heartbeat")
            .col(small_integer("id").primary_key())
            .col(big_integer("at_ms"))
            .to_owned();
        manager.create_table(heartbeat).await?;
        let outages = Table::create()
            .table("outages")
            .col(big_integer("from_ms").primary_key())
            .col(big_integer("until_ms"))
            .to_owned();
        manager.create_table(outages).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["outages", "heartbeat", "room_standings"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        for (table, column, _) in COLUMNS {
            manager.get_connection().execute_unprepared(&format!("ALTER TABLE {table} DROP COLUMN {column}")).await?;
        }
        Ok(())
    }
}
