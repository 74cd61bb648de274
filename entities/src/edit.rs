//! One edit of a question, field by field.

use sea_orm::entity::prelude::*;

/// One edit of a question, field by field.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "edits")]
pub struct Model {
    /// Identifier of the edit.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Identifier of the question.
    #[sea_orm(column_type = "Text")]
    pub question_id: String,
    /// Grade of the question when it was edited.
    pub grade: i16,
    /// The editor's e-mail.
    #[sea_orm(column_type = "Text")]
    pub edited_by: String,
    /// The editor's name at that time.
    #[sea_orm(column_type = "Text")]
    pub edited_by_name: String,
    /// Milliseconds since 1970.
    pub edited_at_ms: i64,
    /// JSON array of `field`, `before`, `after`.
    #[sea_orm(column_type = "Text")]
    pub changes: String,
    /// Why; may be empty.
    #[sea_orm(column_type = "Text")]
    pub comment: String,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
