//! Edits of questions, and the log of a grade's edits.

use actix_web::web::{Data, Query};
use actix_web::{HttpResponse, get, post};
use domain::grade::Grade;
use domain::number::{Form, Language};
use domain::resources::EditRequest;
use domain::review::{EditRefusal, SeenFields, Updates};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use super::log::{EditLog, answer};
use crate::auth::caller::Staff;
use crate::auth::refusals::StaffRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::fields::{Field, JsonFields, body};
use crate::http::grade_query::GradeQuery;
use crate::provider::Provider;
use crate::questions::QUESTION_NOT_FOUND;
use crate::questions::bank::Banks;
use crate::store::edits::EditError;

const NO_CHANGES: &str = "No changes";
const QUESTION_CHANGED: &str = "Question has changed";

/// Lists the edits of a grade's questions, newest first.
#[utoipa::path(
    operation_id = "listEdits",
    tag = "review",
    security(("api_token" = [])),
    params(("grade" = u8, Query, description = "1 to 10", minimum = 1, maximum = 10)),
    responses(
        (status = 200, description = "All edits of the grade", body = EditLog),
        (status = 400, description = "`Invalid grade`", body = ErrorBody),
        StaffRefusals,
    )
)]
#[get("/api/review/edit")]
pub async fn log(asked: After<Staff, Query<GradeQuery>>, provider: Data<dyn Provider>) -> Result<HttpResponse, Error> {
    let After(staff, asked) = asked;
    let grade = asked.required()?;
    staff.reviewing(grade)?;
    answer(provider.edits(Some(grade))).await
}

body! {
    /// The body of `POST /api/review/edit`.
    struct EditQuestion {
        question_id: String = Field::required,
        grade: Grade = Field::required,
        /// The reason. At most 10,000 characters.
        #[schema(value_type = Option<String>)]
        comment: String = Field::note,
        #[schema(value_type = UpdatesView)]
        updates: Updates = |field| field.required_parsed(|given: Map<String, Value>| Updates::read(&given)),
        /// What the caller has seen of the question. If any of these fields is another one by now, nothing is edited.
        before: Option<SeenFields> = Field::optional,
    }
}

/// The fields to change. Each text has at most 32,767 UTF-16 units.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes a body that is read field by field")]
struct UpdatesView {
    question: Option<String>,
    /// `A` to `D`, and one of the question's options; or the right number with a decimal point.
    answer: Option<String>,
    /// Of a number, like the next three: how far an answer may be from it.
    tolerance: Option<String>,
    /// What stands behind the box. May be empty.
    #[schema(max_length = 20)]
    unit: Option<String>,
    /// The ways of writing the number that count.
    forms: Option<Vec<Form>>,
    /// How digit groups and decimal signs are read.
    language: Option<Language>,
    explanation: Option<String>,
    /// Two to four texts that are not empty. A question that asks for a number has none.
    options: Option<Vec<String>>,
    /// May be empty.
    image: Option<String>,
    /// What the picture shows, in words. May be empty.
    image_description: Option<String>,
    topic: Option<String>,
    /// May be empty.
    subtopic: Option<String>,
    /// 1 to 5.
    #[schema(minimum = 1, maximum = 5)]
    difficulty: Option<u8>,
    /// May be empty.
    source: Option<String>,
    /// Whether it keeps the order of its options where options are shuffled. Without it that stays as it is, unless the
    /// new `options` ask for it, as *All of the above* does, and the old ones did not.
    fixed_options: Option<bool>,
}

/// The id under which the edit is logged.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Edited {
    ok: bool,
    edit_id: Uuid,
}

/// Changes a question and logs the changes. Tests that have begun are graded by the question's earlier key.
#[utoipa::path(
    operation_id = "editQuestion",
    tag = "review",
    security(("api_token" = [])),
    request_body = EditQuestion,
    responses(
        (status = 200, description = "Edited", body = Edited),
        (status = 400, description = "`Invalid questionId`, `Invalid grade`, `Invalid comment`, `Invalid updates`, `Invalid before` or `No changes`", body = ErrorBody),
        StaffRefusals,
        (status = 404, description = "The grade has no such question", body = ErrorBody),
        (status = 409, description = "`Question has changed`: it is no longer as `before` says", body = ErrorBody),
    )
)]
#[post("/api/review/edit")]
pub async fn edit(
    asked: After<Staff, JsonFields>,
    provider: Data<dyn Provider>,
    banks: Data<Banks>,
) -> Result<HttpResponse, Error> {
    let After(staff, fields) = asked;
    let EditQuestion { question_id, grade, comment, updates, before } = EditQuestion::read(&fields)?;
    let seen = before.unwrap_or_default();
    staff.reviewing(grade)?;
    let updates = match updates.topic().map(str::to_owned) {
        Some(topic) => {
            let bank = banks.of(grade).await?;
            let own = bank.keyed.iter().find(|question| *question.id == *question_id);
            let own = own.map(|question| &*question.topic);
            updates.with_topic(bank.topic_spellings().spell_edited(&topic, own))
        }
        None => updates,
    };
    let asked = EditRequest { question_id: &question_id, grade, updates, seen, comment, editor: &staff.0 };
    let edit_id = provider.edit(asked).await.map_err(refused)?;
    banks.changed().await;
    Ok(HttpResponse::Ok().json(Edited { ok: true, edit_id }))
}

fn refused(cause: EditError) -> Error {
    match cause {
        EditError::Unknown => Error::NotFound(QUESTION_NOT_FOUND),
        EditError::Refused(EditRefusal::Invalid) => Error::invalid("updates"),
        EditError::Refused(EditRefusal::Changed) => Error::Conflict(QUESTION_CHANGED),
        EditError::Refused(EditRefusal::NoChanges) => Error::Invalid(NO_CHANGES.to_owned()),
        EditError::Failed(cause) => cause,
    }
}
