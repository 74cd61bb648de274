//! The two WebSockets, one for students and one for proctors. The only folder that knows the WebSocket crate.

pub mod frame_limit;
pub mod pieces;
pub mod proctor;
pub mod student;
