//! Adds to questions whether somebody, or the rule when they were stored, has decided that their options keep their
//! order. Of those of the last release nobody has: `fixed_options` came with the value that decides nothing.

use sea_orm_migration::sea_orm::ConnectionTrait;
use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Also on SQLite, where a step that was interrupted in its middle could never run again.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = boolean("order_decided").default(false).take();
        manager.alter_table(Table::alter().table("questions").add_column(column).to_owned()).await?;
        // The generator of the sample bank mixes options, so an order among them is chance.
        let decided = "UPDATE questions SET order_decided = TRUE WHERE source = 'sample'";
        manager.get_connection().execute_unprepared(decided).await.map(|_| ())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("questions").drop_column("order_decided").to_owned()).await
    }
}
