//! Adds the sign-ins, so that each can be ended on every server at once.

use sea_orm_migration::sea_orm::ConnectionTrait;
use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Also on SQLite, where a step that was interrupted in its middle could never run again.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::create()
            .table("sign_ins")
            .col(blob("secret_hash").primary_key())
            .col(text("email"))
            .col(big_integer("at_ms"))
            .to_owned();
        manager.create_table(table).await?;
        for statement in
            ["CREATE INDEX sign_ins_email ON sign_ins (email)", "CREATE INDEX sign_ins_at ON sign_ins (at_ms)"]
        {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("sign_ins").to_owned()).await
    }
}
