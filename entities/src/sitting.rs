//! Sittings: exams of a template for a list of people, at a set time.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sittings")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    #[sea_orm(column_type = "Text")]
    pub name: String,
    pub template_id: Uuid,
    pub starts_at_ms: i64,
    /// `clock`, `proctor` or `own`.
    #[sea_orm(column_type = "Text")]
    pub start: String,
    /// Whether a proctor begins each room for itself.
    pub per_room: bool,
    /// Null for half an hour before the start.
    pub doors_at_ms: Option<i64>,
    pub entry_until_ms: Option<i64>,
    /// The hard end.
    pub ends_at_ms: Option<i64>,
    /// `cut` or `full`.
    #[sea_orm(column_type = "Text")]
    pub late: String,
    /// `now`, `held` or `at`.
    #[sea_orm(column_type = "Text")]
    pub results: String,
    /// Set exactly for `at`.
    pub results_at_ms: Option<i64>,
    #[sea_orm(column_type = "Text", unique)]
    pub code: String,
    /// When the doors were opened, and the candidates' accommodations copied.
    pub opened_at_ms: Option<i64>,
    /// Whether that was for someone who starts before the others.
    pub opened_early: bool,
    /// From when time counts.
    pub begun_at_ms: Option<i64>,
    pub released_at_ms: Option<i64>,
    pub ended_at_ms: Option<i64>,
    /// The event of the calendar about it.
    pub event_id: Option<i64>,
    /// Whether the sitting keeps such an event up to date.
    pub publish: bool,
    #[sea_orm(column_type = "Text", nullable)]
    pub webhook_url: Option<String>,
    /// What proctors have ordered for everyone, as JSON; null for nothing.
    #[sea_orm(column_type = "Text", nullable)]
    pub standing: Option<String>,
    /// Encrypted with a key of the server: opens the sealed parts of the paper.
    pub sealing_key: Option<Vec<u8>>,
    /// The scale by which results are marked, as JSON; null for no marks.
    #[sea_orm(column_type = "Text", nullable)]
    pub mark_scale: Option<String>,
    /// Raised by each change of the sitting and of its roster.
    pub version: i64,
    /// Raised by each mark of a candidate, and by each incident.
    pub marks: i64,
    /// E-mail.
    #[sea_orm(column_type = "Text")]
    pub created_by: String,
    pub created_at_ms: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
