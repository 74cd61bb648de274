//! The categories and tags of events.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "calendar_terms")]
pub struct Model {
    /// Not from `calendar_ids`: terms have their own sequence.
    #[sea_orm(primary_key)]
    pub id: i64,
    /// `category` or `tag`.
    #[sea_orm(column_type = "Text")]
    pub taxonomy: String,
    #[sea_orm(column_type = "Text")]
    pub name: String,
    /// The name in the form in which names are compared, sorted and searched.
    #[sea_orm(column_type = "Text")]
    pub name_key: String,
    /// Unique in its taxonomy.
    #[sea_orm(column_type = "Text")]
    pub slug: String,
    /// May be empty.
    #[sea_orm(column_type = "Text")]
    pub description: String,
    /// The category that contains this one.
    pub parent: Option<i64>,
    /// How many published events have it.
    pub count: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
