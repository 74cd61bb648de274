//! What launches have used: each of these is good for one.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "lti_nonces")]
pub struct Model {
    /// SHA-256 of the platform and the nonce.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: Vec<u8>,
    pub expires_at_ms: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
