//! Short codes by which proctors let students go on with another device: one at most for each live test.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "move_codes")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub session_id: Uuid,
    /// HMAC-SHA256 of the code under a key of the server: the code itself is too short for a plain hash.
    #[sea_orm(unique)]
    pub code_hash: Vec<u8>,
    /// E-mail of the proctor.
    #[sea_orm(column_type = "Text")]
    pub made_by: String,
    pub expires_at_ms: i64,
    /// How many more wrong codes may name this session; the last one removes the code.
    pub guesses_left: i32,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
