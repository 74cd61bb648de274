//! The live protocol (`docs/live-protocol.md`): the frames that students and servers send each other.

pub mod fault;
pub mod fields;
pub mod read;
pub mod student_frame;
pub mod write;

#[cfg(test)]
mod golden_frames;
