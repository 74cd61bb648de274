//! Whether there has ever been an admin, and the row that all changes of roles lock.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "first_admin")]
pub struct Model {
    /// 0 is the row that changes of roles lock, and always exists. 1 exists once there has been an admin.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i16,
    pub since_ms: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
