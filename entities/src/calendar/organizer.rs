//! The organizers of events.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "calendar_organizers")]
pub struct Model {
    /// From `calendar_ids`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i64,
    /// From `calendar_authors`.
    pub author: i64,
    /// Such as `publish`.
    #[sea_orm(column_type = "Text")]
    pub status: String,
    /// Unique.
    #[sea_orm(column_type = "Text")]
    pub slug: String,
    /// The slug from before the organizer was put in the trash.
    #[sea_orm(column_type = "Text", nullable)]
    pub former_slug: Option<String>,
    pub published_at_ms: i64,
    /// Whether `published_at_ms` is fixed. A draft's is not, until a date is sent or it is published.
    pub is_dated: bool,
    pub modified_at_ms: i64,
    /// HTML.
    #[sea_orm(column_type = "Text")]
    pub name: String,
    /// The name in the form in which names are compared.
    #[sea_orm(column_type = "Text")]
    pub name_key: String,
    /// HTML.
    #[sea_orm(column_type = "Text")]
    pub description: String,
    /// Link to a picture.
    #[sea_orm(column_type = "Text", nullable)]
    pub image: Option<String>,
    #[sea_orm(column_type = "Text")]
    pub phone: String,
    #[sea_orm(column_type = "Text")]
    pub website: String,
    /// As it was sent.
    #[sea_orm(column_type = "Text")]
    pub email: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
