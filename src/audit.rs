//! `GET /api/admin/audit`: what admins and managers have done, filtered, page by page or as a table.

use actix_web::web::{Data, Query};
use actix_web::{HttpResponse, get};
use domain::access::normal_email;
use domain::file_name::{FileName, day};
use domain::time::moment::Moment;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::auth::caller::Admin;
use crate::auth::refusals::AdminRefusals;
use crate::clock::Clock;
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{FileBytes, private};
use crate::http::attachment::attachment;
use crate::http::audit::actions;
use crate::http::parameters::{self, parsed, range_end, range_start};
use crate::sheets::turns::{WorkbookTurnstile, turn};
use crate::sheets::write::{CSV, TableCell, XLSX, table_head, table_lines, table_workbook};
use crate::store::audit::{self, AuditEntry, AuditFilter};
use crate::store::school::find_zone;

/// Entries on one page.
const PER_PAGE: u64 = 50;
/// Entries of a table: as many as a spreadsheet opens without trouble.
const EXPORTED_MAX: u64 = 50_000;
const HEADINGS: [&str; 5] = ["At", "Who", "Action", "Subject", "Detail"];

/// The record of what was done.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(list).service(export);
}

#[derive(Deserialize)]
struct AuditQuery {
    actor: Option<String>,
    action: Option<String>,
    from: Option<String>,
    to: Option<String>,
    page: Option<String>,
    format: Option<String>,
}

/// Something that was done.
#[derive(Serialize, ToSchema)]
struct AuditEntryView {
    id: i64,
    #[schema(value_type = String, format = DateTime)]
    at: Moment,
    /// E-mail address.
    actor: String,
    /// Such as `user.role`.
    action: String,
    /// What it was done to: an id, an address or a name. May be empty.
    subject: String,
    /// In a few words. May be empty.
    detail: String,
}

/// A page of entries, the newest first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AuditPage {
    entries: Vec<AuditEntryView>,
    /// From 1.
    page: u64,
    per_page: u64,
    total: u64,
    /// All actions that can be on record.
    actions: Vec<&'static str>,
}

/// What admins and managers have done, the newest first.
///
/// Who has proctored an exam is on the record of its sitting, and who has edited a question in the log of edits.
#[utoipa::path(
    operation_id = "listAudit",
    tag = "administration",
    security(("api_token" = [])),
    params(
        ("actor" = Option<String>, Query, description = "Only what this address has done"),
        ("action" = Option<String>, Query, description = "Only this action"),
        ("from" = Option<String>, Query, description = "From then on: ISO 8601, or a day in the school's time zone"),
        ("to" = Option<String>, Query, description = "Before then: ISO 8601, or a day in the school's time zone, which is included"),
        ("page" = Option<u64>, Query, description = "From 1", minimum = 1),
    ),
    responses(
        (status = 200, description = "A page of 50", body = AuditPage),
        (status = 400, description = "`Invalid actor`, `Invalid action`, `Invalid from`, `Invalid to` or `Invalid page`", body = ErrorBody),
        AdminRefusals,
    )
)]
#[get("/api/admin/audit")]
pub async fn list(asked: After<Admin, Query<AuditQuery>>, database: Data<Database>) -> Result<HttpResponse, Error> {
    let After(_admin, query) = asked;
    let page = parameters::page(&query.page)?.unwrap_or(1);
    let (found, total) = audit::find_page(&database, &filter(&query, &database).await?, page - 1, PER_PAGE).await?;
    let entries = found.into_iter().map(view).collect();
    Ok(private(&mut HttpResponse::Ok()).json(AuditPage {
        entries,
        page,
        per_page: PER_PAGE,
        total,
        actions: actions(),
    }))
}

/// The same entries as a table: the 50,000 newest of them.
#[utoipa::path(
    operation_id = "exportAudit",
    tag = "administration",
    security(("api_token" = [])),
    params(
        ("actor" = Option<String>, Query, description = "Only what this address has done"),
        ("action" = Option<String>, Query, description = "Only this action"),
        ("from" = Option<String>, Query, description = "From then on: ISO 8601, or a day in the school's time zone"),
        ("to" = Option<String>, Query, description = "Before then: ISO 8601, or a day in the school's time zone, which is included"),
        ("format" = Option<String>, Query, description = "`csv`, which is the default, or `xlsx`"),
    ),
    responses(
        (status = 200, description = "The table", body = inline(FileBytes), content_type = "text/csv"),
        (status = 400, description = "`Invalid actor`, `Invalid action`, `Invalid from`, `Invalid to` or `Invalid format`", body = ErrorBody),
        AdminRefusals,
        (status = 503, description = "Too many tables at once", body = ErrorBody),
    )
)]
#[get("/api/admin/audit/export")]
pub async fn export(
    asked: After<Admin, Query<AuditQuery>>,
    database: Data<Database>,
    turns: Data<WorkbookTurnstile>,
    clock: Data<Clock>,
) -> Result<HttpResponse, Error> {
    let After(_admin, query) = asked;
    let names_workbook = |format: &str| match format {
        "csv" => Some(false),
        "xlsx" => Some(true),
        _ => None,
    };
    let is_workbook = parsed("format", &query.format, names_workbook)?.unwrap_or(false);
    let filter = filter(&query, &database).await?;
    let turn = turn(turns.join()?).await?;
    let found = audit::load(&database, &filter, EXPORTED_MAX).await?;
    let writing = actix_web::web::block(move || {
        let rows: Vec<_> = found.into_iter().map(cells).collect();
        let file = if is_workbook {
            table_workbook("Audit", &HEADINGS, &rows).map_err(Error::internal)
        } else {
            Ok([table_head(&HEADINGS)?, table_lines(&rows)?].concat())
        };
        drop(turn);
        file
    });
    let file = writing.await.map_err(Error::internal)??;
    let (ending, kind) = if is_workbook { ("xlsx", XLSX) } else { ("csv", CSV) };
    let name = FileName::of(&["audit", &day(&find_zone(&database.read).await?, clock.now())], ending);
    Ok(private(&mut attachment(&name)).content_type(kind).body(file))
}

async fn filter(query: &AuditQuery, database: &Database) -> Result<AuditFilter, Error> {
    let zone = find_zone(&database.read).await?;
    let known = |action: &str| actions().contains(&action).then(|| action.to_owned());
    Ok(AuditFilter {
        action: parsed("action", &query.action, known)?,
        actor: parsed("actor", &query.actor, normal_email)?,
        from: range_start("from", &query.from, &zone)?,
        to: range_end("to", &query.to, &zone)?,
    })
}

fn view(entry: AuditEntry) -> AuditEntryView {
    let AuditEntry { id, at, actor, action, subject, detail } = entry;
    AuditEntryView { id, at, actor, action, subject, detail }
}

fn cells(entry: AuditEntry) -> [TableCell; HEADINGS.len()] {
    [
        TableCell::Time(entry.at.milliseconds()),
        TableCell::Text(entry.actor),
        TableCell::Text(entry.action),
        TableCell::Text(entry.subject),
        TableCell::Text(entry.detail),
    ]
}
