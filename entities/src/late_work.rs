//! Tests to which work came after their end, and what was decided about it.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "late_works")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub session_id: Uuid,
    /// How many commands are kept.
    pub commands: i32,
    /// How many of them somebody has to decide about: no visits, and nothing that stood already.
    pub changes: i32,
    /// Their size, which is limited.
    pub bytes: i32,
    /// How many of them count.
    pub accepted: i32,
    /// How many of them were declined.
    pub declined: i32,
    /// How many of the changes were there when somebody decided last; null if nobody has, or if a server of an earlier
    /// release took the decision during an upgrade.
    pub decided_changes: Option<i32>,
    /// Rises with each change of the row.
    pub mark: i64,
    /// When the first of them was received.
    pub first_at_ms: i64,
    /// When the last of them was received.
    pub last_at_ms: i64,
    /// When the test had ended.
    pub ended_at_ms: i64,
    /// When the server had lost the student's connection before that; null if it had one, or if nobody noted it.
    pub offline_since_ms: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
