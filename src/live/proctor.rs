//! What proctors have: a socket on which they watch a room and give commands, and the same list by plain HTTPS.

mod admission;
mod frames;
pub mod list;
mod protocol;
mod queue;
pub mod rights;
pub mod socket;
