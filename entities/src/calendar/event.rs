//! The events of the calendar.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "calendar_events")]
pub struct Model {
    /// From `calendar_ids`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i64,
    /// From `calendar_authors`.
    pub author: i64,
    /// Such as `publish`.
    #[sea_orm(column_type = "Text")]
    pub status: String,
    /// Unique, except that drafts may have an empty one.
    #[sea_orm(column_type = "Text")]
    pub slug: String,
    /// The slug from before the event was put in the trash.
    #[sea_orm(column_type = "Text", nullable)]
    pub former_slug: Option<String>,
    pub published_at_ms: i64,
    /// Whether `published_at_ms` is fixed. A draft's is not, until a date is sent or it is published.
    pub is_dated: bool,
    pub modified_at_ms: i64,
    /// HTML, as are the next two.
    #[sea_orm(column_type = "Text")]
    pub title: String,
    #[sea_orm(column_type = "Text")]
    pub description: String,
    #[sea_orm(column_type = "Text")]
    pub excerpt: String,
    /// Link to a picture.
    #[sea_orm(column_type = "Text", nullable)]
    pub image: Option<String>,
    /// Whether it lasts from the first to the last second of its days.
    pub is_all_day: bool,
    /// `YYYY-MM-DD hh:mm:ss` in the event's time zone; lists are sorted by it.
    #[sea_orm(column_type = "Text")]
    pub starts_local: String,
    /// The same for the end.
    #[sea_orm(column_type = "Text")]
    pub ends_local: String,
    /// Lists filter by this and the next one.
    pub starts_at_ms: i64,
    pub ends_at_ms: i64,
    /// As it was sent.
    #[sea_orm(column_type = "Text")]
    pub timezone: String,
    /// JSON array of the texts that were sent.
    #[sea_orm(column_type = "Text")]
    pub cost: String,
    /// A link; null when none was ever sent.
    #[sea_orm(column_type = "Text", nullable)]
    pub website: Option<String>,
    pub shows_map: bool,
    pub shows_map_link: bool,
    /// Whether it is left out of all lists.
    pub is_hidden: bool,
    /// Whether the API marks it as sticky.
    pub is_sticky: bool,
    pub is_featured: bool,
    /// From `calendar_venues`.
    pub venue_id: Option<i64>,
    /// The exam that it announces, as JSON.
    #[sea_orm(column_type = "Text", nullable)]
    pub exam: Option<String>,
    /// The id of the template of that exam.
    #[sea_orm(column_type = "Text", nullable)]
    pub exam_template: Option<String>,
    /// From when students may begin that exam; null if they always may.
    pub exam_opens_at_ms: Option<i64>,
    /// Title, description and excerpt in the form in which they are searched.
    #[sea_orm(column_type = "Text")]
    pub search: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
