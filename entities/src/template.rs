//! A test template: its config, and the ids of the questions that it has locked.

use sea_orm::entity::prelude::*;

/// A test template: its config, and the ids of the questions that it has locked.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "templates")]
pub struct Model {
    /// Identifier, also the secret of its share link.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// As shown.
    #[sea_orm(column_type = "Text")]
    pub name: String,
    /// JSON array of grades.
    #[sea_orm(column_type = "Text")]
    pub grades: String,
    /// `standard` or `adaptive`.
    #[sea_orm(column_type = "Text")]
    pub mode: String,
    /// Whole minutes.
    pub duration_minutes: i32,
    /// Questions wanted of each difficulty in each list, as JSON.
    #[sea_orm(column_type = "Text")]
    pub targets: String,
    /// Ids of the locked questions of each list, as JSON.
    #[sea_orm(column_type = "Text")]
    pub papers: String,
    /// The creator's e-mail.
    #[sea_orm(column_type = "Text")]
    pub created_by: String,
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
    /// Milliseconds since 1970.
    pub updated_at_ms: i64,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
