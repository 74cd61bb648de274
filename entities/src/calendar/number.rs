//! A number that has been drawn for an event, a venue or an organizer: they share one row of numbers.

use sea_orm::entity::prelude::*;

/// A number that has been drawn for an event, a venue or an organizer.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "calendar_ids")]
pub struct Model {
    /// The number; never drawn twice.
    #[sea_orm(primary_key)]
    pub id: i64,
    /// `event`, `venue` or `organizer`.
    #[sea_orm(column_type = "Text")]
    pub kind: String,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
