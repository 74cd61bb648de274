//! The log of edits of questions, field by field.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "edits")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    #[sea_orm(column_type = "Text")]
    pub question_id: String,
    /// The question's grade when it was edited.
    pub grade: i16,
    /// E-mail of the editor.
    #[sea_orm(column_type = "Text")]
    pub edited_by: String,
    /// The editor's name at that time.
    #[sea_orm(column_type = "Text")]
    pub edited_by_name: String,
    pub edited_at_ms: i64,
    /// JSON array of objects with `field`, `before` and `after`.
    #[sea_orm(column_type = "Text")]
    pub changes: String,
    /// Why; may be empty.
    #[sea_orm(column_type = "Text")]
    pub comment: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
