//! The numbers by which the calendar's API identifies people.

use sea_orm::entity::prelude::*;

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

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
