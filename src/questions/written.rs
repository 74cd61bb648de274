//! `POST /api/review/questions` and `POST /api/admin/questions`: questions that are written here.

use actix_web::http::header::LOCATION;
use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use domain::access::{Identity, Role};
use domain::exchange::RowErrors;
use domain::exchange::written::WrittenQuestion;
use domain::grade::Grade;
use domain::number::{Form, Language};
use domain::question::Question;
use domain::resources::Importer;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;
use uuid::{Builder, Uuid};

use super::QUESTION_RETIRED;
use super::bank::Banks;
use crate::auth::caller::{Admin, NOT_ASSIGNED, Staff};
use crate::auth::refusals::{AdminRefusals, StaffRefusals};
use crate::error::{Error, ErrorBody, FORBIDDEN};
use crate::http::after::After;
use crate::http::audit::note_subject;
use crate::http::fields::JsonFields;
use crate::provider::Provider;
use crate::store::embargo::Embargo;
use crate::store::written::WriteError;

/// A question without an id, which the server makes.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes a body that is read field by field, to name all fields that are wrong")]
struct NewQuestion {
    /// Made by the client for what somebody is writing: pressing save again with it makes no second question.
    draft_id: Option<Uuid>,
    /// 1 to 10.
    #[schema(minimum = 1, maximum = 10)]
    grade: u8,
    /// `General` without it. One that the grade has in other capitals, or by its name in the other language of the
    /// pages, becomes that one.
    topic: Option<String>,
    subtopic: Option<String>,
    /// 1 to 5.
    #[schema(minimum = 1, maximum = 5)]
    difficulty: u8,
    /// `written` without it.
    source: Option<String>,
    /// `multiple-choice`, also without it, or `number`.
    #[schema(rename = "type")]
    kind: Option<String>,
    question: String,
    /// Two to four of which no two are equal; none for a number.
    #[schema(max_items = 4)]
    options: Option<Vec<String>>,
    /// `A` to `D`, and one of the options, or the right number with a decimal point.
    answer: String,
    /// Of a number, like the next three: how far it may be from the right one; `0` without it.
    tolerance: Option<String>,
    /// What stands behind the box.
    #[schema(max_length = 20)]
    unit: Option<String>,
    /// The ways of writing it that count; all without it.
    forms: Option<Vec<Form>>,
    /// How digit groups and decimal signs are read; `en` without it.
    language: Option<Language>,
    explanation: Option<String>,
    /// The address of a picture.
    image: Option<String>,
    /// What the picture shows, in words. Required with a picture.
    image_description: Option<String>,
    /// Whether it keeps the order of its options where options are shuffled. A rule decides without it.
    fixed_options: Option<bool>,
    /// Whether it is for exams alone, which managers of the grade and admins may say.
    secure: Option<bool>,
    /// Whether anyone may read it with its key: managers of the grade and admins may say so, and everybody that nobody
    /// may. `PUBLIC_ANSWERS` decides without it.
    practice: Option<bool>,
}

/// Why a question is refused.
#[derive(Serialize, ToSchema)]
struct QuestionFaults {
    /// All that is wrong, in one sentence.
    error: String,
    /// The same, one by one; absent where nothing can be read of the question.
    #[schema(required = false)]
    faults: Vec<QuestionFault>,
}

/// What is wrong with one field of a question.
#[derive(Serialize, ToSchema)]
struct QuestionFault {
    /// The field's name in the body.
    field: &'static str,
    message: String,
}

/// Adds a question that is written here to the bank of its grade.
///
/// Its review is pending until another person approves it. Asked again with the same `draftId`, the answer is the
/// question that is there, whatever the body says.
#[utoipa::path(
    operation_id = "writeQuestion",
    tag = "review",
    security(("api_token" = [])),
    request_body = NewQuestion,
    responses(
        (status = 201, description = "The question", body = Question, headers(("Location" = String, description = "Names the question"))),
        (status = 400, description = "All that is wrong with the question; `Invalid body` or `Invalid draftId` without `faults`", body = QuestionFaults),
        StaffRefusals,
        (status = 409, description = "`Question is retired`: the one of this `draftId`", body = ErrorBody),
        (status = 503, description = "Another change takes too long", body = ErrorBody),
    )
)]
#[post("/api/review/questions")]
pub async fn write(
    asked: After<Staff, JsonFields>,
    provider: Data<dyn Provider>,
    banks: Data<Banks>,
) -> Result<HttpResponse, Error> {
    let After(Staff(author), fields) = asked;
    create(&author, fields, &**provider, &banks).await
}

