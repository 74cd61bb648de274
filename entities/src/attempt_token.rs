//! Further tokens of live tests, for students who go on with another device. The first token's hash is in `attempts`.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "attempt_tokens")]
pub struct Model {
    /// SHA-256 of the token, which itself is stored nowhere.
    #[sea_orm(primary_key, auto_increment = false)]
    pub token_hash: Vec<u8>,
    pub session_id: Uuid,
    pub made_at_ms: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
