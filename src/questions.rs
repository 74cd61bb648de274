//! The question bank, as students and admins read it. Its workbooks, import and export are in the modules below.

pub mod bank;
pub mod delivered;
pub mod exchange;
pub mod export;
pub mod import;
pub mod secure;
pub mod seed;

use actix_web::http::header::AcceptEncoding;
use actix_web::web::{Data, Header, Query};
use actix_web::{HttpRequest, HttpResponse, get};
use domain::grade::Grade;
use domain::question::Question;
use serde::Deserialize;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::auth::caller::{Admin, Callers};
use crate::auth::refusals::AdminRefusals;
use crate::error::{Error, ErrorBody, FORBIDDEN};
use crate::http::after::After;
use crate::http::grade_query::GradeQuery;
use crate::provider::Provider;
use crate::store::embargo::Embargo;
use bank::Banks;
use delivered::DeliveredShape;

pub const QUESTION_NOT_FOUND: &str = "Question not found";
pub const INVALID_GRADE: &str = "Invalid grade — must be 1–10";

/// The bank, with and without keys, and its workbooks.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(all_with_keys)
        .service(export::export)
        .service(import::import)
        .service(secure::list)
        .service(secure::set)
        .service(questions);
}

#[derive(Deserialize)]
struct OfGrade {
    grade: Option<String>,
}

/// The whole bank of a grade.
///
/// Answers 304 to a client that has the current version, and is sent in brotli or gzip to a client that accepts it.
/// With `PUBLIC_ANSWERS=false` only staff of the grade get `answer` and `explanation`. Questions that an exam
/// withholds, and secure ones, are for staff of the grade alone.
#[utoipa::path(
    operation_id = "listQuestions",
    tag = "students",
    security((), ("api_token" = [])),
    params(("grade" = u8, Query, description = "1 to 10", minimum = 1, maximum = 10)),
    responses(
        (status = 200, description = "All questions of the grade", body = Vec<DeliveredShape>),
        (status = 304, description = "The bank is the one that `If-None-Match` names"),
        (status = 400, description = "The grade is not 1 to 10", body = ErrorBody),
    )
)]
#[get("/api/questions")]
pub async fn questions(
    request: HttpRequest,
    query: Query<OfGrade>,
    accepted: Option<Header<AcceptEncoding>>,
    callers: Data<Callers>,
    banks: Data<Banks>,
) -> Result<HttpResponse, Error> {
    let grade =
        query.grade.as_deref().and_then(Grade::parse).ok_or_else(|| Error::Invalid(INVALID_GRADE.to_owned()))?;
    banks.of(grade).await?.questions.respond(&request, accepted, &callers).await
}

/// All questions of a grade with their answers, edits and imports included.
#[utoipa::path(
    operation_id = "listQuestionsWithKeys",
    tag = "administration",
    security(("api_token" = [])),
    params(("grade" = u8, Query, description = "1 to 10", minimum = 1, maximum = 10)),
    responses(
        (status = 200, description = "The questions, in the order of their ids", body = Vec<Question>),
        (status = 400, description = "`Invalid grade`", body = ErrorBody),
        AdminRefusals,
    )
)]
#[get("/api/admin/questions")]
pub async fn all_with_keys(
    asked: After<Admin, Query<GradeQuery>>,
    provider: Data<dyn Provider>,
) -> Result<HttpResponse, Error> {
    let After(Admin(admin), asked) = asked;
    let sight = Embargo::school_sight(&admin).ok_or(Error::Forbidden(FORBIDDEN))?;
    let bank = provider.bank(asked.required()?).await?;
    Ok(HttpResponse::Ok().json(bank.into_iter().map(|question| sight.whole(question)).collect::<Vec<_>>()))
}
