//! Adds classes, which are lists of people that the school keeps, and their people.

use sea_orm_migration::sea_orm::ConnectionTrait;
use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// Both databases take any number of nulls for different values, so that somebody with an e-mail address needs no id of
/// another system.
const INDEXES: [&str; 3] = [
    "CREATE UNIQUE INDEX classes_name ON classes (grade, folded_name)",
    "CREATE UNIQUE INDEX class_people_email ON class_people (class_id, email)",
    "CREATE UNIQUE INDEX class_people_external_id ON class_people (class_id, external_id)",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Also on SQLite, where a step that was interrupted in its middle could never run again.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(classes()).await?;
        manager.create_table(class_people()).await?;
        for index in INDEXES {
            manager.get_connection().execute_unprepared(index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["class_people", "classes"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}

fn classes() -> TableCreateStatement {
    Table::create()
        .table("classes")
        .col(uuid("id").primary_key())
        .col(small_integer("grade"))
        .col(text("name"))
        .col(text("folded_name"))
        .col(text("created_by"))
        .col(big_integer("created_at_ms"))
        .col(big_integer("updated_at_ms"))
        .to_owned()
}

fn class_people() -> TableCreateStatement {
    Table::create()
        .table("class_people")
        .col(uuid("id").primary_key())
        .col(uuid("class_id"))
        .col(text_null("email"))
        .col(text_null("external_id"))
        .col(text("name"))
        .col(integer_null("factor"))
        .col(integer_null("extra_minutes"))
        .col(text_null("note"))
        .to_owned()
}
