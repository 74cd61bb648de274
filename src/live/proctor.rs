//! What proctors have: a socket on which they watch a room and give commands, and the same list by plain HTTPS.

pub(super) mod admission;
pub(super) mod frames;
pub mod history;
pub mod list;
pub mod orders;
pub(super) mod protocol;
pub(super) mod queue;
pub mod rights;
