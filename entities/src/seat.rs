//! Which server holds an attempt that lasts; the row goes with the attempt's end.

use sea_orm::entity::prelude::*;

/// Which server holds an attempt that lasts; the row goes with the attempt's end.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "seats")]
pub struct Model {
    /// The attempt.
    #[sea_orm(primary_key, auto_increment = false)]
    pub session_id: Uuid,
    /// The server that holds it; null while none has.
    pub server: Option<Uuid>,
    /// Raised each time that the seat is taken: who has a lower one may write nothing more.
    pub fence: i64,
    /// How many orders of proctors it has had …
    pub orders: i64,
    /// … and how many of them its server has taken notice of.
    pub orders_taken: i64,
    /// Id of the last notice that the student was told, an `attempt_events.id`; 0 before the first.
    pub notices_told: i64,
    /// Whether the last one who took it did so for a student's socket.
    pub by_socket: bool,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
