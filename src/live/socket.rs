//! The two WebSockets, one for students and one for proctors. The only folder that knows the WebSocket crate.

mod connection;
mod frame_limit;
mod pieces;
pub mod proctor;
pub mod student;
