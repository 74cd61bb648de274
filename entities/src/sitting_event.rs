//! The history of sittings and their candidates, as far as it is not that of an attempt.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sitting_events")]
pub struct Model {
    /// Also the order of the events.
    #[sea_orm(primary_key)]
    pub id: i64,
    pub sitting_id: Uuid,
    /// Null if it concerns a whole room, or the sitting.
    pub candidate_id: Option<Uuid>,
    /// Null if it concerns the whole sitting, or someone without a room.
    pub room_id: Option<Uuid>,
    pub at_ms: i64,
    /// Such as `begin` or `present`.
    #[sea_orm(column_type = "Text")]
    pub kind: String,
    /// E-mail of the proctor.
    #[sea_orm(column_type = "Text")]
    pub by: String,
    /// What was and what is.
    #[sea_orm(column_type = "Text")]
    pub detail: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
