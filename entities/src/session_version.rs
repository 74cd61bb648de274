//! The earlier results of finished tests, each whole: rows are only ever inserted. The newest is in `sessions` and
//! `session_bodies`.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "session_versions")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub session_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub version: i32,
    /// As in `sessions`, like all that follows but the last three, which are as in `session_bodies`.
    #[sea_orm(column_type = "Text", nullable)]
    pub reason: Option<String>,
    pub at_ms: Option<i64>,
    #[sea_orm(column_type = "Text", nullable)]
    pub made_by: Option<String>,
    #[sea_orm(column_type = "Text", nullable)]
    pub comment: Option<String>,
    pub previous_score: Option<i32>,
    pub completed_at_ms: i64,
    pub verified: bool,
    pub score: i32,
    pub correct_answers: i32,
    pub total_questions: i32,
    pub time_taken: i32,
    #[sea_orm(column_type = "Text")]
    pub result: String,
    #[sea_orm(column_type = "Text", nullable)]
    pub drawings: Option<String>,
    #[sea_orm(column_type = "Text")]
    pub graded_by: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
