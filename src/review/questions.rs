//! The questions of a grade with their reviews, and decisions on them.

use std::collections::BTreeMap;

use actix_web::web::{Data, Query};
use actix_web::{HttpResponse, get, post};
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::caller::Staff;
use crate::clock::Clock;
use crate::database::Database;
use crate::domain::grade::Grade;
use crate::domain::moment::Moment;
use crate::domain::question::Question;
use crate::domain::review::ReviewStatus;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::asked_grade::AskedGrade;
use crate::http::done::{Done, done};
use crate::http::fields::Fields;
use crate::provider::local::reviews::{self, Review};
use crate::questions::QUESTION_NOT_FOUND;

/// A grade's questions and what was decided on them.
#[derive(Serialize, ToSchema)]
struct QuestionsWithReviews {
    questions: Vec<Question>,
    /// An entry for each question, by id.
    reviews: BTreeMap<String, ReviewView>,
}

/// A review; of a question that was never reviewed only the status.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReviewView {
    status: ReviewStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    reviewed_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reviewed_by_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    reviewed_at: Option<Moment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// The questions of a grade with their keys, and the review of each.
#[utoipa::path(
    tag = "review",
    security(("api_token" = [])),
    params(("grade" = u8, Query, description = "1 to 10", minimum = 1, maximum = 10)),
    responses(
        (status = 200, description = "Questions and reviews", body = QuestionsWithReviews),
        (status = 400, description = "`Invalid grade`", body = ErrorBody),
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 403, description = "Not staff, or `Not assigned to this grade`", body = ErrorBody),
    )
)]
#[get("/api/review/questions")]
pub async fn questions(asked: After<Staff, Query<AskedGrade>>, database: Data<Database>) -> Result<HttpResponse, Error> {
    let After(staff, asked) = asked;
    let grade = asked.required()?;
    staff.reviewing(grade)?;
    let questions = crate::provider::local::questions::load_bank(&database, grade).await?;
    let mut reviewed: BTreeMap<String, ReviewView> =
        reviews::load_of_grade(&database, grade).await?.into_iter().map(|review| (review.question_id.clone(), view(review))).collect();
    let reviews = questions.iter().map(|question| (question.id.clone(), reviewed.remove(&question.id).unwrap_or(NEVER_REVIEWED))).collect();
    Ok(HttpResponse::Ok().json(QuestionsWithReviews { questions, reviews }))
}

const NEVER_REVIEWED: ReviewView = ReviewView { status: ReviewStatus::Pending, reviewed_by: None, reviewed_by_name: None, reviewed_at: None, note: None };

fn view(review: Review) -> ReviewView {
    ReviewView {
        status: review.status,
        reviewed_by: Some(review.reviewed_by),
        reviewed_by_name: Some(review.reviewed_by_name),
        reviewed_at: Some(review.reviewed_at),
        note: Some(review.note),
    }
}

/// The body of `POST /api/review/submit`, for the OpenAPI document.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes a body that is read field by field, to name the field that is wrong")]
struct SubmitReview {
    question_id: String,
    /// 1 to 10.
    grade: u8,
    status: ReviewStatus,
    /// 10,000 characters at most.
    note: Option<String>,
}

/// Decides on a question, in the place of any decision before.
#[utoipa::path(
    tag = "review",
    security(("api_token" = [])),
    request_body = SubmitReview,
    responses(
        (status = 200, description = "Stored", body = Done),
        (status = 400, description = "`Invalid questionId`, `Invalid grade`, `Invalid status` or `Invalid note`", body = ErrorBody),
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 403, description = "Not staff, or `Not assigned to this grade`", body = ErrorBody),
        (status = 404, description = "The grade has no such question", body = ErrorBody),
    )
)]
#[post("/api/review/submit")]
pub async fn submit(asked: After<Staff, Fields>, database: Data<Database>, clock: Data<Clock>) -> Result<HttpResponse, Error> {
    let After(staff, fields) = asked;
    let question_id = fields.required("questionId")?;
    let grade: Grade = fields.required("grade")?;
    let status = fields.parsed("status", ReviewStatus::parse)?;
    let note = fields.note("note")?;
    staff.reviewing(grade)?;
    let Staff(reviewer) = staff;
    let review = Review { question_id, status, reviewed_by: reviewer.email, reviewed_by_name: reviewer.name, reviewed_at: clock.now(), note };
    if reviews::put(&database, grade, review).await? { Ok(done()) } else { Err(Error::NotFound(QUESTION_NOT_FOUND)) }
}
