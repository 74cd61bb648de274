//! Adds the measured difficulties of questions, and when and from what those of each grade were measured.

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
        manager.create_table(measurements()).await?;
        manager.create_table(measured_difficulties()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["measured_difficulties", "measurements"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}

fn measurements() -> TableCreateStatement {
    Table::create()
        .table("measurements")
        .col(small_integer("grade").primary_key())
        .col(text("mark"))
        .col(big_integer("measured_at_ms"))
        .col(big_integer("fence"))
        .col(big_integer("leased_until_ms"))
        .to_owned()
}

fn measured_difficulties() -> TableCreateStatement {
    Table::create()
        .table("measured_difficulties")
        .col(small_integer("grade"))
        .col(small_integer("school_year"))
        .col(text("question_id"))
        .col(integer("difficulty_thousandths"))
        .col(integer("error_thousandths"))
        .col(big_integer("answers"))
        .primary_key(Index::create().col("grade").col("school_year").col("question_id"))
        .to_owned()
}
