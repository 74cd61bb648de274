//! Adds who may sit templates and who is told their keys, the numbers of counted attempts, and which questions anyone
//! may read with their keys.

use sea_orm_migration::sea_orm::ConnectionTrait;
use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

const INDEXES: [&str; 2] = [
    // Each server reads often which templates guard their keys.
    "CREATE INDEX templates_guarding ON templates (guards_keys, id, updated_at_ms)",
    // Of two tests that an account begins at once one takes the number, and the other is not stored.
    "CREATE UNIQUE INDEX attempts_counted ON attempts (template_id, owner, counted) WHERE counted IS NOT NULL",
];

/// Null where nobody has said anything: the server's options decide as before.
const PRACTICE: [&str; 2] = ["questions", "retired_questions"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Also on SQLite, where a step that was interrupted in its middle could never run again.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // Templates from before are for everyone who has their links. SQLite adds one column at a time.
        manager.alter_table(Table::alter().table("templates").add_column(text_null("rules")).to_owned()).await?;
        let guards_keys = boolean("guards_keys").default(false).take();
        manager.alter_table(Table::alter().table("templates").add_column(guards_keys).to_owned()).await?;
        manager.alter_table(Table::alter().table("attempts").add_column(integer_null("counted")).to_owned()).await?;
        for table in PRACTICE {
            manager.alter_table(Table::alter().table(table).add_column(boolean_null("practice")).to_owned()).await?;
        }
        let removed = Table::create()
            .table("removed_templates")
            .col(uuid("id").primary_key())
            .col(text("show_answers"))
            .col(big_integer_null("closes_at_ms"))
            .to_owned();
        manager.create_table(removed).await?;
        for index in INDEXES {
            manager.get_connection().execute_unprepared(index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for index in ["attempts_counted", "templates_guarding"] {
            manager.get_connection().execute_unprepared(&format!("DROP INDEX {index}")).await?;
        }
        manager.drop_table(Table::drop().table("removed_templates").to_owned()).await?;
        for table in PRACTICE {
            manager.alter_table(Table::alter().table(table).drop_column("practice").to_owned()).await?;
        }
        manager.alter_table(Table::alter().table("attempts").drop_column("counted").to_owned()).await?;
        for column in ["guards_keys", "rules"] {
            manager.alter_table(Table::alter().table("templates").drop_column(column).to_owned()).await?;
        }
        Ok(())
    }
}
