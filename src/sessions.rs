//! Finished tests: `POST /api/sessions`, reading one, and the list (`assessment.md` 4.1).

pub mod create;
pub mod read;
