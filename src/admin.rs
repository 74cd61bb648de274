//! Administration (`assessment.md` 4.3): one file for each thing that admins manage.

pub mod assignments;
pub mod export;
pub mod import;
pub mod items;
pub mod log;
pub mod questions;
pub mod stats;
pub mod tokens;
pub mod users;
pub mod workbook;
