//! The users: people who may sign in.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "users")]
pub struct Model {
    /// In lower case.
    #[sea_orm(primary_key, auto_increment = false)]
    pub email: String,
    #[sea_orm(column_type = "Text")]
    pub name: String,
    /// Link to a picture; may be empty.
    #[sea_orm(column_type = "Text")]
    pub image: String,
    /// `student`, `reviewer`, `manager` or `admin`.
    #[sea_orm(column_type = "Text")]
    pub role: String,
    pub created_at_ms: i64,
    pub last_login_ms: Option<i64>,
    /// When an external data provider last confirmed this row; null for this service's own users.
    pub copied_at_ms: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
