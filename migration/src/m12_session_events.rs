//! Adds the calendar event of each session, so that an event's sessions can be found without parsing annotations.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::ConnectionTrait;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for statement in [
            "ALTER TABLE sessions ADD COLUMN event_id bigint",
            "CREATE INDEX sessions_event ON sessions (event_id, completed_at_ms, session_id) WHERE event_id IS NOT NULL",
        ] {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for statement in ["DROP INDEX sessions_event", "ALTER TABLE sessions DROP COLUMN event_id"] {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }
}
