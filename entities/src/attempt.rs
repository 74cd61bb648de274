//! Live tests: what was fixed at the start, the paper, and the end. The answers are in `journal_entries`.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "attempts")]
pub struct Model {
    /// Also the id of the stored session.
    #[sea_orm(primary_key, auto_increment = false)]
    pub session_id: Uuid,
    /// SHA-256 of the session token, which itself is stored nowhere.
    pub token_hash: Vec<u8>,
    /// SHA-256 of the start's `key` and the owner; null without a key, or when a later attempt has the key.
    pub start_key_hash: Option<Vec<u8>>,
    /// Makes the session token again, together with the start's `key`, which is stored nowhere
    /// (`docs/decisions/0004-start-tokens-from-key-and-salt.md`).
    pub token_salt: Option<Vec<u8>>,
    pub grade: i16,
    /// `standard` or `adaptive`.
    #[sea_orm(column_type = "Text")]
    pub mode: String,
    pub duration_minutes: i32,
    /// `basic` or `scientific`; null when the student may use no calculator.
    #[sea_orm(column_type = "Text", nullable)]
    pub calculator: Option<String>,
    /// The types of questions that stage 2 is drawn from, `number` or `all`; null for multiple choice.
    #[sea_orm(column_type = "Text", nullable)]
    pub types: Option<String>,
    pub started_at_ms: i64,
    /// When the time is up if there is no hard end.
    pub deadline_ms: i64,
    /// The caller's JSON object.
    #[sea_orm(column_type = "Text")]
    pub annotations: String,
    /// Where the webhook is sent when the test ends.
    #[sea_orm(column_type = "Text", nullable)]
    pub webhook_url: Option<String>,
    /// The base URL of the report's link.
    #[sea_orm(column_type = "Text")]
    pub base_url: String,
    /// E-mail of the user who was signed in at the start.
    #[sea_orm(column_type = "Text", nullable)]
    pub owner: Option<String>,
    /// The questions of stage 1 with their keys, as JSON: later edits of the bank change no running test.
    #[sea_orm(column_type = "Text")]
    pub paper: String,
    /// The same for stage 2, once it has begun.
    #[sea_orm(column_type = "Text", nullable)]
    pub second_paper: Option<String>,
    /// The band that stage 2 was drawn for.
    #[sea_orm(column_type = "Text", nullable)]
    pub band: Option<String>,
    pub template_id: Option<Uuid>,
    /// The template's second lists by band as they were at the start, with their keys, as JSON.
    #[sea_orm(column_type = "Text", nullable)]
    pub second_papers: Option<String>,
    /// Null while the attempt lasts.
    pub ended_at_ms: Option<i64>,
    /// `student`, `deadline` or `proctor`.
    #[sea_orm(column_type = "Text", nullable)]
    pub ended_by: Option<String>,
    /// When the current pause began; null while the clock runs.
    pub paused_at_ms: Option<i64>,
    /// The orders by which the clock stands still, as a sum: 1 for the student, 2 for the hall, 4 for the sitting, 8
    /// for the template, 16 for the grade. 0 for a pause from before version 0.6.
    pub paused_in: i16,
    /// The word for the student while the clock stands still.
    #[sea_orm(column_type = "Text", nullable)]
    pub pause_text: Option<String>,
    /// The minutes that proctors have added to the duration, less those that they have taken.
    pub extended_minutes: i32,
    /// The duration in milliseconds; null when it is the whole minutes.
    pub given_ms: Option<i64>,
    /// The moment that neither extensions nor pauses can move; null if there is none.
    pub hard_end_ms: Option<i64>,
    /// E-mail of the proctor who has ordered the end.
    #[sea_orm(column_type = "Text", nullable)]
    pub finish_by: Option<String>,
    /// The sitting that the test belongs to; null for tests that anyone may take at any time.
    pub sitting_id: Option<Uuid>,
    /// Who takes it there; unique in the sitting.
    pub candidate_id: Option<Uuid>,
    /// How often it has gone on after an end. Each time its seat has numbers above those before.
    pub reopenings: i32,
    /// When it was reopened last; null before the first time, like the next.
    pub reopened_at_ms: Option<i64>,
    /// E-mail of the proctor who has reopened it last.
    #[sea_orm(column_type = "Text", nullable)]
    pub reopened_by: Option<String>,
    /// Whether that was done although the student had been shown the key.
    pub reopened_forced: bool,
    /// The time between its ends and its reopenings in milliseconds. Like the pauses, the deadline has it on top.
    pub ended_ms: i64,
    /// When the student was shown the key for the first time; null before that.
    pub answers_seen_at_ms: Option<i64>,
    /// Whether stage 2 began with the end, so that nobody has seen it.
    pub stage_unseen: bool,
    /// Which form of the template it is of, `A` to `H`; null where there is only one.
    #[sea_orm(column_type = "Text", nullable)]
    pub form: Option<String>,
    /// Which test of the template it is that its owner has begun, from 1, where they are counted; null elsewhere.
    /// Unique for each template and owner.
    pub counted: Option<i32>,
    /// Whether the questions that stage 2 is drawn from show their options in an order of the attempt's own.
    pub shuffles: bool,
    /// The scale by which the result is marked, as JSON; null for no mark, and in a sitting, which has the scale.
    #[sea_orm(column_type = "Text", nullable)]
    pub mark_scale: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
