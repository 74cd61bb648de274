//! What happened to a live test, and when.

use sea_orm::entity::prelude::*;

/// What happened to a live test, and when.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "attempt_events")]
pub struct Model {
    /// Order of the events.
    #[sea_orm(primary_key)]
    pub id: i64,
    /// The attempt.
    pub session_id: Uuid,
    /// Milliseconds since 1970.
    pub at_ms: i64,
    /// Such as `started` or `away`.
    #[sea_orm(column_type = "Text")]
    pub kind: String,
    /// Who did it: `student` or `server`.
    #[sea_orm(column_type = "Text")]
    pub by: String,
    /// More about it; may be empty.
    #[sea_orm(column_type = "Text")]
    pub detail: String,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
