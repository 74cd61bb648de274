//! The latest review of each question; one that was never reviewed has no row.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "reviews")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub question_id: String,
    /// `approved`, `flagged` or `pending`.
    #[sea_orm(column_type = "Text")]
    pub status: String,
    /// E-mail of the reviewer.
    #[sea_orm(column_type = "Text")]
    pub reviewed_by: String,
    /// The reviewer's name at that time.
    #[sea_orm(column_type = "Text")]
    pub reviewed_by_name: String,
    pub reviewed_at_ms: i64,
    /// May be empty.
    #[sea_orm(column_type = "Text")]
    pub note: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
