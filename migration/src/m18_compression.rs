//! Lets Postgres compress the large parts of finished tests with lz4, where it can: it is faster than the usual method
//! and takes a little more space (`docs/decisions/0048-batches-of-finished-tests-and-webhooks.md` has the figures).
//! Rows that are there stay as they are.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::{ConnectionTrait, DbBackend, Statement};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// Postgres before version 14 has no such setting, and one that was built without lz4 does not list it.
const KNOWN_METHODS: &str =
    "SELECT 1 AS known FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY(enumvals)";
const COLUMNS: [&str; 4] = ["annotations", "result", "drawings", "graded_by"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        compress(manager, "lz4").await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        compress(manager, "pglz").await
    }
}

async fn compress(manager: &SchemaManager<'_>, method: &str) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    if connection.get_database_backend() != DbBackend::Postgres {
        return Ok(());
    }
    if connection.query_one_raw(Statement::from_string(DbBackend::Postgres, KNOWN_METHODS)).await?.is_none() {
        return Ok(());
    }
    let columns = COLUMNS.map(|column| format!("ALTER COLUMN {column} SET COMPRESSION {method}"));
    connection.execute_unprepared(&format!("ALTER TABLE session_bodies {}", columns.join(", "))).await.map(|_| ())
}
