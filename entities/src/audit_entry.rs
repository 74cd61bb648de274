//! What admins and managers have done, one row for each action.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_entries")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub at_ms: i64,
    /// E-mail of the one who acted.
    #[sea_orm(column_type = "Text")]
    pub actor: String,
    /// Such as `user.role`.
    #[sea_orm(column_type = "Text")]
    pub action: String,
    /// What it was done to: an id, an address or a name. May be empty.
    #[sea_orm(column_type = "Text")]
    pub subject: String,
    /// What has changed, in a few words. May be empty.
    #[sea_orm(column_type = "Text")]
    pub detail: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
