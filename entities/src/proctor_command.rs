//! A proctor's command that was done, so that its repetition is answered and does nothing.

use sea_orm::entity::prelude::*;

/// A proctor's command that was done, so that its repetition is answered and does nothing.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "proctor_commands")]
pub struct Model {
    /// E-mail of the proctor.
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub proctor: String,
    /// `grade:5` or `template:<id>`.
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub room: String,
    /// The caller's `id`.
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub command_id: String,
    /// Milliseconds since 1970.
    pub at_ms: i64,
    /// What was answered, as JSON.
    #[sea_orm(column_type = "Text")]
    pub answer: String,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
