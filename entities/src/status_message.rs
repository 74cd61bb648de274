//! What an admin has the pages say: one row, which does not exist before the first message.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "status_messages")]
pub struct Model {
    /// Always 1.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i16,
    /// In English; empty for none.
    #[sea_orm(column_type = "Text")]
    pub en: String,
    /// In Vietnamese; empty for none.
    #[sea_orm(column_type = "Text")]
    pub vi: String,
    pub changed_at_ms: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
