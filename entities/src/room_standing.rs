//! What proctors have ordered for all tests of a grade or a template.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "room_standings")]
pub struct Model {
    /// Such as `grade:5`.
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub room: String,
    /// As JSON.
    #[sea_orm(column_type = "Text")]
    pub standing: String,
    pub changed_at_ms: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
