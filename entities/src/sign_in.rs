//! Sign-ins of people that have neither ended nor expired.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sign_ins")]
pub struct Model {
    /// SHA-256 of the secret in the sign-in's cookie. The secret itself is stored nowhere.
    #[sea_orm(primary_key, auto_increment = false)]
    pub secret_hash: Vec<u8>,
    /// The user who has signed in.
    #[sea_orm(column_type = "Text")]
    pub email: String,
    pub at_ms: i64,
    /// What the browser is called, such as `Firefox`; null if it does not say so, and for those of earlier releases.
    #[sea_orm(column_type = "Text", nullable)]
    pub browser: Option<String>,
    /// What its system is called, such as `Windows`.
    #[sea_orm(column_type = "Text", nullable)]
    pub system: Option<String>,
    /// When it was last used, some minutes behind at most; null for those of earlier releases.
    pub last_used_at_ms: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
