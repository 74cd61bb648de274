//! The history of live tests: what happened, and when.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "attempt_events")]
pub struct Model {
    /// Also the order of the events.
    #[sea_orm(primary_key)]
    pub id: i64,
    pub session_id: Uuid,
    pub at_ms: i64,
    /// Such as `started` or `away`.
    #[sea_orm(column_type = "Text")]
    pub kind: String,
    /// Who caused it: `student`, `server`, or the e-mail of a proctor.
    #[sea_orm(column_type = "Text")]
    pub by: String,
    /// Details; may be empty.
    #[sea_orm(column_type = "Text")]
    pub detail: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
