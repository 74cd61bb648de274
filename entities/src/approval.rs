//! Managers' decisions on grades, the latest of each manager.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "approvals")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub grade: i16,
    #[sea_orm(primary_key, auto_increment = false)]
    pub manager_email: String,
    /// The manager's name when deciding.
    #[sea_orm(column_type = "Text")]
    pub manager_name: String,
    /// `approved` or `revision_requested`.
    #[sea_orm(column_type = "Text")]
    pub status: String,
    /// May be empty.
    #[sea_orm(column_type = "Text")]
    pub comment: String,
    pub decided_at_ms: i64,
    /// The grade's questions that were approved at that moment; null in older decisions, like the next two.
    pub approved: Option<i32>,
    pub pending: Option<i32>,
    pub flagged: Option<i32>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
