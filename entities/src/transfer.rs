//! Something that an external data provider is to be sent, or has been.

use sea_orm::entity::prelude::*;

/// Something that an external data provider is to be sent, or has been.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "transfers")]
pub struct Model {
    /// In the order in which it is sent.
    #[sea_orm(primary_key)]
    pub id: i64,
    /// `session` or `edit`.
    pub kind: String,
    /// Id of the session or of the edit.
    #[sea_orm(unique)]
    pub key: Uuid,
    /// The edit's log entry as JSON; none for a session, which has a row of its own.
    #[sea_orm(column_type = "Text", nullable)]
    pub body: Option<String>,
    /// Raised when there is something new to send.
    pub revision: i64,
    /// `waiting`, `sent` or `refused`.
    pub status: String,
    /// Since it last had something new.
    pub attempts: i32,
    /// Milliseconds since 1970.
    pub next_attempt_at_ms: i64,
    /// Why it was not taken.
    #[sea_orm(column_type = "Text", nullable)]
    pub last_error: Option<String>,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
