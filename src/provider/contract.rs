//! The JSON of the external data-provider contract (`assessment.md` 4.5) that is not that of a resource: what is sent to
//! an external service, and what is understood when this service is one.

use domain::access::Role;
use domain::question::Question;
use domain::time::moment::Moment;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The key's header.
pub const KEY_HEADER: &str = "X-API-Key";

/// `GET /questions`.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct QuestionList {
    /// The bank of the grade, edits included.
    pub questions: Vec<Question>,
}

/// The body of `POST /questions/import`, as this service sends it. Rows that were new in a workbook have been given their
/// ids here, so that sending them twice adds them once.
#[derive(Debug, Serialize)]
pub struct ImportRows<'a> {
    /// Whole questions.
    pub rows: &'a [Question],
}

/// What an import has done.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct Imported {
    /// Questions that are new.
    pub added: usize,
    /// Questions that were overwritten.
    pub updated: usize,
    /// A sentence for each row that was not taken, beginning with `Row <n>:`, counted from 1.
    #[serde(default)]
    pub errors: Vec<String>,
}

/// The body of `POST /users`.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct NewUser {
    /// In lower case.
    pub email: String,
    /// As shown; may be empty.
    #[serde(default)]
    pub name: String,
    /// Link or empty.
    #[serde(default)]
    pub image: String,
    /// `student` for someone who signs in for the first time.
    pub role: Role,
}

/// The body of `PATCH /users/{email}`: one of both.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserChange {
    /// The role from now on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// A sign-in; ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub last_login_at: Option<Moment>,
}
