//! Where events take place.

use sea_orm::entity::prelude::*;

/// Where events take place.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "calendar_venues")]
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
    /// What the slug was before the venue was put in the trash.
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
    /// Street and number.
    #[sea_orm(column_type = "Text")]
    pub address: String,
    /// City.
    #[sea_orm(column_type = "Text")]
    pub city: String,
    /// Country.
    #[sea_orm(column_type = "Text")]
    pub country: String,
    /// Province.
    #[sea_orm(column_type = "Text")]
    pub province: String,
    /// State.
    #[sea_orm(column_type = "Text")]
    pub state: String,
    /// State or province.
    #[sea_orm(column_type = "Text")]
    pub state_province: String,
    /// Postal code.
    #[sea_orm(column_type = "Text")]
    pub zip: String,
    /// Phone number.
    #[sea_orm(column_type = "Text")]
    pub phone: String,
    /// Link.
    #[sea_orm(column_type = "Text")]
    pub website: String,
    /// Whether a map is shown.
    pub shows_map: bool,
    /// Whether a link to a map is shown.
    pub shows_map_link: bool,
    /// Degrees north.
    pub latitude: Option<f64>,
    /// Degrees east.
    pub longitude: Option<f64>,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
