//! Tokens with which programs use the API in the name of a user.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "api_tokens")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// SHA-256 of the token. The token itself is shown once and stored nowhere.
    pub token_hash: Vec<u8>,
    /// The user for whom the token acts.
    #[sea_orm(column_type = "Text")]
    pub email: String,
    /// What the owner uses it for.
    #[sea_orm(column_type = "Text")]
    pub name: String,
    /// The role of the token; the rights of its user limit it further.
    #[sea_orm(column_type = "Text")]
    pub role: String,
    pub created_at_ms: i64,
    pub last_used_at_ms: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
