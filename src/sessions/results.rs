//! `GET /api/admin/results`: the results of finished tests as a table, for spreadsheets.

use std::collections::HashMap;
use std::sync::Arc;

use actix_web::http::header::CONTENT_DISPOSITION;
use actix_web::web::{Bytes, Data, Query, block};
use actix_web::{HttpResponse, get};
use csv::Writer;
use domain::resources::{SessionEntry, SessionFilter};
use domain::time::moment::Moment;
use futures_util::stream::{BoxStream, StreamExt, TryStreamExt};
use rust_xlsxwriter::{ExcelDateTime, Format, Workbook, Worksheet, XlsxError};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::list::{OriginChoice, SessionConditions, entries};
use super::read::private;
use crate::auth::caller::Admin;
use crate::auth::refusals::AdminRefusals;
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::FileBytes;
use crate::provider::Provider;
use crate::questions::workbook::{WorkbookTurnstile, turn};
use crate::store::templates::load_names;

/// Rows of a workbook, which is made in memory. A longer table is read as CSV, which is streamed.
const WORKBOOK_RESULTS_MAX: usize = 50_000;
const TOO_MANY: &str = "Too many results for a workbook: ask for fewer, or for format=csv";
const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
/// Spreadsheets take a file without it for text in the encoding of their country.
const BYTE_ORDER_MARK: &str = "\u{feff}";
/// A text that begins with one of these is a formula for a spreadsheet.
const FORMULA_BEGINS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];
const HEADINGS: [&str; 19] = [
    "sessionId",
    "student",
    "studentId",
    "account",
    "grade",
    "template",
    "event",
    "startedAt (UTC)",
    "completedAt (UTC)",
    "timeTaken (s)",
    "score",
    "correctAnswers",
    "totalQuestions",
    "accuracy (%)",
    "origin",
    "verified",
    "webhookSent",
    "templateId",
    "reportUrl",
];

/// The forms of the table.
#[derive(Clone, Copy, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "lowercase")]
enum ResultsFormat {
    Csv,
    Xlsx,
}

#[derive(Deserialize)]
struct ResultsQuery {
    format: Option<String>,
    grade: Option<String>,
    from: Option<String>,
    to: Option<String>,
    event: Option<String>,
    template: Option<String>,
    q: Option<String>,
    origin: Option<String>,
}

impl ResultsQuery {
    fn format(&self) -> Result<ResultsFormat, Error> {
        match self.format.as_deref().unwrap_or_default() {
            "" | "csv" => Ok(ResultsFormat::Csv),
            "xlsx" => Ok(ResultsFormat::Xlsx),
            _ => Err(Error::invalid("format")),
        }
    }

    fn filter(self) -> Result<SessionFilter, Error> {
        let Self { grade, from, to, event, template, q, origin, .. } = self;
        let conditions = SessionConditions { grade, from, to, event, template, q, origin };
        conditions.live_unless_asked(conditions.filter()?)
    }
}

