//! Adds a table of two rows. One can be inserted only once, so that only one sign-in can become the first admin; the
//! other is locked by every change of roles, so that two changes at once cannot remove the last admin.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::create()
            .table("first_admin")
            .col(small_integer("id").primary_key())
            .col(big_integer("since_ms"))
            .to_owned();
        manager.create_table(table).await?;
        let existing = "INSERT INTO first_admin (id, since_ms) SELECT 1, min(created_at_ms) FROM users WHERE role = 'admin' HAVING count(*) > 0";
        manager.get_connection().execute_unprepared(existing).await?;
        manager
            .get_connection()
            .execute_unprepared("INSERT INTO first_admin (id, since_ms) VALUES (0, 0)")
            .await
            .map(|_| ())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("first_admin").to_owned()).await
    }
}
