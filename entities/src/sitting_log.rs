//! The log of each sitting: how many receipts it has, their root, and the checkpoint that was signed last.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sitting_logs")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub sitting_id: Uuid,
    /// When it was first written; null before.
    pub begun_at_ms: Option<i64>,
    /// When a test was last finished in the sitting, as far as the log has noticed.
    pub heard_at_ms: i64,
    /// Whether its beginning is told as the end of the sitting; null until it was first to begin.
    pub is_news: Option<bool>,
    pub size: i64,
    /// 32 bytes; null before the beginning, like the next three.
    pub root: Option<Vec<u8>>,
    #[sea_orm(column_type = "Text", nullable)]
    pub checkpoint: Option<String>,
    /// The one that was told when the log began.
    #[sea_orm(column_type = "Text", nullable)]
    pub first_checkpoint: Option<String>,
    /// The key that checks the checkpoint, as verifiers of notes take it.
    #[sea_orm(column_type = "Text", nullable)]
    pub vkey: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
