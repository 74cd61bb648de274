//! The keys for which files with late work are encrypted. The last one is given to students.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "late_keys")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i32,
    /// DER of the public key (SPKI).
    pub public_key: Vec<u8>,
    /// The private key (PKCS #8), sealed under a key that is derived from the service's secret.
    pub sealed_key: Vec<u8>,
    pub made_at_ms: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
