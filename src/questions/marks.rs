//! What is said of many questions at once: that they are for exams alone, or that anyone may read them with their keys
//! (`docs/decisions/0087-who-may-sit-a-template.md`).

use std::collections::BTreeSet;

use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use domain::grade::Grade;
use domain::question::Question;
use domain::resources::Importer;
use domain::sitting::values::FieldChange;
use serde_json::Value;

use super::QUESTION_NOT_FOUND;
use super::bank::Banks;
use crate::auth::caller::Manager;
use crate::auth::refusals::ManagerRefusals;
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{Done, done};
use crate::http::audit::note_detail;
use crate::http::fields::{Field, JsonFields, body};
use crate::provider::Provider;
use crate::store::question_marks::{self, MarkChange};
use crate::store::questions;

/// Questions that are marked at once: those of two lists of a template, and more than a page of the bank shows.
const MARKED_MAX: usize = 500;

body! {
    /// What is said of some questions from now on.
    #[schema(examples(json!({ "ids": ["g5-001", "g5-002"], "practice": false })))]
    struct MarkedQuestions {
        /// Each once.
        #[schema(min_items = 1, max_items = 500)]
        ids: Vec<String> = |field| field.required_parsed(distinct),
        /// Whether they are for exams alone; as it is without it.
        #[schema(value_type = Option<bool>)]
        secure: Option<bool> = Field::optional,
        /// Whether anyone may read them with their keys; as it is without it, and with null `PUBLIC_ANSWERS` decides.
        #[schema(value_type = Option<bool>)]
        practice: FieldChange<bool> = |field| field.change(Value::as_bool),
    }
}

fn distinct(ids: Vec<String>) -> Option<Vec<String>> {
    let are_distinct = ids.iter().collect::<BTreeSet<_>>().len() == ids.len();
    ((1..=MARKED_MAX).contains(&ids.len()) && are_distinct).then_some(ids)
}

/// Keeps questions for exams alone, or says whether anyone may read them with their keys.
///
/// All of them are marked, or none. It takes effect at once, and on other servers within two seconds. What is for exams
/// alone is in no public bank, whatever is said about practice.
#[utoipa::path(
    operation_id = "markQuestions",
    tag = "review",
    security(("api_token" = [])),
    request_body = MarkedQuestions,
    responses(
        (status = 200, description = "Stored", body = Done),
        (status = 400, description = "`Invalid ids`: not 1 to 500, or one of them twice; `Invalid secure`, `Invalid practice`, or `Invalid body`: nothing is said", body = ErrorBody),
        ManagerRefusals,
        (status = 404, description = "`Question not found`: one of them", body = ErrorBody),
        (status = 501, description = "`Not available from the external data provider`: null for practice, where the questions are elsewhere", body = ErrorBody),
    )
)]
#[post("/api/admin/questions/marks")]
pub async fn mark(
    asked: After<Manager, JsonFields>,
    database: Data<Database>,
    provider: Data<dyn Provider>,
    banks: Data<Banks>,
) -> Result<HttpResponse, Error> {
    let After(manager, fields) = asked;
    let MarkedQuestions { ids, secure, practice } = MarkedQuestions::read(&fields)?;
    let change = MarkChange { secure, practice };
    if change.is_empty() {
        return Err(Error::invalid("body"));
    }
    let found = questions::load_by_ids(&database, ids.iter().map(String::as_str)).await?;
    if found.len() < ids.len() {
        return Err(Error::NotFound(QUESTION_NOT_FOUND));
    }
    let marked: Vec<Question> = found.into_values().collect();
    for grade in marked.iter().map(|question| question.grade).collect::<BTreeSet<Grade>>() {
        manager.signing_off(grade)?;
    }
    note_detail(&format!("{}: {}", said(&change), ids.join(", ")));
    let by = Importer { email: manager.0.email.clone(), name: manager.0.name.clone() };
    // Where the questions are elsewhere, the next copy of the bank says it again.
    provider.mark(&ids, &change.practice, &by).await?;
    question_marks::set(&database, &marked, &change).await?;
    banks.changed().await;
    Ok(done())
}

/// What is said, for the record.
fn said(change: &MarkChange) -> String {
    let secure = change.secure.map(|is_secure| if is_secure { "for exams alone" } else { "not for exams alone" });
    let practice = match change.practice {
        FieldChange::Keep => None,
        FieldChange::Clear => Some("practice not said"),
        FieldChange::Set(true) => Some("practice"),
        FieldChange::Set(false) => Some("no practice"),
    };
    secure.into_iter().chain(practice).collect::<Vec<_>>().join(", ")
}
