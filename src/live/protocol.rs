//! The live protocol: what students and servers write to each other, frame by frame.

pub mod fault;
pub mod fields;
pub mod read;
pub mod write;

#[cfg(test)]
mod golden_frames;
