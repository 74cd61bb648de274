//! Rosters as they were before their last import, of each sitting one.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "former_rosters")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub sitting_id: Uuid,
    /// When the import was made.
    pub at_ms: i64,
    /// E-mail of who made it.
    #[sea_orm(column_type = "Text")]
    pub by: String,
    /// How many candidates it has added, updated and removed.
    pub added: i32,
    pub updated: i32,
    pub removed: i32,
    /// JSON: the rows of those whom it has added, of those whom it has changed, before and after it, and of those whom
    /// it has removed, and the halls that it has made.
    #[sea_orm(column_type = "Text")]
    pub body: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
