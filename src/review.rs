//! The review of questions by the teachers who are assigned to their grade, and the sign-off by managers.

pub mod approvals;
pub mod assignments;
pub mod edits;
pub mod items;
pub mod log;
pub mod progress;
pub mod questions;
