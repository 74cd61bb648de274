//! The grades assigned to reviewers and managers.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "assignments")]
pub struct Model {
    /// `reviewer` or `manager`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub kind: String,
    /// In lower case.
    #[sea_orm(primary_key, auto_increment = false)]
    pub email: String,
    #[sea_orm(column_type = "Text")]
    pub name: String,
    /// JSON array of grades in ascending order.
    #[sea_orm(column_type = "Text")]
    pub grades: String,
    /// E-mail of the admin.
    #[sea_orm(column_type = "Text")]
    pub assigned_by: String,
    pub assigned_at_ms: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
