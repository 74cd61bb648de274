//! Adds test templates, and what an attempt keeps of its template.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let templates = Table::create()
            .table("templates")
            .col(uuid("id").primary_key())
            .col(text("name"))
            .col(text("grades"))
            .col(text("mode"))
            .col(integer("duration_minutes"))
            .col(text("targets"))
            .col(text("papers"))
            .col(text("created_by"))
            .col(big_integer("created_at_ms"))
            .col(big_integer("updated_at_ms"))
            .to_owned();
        manager.create_table(templates).await?;
        // One statement for each column: SQLite adds only one at a time.
        let add = |column: ColumnDef| Table::alter().table("attempts").add_column(column).to_owned();
        manager.alter_table(add(uuid_null("template_id"))).await?;
        manager.alter_table(add(text_null("second_papers"))).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in ["second_papers", "template_id"] {
            manager.alter_table(Table::alter().table("attempts").drop_column(column).to_owned()).await?;
        }
        manager.drop_table(Table::drop().table("templates").to_owned()).await
    }
}
