//! Keeps questions that are written here: who wrote each, whether its options keep their order, the pictures that were
//! uploaded, and the questions that are retired, apart from the bank.

use sea_orm_migration::sea_orm::ConnectionTrait;
use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

const INDEXES: [&str; 3] = [
    // Which questions show a picture is asked whenever a server has not shown it for a while.
    "CREATE INDEX questions_picture ON questions (picture) WHERE picture IS NOT NULL",
    "CREATE INDEX retired_questions_grade ON retired_questions (grade, retired_at_ms)",
    // Nearly all pictures are used, and every server looks for the others again and again.
    "CREATE INDEX pictures_used ON pictures (used, uploaded_at_ms)",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Also on SQLite, where a step that was interrupted in its middle could never run again.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let columns = [boolean("fixed_options").default(false).take(), text_null("written_by"), text_null("picture")];
        for column in columns {
            manager.alter_table(Table::alter().table("questions").add_column(column).to_owned()).await?;
        }
        for table in [pictures(), retired_questions()] {
            manager.create_table(table).await?;
        }
        for index in INDEXES {
            manager.get_connection().execute_unprepared(index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["retired_questions", "pictures"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        let dropped = [
            "DROP INDEX questions_picture",
            "ALTER TABLE questions DROP COLUMN picture",
            "ALTER TABLE questions DROP COLUMN written_by",
            "ALTER TABLE questions DROP COLUMN fixed_options",
        ];
        for statement in dropped {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }
}

fn pictures() -> TableCreateStatement {
    Table::create()
        .table("pictures")
        .col(text("digest").primary_key())
        .col(text("media_type"))
        .col(integer("width"))
        .col(integer("height"))
        .col(blob("content"))
        .col(text("uploaded_by"))
        .col(big_integer("uploaded_at_ms"))
        .col(boolean("used"))
        .to_owned()
}

fn retired_questions() -> TableCreateStatement {
    Table::create()
        .table("retired_questions")
        .col(text("id").primary_key())
        .col(small_integer("grade"))
        .col(text("content"))
        .col(boolean("secure"))
        .col(text_null("written_by"))
        .col(text("retired_by"))
        .col(big_integer("retired_at_ms"))
        .to_owned()
}
