//! A finished test.

use sea_orm::entity::prelude::*;

/// A finished test.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sessions")]
pub struct Model {
    /// Identifier.
    #[sea_orm(primary_key, auto_increment = false)]
    pub session_id: Uuid,
    /// 1 to 10.
    pub grade: i16,
    /// Milliseconds since 1970.
    pub started_at_ms: i64,
    /// Milliseconds since 1970.
    pub completed_at_ms: i64,
    /// Whether the receiver has answered 2xx.
    pub webhook_sent: bool,
    /// Link of the report.
    #[sea_orm(column_type = "Text")]
    pub report_url: String,
    /// JSON object of the caller.
    #[sea_orm(column_type = "Text")]
    pub annotations: String,
    /// The result as JSON.
    #[sea_orm(column_type = "Text")]
    pub result: String,
    /// Whether the server graded it by its own bank.
    pub verified: bool,
    /// JSON object from question id to drawing.
    #[sea_orm(column_type = "Text", nullable)]
    pub drawings: Option<String>,
    /// The keys that it was graded by, as JSON.
    #[sea_orm(column_type = "Text")]
    pub graded_by: String,
    /// 200 to 800, as in the result; for lists.
    pub score: i32,
    /// As in the result; for lists.
    pub correct_answers: i32,
    /// As in the result; for lists.
    pub total_questions: i32,
    /// The calendar's event that its annotations name; for lists.
    pub event_id: Option<i64>,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
