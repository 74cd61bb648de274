//! The receipts of finished tests, one for each version. A receipt that was given out is never replaced.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "receipts")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub session_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub version: i32,
    /// The receipt itself: a compact JWS.
    #[sea_orm(column_type = "Text")]
    pub jws: String,
    /// The server's signature over everything that is stored of this version, which only it checks. Null until it is
    /// made.
    pub seal: Option<Vec<u8>>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
