//! Times in which no server could save.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "outages")]
pub struct Model {
    /// When something was saved last before it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub from_ms: i64,
    /// When something was saved again.
    pub until_ms: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
