//! Adds the message that an admin has all pages show, and by what people know their sign-ins: browser, system and
//! last use.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// Null for sign-ins from before, and for those that a server of an earlier release stores during an upgrade.
const NAMES: [&str; 2] = ["browser", "system"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Also on SQLite, where a step that was interrupted in its middle could never run again.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let messages = Table::create()
            .table("status_messages")
            .col(small_integer("id").primary_key())
            .col(text("en"))
            .col(text("vi"))
            .col(big_integer("changed_at_ms"))
            .to_owned();
        manager.create_table(messages).await?;
        // SQLite adds one column at a time.
        for name in NAMES {
            manager.alter_table(Table::alter().table("sign_ins").add_column(text_null(name)).to_owned()).await?;
        }
        let used_at = big_integer_null("last_used_at_ms");
        manager.alter_table(Table::alter().table("sign_ins").add_column(used_at).to_owned()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for name in ["last_used_at_ms", "system", "browser"] {
            manager.alter_table(Table::alter().table("sign_ins").drop_column(name).to_owned()).await?;
        }
        manager.drop_table(Table::drop().table("status_messages").to_owned()).await
    }
}
