//! When and from what the difficulties of each grade's questions were measured last. Grades without live tests have no
//! row.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "measurements")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub grade: i16,
    /// Another text for other tests, results, labels or keys. Empty before the first measurement.
    #[sea_orm(column_type = "Text")]
    pub mark: String,
    pub measured_at_ms: i64,
    /// Higher with each server that takes it, so that one which was taken for dead stores nothing.
    pub fence: i64,
    /// When another server may take it; 0 if none has it.
    pub leased_until_ms: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
