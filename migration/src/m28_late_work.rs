//! Adds what is kept of work that came after the end of a test: the commands, what was decided about them, the files by
//! which they came, and the keys for which those files are encrypted.

use sea_orm_migration::sea_orm::ConnectionTrait;
use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// A command that comes again is the same one.
const ONCE: &str = "CREATE UNIQUE INDEX late_commands_once ON late_commands (session_id, line, seq, question_id, kind)";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Also on SQLite, where a step that was interrupted in its middle could never run again.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [late_works(), late_commands(), late_files(), late_keys()] {
            manager.create_table(table).await?;
        }
        manager.get_connection().execute_unprepared(ONCE).await.map(|_| ())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["late_keys", "late_files", "late_commands", "late_works"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}

fn late_works() -> TableCreateStatement {
    Table::create()
        .table("late_works")
        .col(uuid("session_id").primary_key())
        .col(integer("commands"))
        .col(integer("changes"))
        .col(integer("bytes"))
        .col(integer("accepted"))
        .col(integer("declined"))
        .col(big_integer("mark"))
        .col(big_integer("first_at_ms"))
        .col(big_integer("last_at_ms"))
        .col(big_integer("ended_at_ms"))
        .col(big_integer_null("offline_since_ms"))
        .to_owned()
}

fn late_commands() -> TableCreateStatement {
    Table::create()
        .table("late_commands")
        .col(big_integer("id").primary_key().auto_increment())
        .col(uuid("session_id"))
        .col(small_integer("line"))
        .col(big_integer("seq"))
        .col(text("question_id"))
        .col(small_integer("kind"))
        .col(text_null("value"))
        .col(integer_null("time_taken"))
        .col(big_integer_null("at_ms"))
        .col(big_integer("received_at_ms"))
        .col(boolean("from_file"))
        .col(small_integer("state"))
        .to_owned()
}

fn late_files() -> TableCreateStatement {
    Table::create()
        .table("late_files")
        .col(blob("digest").primary_key())
        .col(uuid("session_id"))
        .col(text("handed_in_by"))
        .col(big_integer("at_ms"))
        .to_owned()
}

fn late_keys() -> TableCreateStatement {
    Table::create()
        .table("late_keys")
        .col(integer("id").primary_key())
        .col(blob("public_key"))
        .col(blob("sealed_key"))
        .col(big_integer("made_at_ms"))
        .to_owned()
}
