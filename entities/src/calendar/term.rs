//! A category or a tag of events.

use sea_orm::entity::prelude::*;

/// A category or a tag of events.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "calendar_terms")]
pub struct Model {
    /// Terms have numbers of their own.
    #[sea_orm(primary_key)]
    pub id: i64,
    /// `category` or `tag`.
    #[sea_orm(column_type = "Text")]
    pub taxonomy: String,
    /// As shown.
    #[sea_orm(column_type = "Text")]
    pub name: String,
    /// The name as names are compared, sorted and searched.
    #[sea_orm(column_type = "Text")]
    pub name_key: String,
    /// Unique within its taxonomy.
    #[sea_orm(column_type = "Text")]
    pub slug: String,
    /// May be empty.
    #[sea_orm(column_type = "Text")]
    pub description: String,
    /// The category that it belongs to.
    pub parent: Option<i64>,
    /// Published events that have it.
    pub count: i64,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
