//! Adds the outbox for an external data provider, the age of each copied user, and which banks are copies.

use sea_orm_migration::sea_orm::ConnectionTrait;
use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::create()
            .table("transfers")
            .col(big_integer("id").auto_increment().primary_key())
            .col(string("kind"))
            .col(uuid("key"))
            .col(text_null("body"))
            .col(big_integer("revision"))
            .col(string("status"))
            .col(integer("attempts"))
            .col(big_integer("next_attempt_at_ms"))
            .col(text_null("last_error"))
            .to_owned();
        manager.create_table(table).await?;
        let connection = manager.get_connection();
        for statement in [
            "CREATE UNIQUE INDEX transfers_key ON transfers (key)",
            "CREATE INDEX transfers_waiting ON transfers (kind, id) WHERE status = 'waiting'",
            "CREATE INDEX transfers_refused ON transfers (kind, id) WHERE status = 'refused'",
            "ALTER TABLE users ADD COLUMN copied_at_ms bigint",
            "ALTER TABLE bank_versions ADD COLUMN copied boolean NOT NULL DEFAULT FALSE",
        ] {
            connection.execute_unprepared(statement).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for statement in ["ALTER TABLE bank_versions DROP COLUMN copied", "ALTER TABLE users DROP COLUMN copied_at_ms"]
        {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        manager.drop_table(Table::drop().table("transfers").to_owned()).await
    }
}
