//! Sealed parts of the papers of sittings, from the moment in which the doors open.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sealed_parts")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub sitting_id: Uuid,
    /// `1`, or a band.
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub part: String,
    /// Nonce, ciphertext and tag.
    pub sealed: Vec<u8>,
    /// SHA-256 of the sealed bytes.
    pub sha256: Vec<u8>,
    /// The questions with their keys, as JSON: by them tests of this sitting are graded.
    #[sea_orm(column_type = "Text")]
    pub questions: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
