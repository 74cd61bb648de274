//! The outbox for an external data provider: finished tests and edits that wait or were sent.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "transfers")]
pub struct Model {
    /// Also the order in which rows of one kind are sent.
    #[sea_orm(primary_key)]
    pub id: i64,
    /// `session` or `edit`.
    pub kind: String,
    /// Id of the session or of the edit.
    pub key: Uuid,
    /// The version of the session, one row for each; 1 for an edit.
    pub version: i32,
    /// The entry of the edit log as JSON; null for a session, which has a row of its own.
    #[sea_orm(column_type = "Text", nullable)]
    pub body: Option<String>,
    /// Increased when there is something new to send, so that a change during a transfer is not lost.
    pub revision: i64,
    /// `waiting`, `sent` or `refused`.
    pub status: String,
    /// Attempts since there was last something new.
    pub attempts: i32,
    pub next_attempt_at_ms: i64,
    /// Why it was not accepted.
    #[sea_orm(column_type = "Text", nullable)]
    pub last_error: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
