//! The errors of routes that ask who calls, for the OpenAPI document: one type for each extractor of `caller`, so that
//! no route describes them differently.

use utoipa::IntoResponses;

use crate::error::ErrorBody;

/// The errors of `Admin`.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "describes responses")]
pub enum AdminRefusals {
    #[response(status = 401, description = "Not signed in")]
    SignedOut(ErrorBody),
    #[response(status = 403, description = "Not an admin")]
    Forbidden(ErrorBody),
}

/// The errors of `Staff` and of its check of the grade.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "describes responses")]
pub enum StaffRefusals {
    #[response(status = 401, description = "Not signed in")]
    SignedOut(ErrorBody),
    #[response(status = 403, description = "Not staff, or `Not assigned to this grade`")]
    Forbidden(ErrorBody),
}

/// The errors of `Manager`.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "describes responses")]
pub enum ManagerRefusals {
    #[response(status = 401, description = "Not signed in")]
    SignedOut(ErrorBody),
    #[response(status = 403, description = "Neither manager nor admin, or `Not assigned to this grade`")]
    Forbidden(ErrorBody),
}
