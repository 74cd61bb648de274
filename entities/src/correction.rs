//! Corrections of keys, each of one question within a scope. Rows are never removed.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "corrections")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The step by which it was made: of two corrections, the later has the higher number.
    pub number: i64,
    #[sea_orm(column_type = "Text")]
    pub question_id: String,
    /// `key`, `also`, `all` or `drop`.
    #[sea_orm(column_type = "Text")]
    pub kind: String,
    /// The letters that it names, such as `BC`, or the numbers, such as `0.5 -2`; empty without any.
    #[sea_orm(column_type = "Text")]
    pub options: String,
    /// The digest of the options that these letters stand for; null if it names none, or if that is not known.
    pub of_options: Option<i64>,
    /// The scope: a sitting, or a template, or a grade with the four columns that follow.
    pub sitting_id: Option<Uuid>,
    pub template_id: Option<Uuid>,
    pub grade: Option<i16>,
    pub from_ms: Option<i64>,
    pub until_ms: Option<i64>,
    /// The templates of a grade whose tests it is about, as JSON; null for all.
    #[sea_orm(column_type = "Text", nullable)]
    pub templates: Option<String>,
    pub nobody_loses: bool,
    #[sea_orm(column_type = "Text")]
    pub comment: String,
    /// E-mail of whoever has made it.
    #[sea_orm(column_type = "Text")]
    pub made_by: String,
    pub made_at_ms: i64,
    /// The step by which it was reverted; null while it holds, like the next two.
    pub reverted_number: Option<i64>,
    #[sea_orm(column_type = "Text", nullable)]
    pub reverted_by: Option<String>,
    pub reverted_at_ms: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
