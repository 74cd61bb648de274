//! The leaves of the logs of sittings: which receipt is where. Rows are only ever inserted.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sitting_leaves")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub sitting_id: Uuid,
    /// The index of the leaf, from 0.
    #[sea_orm(primary_key, auto_increment = false)]
    pub position: i64,
    pub session_id: Uuid,
    pub version: i32,
    /// The index of the leaf whose place it takes.
    pub replaces: Option<i64>,
    /// 32 bytes: the hash of the entry.
    pub hash: Vec<u8>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
