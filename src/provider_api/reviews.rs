//! Reviews of questions: those of all grades, and decisions on single questions.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, get, put};
use domain::access::normal_email;
use domain::resources::{QuestionReview, Review};
use domain::review::{ReviewOutcome, ReviewStatus};

use super::key::{KeyRefusal, ProviderKey};
use crate::clock::Clock;
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{Done, done};
use crate::http::fields::JsonFields;
use crate::http::paged_stream::listed;
use crate::questions::{OWN_QUESTION, QUESTION_NOT_FOUND};
use crate::store::reviews;
use crate::users::shown_name;

/// Returns the reviews of all grades by question id. Questions that were never reviewed are left out.
#[utoipa::path(
    operation_id = "listReviews",
    tag = "review",
    security(("key" = [])),
    responses(
        (status = 200, description = "Question id to review", body = std::collections::BTreeMap<String, QuestionReview>),
        KeyRefusal,
    )
)]
#[get("/reviews")]
pub async fn list(_key: ProviderKey, database: Data<Database>) -> Result<HttpResponse, Error> {
    listed("{", reviews::load_all(Database::clone(&database)), "}", entry).await
}

fn entry(review: &Review) -> serde_json::Result<String> {
    let id = serde_json::to_string(&review.question_id)?;
    let review = serde_json::to_string(&QuestionReview::from(review.clone()))?;
    Ok(format!("{id}:{review}"))
}

/// Stores a review. It replaces the question's earlier review.
#[utoipa::path(
    operation_id = "storeReview",
    tag = "review",
    security(("key" = [])),
    params(("questionId" = String, Path, description = "Question id, URL-encoded")),
    request_body = QuestionReview,
    responses(
        (status = 200, description = "Stored", body = Done),
        (status = 400, description = "`Invalid status`, `Invalid reviewedBy`, `Invalid reviewedByName`, `Invalid reviewedAt` or `Invalid note`", body = ErrorBody),
        KeyRefusal,
        (status = 404, description = "`Question not found`", body = ErrorBody),
        (status = 409, description = "`Your own question needs another person's approval`", body = ErrorBody),
    )
)]
#[put("/reviews/{questionId}")]
pub async fn put(
    asked: After<ProviderKey, After<Path<String>, JsonFields>>,
    database: Data<Database>,
    clock: Data<Clock>,
) -> Result<HttpResponse, Error> {
    let After(_key, After(question_id, fields)) = asked;
    let review = Review {
        question_id: question_id.into_inner(),
        status: fields.field("status").parsed(ReviewStatus::parse)?,
        reviewed_by: fields.field("reviewedBy").parsed(normal_email)?,
        reviewed_by_name: shown_name(fields.field("reviewedByName"))?,
        reviewed_at: fields.field("reviewedAt").optional()?.unwrap_or_else(|| clock.now()),
        note: fields.field("note").note()?,
    };
    // No id contains control characters, and Postgres would fail on NUL.
    let can_be = !review.question_id.chars().any(char::is_control);
    let outcome = if can_be { reviews::put_on_any(&database, review).await? } else { ReviewOutcome::Unknown };
    match outcome {
        ReviewOutcome::Stored => Ok(done()),
        ReviewOutcome::Unknown => Err(Error::NotFound(QUESTION_NOT_FOUND)),
        ReviewOutcome::Own => Err(Error::Conflict(OWN_QUESTION)),
    }
}
