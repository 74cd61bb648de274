//! What leaves this server by itself: how the places for attempts are shared among receivers, and the client that
//! connects to them.

pub mod client;
pub mod hosts;
