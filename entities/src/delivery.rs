//! The outbox: what waits to be sent to others, was delivered, or has failed, such as webhooks.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "deliveries")]
pub struct Model {
    /// The webhook's id, the same in all attempts.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub session_id: Uuid,
    #[sea_orm(column_type = "Text")]
    pub url: String,
    /// The URL's host and port; attempts are limited for each.
    #[sea_orm(column_type = "Text")]
    pub host: String,
    /// `pending`, `delivered` or `failed`.
    #[sea_orm(column_type = "Text")]
    pub status: String,
    pub attempts: i32,
    /// HTTP status of the last answer.
    pub last_status: Option<i16>,
    #[sea_orm(column_type = "Text", nullable)]
    pub last_error: Option<String>,
    /// Null when no attempt follows.
    pub next_attempt_at_ms: Option<i64>,
    pub created_at_ms: i64,
    pub delivered_at_ms: Option<i64>,
    /// `test.completed`, `result.released` or `result.changed`.
    #[sea_orm(column_type = "Text")]
    pub event: String,
    /// The version of the session that it tells of. Of each event there is at most one for each version.
    pub version: i32,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
