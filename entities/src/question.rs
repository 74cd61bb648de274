//! A question of the bank, with its key.

use sea_orm::entity::prelude::*;

/// A question of the bank, with its key.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "questions")]
pub struct Model {
    /// Identifier, such as `g5-014` or a UUID.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    /// 1 to 10.
    pub grade: i16,
    /// Topic as reports show it.
    #[sea_orm(column_type = "Text")]
    pub topic: String,
    /// Narrower than the topic.
    #[sea_orm(column_type = "Text")]
    pub subtopic: String,
    /// 1 to 5.
    pub difficulty: i16,
    /// Origin label.
    #[sea_orm(column_type = "Text")]
    pub source: String,
    /// `type` in JSON: `multiple-choice`.
    #[sea_orm(column_type = "Text")]
    pub kind: String,
    /// Question text.
    #[sea_orm(column_type = "Text")]
    pub question: String,
    /// JSON array of two to four options.
    #[sea_orm(column_type = "Text")]
    pub options: String,
    /// `A` to `D`.
    #[sea_orm(column_type = "Text")]
    pub answer: String,
    /// How the answer is found.
    #[sea_orm(column_type = "Text")]
    pub explanation: String,
    /// Empty when there is none.
    #[sea_orm(column_type = "Text")]
    pub image: String,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
