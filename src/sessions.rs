//! Finished tests: storing one, reading one, and the list of all.

pub mod create;
pub mod read;
