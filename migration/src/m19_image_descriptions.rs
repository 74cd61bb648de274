//! Lets a question have its picture described in words. The pictures that are there have no description yet.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = text("image_description").default("").take();
        manager.alter_table(Table::alter().table("questions").add_column(column).to_owned()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("questions").drop_column("image_description").to_owned()).await
    }
}