/// The results of finished tests as a table, the newest first: one row for each session, without its answers.
///
/// Only live sessions are in it, unless `origin` says otherwise.
#[utoipa::path(
    operation_id = "downloadResults",
    tag = "administration",
    security(("api_token" = [])),
    params(
        ("format" = inline(Option<ResultsFormat>), Query, description = "`csv`, also without it, or `xlsx`"),
        ("grade" = Option<u8>, Query, description = "1 to 10", minimum = 1, maximum = 10),
        ("from" = Option<String>, Query, description = "Sessions that ended then or later: ISO 8601, or a day of UTC"),
        ("to" = Option<String>, Query, description = "Sessions that ended before then: ISO 8601, or a day of UTC, which is included"),
        ("event" = Option<i64>, Query, description = "The event that the sessions' `annotations` name as `event`"),
        ("template" = Option<String>, Query, description = "The template that live exams were started from"),
        ("q" = Option<String>, Query, description = "Part of the student's name, of their `studentId` or of their account; capitals and accents do not count"),
        ("origin" = inline(Option<OriginChoice>), Query, description = "`live`, also without it, `client` or `all`"),
    ),
    responses(
        (status = 200, description = "The table, named `results.csv` or `results.xlsx`", content(
            (String = "text/csv"),
            (inline(FileBytes) = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        )),
        (status = 400, description = "Names the parameter that is wrong, or too many results for a workbook", body = ErrorBody),
        AdminRefusals,
        (status = 501, description = "`Not available from the external data provider`", body = ErrorBody),
        (status = 503, description = "Too many workbooks at once", body = ErrorBody),
    )
)]
#[get("/api/admin/results")]
pub async fn results(
    asked: After<Admin, Query<ResultsQuery>>,
    provider: Data<dyn Provider>,
    database: Data<Database>,
    turns: Data<WorkbookTurnstile>,
) -> Result<HttpResponse, Error> {
    let After(_admin, Query(asked)) = asked;
    let format = asked.format()?;
    let pages = rows(entries(provider.into_inner(), asked.filter()?), &database);
    match format {
        ResultsFormat::Csv => {
            let body = written(pages).await?;
            Ok(attachment("results.csv").content_type("text/csv; charset=utf-8").streaming(body))
        }
        ResultsFormat::Xlsx => {
            let turn = turn(turns.join()?).await?;
            let rows = gathered(pages).await?;
            let made = block(move || {
                let made = workbook(&rows);
                drop(turn);
                made
            });
            let file = made.await.map_err(Error::internal)?.map_err(Error::internal)?;
            Ok(attachment("results.xlsx").content_type(XLSX).body(file))
        }
    }
}

fn attachment(name: &str) -> actix_web::HttpResponseBuilder {
    let mut response = HttpResponse::Ok();
    private(&mut response).insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")));
    response
}

/// A cell of the table.
enum ResultCell {
    Text(String),
    Number(f64),
    /// In milliseconds since 1970.
    Time(i64),
    Empty,
}

type ResultRow = [ResultCell; HEADINGS.len()];

/// The sessions as rows, with the names of their templates.
fn rows(
    pages: BoxStream<'static, Result<Vec<SessionEntry>, Error>>,
    database: &Database,
) -> BoxStream<'static, Result<Vec<ResultRow>, Error>> {
    let database = Arc::new(database.clone());
    let named = pages.and_then(move |page| {
        let database = Arc::clone(&database);
        async move {
            let names = load_names(&database, page.iter().filter_map(|entry| entry.template_id)).await?;
            Ok(page.into_iter().map(|entry| row(entry, &names)).collect())
        }
    });
    named.boxed()
}

fn row(entry: SessionEntry, templates: &HashMap<Uuid, String>) -> ResultRow {
    let text = |text: Option<String>| text.map_or(ResultCell::Empty, ResultCell::Text);
    let number = |number: i32| ResultCell::Number(number.into());
    let yes = |is_so: bool| ResultCell::Text(if is_so { "yes" } else { "no" }.to_owned());
    let summary = entry.summary;
    let (correct, total) = (f64::from(summary.correct_answers), f64::from(summary.total_questions));
    let accuracy = if total > 0.0 { (1_000.0 * correct / total).round() / 10.0 } else { 0.0 };
    [
        ResultCell::Text(summary.session_id.to_string()),
        ResultCell::Text(entry.student),
        text(entry.student_id),
        text(entry.account),
        ResultCell::Number(summary.grade.into()),
        text(entry.template_id.and_then(|id| templates.get(&id).cloned())),
        // No number, because spreadsheets round those of more than 15 digits.
        text(entry.event.map(|event| event.to_string())),
        ResultCell::Time(entry.started_at.milliseconds()),
        ResultCell::Time(summary.timestamp.milliseconds()),
        number(entry.time_taken),
        number(summary.score),
        number(summary.correct_answers),
        number(summary.total_questions),
        ResultCell::Number(accuracy),
        ResultCell::Text(entry.origin.name().to_owned()),
        yes(entry.verified),
        yes(summary.webhook_sent),
        text(entry.template_id.map(|id| id.to_string())),
        ResultCell::Text(summary.report_url),
    ]
}

