//! Adds the school's settings, and the record of what admins and managers have done.

use sea_orm_migration::sea_orm::ConnectionTrait;
use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

const INDEXES: [&str; 3] = [
    "CREATE INDEX audit_entries_at ON audit_entries (at_ms)",
    "CREATE INDEX audit_entries_actor ON audit_entries (actor, at_ms)",
    "CREATE INDEX audit_entries_action ON audit_entries (action, at_ms)",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Also on SQLite, where a step that was interrupted in its middle could never run again.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let school = Table::create()
            .table("school")
            .col(small_integer("id").primary_key())
            .col(text("name"))
            .col(text("colour"))
            .col(text("languages"))
            .col(text("time_zone"))
            .col(blob_null("crest"))
            .col(text_null("crest_type"))
            .col(big_integer_null("crest_revision"))
            .col(big_integer("revision"))
            .to_owned();
        manager.create_table(school).await?;
        let audit = Table::create()
            .table("audit_entries")
            .col(big_pk_auto("id"))
            .col(big_integer("at_ms"))
            .col(text("actor"))
            .col(text("action"))
            .col(text("subject"))
            .col(text("detail"))
            .to_owned();
        manager.create_table(audit).await?;
        for index in INDEXES {
            manager.get_connection().execute_unprepared(index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["school", "audit_entries"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}
