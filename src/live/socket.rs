//! The WebSockets of students and of proctors. Only this folder knows the WebSocket crate, so that replacing it touches
//! few files.

pub mod connection;
mod frame_limit;
mod pieces;
pub mod proctor;
pub mod student;
