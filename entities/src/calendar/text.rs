//! The fields of venues and organizers in the form in which they are searched, one row for each: all words of a search
//! must be in the same field.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "calendar_texts")]
pub struct Model {
    /// The venue or organizer.
    #[sea_orm(primary_key, auto_increment = false)]
    pub record_id: i64,
    /// Which field it is.
    #[sea_orm(primary_key, auto_increment = false)]
    pub position: i16,
    /// Never empty.
    #[sea_orm(column_type = "Text")]
    pub text: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
