//! Whether an admin has ever existed, and the lock of all changes of roles.

use sea_orm::entity::prelude::*;

/// Whether an admin has ever existed, and the lock of all changes of roles.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "first_admin")]
pub struct Model {
    /// 0 is the lock, which is always there; 1 is there once an admin has existed.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i16,
    /// Milliseconds since 1970.
    pub since_ms: i64,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
