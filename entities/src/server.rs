//! A server that runs, and until when the others believe so.

use sea_orm::entity::prelude::*;

/// A server that runs, and until when the others believe so.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "servers")]
pub struct Model {
    /// Made at its start.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Milliseconds since 1970.
    pub lease_until_ms: i64,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
