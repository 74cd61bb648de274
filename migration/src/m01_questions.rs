//! Adds the question bank, and the version of each grade's bank.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("questions")
                    .col(text("id").primary_key())
                    .col(small_integer("grade"))
                    .col(text("topic"))
                    .col(text("subtopic"))
                    .col(small_integer("difficulty"))
                    .col(text("source"))
                    .col(text("kind"))
                    .col(text("question"))
                    .col(text("options"))
                    .col(text("answer"))
                    .col(text("explanation"))
                    .col(text("image"))
                    .to_owned(),
            )
            .await?;
        manager
            .create_index(Index::create().name("questions_grade").table("questions").col("grade").col("id").to_owned())
            .await?;
        manager
            .create_table(
                Table::create()
                    .table("bank_versions")
                    .col(small_integer("grade").primary_key())
                    .col(big_integer("version"))
                    .to_owned(),
            )
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("bank_versions").to_owned()).await?;
        manager.drop_table(Table::drop().table("questions").to_owned()).await
    }
}
