//! The latest review of a question; one that was never reviewed has no row.

use sea_orm::entity::prelude::*;

/// The latest review of a question; one that was never reviewed has no row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "reviews")]
pub struct Model {
    /// Identifier of the question.
    #[sea_orm(primary_key, auto_increment = false)]
    pub question_id: String,
    /// `approved`, `flagged` or `pending`.
    #[sea_orm(column_type = "Text")]
    pub status: String,
    /// The reviewer's e-mail.
    #[sea_orm(column_type = "Text")]
    pub reviewed_by: String,
    /// The reviewer's name at that time.
    #[sea_orm(column_type = "Text")]
    pub reviewed_by_name: String,
    /// Milliseconds since 1970.
    pub reviewed_at_ms: i64,
    /// What the reviewer wrote; may be empty.
    #[sea_orm(column_type = "Text")]
    pub note: String,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
