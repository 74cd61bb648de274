//! Adds users and their API tokens.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("users")
                    .col(text("email").primary_key())
                    .col(text("name"))
                    .col(text("image"))
                    .col(text("role"))
                    .col(big_integer("created_at_ms"))
                    .col(big_integer_null("last_login_ms"))
                    .to_owned(),
            )
            .await?;
        manager
            .create_table(
                Table::create()
                    .table("api_tokens")
                    .col(uuid("id").primary_key())
                    .col(blob("token_hash").unique_key())
                    .col(text("email"))
                    .col(text("name"))
                    .col(text("role"))
                    .col(big_integer("created_at_ms"))
                    .col(big_integer_null("last_used_at_ms"))
                    .to_owned(),
            )
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("api_tokens").to_owned()).await?;
        manager.drop_table(Table::drop().table("users").to_owned()).await
    }
}
