//! How many events of one status start on one day: the totals of lists are added up from these.

use sea_orm::entity::prelude::*;

/// How many events of one status start on one day, without those that no list shows.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "calendar_days")]
pub struct Model {
    /// Days since 1970 in UTC.
    #[sea_orm(primary_key, auto_increment = false)]
    pub day: i64,
    /// Such as `publish`.
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub status: String,
    /// How many.
    pub events: i64,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
