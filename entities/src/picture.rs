//! Pictures of questions that were uploaded here, each once by its content.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "pictures")]
pub struct Model {
    /// SHA-256 of the content, in hexadecimal.
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub digest: String,
    /// Such as `image/png`.
    #[sea_orm(column_type = "Text")]
    pub media_type: String,
    /// In pixels; 0 for a drawing that does not say it.
    pub width: i32,
    pub height: i32,
    pub content: Vec<u8>,
    /// E-mail of whoever uploaded it last.
    #[sea_orm(column_type = "Text")]
    pub uploaded_by: String,
    pub uploaded_at_ms: i64,
    /// Whether a question has ever shown it. Such a picture stays, since a test may have asked that question.
    pub used: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
