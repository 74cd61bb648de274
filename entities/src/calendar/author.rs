//! The number by which the calendar knows a person.

use sea_orm::entity::prelude::*;

/// The number by which the calendar knows a person.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "calendar_authors")]
pub struct Model {
    /// Drawn when the person first needs one.
    #[sea_orm(primary_key)]
    pub id: i64,
    /// In lower case.
    #[sea_orm(column_type = "Text", unique)]
    pub email: String,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
