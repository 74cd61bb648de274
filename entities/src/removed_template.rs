//! What is left of removed templates whose tests do not tell their keys to students.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "removed_templates")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// `after-closing` or `never`.
    #[sea_orm(column_type = "Text")]
    pub show_answers: String,
    /// When it closes, or has closed; null if it never does.
    pub closes_at_ms: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
