//! Finished tests, as far as lists show them. Their large parts are in `session_bodies`, so that lists never read them.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sessions")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub session_id: Uuid,
    pub grade: i16,
    pub started_at_ms: i64,
    pub completed_at_ms: i64,
    /// Whether the webhook's receiver has answered 2xx to the newest version.
    pub webhook_sent: bool,
    #[sea_orm(column_type = "Text")]
    pub report_url: String,
    /// Whether the server graded it with the keys of its own bank.
    pub verified: bool,
    /// As in the result, like the next three: in columns of their own, so that lists need not parse the JSON.
    pub score: i32,
    pub correct_answers: i32,
    pub total_questions: i32,
    /// Whole seconds.
    pub time_taken: i32,
    /// The calendar event that the annotations name, in a column so that it can be searched.
    pub event_id: Option<i64>,
    /// The template that a live exam was started from.
    pub template_id: Option<Uuid>,
    /// The sitting that a live exam belongs to.
    pub sitting_id: Option<Uuid>,
    /// `live` or `client`.
    #[sea_orm(column_type = "Text")]
    pub origin: String,
    /// E-mail of the person who was signed in when a live exam began.
    #[sea_orm(column_type = "Text", nullable)]
    pub account: Option<String>,
    /// The annotation `name`, else `studentId`, else empty.
    #[sea_orm(column_type = "Text")]
    pub student: String,
    /// The annotation `studentId`.
    #[sea_orm(column_type = "Text", nullable)]
    pub student_id: Option<String>,
    /// Name, id and account in the form in which they are searched.
    #[sea_orm(column_type = "Text")]
    pub search_text: String,
    /// Counts the results that it has had, from 1. The earlier ones are in `session_versions`.
    pub version: i32,
    /// Why there is this result, such as `late_work`; null for the one that was handed in, like the next four.
    #[sea_orm(column_type = "Text", nullable)]
    pub version_reason: Option<String>,
    pub version_at_ms: Option<i64>,
    /// E-mail of whoever has made it.
    #[sea_orm(column_type = "Text", nullable)]
    pub version_by: Option<String>,
    #[sea_orm(column_type = "Text", nullable)]
    pub version_comment: Option<String>,
    /// The score of the version before.
    pub previous_score: Option<i32>,
    /// The last step of corrections that was known when it was graded. Later ones about it are still to follow.
    pub corrections_mark: i64,
    /// Which form of the template it is of, `A` to `H`; null where there was only one.
    #[sea_orm(column_type = "Text", nullable)]
    pub form: Option<String>,
    /// The scale by which the result is marked, as JSON; null for no mark, and in a sitting, which has the scale.
    #[sea_orm(column_type = "Text", nullable)]
    pub mark_scale: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
