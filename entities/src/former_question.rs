//! Versions of questions that the bank no longer has, for the reports of tests that have asked them.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "former_questions")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub question_id: String,
    /// A digest of what reports show of it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub version: i64,
    /// The whole question, as JSON.
    #[sea_orm(column_type = "Text")]
    pub content: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
