//! The question banks: read as a whole, changed one question at a time, and imported.

use std::fmt::{self, Formatter};

use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::{self, Bytes, Data, Query};
use actix_web::{HttpRequest, HttpResponse, get, post, put};
use domain::access::normal_email;
use domain::exchange::json;
use domain::number::{Form, Language};
use domain::question::Question;
use domain::resources::Importer;
use domain::text;
use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::key::{KeyRefusal, ProviderKey};
use crate::clock::Clock;
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{Done, done};
use crate::http::body::{self, Body, BodyKind, LARGE_BYTES_MAX};
use crate::http::grade_query::GradeQuery;
use crate::http::{encoding, ready_response};
use crate::provider::Provider;
use crate::provider::contract::{BankEntry, Imported, QuestionList};
use crate::questions::QUESTION_RETIRED;
use crate::questions::bank::Banks;
use crate::sheets::turns::{WorkbookTurnstile, turn};
use crate::store::embargo::Embargo;
use crate::store::question_marks::ImportedMarks;
use crate::store::{imports, questions, retired};

/// Bytes of an import: as many as this server accepts in an answer that carries a bank.
const IMPORT_BYTES_MAX: usize = 64 * 1_024 * 1_024;
/// Rows of an import: as many as a workbook may have.
const ROWS_MAX: usize = 50_000;
const TOO_MANY_ROWS: &str = "The import has more than 50,000 rows";

/// A [`QuestionList`] as it is sent.
#[derive(Serialize)]
struct ListedQuestions {
    questions: Vec<BankEntry>,
}

/// Returns the bank of a grade, edits and imports included, ordered by id.
///
/// It is what another server shows to everyone, so it lacks the questions that a sitting withholds now, and those that
/// are for exams alone. `practice: false` of a question says that its key is kept from everyone here, by its own mark
/// or by a template: the other server keeps it too.
///
/// Answers 304 without a body when `If-None-Match` names the present bank.
#[utoipa::path(
    operation_id = "listQuestions",
    tag = "questions",
    security(("key" = [])),
    params(("grade" = u8, Query, description = "1 to 10", minimum = 1, maximum = 10)),
    responses(
        (status = 200, description = "All questions of the grade, with an `ETag`", body = QuestionList),
        (status = 304, description = "The bank is the one that `If-None-Match` names"),
        (status = 400, description = "`Invalid grade`", body = ErrorBody),
        KeyRefusal,
    )
)]
#[get("/questions")]
pub async fn list(
    request: HttpRequest,
    asked: After<ProviderKey, Query<GradeQuery>>,
    provider: Data<dyn Provider>,
    database: Data<Database>,
    embargo: Data<Embargo>,
) -> Result<HttpResponse, Error> {
    let After(_key, asked) = asked;
    let grade = asked.required()?;
    let questions = provider.bank(grade).await?;
    let (secure, withheld) = (questions::load_secure(&database, grade).await?, embargo.withheld().await?);
    let everyones = |question: Question| {
        let practice = withheld.keys.said(&question.id);
        withheld.everyones(question, &secure).map(|question| BankEntry { question, practice })
    };
    let json =
        serde_json::to_vec(&ListedQuestions { questions: questions.into_iter().filter_map(everyones).collect() })?;
    let tag = ready_response::hash(&json);
    let (mut response, is_known) = encoding::begin(request.headers(), &tag, &[(CACHE_CONTROL, "private, no-cache")]);
    Ok(if is_known { response.finish() } else { response.content_type("application/json").body(json) })
}

/// Stores a question. It replaces a question of the same id, even one of another grade.
#[utoipa::path(
    operation_id = "overrideQuestion",
    tag = "questions",
    security(("key" = [])),
    request_body = Question,
    responses(
        (status = 200, description = "Stored", body = Done),
        (status = 400, description = "`Invalid <field>`, such as `Invalid options`", body = ErrorBody),
        KeyRefusal,
        (status = 409, description = "`Question is retired`", body = ErrorBody),
    )
)]
#[put("/questions/override")]
pub async fn override_one(
    asked: After<ProviderKey, Body<LARGE_BYTES_MAX>>,
    database: Data<Database>,
    banks: Data<Banks>,
) -> Result<HttpResponse, Error> {
    let After(_key, Body(body)) = asked;
    let row: Value = serde_json::from_slice(&body).map_err(|_| Error::invalid("body"))?;
    let question =
        json::question(&row, None, &mut String::new).map_err(|error| Error::invalid(error.first().field()))?;
    if question.id.is_empty() {
        return Err(Error::invalid("id"));
    }
    if !retired::put_unless_retired(&database, question).await? {
        return Err(Error::Conflict(QUESTION_RETIRED));
    }
    banks.changed().await;
    Ok(done())
}

#[derive(Deserialize)]
struct SentRows {
    by: Option<SentImporter>,
    rows: TakenRows,
}

/// Who imports the rows, for the log of edits.
#[derive(Deserialize, ToSchema)]
struct SentImporter {
    /// An address, or `server` if a program imports.
    email: String,
    #[serde(default)]
    name: String,
}

impl SentImporter {
    fn read(self) -> Option<Importer> {
        let email = if self.email == Importer::SERVER { self.email } else { normal_email(&self.email)? };
        // It is for the log alone, so a name that we do not show refuses no import.
        Some(Importer { email, name: text::name(&self.name).unwrap_or_default() })
    }
}

