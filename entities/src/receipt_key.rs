//! The public keys with which receipts have been signed, so that old receipts can be checked after a change of the key.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "receipt_keys")]
pub struct Model {
    /// The thumbprint of RFC 7638.
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub kid: String,
    /// 32 bytes.
    pub public_key: Vec<u8>,
    /// When a server began to sign with it.
    pub since_ms: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
