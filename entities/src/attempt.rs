//! One student's live test: what was agreed at its start, its paper, and how it ended.

use sea_orm::entity::prelude::*;

/// One student's live test: what was agreed at its start, its paper, and how it ended.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "attempts")]
pub struct Model {
    /// Identifier, also of the stored session.
    #[sea_orm(primary_key, auto_increment = false)]
    pub session_id: Uuid,
    /// SHA-256 of the session token; the token itself is nowhere.
    pub token_hash: Vec<u8>,
    /// SHA-256 of the `key` of its start, while that may be repeated.
    pub start_key_hash: Option<Vec<u8>>,
    /// With the start's `key`, which is nowhere stored, it makes the token again.
    pub token_salt: Option<Vec<u8>>,
    /// 1 to 10.
    pub grade: i16,
    /// `standard` or `adaptive`.
    #[sea_orm(column_type = "Text")]
    pub mode: String,
    /// Whole minutes.
    pub duration_minutes: i32,
    /// Milliseconds since 1970.
    pub started_at_ms: i64,
    /// Milliseconds since 1970.
    pub deadline_ms: i64,
    /// JSON object of the caller.
    #[sea_orm(column_type = "Text")]
    pub annotations: String,
    /// Where the completion is told.
    #[sea_orm(column_type = "Text", nullable)]
    pub webhook_url: Option<String>,
    /// What the report's link begins with.
    #[sea_orm(column_type = "Text")]
    pub base_url: String,
    /// E-mail of who was signed in at the start.
    #[sea_orm(column_type = "Text", nullable)]
    pub owner: Option<String>,
    /// Questions of stage 1 with their keys, as JSON.
    #[sea_orm(column_type = "Text")]
    pub paper: String,
    /// Questions of stage 2 with their keys, as JSON.
    #[sea_orm(column_type = "Text", nullable)]
    pub second_paper: Option<String>,
    /// Band that stage 2 was made for.
    #[sea_orm(column_type = "Text", nullable)]
    pub band: Option<String>,
    /// The template that it was started from.
    pub template_id: Option<Uuid>,
    /// The template's second lists with their keys by band, as JSON, as they were at the start.
    #[sea_orm(column_type = "Text", nullable)]
    pub second_papers: Option<String>,
    /// Milliseconds since 1970; null while it lasts.
    pub ended_at_ms: Option<i64>,
    /// `student`, `deadline` or `proctor`.
    #[sea_orm(column_type = "Text", nullable)]
    pub ended_by: Option<String>,
    /// Milliseconds since 1970; null while the clock runs.
    pub paused_at_ms: Option<i64>,
    /// What proctors have added to the duration, in whole minutes.
    pub extended_minutes: i32,
    /// E-mail of the proctor who has ordered the end.
    #[sea_orm(column_type = "Text", nullable)]
    pub finish_by: Option<String>,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
