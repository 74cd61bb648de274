//! The JSON bodies of the external data-provider contract that are not simply a resource. This server sends them to an
//! external service, and reads them when it is such a service itself.

use domain::access::Role;
use domain::question::{Question, WholeQuestion};
use domain::resources::Importer;
use domain::time::moment::Moment;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The header that carries the key.
pub const KEY_HEADER: &str = "X-API-Key";

/// The answer to `GET /questions`.
#[derive(Debug, Deserialize, ToSchema)]
pub struct QuestionList {
    /// The bank of the grade, edits included.
    #[schema(value_type = Vec<BankEntry>)]
    pub questions: Vec<Question>,
}

/// A question of a bank, with what is said about who may read its key.
#[derive(Debug, Serialize, ToSchema)]
pub struct BankEntry {
    /// Its fields are those of the entry.
    #[serde(flatten)]
    #[schema(value_type = Question)]
    pub question: WholeQuestion,
    /// Whether anyone may read it with its key; null if nobody has said. Absent if the service does not know the field:
    /// then it stays as it is at the caller.
    #[schema(required = false)]
    pub practice: Option<bool>,
}

/// The body of `POST /questions/import` that changes nothing of its questions but who may read their keys.
#[derive(Debug, Serialize)]
pub struct MarkRows<'a> {
    /// Who marks them.
    pub by: &'a Importer,
    /// All of them.
    pub rows: Vec<MarkRow<'a>>,
}

/// A question that is marked.
#[derive(Debug, Serialize)]
pub struct MarkRow<'a> {
    /// Of a stored question.
    pub id: &'a str,
    /// Whether anyone may read it with its key.
    pub practice: bool,
}

/// The body of `POST /questions/import` as this server sends it. Rows that were new in a workbook carry ids made here,
/// so that an import sent twice adds them once.
#[derive(Debug, Serialize)]
pub struct ImportRows<'a> {
    /// Who imports them.
    pub by: &'a Importer,
    /// All of them.
    pub rows: Vec<ImportRow<'a>>,
}

/// A complete question of an import.
#[derive(Debug, Serialize)]
pub struct ImportRow<'a> {
    /// Its fields are those of the row.
    #[serde(flatten)]
    pub question: WholeQuestion<&'a Question>,
    /// Whether it is for exams alone. Absent if the sheet does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secure: Option<bool>,
    /// Whether anyone may read it with its key. Absent if the sheet does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub practice: Option<bool>,
}

/// The result of an import.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct Imported {
    /// The number of new questions.
    pub added: usize,
    /// The number of questions that were overwritten.
    pub updated: usize,
    /// One sentence for each row that was refused. It begins with `Row <n>:`, counted from 1.
    #[serde(default)]
    pub errors: Vec<String>,
}

/// The body of `POST /users`.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct NewUser {
    /// In lower case.
    pub email: String,
    /// The displayed name. May be empty.
    #[serde(default)]
    pub name: String,
    /// A link, or empty.
    #[serde(default)]
    pub image: String,
    /// `student` for a person who signs in for the first time.
    pub role: Role,
}

/// The body of `PATCH /users/{email}`, which has one of the two fields.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserChange {
    /// The new role.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// The time of a sign-in, in ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_login_at: Option<Moment>,
}
