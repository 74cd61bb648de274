//! Retired questions: taken out of the bank by admins, listed, and brought back.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, delete, post};
use domain::question::{Question, WholeQuestion};
use domain::sight::SchoolSight;
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;

use super::QUESTION_NOT_FOUND;
use super::bank::Banks;
use crate::auth::caller::Admin;
use crate::auth::refusals::AdminRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{Done, done};
use crate::provider::Provider;
use crate::store::retired::{self, Retirement};

/// The answer to the retirement of a question that templates have in their lists.
const IN_TEMPLATES: &str = "Question is in templates";

/// A question of a grade for admins; of a retired one also when, and who has retired it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedQuestion {
    #[serde(flatten)]
    #[schema(value_type = Question)]
    question: WholeQuestion,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime, nullable = false)]
    retired_at: Option<Moment>,
    /// E-mail of the admin.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    retired_by: Option<String>,
}

impl ListedQuestion {
    pub(super) fn of_bank(question: Question, sight: SchoolSight) -> Self {
        Self { question: sight.whole(question), retired_at: None, retired_by: None }
    }

    pub(super) fn retired(retired: retired::RetiredQuestion, sight: SchoolSight) -> Self {
        Self {
            question: sight.whole(retired.question),
            retired_at: Some(retired.retired_at),
            retired_by: Some(retired.retired_by),
        }
    }
}

/// A question cannot be retired.
#[derive(Serialize, ToSchema)]
struct LockedQuestion {
    error: &'static str,
    /// The names of the templates that have it in their lists, in order; the first 100.
    templates: Vec<String>,
}

/// Retires a question: it is in no bank, draw or export any more.
///
/// Tests that have asked it go on showing it. It can be brought back, but an import does not overwrite it.
#[utoipa::path(
    operation_id = "retireQuestion",
    tag = "administration",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Question id")),
    responses(
        (status = 200, description = "Retired", body = Done),
        AdminRefusals,
        (status = 404, description = "`Question not found`: the bank has no such question", body = ErrorBody),
        (status = 409, description = "`Question is in templates`: these have to let go of it first", body = LockedQuestion),
        (status = 501, description = "Questions are in an external service", body = ErrorBody),
        (status = 503, description = "Another change takes too long", body = ErrorBody),
    )
)]
#[delete("/api/admin/questions/{id}")]
pub async fn retire(
    asked: After<Admin, Path<String>>,
    provider: Data<dyn Provider>,
    banks: Data<Banks>,
) -> Result<HttpResponse, Error> {
    let After(Admin(admin), id) = asked;
    match provider.retire(known(&id)?, &admin.email).await? {
        Retirement::Done => {
            banks.changed().await;
            Ok(done())
        }
        Retirement::Unknown => Err(Error::NotFound(QUESTION_NOT_FOUND)),
        Retirement::Locked(templates) => {
            Ok(HttpResponse::Conflict().json(LockedQuestion { error: IN_TEMPLATES, templates }))
        }
    }
}

/// Brings a retired question back into the bank, with its review and its history.
#[utoipa::path(
    operation_id = "restoreQuestion",
    tag = "administration",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Question id")),
    responses(
        (status = 200, description = "It is in the bank again", body = Done),
        AdminRefusals,
        (status = 404, description = "`Question not found`: there is no such retired question", body = ErrorBody),
        (status = 501, description = "Questions are in an external service", body = ErrorBody),
        (status = 503, description = "Another change takes too long", body = ErrorBody),
    )
)]
#[post("/api/admin/questions/{id}/restore")]
pub async fn restore(
    asked: After<Admin, Path<String>>,
    provider: Data<dyn Provider>,
    banks: Data<Banks>,
) -> Result<HttpResponse, Error> {
    let After(Admin(_), id) = asked;
    if !provider.restore(known(&id)?).await? {
        return Err(Error::NotFound(QUESTION_NOT_FOUND));
    }
    banks.changed().await;
    Ok(done())
}

/// An id that a question can have: Postgres would fail on NUL.
fn known(id: &str) -> Result<&str, Error> {
    if id.chars().any(char::is_control) { Err(Error::NotFound(QUESTION_NOT_FOUND)) } else { Ok(id) }
}
