//! Files with late work that were handed in, so that each is taken once.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "late_files")]
pub struct Model {
    /// SHA-256 of what the file authenticates.
    #[sea_orm(primary_key, auto_increment = false)]
    pub digest: Vec<u8>,
    pub session_id: Uuid,
    /// E-mail of whoever has handed it in.
    #[sea_orm(column_type = "Text")]
    pub handed_in_by: String,
    pub at_ms: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
