//! Proctors' orders that were carried out, so that a repeated one gets the same answer and does nothing more, and an
//! `id` that comes with another content is noticed.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "proctor_commands")]
pub struct Model {
    /// E-mail of the proctor.
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub proctor: String,
    /// The socket's own id, or `https`; of an order from before version 0.5 its room, `grade:5` or `template:<id>`.
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub connection: String,
    /// The `id` that the proctor's client chose.
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub command_id: String,
    /// SHA-256 of what was ordered for whom; null for an order from before version 0.5.
    pub content: Option<Vec<u8>>,
    /// Whether the order was carried out when it came here. Otherwise it is the repeat of one on another connection.
    pub is_first: bool,
    pub at_ms: i64,
    /// The answer as JSON.
    #[sea_orm(column_type = "Text")]
    pub answer: String,
    /// The room in which an order was given that can be taken back, such as `grade:5`.
    #[sea_orm(column_type = "Text", nullable)]
    pub room: Option<String>,
    /// For whom: a session's id, or `*`.
    #[sea_orm(column_type = "Text", nullable)]
    pub target: Option<String>,
    /// The order that takes it back, as JSON; null once that is done.
    #[sea_orm(column_type = "Text", nullable)]
    pub reversal: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
