//! Questions that are for exams alone: they are in no public bank and in no practice (`docs/security.md#embargo`). What
//! is said of many at once is in `src/questions/marks.rs`.

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpResponse, get, put};
use serde::Serialize;
use utoipa::ToSchema;

use super::QUESTION_NOT_FOUND;
use super::bank::Banks;
use crate::auth::caller::{Manager, Staff};
use crate::auth::refusals::{ManagerRefusals, StaffRefusals};
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{Done, done};
use crate::http::fields::{Field, JsonFields, body};
use crate::http::grade_query::GradeQuery;
use crate::store::question_marks::{self, MarkChange};
use crate::store::questions;

/// The questions of a grade that are for exams alone, and what is said of others about practice.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SecureQuestions {
    /// Their ids, in order.
    secure: Vec<String>,
    /// The ids of those that anyone may read with their keys, in order.
    practice: Vec<String>,
    /// The ids of those of which it is said that not everyone may, in order. Of the others `PUBLIC_ANSWERS` decides.
    no_practice: Vec<String>,
}

body! {
    /// Whether a question is for exams alone.
    struct SecureChange {
        secure: bool = Field::required,
    }
}

/// Lists the questions of a grade that are for exams alone, and those that are marked as practice or as none.
#[utoipa::path(
    operation_id = "listSecureQuestions",
    tag = "review",
    security(("api_token" = [])),
    params(("grade" = u8, Query, description = "1 to 10", minimum = 1, maximum = 10)),
    responses(
        (status = 200, description = "Their ids", body = SecureQuestions),
        (status = 400, description = "`Invalid grade`", body = ErrorBody),
        StaffRefusals,
    )
)]
#[get("/api/admin/questions/secure")]
pub async fn list(asked: After<Staff, Query<GradeQuery>>, database: Data<Database>) -> Result<HttpResponse, Error> {
    let After(staff, asked) = asked;
    let grade = asked.required()?;
    staff.reviewing(grade)?;
    let mut secure: Vec<String> = questions::load_secure(&database, grade).await?.into_iter().collect();
    secure.sort_unstable();
    let (practice, no_practice) = question_marks::load_in_order(&database.read, grade).await?;
    Ok(HttpResponse::Ok().json(SecureQuestions { secure, practice, no_practice }))
}

/// Keeps a question for exams alone, or gives it back to the public bank.
///
/// It takes effect at once, and on other servers within two seconds. An import without a column `secure` leaves it as
/// it is.
#[utoipa::path(
    operation_id = "setQuestionSecure",
    tag = "review",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Question id")),
    request_body = SecureChange,
    responses(
        (status = 200, description = "Stored", body = Done),
        (status = 400, description = "`Invalid secure`", body = ErrorBody),
        ManagerRefusals,
        (status = 404, description = "`Question not found`", body = ErrorBody),
    )
)]
#[put("/api/admin/questions/{id}/secure")]
pub async fn set(
    asked: After<Manager, After<Path<String>, JsonFields>>,
    database: Data<Database>,
    banks: Data<Banks>,
) -> Result<HttpResponse, Error> {
    let After(manager, After(id, fields)) = asked;
    let SecureChange { secure: is_secure } = SecureChange::read(&fields)?;
    let found = questions::load_by_ids(&database, [id.as_str()]).await?.remove(id.as_str());
    let question = found.ok_or(Error::NotFound(QUESTION_NOT_FOUND))?;
    manager.signing_off(question.grade)?;
    let change = MarkChange { secure: Some(is_secure), ..MarkChange::default() };
    question_marks::set(&database, &[question], &change).await?;
    banks.changed().await;
    Ok(done())
}
