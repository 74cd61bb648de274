//! Adds the versions of questions that banks no longer have. It is empty at first, and sessions stay as they are: what
//! was changed before is not kept.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::create()
            .table("former_questions")
            .if_not_exists()
            .col(text("question_id"))
            .col(big_integer("version"))
            .col(text("content"))
            .primary_key(Index::create().col("question_id").col("version"))
            .to_owned();
        manager.create_table(table).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("former_questions").to_owned()).await
    }
}
