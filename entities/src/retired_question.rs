//! Questions that were taken out of the bank for good, and can be brought back.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "retired_questions")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub id: String,
    pub grade: i16,
    /// The whole question, as JSON.
    #[sea_orm(column_type = "Text")]
    pub content: String,
    /// Whether it was for exams alone.
    pub secure: bool,
    /// As in the bank.
    pub practice: Option<bool>,
    /// As in the bank.
    #[sea_orm(column_type = "Text", nullable)]
    pub written_by: Option<String>,
    /// E-mail of the admin.
    #[sea_orm(column_type = "Text")]
    pub retired_by: String,
    pub retired_at_ms: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
