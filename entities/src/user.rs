//! Someone who may sign in.

use sea_orm::entity::prelude::*;

/// Someone who may sign in.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "users")]
pub struct Model {
    /// In lower case.
    #[sea_orm(primary_key, auto_increment = false)]
    pub email: String,
    /// As shown.
    #[sea_orm(column_type = "Text")]
    pub name: String,
    /// Link or empty.
    #[sea_orm(column_type = "Text")]
    pub image: String,
    /// `student`, `reviewer`, `manager` or `admin`.
    #[sea_orm(column_type = "Text")]
    pub role: String,
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
    /// Milliseconds since 1970.
    pub last_login_ms: Option<i64>,
    /// When an external data provider last said all this; none in this service's own data. Milliseconds since 1970.
    pub copied_at_ms: Option<i64>,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
