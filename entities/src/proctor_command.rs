//! Proctors' commands that were carried out, so that a repeated one gets the same answer and does nothing more.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "proctor_commands")]
pub struct Model {
    /// E-mail of the proctor.
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub proctor: String,
    /// `grade:5` or `template:<id>`.
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub room: String,
    /// The `id` that the proctor's client chose.
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub command_id: String,
    pub at_ms: i64,
    /// The answer as JSON.
    #[sea_orm(column_type = "Text")]
    pub answer: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