/// The table as CSV, page by page. An error on the first page is answered as one.
async fn written(
    mut pages: BoxStream<'static, Result<Vec<ResultRow>, Error>>,
) -> Result<BoxStream<'static, Result<Bytes, Error>>, Error> {
    let first = pages.try_next().await?.unwrap_or_default();
    let head = [BYTE_ORDER_MARK.as_bytes(), &lines([HEADINGS.map(str::to_owned)])?, &csv_page(&first)?].concat();
    let more = pages.map(|page| csv_page(&page?).map(Bytes::from));
    Ok(futures_util::stream::iter([Ok(Bytes::from(head))]).chain(more).boxed())
}

fn csv_page(rows: &[ResultRow]) -> Result<Vec<u8>, Error> {
    lines(rows.iter().map(|row| row.each_ref().map(csv_cell)))
}

fn lines(rows: impl IntoIterator<Item = [String; HEADINGS.len()]>) -> Result<Vec<u8>, Error> {
    let mut writer = Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(&row).map_err(Error::internal)?;
    }
    writer.into_inner().map_err(|error| Error::internal(error.to_string()))
}

/// The text of a cell. A name that looks like a formula gets an apostrophe, by which spreadsheets know a text.
fn csv_cell(cell: &ResultCell) -> String {
    match cell {
        ResultCell::Text(text) if is_formula(text) => format!("'{text}"),
        ResultCell::Text(text) => text.clone(),
        ResultCell::Number(number) => number.to_string(),
        ResultCell::Time(milliseconds) => Moment::from_milliseconds(*milliseconds).iso(),
        ResultCell::Empty => String::new(),
    }
}

fn is_formula(text: &str) -> bool {
    text.trim_start_matches(' ').starts_with(FORMULA_BEGINS)
}

/// All rows, if they are few enough for a workbook.
async fn gathered(mut pages: BoxStream<'static, Result<Vec<ResultRow>, Error>>) -> Result<Vec<ResultRow>, Error> {
    let mut rows = Vec::new();
    while let Some(page) = pages.try_next().await? {
        rows.extend(page);
        if rows.len() > WORKBOOK_RESULTS_MAX {
            return Err(Error::Invalid(TOO_MANY.to_owned()));
        }
    }
    Ok(rows)
}

fn workbook(rows: &[ResultRow]) -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    let bold = Format::new().set_bold();
    let time = Format::new().set_num_format("yyyy-mm-dd hh:mm:ss");
    // With the mark that says that the content is no formula, also when someone edits it.
    let quoted = Format::new().set_quote_prefix();
    sheet.set_name("Results")?.set_freeze_panes(1, 0)?;
    for (column, heading) in (0..).zip(HEADINGS) {
        sheet.write_string_with_format(0, column, heading, &bold)?;
    }
    for (line, row) in (1..).zip(rows) {
        for (column, cell) in (0..).zip(row) {
            put(sheet, line, column, cell, &time, &quoted)?;
        }
    }
    let last_row = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    sheet.autofilter(0, 0, last_row, HEADINGS.len() as u16 - 1)?;
    sheet.set_column_range_width(0, HEADINGS.len() as u16 - 1, 16)?;
    workbook.save_to_buffer()
}

fn put(
    sheet: &mut Worksheet,
    line: u32,
    column: u16,
    cell: &ResultCell,
    time: &Format,
    quoted: &Format,
) -> Result<(), XlsxError> {
    match cell {
        ResultCell::Text(text) if is_formula(text) => sheet.write_string_with_format(line, column, text, quoted)?,
        ResultCell::Text(text) => sheet.write_string(line, column, text)?,
        ResultCell::Number(number) => sheet.write_number(line, column, *number)?,
        ResultCell::Time(milliseconds) => match ExcelDateTime::from_timestamp(milliseconds.div_euclid(1_000)) {
            Ok(moment) => sheet.write_datetime_with_format(line, column, &moment, time)?,
            // A year before 1900, which a client may have sent, is no date to a spreadsheet.
            Err(_) => sheet.write_string(line, column, Moment::from_milliseconds(*milliseconds).iso())?,
        },
        ResultCell::Empty => return Ok(()),
    };
    Ok(())
}
