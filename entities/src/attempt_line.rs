//! The lines of the devices at which live tests are written, after the first, which needs no row.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "attempt_lines")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub session_id: Uuid,
    /// Newer ones are higher.
    #[sea_orm(primary_key, auto_increment = false)]
    pub line: i16,
    /// SHA-256 of the token with which a device got it.
    pub token_hash: Vec<u8>,
    /// The first line of that device.
    pub device: i16,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
