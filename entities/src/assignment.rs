//! The grades that a reviewer or a manager is assigned to.

use sea_orm::entity::prelude::*;

/// The grades that a reviewer or a manager is assigned to.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "assignments")]
pub struct Model {
    /// `reviewer` or `manager`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub kind: String,
    /// In lower case.
    #[sea_orm(primary_key, auto_increment = false)]
    pub email: String,
    /// As shown.
    #[sea_orm(column_type = "Text")]
    pub name: String,
    /// JSON array of grades, in order.
    #[sea_orm(column_type = "Text")]
    pub grades: String,
    /// The admin's e-mail.
    #[sea_orm(column_type = "Text")]
    pub assigned_by: String,
    /// Milliseconds since 1970.
    pub assigned_at_ms: i64,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
