//! Keys with which this server signs what it sends to learning platforms.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "lti_keys")]
pub struct Model {
    /// The thumbprint of RFC 7638.
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub kid: String,
    /// The public modulus, with the highest byte first. The exponent is 65537.
    pub modulus: Vec<u8>,
    /// The private key as PKCS #8, sealed under a key of the server.
    pub sealed: Vec<u8>,
    /// From when on platforms are shown it.
    pub published_at_ms: i64,
    /// From when on it signs: a day later, but for the first.
    pub signs_from_ms: i64,
    /// Until when platforms are shown it; null while it signs or is about to.
    pub ends_at_ms: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
