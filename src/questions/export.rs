//! `GET /api/admin/export`: the questions of a grade, or of all grades, as a workbook or in
//! a format of other systems.

use actix_web::web::{Data, Query};
use actix_web::{HttpResponse, get};
use domain::exchange::{ExportFormat, Exported};
use serde::Deserialize;

use super::exchange;
use crate::auth::caller::Admin;
use crate::auth::refusals::AdminRefusals;
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::FileBytes;
use crate::http::attachment::attachment;
use crate::provider::Provider;
use crate::sheets::turns::{WorkbookTurnstile, turn};

#[derive(Deserialize)]
struct ExportQuery {
    grade: Option<String>,
    format: Option<String>,
}

/// A file of questions that can be imported again: a workbook, one of whose sheets explains how, or one for another
/// system.
///
/// Pictures that are stored here are in Moodle XML and QTI as files, and in GIFT if they are small.
#[utoipa::path(
    operation_id = "exportQuestions",
    tag = "administration",
    security(("api_token" = [])),
    params(
        ("grade" = String, Query, description = "1 to 10, or `all`"),
        ("format" = Option<String>, Query, description = "`xlsx`, which is also the default, `moodle-xml`, `gift` or `qti3`"),
    ),
    responses(
        (status = 200, description = "The file, named `questions-grade<N>.xlsx`, `.xml`, `.gift.txt` or `.zip`; of the type of its format", body = inline(FileBytes), content_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        (status = 400, description = "`Invalid grade`, `Invalid format`, or more than 64 MiB of pictures", body = ErrorBody),
        AdminRefusals,
        (status = 503, description = "Too many workbooks at once", body = ErrorBody),
    )
)]
#[get("/api/admin/export")]
pub async fn export(
    asked: After<Admin, Query<ExportQuery>>,
    turns: Data<WorkbookTurnstile>,
    provider: Data<dyn Provider>,
    database: Data<Database>,
) -> Result<HttpResponse, Error> {
    let After(_admin, asked) = asked;
    let exported = asked.grade.as_deref().and_then(Exported::parse).ok_or_else(|| Error::invalid("grade"))?;
    let format = asked.format.as_deref().map_or(Some(ExportFormat::default()), ExportFormat::parse);
    let format = format.ok_or_else(|| Error::invalid("format"))?;
    let file = exchange::export(&**provider, &database, exported, format, turn(turns.join()?).await?).await?;
    Ok(attachment(&exported.file_name(format)).content_type(format.media_type()).body(file))
}
