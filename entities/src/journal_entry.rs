//! The answers of live tests: the latest saved value of each kind for each question.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "journal_entries")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub session_id: Uuid,
    /// The question's position on the paper, from 0.
    #[sea_orm(primary_key, auto_increment = false)]
    pub position: i16,
    /// 0 choice, 1 mark, 2 visit, 3 drawing, 4 eliminations.
    #[sea_orm(primary_key, auto_increment = false)]
    pub kind: i16,
    /// The `seq` of the command that set it.
    pub seq: i64,
    /// The letter of the choice, or the number as it was typed, `1` for a mark or a visit, a drawing as JSON, the
    /// letters of the options that are crossed out, such as `AC`; null when cleared.
    #[sea_orm(column_type = "Text", nullable)]
    pub value: Option<String>,
    /// Whole seconds on the question; only for a choice.
    pub time_taken: Option<i32>,
    /// The line of the device that set it; 0 for clients that know no lines.
    pub line: i16,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
