//! The question bank, as students and admins read it. Its workbooks, import and export are in the modules below.

pub mod bank;
pub mod delivered;
pub mod exchange;
pub mod export;
pub mod import;
pub mod marks;
pub mod retired;
pub mod samples;
pub mod secure;
pub mod seed;
pub mod written;

use actix_web::http::header::AcceptEncoding;
use actix_web::web::{Data, Header, Query};
use actix_web::{HttpRequest, HttpResponse, get};
use domain::grade::Grade;
use domain::question_types::QuestionTypes;
use serde::Deserialize;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::auth::caller::{Admin, Callers};
use crate::auth::refusals::AdminRefusals;
use crate::error::{Error, ErrorBody, FORBIDDEN};
use crate::http::after::After;
use crate::provider::Provider;
use crate::store::embargo::Embargo;
use bank::Banks;
use delivered::DeliveredShape;
use retired::ListedQuestion;

pub const QUESTION_NOT_FOUND: &str = "Question not found";
/// The answer to whoever would write a retired question anew.
pub const QUESTION_RETIRED: &str = "Question is retired";
/// The answer to authors who approve what they have written.
pub const OWN_QUESTION: &str = "Your own question needs another person's approval";
pub const INVALID_GRADE: &str = "Invalid grade — must be 1–10";

/// The bank, with and without keys, and its workbooks.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(all_with_keys)
        .service(export::export)
        .service(import::import)
        .service(samples::count)
        .service(samples::change)
        .service(secure::list)
        .service(secure::set)
        .service(marks::mark)
        .service(written::write)
        .service(written::write_as_admin)
        .service(retired::retire)
        .service(retired::restore)
        .service(questions);
}

/// Which questions of a grade somebody reads.
#[derive(Deserialize)]
struct OfGrade {
    grade: Option<String>,
    types: Option<String>,
}

/// Which questions of a grade an admin asks for.
#[derive(Deserialize)]
struct ListedQuery {
    grade: Option<String>,
    retired: Option<String>,
}

/// The whole bank of a grade: its questions with options, unless `types` asks for others.
///
/// Answers 304 to a client that has the current version, and is sent in brotli or gzip to a client that accepts it.
/// With `PUBLIC_ANSWERS=false` only staff of the grade get `answer` and `explanation`, but for questions that are
/// marked as practice. So they do without it of questions that are marked as none, and of those of templates that are
/// none, unless they are marked. Questions that an exam withholds, and secure ones, are for staff of the grade alone.
#[utoipa::path(
    operation_id = "listQuestions",
    tag = "students",
    security((), ("api_token" = [])),
    params(
        ("grade" = u8, Query, description = "1 to 10", minimum = 1, maximum = 10),
        ("types" = inline(Option<QuestionTypes>), Query, description = "`multiple-choice` without it"),
    ),
    responses(
        (status = 200, description = "All questions of the grade and these types", body = Vec<DeliveredShape>),
        (status = 304, description = "The bank is the one that `If-None-Match` names"),
        (status = 400, description = "The grade is not 1 to 10, or `Invalid types`", body = ErrorBody),
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
    let types = query.types.as_deref().filter(|types| !types.is_empty());
    let types = types.map_or(Some(QuestionTypes::default()), QuestionTypes::parse);
    let types = types.ok_or_else(|| Error::invalid("types"))?;
    banks.of(grade).await?.delivered(types).respond(&request, accepted, &callers).await
}

/// All questions of a grade with their answers, edits and imports included; or those that are retired.
#[utoipa::path(
    operation_id = "listQuestionsWithKeys",
    tag = "administration",
    security(("api_token" = [])),
    params(
        ("grade" = u8, Query, description = "1 to 10", minimum = 1, maximum = 10),
        ("retired" = Option<bool>, Query, description = "The retired questions of the grade in place of its bank"),
    ),
    responses(
        (status = 200, description = "The questions, in the order of their ids; retired ones newest first", body = Vec<ListedQuestion>),
        (status = 400, description = "`Invalid grade` or `Invalid retired`", body = ErrorBody),
        AdminRefusals,
        (status = 501, description = "`retired`, and questions are in an external service", body = ErrorBody),
    )
)]
#[get("/api/admin/questions")]
pub async fn all_with_keys(
    asked: After<Admin, Query<ListedQuery>>,
    provider: Data<dyn Provider>,
) -> Result<HttpResponse, Error> {
    let After(Admin(admin), Query(ListedQuery { grade, retired })) = asked;
    let sight = Embargo::school_sight(&admin).ok_or(Error::Forbidden(FORBIDDEN))?;
    let grade = grade.as_deref().and_then(Grade::parse).ok_or_else(|| Error::invalid("grade"))?;
    let listed: Vec<ListedQuestion> = match retired.as_deref() {
        None | Some("" | "false" | "0") => {
            let bank = provider.bank(grade).await?;
            bank.into_iter().map(|question| ListedQuestion::of_bank(question, sight)).collect()
        }
        Some("true" | "1") => {
            let retired = provider.retired(grade).await?;
            retired.into_iter().map(|question| ListedQuestion::retired(question, sight)).collect()
        }
        Some(_) => return Err(Error::invalid("retired")),
    };
    Ok(HttpResponse::Ok().json(listed))
}
