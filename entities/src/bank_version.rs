//! The version of each grade's bank: servers compare it to find out whether their copy in memory is old.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "bank_versions")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub grade: i16,
    /// Increased by each change of the bank, in the same transaction.
    pub version: i64,
    /// Whether the bank is a copy of an external data provider's.
    pub copied: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
