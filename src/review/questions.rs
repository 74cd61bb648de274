//! The questions of a grade with their reviews, and decisions on single questions.

use std::collections::BTreeMap;

use actix_web::web::{Data, Query};
use actix_web::{HttpResponse, get, post};
use domain::access::Duty;
use domain::grade::Grade;
use domain::question::{Question, WholeQuestion};
use domain::resources::{Assignment, QuestionReview, Review};
use domain::review::{ReviewOutcome, ReviewStatus};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::auth::caller::{NOT_ASSIGNED, Staff};
use crate::auth::refusals::StaffRefusals;
use crate::clock::Clock;
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{Done, done};
use crate::http::fields::{Field, JsonFields, body};
use crate::http::grade_query::GradeQuery;
use crate::provider::Provider;
use crate::questions::{OWN_QUESTION, QUESTION_NOT_FOUND};
use crate::store::embargo::Embargo;
use crate::store::reviews;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReviewedQuery {
    #[serde(flatten)]
    grade: GradeQuery,
    question_id: Option<String>,
}

/// The questions of a grade and their reviews.
#[derive(Serialize, ToSchema)]
struct QuestionsWithReviews {
    #[schema(value_type = Vec<Question>)]
    questions: Vec<WholeQuestion>,
    /// One entry for each question, by id.
    reviews: BTreeMap<String, QuestionReview>,
    /// The ids of those that the caller has written here, and so does not approve. Left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    own: Vec<String>,
    /// The names of those who can approve them: the other reviewers and managers of the grade. Every other admin can
    /// too. Left out if there are none, and without `own`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    approvers: Vec<String>,
}

/// Lists the questions of a grade with their keys, and the review of each.
#[utoipa::path(
    operation_id = "listQuestionsForReview",
    tag = "review",
    security(("api_token" = [])),
    params(
        ("grade" = u8, Query, description = "1 to 10", minimum = 1, maximum = 10),
        ("questionId" = Option<String>, Query, description = "Only this question, if the grade has it"),
    ),
    responses(
        (status = 200, description = "Questions and reviews", body = QuestionsWithReviews),
        (status = 400, description = "`Invalid grade`", body = ErrorBody),
        StaffRefusals,
    )
)]
#[get("/api/review/questions")]
pub async fn questions(
    asked: After<Staff, Query<ReviewedQuery>>,
    provider: Data<dyn Provider>,
    database: Data<Database>,
) -> Result<HttpResponse, Error> {
    let After(staff, asked) = asked;
    let grade = asked.grade.required()?;
    staff.reviewing(grade)?;
    let sight = Embargo::staff_sight(&staff.0, &[grade]).ok_or(Error::Forbidden(NOT_ASSIGNED))?;
    let only = asked.question_id.as_ref().filter(|id| !id.is_empty());
    let is_asked = |id: &String| only.is_none_or(|only| only == id);
    let (mut questions, reviews) = provider.reviewed_bank(grade).await?;
    questions.retain(|question| is_asked(&question.id));
    let mut reviewed: BTreeMap<String, QuestionReview> =
        reviews.into_iter().map(|review| (review.question_id.clone(), review.into())).collect();
    let statuses = questions
        .iter()
        .map(|question| (question.id.clone(), reviewed.remove(&question.id).unwrap_or(QuestionReview::NONE)))
        .collect();
    let questions = questions.into_iter().map(|question| sight.whole(question)).collect();
    let mut own = reviews::load_own(&database, grade, &staff.0.email).await?;
    own.retain(is_asked);
    let approvers = if own.is_empty() { Vec::new() } else { approvers(&**provider, grade, &staff.0.email).await? };
    Ok(HttpResponse::Ok().json(QuestionsWithReviews { questions, reviews: statuses, own, approvers }))
}

/// The names of the reviewers and managers of a grade, without this one of them.
async fn approvers(provider: &dyn Provider, grade: Grade, but: &str) -> Result<Vec<String>, Error> {
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for duty in [Duty::Reviewer, Duty::Manager] {
        for Assignment { email, name, grades, .. } in provider.assignments(duty).await? {
            if grades.has(grade) && email != but {
                let name = if name.is_empty() { email.clone() } else { name };
                names.insert(email, name);
            }
        }
    }
    Ok(names.into_values().collect())
}

body! {
    /// The body of `POST /api/review/submit`.
    struct SubmitReview {
        question_id: String = Field::required,
        grade: Grade = Field::required,
        status: ReviewStatus = |field| field.parsed(ReviewStatus::parse),
        /// At most 10,000 characters.
        #[schema(value_type = Option<String>)]
        note: String = Field::note,
    }
}

/// Decides on a question, in place of any earlier decision. Who has written a question here does not approve it.
#[utoipa::path(
    operation_id = "submitReview",
    tag = "review",
    security(("api_token" = [])),
    request_body = SubmitReview,
    responses(
        (status = 200, description = "Stored", body = Done),
        (status = 400, description = "`Invalid questionId`, `Invalid grade`, `Invalid status` or `Invalid note`", body = ErrorBody),
        StaffRefusals,
        (status = 404, description = "The grade has no such question", body = ErrorBody),
        (status = 409, description = "`Your own question needs another person's approval`", body = ErrorBody),
    )
)]
#[post("/api/review/submit")]
pub async fn submit(
    asked: After<Staff, JsonFields>,
    provider: Data<dyn Provider>,
    clock: Data<Clock>,
) -> Result<HttpResponse, Error> {
    let After(staff, fields) = asked;
    let SubmitReview { question_id, grade, status, note } = SubmitReview::read(&fields)?;
    staff.reviewing(grade)?;
    let Staff(reviewer) = staff;
    let review = Review {
        question_id,
        status,
        reviewed_by: reviewer.email,
        reviewed_by_name: reviewer.name,
        reviewed_at: clock.now(),
        note,
    };
    match provider.put_review(grade, review).await? {
        ReviewOutcome::Stored => Ok(done()),
        ReviewOutcome::Unknown => Err(Error::NotFound(QUESTION_NOT_FOUND)),
        ReviewOutcome::Own => Err(Error::Conflict(OWN_QUESTION)),
    }
}
