//! Review of questions by the teachers who are assigned to their grade (`assessment.md` 4.2).

pub mod approvals;
pub mod assignments;
pub mod edits;
pub mod items;
pub mod log;
pub mod progress;
pub mod questions;
