//! Managers: how far the review has come, and the sign-off of grades (`assessment.md` 4.3).

pub mod approvals;
pub mod stats;
