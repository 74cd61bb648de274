//! Adds the outbox of webhook deliveries; a session has at most one.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("deliveries")
                    .col(uuid("id").primary_key())
                    .col(uuid("session_id").unique_key())
                    .col(text("url"))
                    .col(text("host"))
                    .col(text("status"))
                    .col(integer("attempts"))
                    .col(small_integer_null("last_status"))
                    .col(text_null("last_error"))
                    .col(big_integer_null("next_attempt_at_ms"))
                    .col(big_integer("created_at_ms"))
                    .col(big_integer_null("delivered_at_ms"))
                    .to_owned(),
            )
            .await?;
        let due = Index::create()
            .name("deliveries_due")
            .table("deliveries")
            .col("status")
            .col("next_attempt_at_ms")
            .to_owned();
        manager.create_index(due).await?;
        manager
            .create_index(
                Index::create().name("deliveries_created").table("deliveries").col("created_at_ms").to_owned(),
            )
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("deliveries").to_owned()).await
    }
}
