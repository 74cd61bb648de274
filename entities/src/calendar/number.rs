//! The ids of events, venues and organizers. They come from one sequence, so that an id identifies one record of any
//! kind.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "calendar_ids")]
pub struct Model {
    /// Never drawn twice.
    #[sea_orm(primary_key)]
    pub id: i64,
    /// `event`, `venue` or `organizer`.
    #[sea_orm(column_type = "Text")]
    pub kind: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
