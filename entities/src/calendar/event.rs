//! An event of the calendar.

use sea_orm::entity::prelude::*;

/// An event of the calendar.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "calendar_events")]
pub struct Model {
    /// Of `calendar_ids`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i64,
    /// Of `calendar_authors`.
    pub author: i64,
    /// Such as `publish`.
    #[sea_orm(column_type = "Text")]
    pub status: String,
    /// Unique unless empty, which drafts may have it.
    #[sea_orm(column_type = "Text")]
    pub slug: String,
    /// What the slug was before the event was put in the trash.
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
    pub title: String,
    /// HTML.
    #[sea_orm(column_type = "Text")]
    pub description: String,
    /// HTML.
    #[sea_orm(column_type = "Text")]
    pub excerpt: String,
    /// Link of a picture.
    #[sea_orm(column_type = "Text", nullable)]
    pub image: Option<String>,
    /// From the first to the last second of days.
    pub is_all_day: bool,
    /// `YYYY-MM-DD hh:mm:ss` on the clocks of the zone; lists are in this order.
    #[sea_orm(column_type = "Text")]
    pub starts_local: String,
    /// `YYYY-MM-DD hh:mm:ss` on the clocks of the zone.
    #[sea_orm(column_type = "Text")]
    pub ends_local: String,
    /// Milliseconds since 1970; lists are bounded by these.
    pub starts_at_ms: i64,
    /// Milliseconds since 1970.
    pub ends_at_ms: i64,
    /// As sent.
    #[sea_orm(column_type = "Text")]
    pub timezone: String,
    /// JSON array of the texts that were sent.
    #[sea_orm(column_type = "Text")]
    pub cost: String,
    /// A link; none when none was ever sent.
    #[sea_orm(column_type = "Text", nullable)]
    pub website: Option<String>,
    /// Whether a map is shown.
    pub shows_map: bool,
    /// Whether a link to a map is shown.
    pub shows_map_link: bool,
    /// Whether no list shows it.
    pub is_hidden: bool,
    /// Whether it sticks out.
    pub is_sticky: bool,
    /// Whether it is featured.
    pub is_featured: bool,
    /// Of `calendar_venues`.
    pub venue_id: Option<i64>,
    /// The exam that it announces, as JSON.
    #[sea_orm(column_type = "Text", nullable)]
    pub exam: Option<String>,
    /// Title, description and excerpt as they are searched.
    #[sea_orm(column_type = "Text")]
    pub search: String,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
