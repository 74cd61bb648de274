//! Keeps the corrections of keys, how far the tests of each have followed, and of each test by which of them it was
//! graded last. The new column has a constant default, so that no stored result is rewritten.

use sea_orm_migration::sea_orm::ConnectionTrait;
use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

const INDEXES: [&str; 5] = [
    "CREATE UNIQUE INDEX corrections_number ON corrections (number)",
    "CREATE INDEX corrections_sitting ON corrections (sitting_id) WHERE sitting_id IS NOT NULL",
    "CREATE INDEX corrections_template ON corrections (template_id) WHERE template_id IS NOT NULL",
    "CREATE INDEX corrections_grade ON corrections (grade) WHERE grade IS NOT NULL",
    // Nearly all steps are finished, and every server looks for the others again and again.
    "CREATE INDEX correction_steps_open ON correction_steps (number) WHERE finished_at_ms IS NULL",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Also on SQLite, where a step that was interrupted in its middle could never run again.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mark = big_integer("corrections_mark").default(0).take();
        manager.alter_table(Table::alter().table("sessions").add_column(mark).to_owned()).await?;
        for table in [corrections(), correction_steps(), correction_pieces()] {
            manager.create_table(table).await?;
        }
        for index in INDEXES {
            manager.get_connection().execute_unprepared(index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["correction_pieces", "correction_steps", "corrections"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        let dropped = "ALTER TABLE sessions DROP COLUMN corrections_mark";
        manager.get_connection().execute_unprepared(dropped).await.map(|_| ())
    }
}

fn corrections() -> TableCreateStatement {
    Table::create()
        .table("corrections")
        .col(uuid("id").primary_key())
        .col(big_integer("number"))
        .col(text("question_id"))
        .col(text("kind"))
        .col(text("options"))
        .col(big_integer_null("of_options"))
        .col(uuid_null("sitting_id"))
        .col(uuid_null("template_id"))
        .col(small_integer_null("grade"))
        .col(big_integer_null("from_ms"))
        .col(big_integer_null("until_ms"))
        .col(text_null("templates"))
        .col(boolean("nobody_loses"))
        .col(text("comment"))
        .col(text("made_by"))
        .col(big_integer("made_at_ms"))
        .col(big_integer_null("reverted_number"))
        .col(text_null("reverted_by"))
        .col(big_integer_null("reverted_at_ms"))
        .to_owned()
}

fn correction_steps() -> TableCreateStatement {
    Table::create()
        .table("correction_steps")
        .col(big_integer("number").primary_key())
        .col(uuid("correction_id"))
        .col(big_integer_null("total"))
        .col(big_integer("done"))
        .col(big_integer_null("finished_at_ms"))
        .to_owned()
}

fn correction_pieces() -> TableCreateStatement {
    Table::create()
        .table("correction_pieces")
        .col(big_integer("step"))
        .col(integer("piece"))
        .col(uuid("first_id"))
        .col(uuid("last_id"))
        .col(uuid_null("after_id"))
        .col(big_integer("done"))
        .col(big_integer("fence"))
        .col(big_integer("leased_until_ms"))
        .primary_key(Index::create().col("step").col("piece"))
        .to_owned()
}
