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
    /// How it was got: 0 at the door of a sitting with an access code, 1 by the signed-in owner, 2 with a proctor's
    /// code.
    pub origin: i16,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
