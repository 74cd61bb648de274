//! What the tests of corrections have to follow: that one was made, or that it was reverted. One row for each, numbered
//! in the order in which they were committed.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "correction_steps")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: i64,
    pub correction_id: Uuid,
    /// Tests that have to follow; null until they are counted.
    pub total: Option<i64>,
    /// Those that have, of the pieces that are done.
    pub done: i64,
    /// Null while some are left.
    pub finished_at_ms: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
