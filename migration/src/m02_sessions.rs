//! Adds the table of finished tests.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("sessions")
                    .col(uuid("session_id").primary_key())
                    .col(small_integer("grade"))
                    .col(big_integer("started_at_ms"))
                    .col(big_integer("completed_at_ms"))
                    .col(boolean("webhook_sent"))
                    .col(text("report_url"))
                    .col(text("annotations"))
                    .col(text("result"))
                    .col(boolean("verified"))
                    .col(text_null("drawings"))
                    .col(text("graded_by"))
                    .col(integer("score"))
                    .col(integer("correct_answers"))
                    .col(integer("total_questions"))
                    .to_owned(),
            )
            .await?;
        manager
            .create_index(
                Index::create()
                    .name("sessions_completed")
                    .table("sessions")
                    .col("completed_at_ms")
                    .col("session_id")
                    .to_owned(),
            )
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("sessions").to_owned()).await
    }
}
