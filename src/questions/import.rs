//! `POST /api/admin/import`: questions from a workbook, or from a file of another system.

use actix_web::web::{Data, Query};
use actix_web::{HttpResponse, post};
use domain::exchange::foreign::Defaults;
use domain::grade::Grade;
use domain::question::Difficulty;
use domain::resources::Importer;
use domain::text::{NAME_CHARACTERS_MAX, has_control};
use serde::Deserialize;
use utoipa::ToSchema;

use super::exchange::foreign_file::QuestionFile;
use super::exchange::{self, ImportMode, ImportReport};
use crate::auth::caller::Admin;
use crate::auth::refusals::AdminRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::audit::with_detail;
use crate::http::parameters::flag;
use crate::http::upload::{FormFields, Upload};
use crate::pictures::Pictures;
use crate::provider::Provider;
use crate::questions::bank::Banks;
use crate::sheets::book::FILE_BYTES_MAX;
use crate::sheets::turns::{WorkbookTurnstile, turn};
use crate::store::embargo::Embargo;

/// Fields beside the file: what an import says for questions that do not say it themselves.
const FIELDS: [&str; 4] = ["grade", "topic", "difficulty", "practice"];

#[derive(Deserialize)]
struct ImportQuery {
    #[serde(rename = "dryRun")]
    dry_run: Option<String>,
    preview: Option<String>,
    grade: Option<String>,
    topic: Option<String>,
    difficulty: Option<String>,
    practice: Option<String>,
}

impl ImportQuery {
    /// What the form says, or else the address, for questions that do not say it themselves.
    fn defaults(self, mut fields: FormFields) -> Result<(Defaults, Option<bool>), Error> {
        let [grade, topic, difficulty, practice] = FIELDS;
        let mut given = |name: &'static str, asked: Option<String>| {
            fields.remove(name).filter(|text| !text.trim().is_empty()).or(asked).map(|text| text.trim().to_owned())
        };
        let of_grade = given(grade, self.grade).filter(|text| !text.is_empty());
        let of_topic = given(topic, self.topic).filter(|text| !text.is_empty());
        let of_difficulty = given(difficulty, self.difficulty).filter(|text| !text.is_empty());
        let of_practice = given(practice, self.practice).filter(|text| !text.is_empty());
        let of_practice = of_practice.map(|text| flag(practice, Some(&text))).transpose()?;
        let is_topic = |text: &String| text.chars().count() <= NAME_CHARACTERS_MAX && !has_control(text);
        let level = |text: String| text.parse().ok().and_then(Difficulty::new);
        let defaults = Defaults {
            grade: of_grade.map(|text| Grade::parse(&text).ok_or_else(|| Error::invalid(grade))).transpose()?,
            topic: of_topic.map(|text| Some(text).filter(is_topic).ok_or_else(|| Error::invalid(topic))).transpose()?,
            difficulty: of_difficulty.map(|text| level(text).ok_or_else(|| Error::invalid(difficulty))).transpose()?,
        };
        Ok((defaults, of_practice))
    }
}

/// The form that carries a file.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it describes the form in the document")]
struct Form {
    /// An xlsx or ods workbook, a text with commas, semicolons or tabs, Moodle XML, GIFT, Aiken, or QTI as an item or a
    /// package; 20 MiB at most.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
    /// The grade of questions that do not say it themselves, 1 to 10. Workbooks always do.
    grade: Option<String>,
    /// The topic of such questions.
    topic: Option<String>,
    /// The difficulty of such questions, 1 to 5.
    difficulty: Option<String>,
    /// `true` or `false`: whether anyone may read new questions with their keys whose rows do not say it.
    practice: Option<String>,
}

/// Adds and overwrites questions from a file, whose format is recognised by its content.
///
/// Each row of a sheet is a question: with an empty `id` it is added, with an existing one it overwrites that question.
/// A question of another system has the id that it has there, or one made of its text. `errors` names the rows and
/// questions that can't be imported; all others are.
#[utoipa::path(
    operation_id = "importQuestions",
    tag = "administration",
    security(("api_token" = [])),
    params(
        ("dryRun" = Option<bool>, Query, description = "Tell what the import would do, and write nothing"),
        ("preview" = Option<bool>, Query, description = "With `dryRun`: also show the first questions as they would be"),
        ("grade" = Option<String>, Query, description = "Like the field of the form"),
        ("topic" = Option<String>, Query, description = "Like the field of the form"),
        ("difficulty" = Option<String>, Query, description = "Like the field of the form"),
        ("practice" = Option<String>, Query, description = "Like the field of the form"),
    ),
    request_body(content = inline(Form), content_type = "multipart/form-data"),
    responses(
        (status = 200, description = "What was done", body = ImportReport),
        (status = 400, description = "`Invalid file`, `Not a spreadsheet workbook`, `Missing columns: …`, `The workbook is too large when unpacked`, \
            `The sheet has more than 50,000 rows`, `The sheet has more than 100 columns`, `Column … stands twice`, `Column … is not known: did you mean …?`, `Row …: a quotation mark is opened and not closed`, `An .xls workbook is not read: save it as .xlsx`, \
            `The workbook is protected by a password: save it without one`, `Row …: a letter is not in UTF-8: save the file as UTF-8 or as .xlsx`, \
            `The encoding of the text is not known: save it as UTF-8 or as .xlsx`, `The file has no questions`, \
            `The file has more than 20000 questions`, `The file has no questions in a format that is known: it is XML of …`, \
            `Line …: the XML is damaged`, `Line …: the file ends within an element: it is cut off`, `Line …: the XML is nested too deeply`, \
            `Line …: an element has too many parts`, `Invalid grade`, `Invalid topic`, `Invalid difficulty`, `Invalid practice`, `Invalid dryRun` or `Invalid preview`", body = ErrorBody),
        AdminRefusals,
        (status = 408, description = "The body came too slowly", body = ErrorBody),
        (status = 413, description = "Over 20 MiB", body = ErrorBody),
        (status = 503, description = "Too many workbooks at once, or another change takes too long", body = ErrorBody),
    )
)]
#[post("/api/admin/import")]
pub async fn import(
    asked: After<Admin, (Query<ImportQuery>, Upload)>,
    turns: Data<WorkbookTurnstile>,
    provider: Data<dyn Provider>,
    pictures: Data<Pictures>,
    banks: Data<Banks>,
) -> Result<HttpResponse, Error> {
    let After(Admin(admin), (asked, upload)) = asked;
    let is_dry_run = flag("dryRun", asked.dry_run.as_deref())?;
    let sight = if flag("preview", asked.preview.as_deref())? { Embargo::school_sight(&admin) } else { None };
    let place = turns.join()?;
    let (sent, fields) = upload.file_with("file", &FIELDS, FILE_BYTES_MAX).await?;
    let (defaults, practice_of_new) = asked.into_inner().defaults(fields)?;
    let file = QuestionFile { defaults, stores_pictures: pictures.are_here() };
    let (mut drafts, _turn) = exchange::read_in_turn(file, sent, turn(place).await?).await?;
    drafts.rows.practice_of_new = practice_of_new;
    let mode = if is_dry_run { ImportMode::DryRun(sight) } else { ImportMode::Write };
    let by = Importer { email: admin.email, name: admin.name };
    let report = exchange::apply(&**provider, drafts, &by, mode, &mut |_| ()).await?;
    if !is_dry_run {
        banks.changed().await;
    }
    let detail = format!("{} new, {} changed, {} refused", report.added, report.updated, report.errors.len());
    Ok(with_detail(HttpResponse::Ok().json(report), detail))
}
