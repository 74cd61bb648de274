//! `POST /api/admin/import`: questions from a spreadsheet workbook.

use actix_web::web::{Data, Query};
use actix_web::{HttpResponse, post};
use domain::resources::Importer;
use serde::Deserialize;
use utoipa::ToSchema;

use super::exchange::workbook::QuestionWorkbook;
use super::exchange::{self, ImportReport};
use crate::auth::caller::Admin;
use crate::auth::refusals::AdminRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::audit::with_detail;
use crate::http::upload::Upload;
use crate::provider::Provider;
use crate::questions::bank::Banks;
use crate::sheets::book::FILE_BYTES_MAX;
use crate::sheets::turns::{WorkbookTurnstile, turn};

#[derive(Deserialize)]
struct ImportQuery {
    #[serde(rename = "dryRun")]
    dry_run: Option<String>,
}

/// The form that carries a workbook.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it describes the form in the document")]
struct Form {
    /// An xlsx or ods workbook, or a text with commas, semicolons or tabs; 20 MiB at most.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

/// Adds and overwrites questions from a workbook.
///
/// Each row of the sheet is a question: with an empty `id` it is added, with an existing one it overwrites that
/// question. `errors` names the rows that can't be imported; all others are.
#[utoipa::path(
    operation_id = "importQuestions",
    tag = "administration",
    security(("api_token" = [])),
    params(("dryRun" = Option<bool>, Query, description = "Tell what the import would do, and write nothing")),
    request_body(content = inline(Form), content_type = "multipart/form-data"),
    responses(
        (status = 200, description = "What was done", body = ImportReport),
        (status = 400, description = "`Invalid file`, `Not a spreadsheet workbook`, `Missing columns: …`, `The workbook is too large when unpacked`, \
            `The sheet has more than 50,000 rows`, `The sheet has more than 100 columns`, `Column … stands twice`, `Column … is not known: did you mean …?`, `Row …: a quotation mark is opened and not closed`, `An .xls workbook is not read: save it as .xlsx`, \
            `The workbook is protected by a password: save it without one`, `Row …: a letter is not in UTF-8: save the file as UTF-8 or as .xlsx`, \
            `The encoding of the text is not known: save it as UTF-8 or as .xlsx` or `Invalid dryRun`", body = ErrorBody),
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
    banks: Data<Banks>,
) -> Result<HttpResponse, Error> {
    let After(Admin(admin), (asked, upload)) = asked;
    let is_dry_run = match asked.dry_run.as_deref() {
        None | Some("" | "false" | "0") => false,
        Some("true" | "1") => true,
        Some(_) => return Err(Error::invalid("dryRun")),
    };
    let place = turns.join()?;
    let sent = upload.file("file", FILE_BYTES_MAX).await?;
    let (drafts, _turn) = exchange::read_in_turn(QuestionWorkbook, sent, turn(place).await?).await?;
    let by = Importer { email: admin.email, name: admin.name };
    let report = exchange::apply(&**provider, drafts, &by, is_dry_run, &mut |_| ()).await?;
    if !is_dry_run {
        banks.changed().await;
    }
    let detail = format!("{} new, {} changed, {} refused", report.added, report.updated, report.errors.len());
    Ok(with_detail(HttpResponse::Ok().json(report), detail))
}