/// The same for admins, on record.
#[utoipa::path(
    operation_id = "writeQuestionAsAdmin",
    tag = "administration",
    security(("api_token" = [])),
    request_body = NewQuestion,
    responses(
        (status = 201, description = "The question", body = Question, headers(("Location" = String, description = "Names the question"))),
        (status = 400, description = "All that is wrong with the question; `Invalid body` or `Invalid draftId` without `faults`", body = QuestionFaults),
        AdminRefusals,
        (status = 409, description = "`Question is retired`: the one of this `draftId`", body = ErrorBody),
        (status = 503, description = "Another change takes too long", body = ErrorBody),
    )
)]
#[post("/api/admin/questions")]
pub async fn write_as_admin(
    asked: After<Admin, JsonFields>,
    provider: Data<dyn Provider>,
    banks: Data<Banks>,
) -> Result<HttpResponse, Error> {
    let After(Admin(author), fields) = asked;
    create(&author, fields, &**provider, &banks).await
}

async fn create(
    author: &Identity,
    fields: JsonFields,
    provider: &dyn Provider,
    banks: &Banks,
) -> Result<HttpResponse, Error> {
    let draft_id: Option<Uuid> = fields.field("draftId").optional()?;
    let Value::Object(fields) = fields.into_value() else { return Err(Error::invalid("body")) };
    // Whoever may not write for the grade is told nothing else.
    if let Some(grade) = fields.get("grade").and_then(Value::as_i64).and_then(Grade::new) {
        refuse_others(author, grade)?;
    }
    let id = draft_id.map_or_else(Uuid::new_v4, |draft_id| id_of(draft_id, &author.email)).to_string();
    let mut written = match WrittenQuestion::read(&fields, &id) {
        Ok(written) => written,
        Err(errors) => return Ok(HttpResponse::BadRequest().json(QuestionFaults::from(&errors))),
    };
    let grade = written.question.grade;
    refuse_others(author, grade)?;
    // A tick for practice publishes the key; that it is none is anybody's to say.
    if (written.secure || written.practice == Some(true)) && !author.signs_off().has(grade) {
        return Err(Error::Forbidden(if author.role < Role::Manager { FORBIDDEN } else { NOT_ASSIGNED }));
    }
    written.question.topic = banks.of(grade).await?.topic_spellings().spell(&written.question.topic);
    note_subject(&id, &format!("grade {}", grade.number()));
    let by = Importer { email: author.email.clone(), name: author.name.clone() };
    let question = match provider.create(written, &by).await {
        Ok(question) => question,
        Err(WriteError::Retired) => return Err(Error::Conflict(QUESTION_RETIRED)),
        Err(WriteError::NoPicture) => return Ok(HttpResponse::BadRequest().json(QuestionFaults::no_picture())),
        Err(WriteError::Failed(cause)) => return Err(cause),
    };
    banks.changed().await;
    let sight = Embargo::staff_sight(author, &[question.grade]).ok_or(Error::Forbidden(NOT_ASSIGNED))?;
    let place = format!("/api/admin/questions/{}", question.id);
    Ok(HttpResponse::Created().insert_header((LOCATION, place)).json(sight.whole(question)))
}

fn refuse_others(author: &Identity, grade: Grade) -> Result<(), Error> {
    if author.reviews().has(grade) { Ok(()) } else { Err(Error::Forbidden(NOT_ASSIGNED)) }
}

/// The id of the question that one person makes of a draft. Nobody can make a question of somebody else's draft.
fn id_of(draft_id: Uuid, email: &str) -> Uuid {
    let digest: [u8; 32] = Sha256::new().chain_update(draft_id).chain_update(email).finalize().into();
    let mut bytes = [0; 16];
    bytes.iter_mut().zip(digest).for_each(|(byte, of_digest)| *byte = of_digest);
    Builder::from_custom_bytes(bytes).into_uuid()
}

impl QuestionFaults {
    /// The picture is gone, or was never here.
    fn no_picture() -> Self {
        let error = "image is not stored here".to_owned();
        Self { faults: vec![QuestionFault { field: "image", message: error.clone() }], error }
    }
}

impl From<&RowErrors> for QuestionFaults {
    fn from(errors: &RowErrors) -> Self {
        let fault =
            |error: &domain::exchange::RowError| QuestionFault { field: error.field(), message: error.to_string() };
        Self { error: errors.to_string(), faults: errors.iter().map(fault).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_makes_one_question_for_each_person() {
        let draft = Uuid::from_u128(5);
        assert_eq!(id_of(draft, "an@school.test"), id_of(draft, "an@school.test"));
        assert_ne!(id_of(draft, "an@school.test"), id_of(draft, "binh@school.test"));
        assert_ne!(id_of(draft, "an@school.test"), id_of(Uuid::from_u128(6), "an@school.test"));
    }
}
