//! Which server holds each running attempt; the row is deleted when the attempt ends.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "seats")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub session_id: Uuid,
    /// The server that holds it; null while none does.
    pub server: Option<Uuid>,
    /// Increased each time that a server takes the seat. A server with a lower fence can no longer write, so two
    /// servers never write for one student.
    pub fence: i64,
    /// How many orders of proctors there have been …
    pub orders: i64,
    /// … and how many of them its server has applied.
    pub orders_taken: i64,
    /// The `attempt_events.id` of the last notice that was sent to the student; 0 before the first.
    pub notices_told: i64,
    /// Whether the server last took it for a student's socket, and not for a request or a deadline.
    pub by_socket: bool,
    /// SHA-256 of the token of the device that is at work, or was so last; null before the first.
    pub device: Option<Vec<u8>>,
    /// Whether that device is at work: it has a socket open, or has had a command accepted over HTTPS since one was. It
    /// counts only while the server that holds the seat is alive: a server that crashes leaves it as it was.
    #[sea_orm(column_name = "is_connected")]
    pub is_at_work: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
