//! How often the bank of a grade has changed: what tells every server that its copy is old.

use sea_orm::entity::prelude::*;

/// How often the bank of a grade has changed: what tells every server that its copy is old.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "bank_versions")]
pub struct Model {
    /// 1 to 10.
    #[sea_orm(primary_key, auto_increment = false)]
    pub grade: i16,
    /// Goes up with each change, in the same transaction.
    pub version: i64,
    /// Whether an external data provider has the bank, and this is its copy.
    pub copied: bool,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
