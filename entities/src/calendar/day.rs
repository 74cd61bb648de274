//! How many events of each status start on each day. The totals of lists are added up from these counts.

use sea_orm::entity::prelude::*;

/// Events that no list shows are not counted.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "calendar_days")]
pub struct Model {
    /// Days since 1970 in UTC.
    #[sea_orm(primary_key, auto_increment = false)]
    pub day: i64,
    /// Such as `publish`.
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub status: String,
    pub events: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
