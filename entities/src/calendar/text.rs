//! One field of a venue or an organizer as it is searched: all words of a search must be in the same one.

use sea_orm::entity::prelude::*;

/// One field of a venue or an organizer as it is searched.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "calendar_texts")]
pub struct Model {
    /// The venue or the organizer.
    #[sea_orm(primary_key, auto_increment = false)]
    pub record_id: i64,
    /// Which of its fields.
    #[sea_orm(primary_key, auto_increment = false)]
    pub position: i16,
    /// Not empty.
    #[sea_orm(column_type = "Text")]
    pub text: String,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
