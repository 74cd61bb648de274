//! `GET /api/admin/export`: the questions of a grade, or of all grades, as a spreadsheet workbook.

use actix_web::http::header::CONTENT_DISPOSITION;
use actix_web::web::{Data, Query};
use actix_web::{HttpResponse, get};
use domain::workbook::Exported;
use serde::Deserialize;

use super::exchange;
use crate::auth::caller::Admin;
use crate::auth::refusals::AdminRefusals;
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::FileBytes;
use crate::provider::Provider;
use crate::sheets::turns::{WorkbookTurnstile, turn};
use crate::sheets::write::XLSX;

#[derive(Deserialize)]
struct ExportQuery {
    grade: Option<String>,
}

/// A workbook of questions that can be edited and imported again. One of its sheets explains how.
#[utoipa::path(
    operation_id = "exportQuestions",
    tag = "administration",
    security(("api_token" = [])),
    params(("grade" = String, Query, description = "1 to 10, or `all`")),
    responses(
        (status = 200, description = "The workbook, named `questions-grade<N>.xlsx`", body = inline(FileBytes), content_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        (status = 400, description = "`Invalid grade`", body = ErrorBody),
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
    let file = exchange::export(&**provider, &database, exported, turn(turns.join()?).await?).await?;
    let disposition = format!("attachment; filename=\"{}\"", exported.file_name());
    Ok(HttpResponse::Ok().content_type(XLSX).insert_header((CONTENT_DISPOSITION, disposition)).body(file))
}
