//! The running servers. Each renews its lease, and one whose lease has run out counts as dead.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "servers")]
pub struct Model {
    /// Drawn when the server starts.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Until when the other servers believe that it is alive.
    pub lease_until_ms: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
