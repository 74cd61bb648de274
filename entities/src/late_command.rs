//! Commands that came after the end of their test. They change nothing by themselves.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "late_commands")]
pub struct Model {
    /// Also the order in which they came.
    #[sea_orm(primary_key)]
    pub id: i64,
    pub session_id: Uuid,
    /// The line of the device that has made it; 0 for clients that know no lines.
    pub line: i16,
    pub seq: i64,
    /// As the client names it.
    #[sea_orm(column_type = "Text")]
    pub question_id: String,
    /// As in `journal_entries`; -1 for what could not be read.
    pub kind: i16,
    /// As in `journal_entries`; of what could not be read, its text.
    #[sea_orm(column_type = "Text", nullable)]
    pub value: Option<String>,
    /// Whole seconds on the question; only for a choice.
    pub time_taken: Option<i32>,
    /// When the student acted, as the client claims.
    pub at_ms: Option<i64>,
    pub received_at_ms: i64,
    /// Whether it came by a file.
    pub from_file: bool,
    /// 0 nobody has decided, 1 accepted, 2 declined.
    pub state: i16,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
