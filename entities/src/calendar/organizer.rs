//! Who holds events.

use sea_orm::entity::prelude::*;

/// Who holds events.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "calendar_organizers")]
pub struct Model {
    /// Of `calendar_ids`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i64,
    /// Of `calendar_authors`.
    pub author: i64,
    /// Such as `publish`.
    #[sea_orm(column_type = "Text")]
    pub status: String,
    /// Unique.
    #[sea_orm(column_type = "Text")]
    pub slug: String,
    /// What the slug was before the organizer was put in the trash.
    #[sea_orm(column_type = "Text", nullable)]
    pub former_slug: Option<String>,
    /// Milliseconds since 1970.
    pub published_at_ms: i64,
    /// Whether that moment is settled: a draft's is not until one is sent or it is published.
    pub is_dated: bool,
    /// Milliseconds since 1970.
    pub modified_at_ms: i64,
    /// HTML.
    #[sea_orm(column_type = "Text")]
    pub name: String,
    /// The name as names are compared.
    #[sea_orm(column_type = "Text")]
    pub name_key: String,
    /// HTML.
    #[sea_orm(column_type = "Text")]
    pub description: String,
    /// Link of a picture.
    #[sea_orm(column_type = "Text", nullable)]
    pub image: Option<String>,
    /// Phone number.
    #[sea_orm(column_type = "Text")]
    pub phone: String,
    /// Link.
    #[sea_orm(column_type = "Text")]
    pub website: String,
    /// As sent.
    #[sea_orm(column_type = "Text")]
    pub email: String,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
