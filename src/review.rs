//! Review of questions by the teachers who are assigned to their grade (`assessment.md` 4.2).

pub mod edit;
pub mod log;
pub mod questions;
