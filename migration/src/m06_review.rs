//! Adds reviews, the log of edits, assignments of grades, and managers' decisions on grades.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let reviews = Table::create()
            .table("reviews")
            .col(text("question_id").primary_key())
            .col(text("status"))
            .col(text("reviewed_by"))
            .col(text("reviewed_by_name"))
            .col(big_integer("reviewed_at_ms"))
            .col(text("note"))
            .to_owned();
        manager.create_table(reviews).await?;
        let edits = Table::create()
            .table("edits")
            .col(uuid("id").primary_key())
            .col(text("question_id"))
            .col(small_integer("grade"))
            .col(text("edited_by"))
            .col(text("edited_by_name"))
            .col(big_integer("edited_at_ms"))
            .col(text("changes"))
            .col(text("comment"))
            .to_owned();
        manager.create_table(edits).await?;
        manager
            .create_index(
                Index::create().name("edits_grade").table("edits").col("grade").col("edited_at_ms").to_owned(),
            )
            .await?;
        manager
            .create_index(Index::create().name("edits_edited").table("edits").col("edited_at_ms").col("id").to_owned())
            .await?;
        let assignments = Table::create()
            .table("assignments")
            .col(text("kind"))
            .col(text("email"))
            .col(text("name"))
            .col(text("grades"))
            .col(text("assigned_by"))
            .col(big_integer("assigned_at_ms"))
            .primary_key(Index::create().col("kind").col("email"))
            .to_owned();
        manager.create_table(assignments).await?;
        let approvals = Table::create()
            .table("approvals")
            .col(small_integer("grade"))
            .col(text("manager_email"))
            .col(text("manager_name"))
            .col(text("status"))
            .col(text("comment"))
            .col(big_integer("decided_at_ms"))
            .primary_key(Index::create().col("grade").col("manager_email"))
            .to_owned();
        manager.create_table(approvals).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["approvals", "assignments", "edits", "reviews"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}
