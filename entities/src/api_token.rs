//! A token by which a REST client acts for a user.

use sea_orm::entity::prelude::*;

/// A token by which a REST client acts for a user.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "api_tokens")]
pub struct Model {
    /// Identifier.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// SHA-256 of the token; the token itself is shown once.
    pub token_hash: Vec<u8>,
    /// The user.
    #[sea_orm(column_type = "Text")]
    pub email: String,
    /// What it is for.
    #[sea_orm(column_type = "Text")]
    pub name: String,
    /// What it may do.
    #[sea_orm(column_type = "Text")]
    pub role: String,
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
    /// Milliseconds since 1970.
    pub last_used_at_ms: Option<i64>,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
