//! A manager's decision on a grade.

use sea_orm::entity::prelude::*;

/// A manager's decision on a grade.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "approvals")]
pub struct Model {
    /// 1 to 10.
    #[sea_orm(primary_key, auto_increment = false)]
    pub grade: i16,
    /// The manager's e-mail.
    #[sea_orm(primary_key, auto_increment = false)]
    pub manager_email: String,
    /// The manager's name at that time.
    #[sea_orm(column_type = "Text")]
    pub manager_name: String,
    /// `approved` or `revision_requested`.
    #[sea_orm(column_type = "Text")]
    pub status: String,
    /// May be empty.
    #[sea_orm(column_type = "Text")]
    pub comment: String,
    /// Milliseconds since 1970.
    pub decided_at_ms: i64,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