/// The rows up to the limit. Further rows are skipped without being kept, so that they cost no memory.
struct TakenRows {
    rows: Vec<Value>,
    has_more: bool,
}

impl<'de> Deserialize<'de> for TakenRows {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(RowsVisitor)
    }
}

struct RowsVisitor;

impl<'de> Visitor<'de> for RowsVisitor {
    type Value = TakenRows;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of rows")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut given: A) -> Result<TakenRows, A::Error> {
        let mut rows = Vec::new();
        while rows.len() < ROWS_MAX {
            match given.next_element()? {
                Some(row) => rows.push(row),
                None => return Ok(TakenRows { rows, has_more: false }),
            }
        }
        let mut has_more = false;
        while given.next_element::<IgnoredAny>()?.is_some() {
            has_more = true;
        }
        Ok(TakenRows { rows, has_more })
    }
}

/// Rows to import.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes a body that is read row by row, to name the row that is wrong")]
struct RowsView {
    /// `server` if it is absent.
    by: Option<SentImporter>,
    /// At most 50,000. A row without an id is added under a new one. A row with the id of a stored question changes
    /// only the fields that it has.
    rows: Vec<QuestionRow>,
}

/// Some or all fields of a question.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes a row that is read field by field")]
struct QuestionRow {
    /// Empty or absent for a new question.
    id: Option<String>,
    /// 1 to 10. Required for a new question.
    #[schema(minimum = 1, maximum = 10)]
    grade: Option<u8>,
    topic: Option<String>,
    subtopic: Option<String>,
    /// 1 to 5. Required for a new question.
    #[schema(minimum = 1, maximum = 5)]
    difficulty: Option<u8>,
    source: Option<String>,
    /// `multiple-choice`, also for a new question without it, or `number`.
    #[schema(rename = "type")]
    kind: Option<String>,
    /// Required for a new question.
    question: Option<String>,
    /// Two to four; none for a number. Required for a new question.
    options: Option<Vec<String>>,
    /// `A` to `D`, and one of the options, or the right number with a decimal point. Required for a new question.
    answer: Option<String>,
    /// Of a number, like the next three: how far it may be from the right one; `0` for a new question without it.
    tolerance: Option<String>,
    /// What stands behind the box, at most 20 characters.
    unit: Option<String>,
    /// The ways of writing it that count; all for a new question without it.
    forms: Option<Vec<Form>>,
    /// How digit groups and decimal signs are read; `en` for a new question without it.
    language: Option<Language>,
    explanation: Option<String>,
    image: Option<String>,
    image_description: Option<String>,
    /// Whether its options keep their order where options are shuffled; found by a rule when a new question lacks it,
    /// or a stored one whose new `options` ask for it.
    fixed_options: Option<bool>,
    /// Whether it is for exams alone; as it was when absent. Such a question is not in the answer to `GET`.
    secure: Option<bool>,
    /// Whether anyone may read it with its key here; as it was when absent.
    practice: Option<bool>,
}

/// Adds questions, and overwrites those of the same id. Invalid rows are reported, and all others are imported. What
/// changes in stored questions is in the log of edits.
#[utoipa::path(
    operation_id = "importQuestions",
    tag = "questions",
    security(("key" = [])),
    request_body = RowsView,
    responses(
        (status = 200, description = "What was done", body = Imported),
        (status = 400, description = "`Invalid body`, `Invalid by`, or more than 50,000 rows", body = ErrorBody),
        KeyRefusal,
        (status = 413, description = "Over 64 MiB", body = ErrorBody),
        (status = 503, description = "Too many imports at once, or another change takes too long", body = ErrorBody),
    )
)]
#[post("/questions/import")]
pub async fn import(
    asked: After<ProviderKey, web::Payload>,
    turns: Data<WorkbookTurnstile>,
    (database, clock): (Data<Database>, Data<Clock>),
    banks: Data<Banks>,
) -> Result<HttpResponse, Error> {
    let After(_key, payload) = asked;
    let place = turns.join()?;
    let body = body::read(payload, IMPORT_BYTES_MAX, BodyKind::Other).await?;
    let _turn = turn(place).await?;
    let (by, rows) = web::block(move || read(&body)).await.map_err(Error::internal)??;
    let ids = rows.iter().filter_map(json::wanted).map(str::to_owned).collect();
    let make = move |stored: &_, retired: &_| {
        let read = json::import(&rows, stored, retired, &mut || Uuid::new_v4().to_string());
        (read.questions, ImportedMarks { secure: read.secure, practice: read.practice }, read.errors)
    };
    let (written, errors) = imports::put_made(&database, ids, &by, &clock, make).await?;
    banks.changed().await;
    Ok(HttpResponse::Ok().json(Imported { added: written.added, updated: written.updated, errors }))
}

fn read(body: &Bytes) -> Result<(Importer, Vec<Value>), Error> {
    let SentRows { by, rows: TakenRows { rows, has_more } } =
        serde_json::from_slice(body).map_err(|_| Error::invalid("body"))?;
    if has_more {
        return Err(Error::Invalid(TOO_MANY_ROWS.to_owned()));
    }
    let unnamed = || SentImporter { email: Importer::SERVER.to_owned(), name: String::new() };
    let by = by.unwrap_or_else(unnamed).read().ok_or_else(|| Error::invalid("by"))?;
    Ok((by, rows))
}
