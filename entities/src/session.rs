//! Finished tests.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sessions")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub session_id: Uuid,
    pub grade: i16,
    pub started_at_ms: i64,
    pub completed_at_ms: i64,
    /// Whether the webhook's receiver has answered 2xx.
    pub webhook_sent: bool,
    #[sea_orm(column_type = "Text")]
    pub report_url: String,
    /// The caller's JSON object.
    #[sea_orm(column_type = "Text")]
    pub annotations: String,
    /// As JSON.
    #[sea_orm(column_type = "Text")]
    pub result: String,
    /// Whether the server graded it with the keys of its own bank.
    pub verified: bool,
    /// JSON object from question id to drawing.
    #[sea_orm(column_type = "Text", nullable)]
    pub drawings: Option<String>,
    /// The keys that it was graded with, as JSON.
    #[sea_orm(column_type = "Text")]
    pub graded_by: String,
    /// As in `result`, like the next two: in columns of their own, so that lists need not parse the JSON.
    pub score: i32,
    pub correct_answers: i32,
    pub total_questions: i32,
    /// The calendar event that the annotations name, in a column so that it can be searched.
    pub event_id: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
