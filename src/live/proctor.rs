//! The proctors' side of live exams: what they may watch, the orders they give, and lists and histories over HTTPS.
//! Their WebSocket is in `src/live/socket/proctor.rs`.

pub(super) mod admission;
pub(super) mod caller;
pub(super) mod frames;
pub mod history;
pub mod list;
pub mod orders;
pub(super) mod protocol;
pub(super) mod queue;
pub mod requests;
pub mod rights;
pub(super) mod room_order;

pub use protocol::understands;
