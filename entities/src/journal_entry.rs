//! One value of one question of a live test: the latest that was saved.

use sea_orm::entity::prelude::*;

/// One value of one question of a live test: the latest that was saved.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "journal_entries")]
pub struct Model {
    /// The attempt.
    #[sea_orm(primary_key, auto_increment = false)]
    pub session_id: Uuid,
    /// The question's place on the paper, from 0.
    #[sea_orm(primary_key, auto_increment = false)]
    pub position: i16,
    /// 0 choice, 1 mark, 2 visit, 3 drawing.
    #[sea_orm(primary_key, auto_increment = false)]
    pub kind: i16,
    /// The command that set it.
    pub seq: i64,
    /// The choice's letter, `1` for a mark or a visit, the drawing as JSON; null when cleared.
    #[sea_orm(column_type = "Text", nullable)]
    pub value: Option<String>,
    /// Whole seconds on the question, with a choice.
    pub time_taken: Option<i32>,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
