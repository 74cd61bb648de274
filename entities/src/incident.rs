//! Incidents: what proctors have put on record of a sitting.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "incidents")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub sitting_id: Uuid,
    /// Null if it concerns a whole room, or the sitting.
    pub candidate_id: Option<Uuid>,
    /// The room in which it happened; null outside rooms.
    pub room_id: Option<Uuid>,
    #[sea_orm(column_type = "Text")]
    pub kind: String,
    #[sea_orm(column_type = "Text")]
    pub text: String,
    /// E-mail of the proctor.
    #[sea_orm(column_type = "Text")]
    pub by: String,
    pub at_ms: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
