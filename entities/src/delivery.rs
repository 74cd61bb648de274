//! A webhook waiting in the outbox, sent, or failed.

use sea_orm::entity::prelude::*;

/// A webhook waiting in the outbox, sent, or failed.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "deliveries")]
pub struct Model {
    /// The event's id, the same over all attempts.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The session that it tells of.
    #[sea_orm(unique)]
    pub session_id: Uuid,
    /// Where to.
    #[sea_orm(column_type = "Text")]
    pub url: String,
    /// Its host and port, by which attempts are limited.
    #[sea_orm(column_type = "Text")]
    pub host: String,
    /// `pending`, `delivered` or `failed`.
    #[sea_orm(column_type = "Text")]
    pub status: String,
    /// How often it was tried.
    pub attempts: i32,
    /// HTTP status of the last answer.
    pub last_status: Option<i16>,
    /// Why the last attempt failed.
    #[sea_orm(column_type = "Text", nullable)]
    pub last_error: Option<String>,
    /// Milliseconds since 1970; null when there is none.
    pub next_attempt_at_ms: Option<i64>,
    /// Milliseconds since 1970.
    pub created_at_ms: i64,
    /// Milliseconds since 1970.
    pub delivered_at_ms: Option<i64>,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
