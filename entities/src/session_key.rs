//! The idempotency keys of results that clients have handed in, so that a repeated request gets the first answer.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "session_keys")]
pub struct Model {
    /// SHA-256 of the caller and the key.
    #[sea_orm(primary_key, auto_increment = false)]
    pub key_hash: Vec<u8>,
    /// SHA-256 of the request's body.
    pub body_hash: Vec<u8>,
    /// The session that the first request has stored.
    pub session_id: Uuid,
    #[sea_orm(column_type = "Text")]
    pub report_url: String,
    pub created_at_ms: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
