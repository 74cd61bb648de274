//! `GET /api/admin/results`: the results of finished tests as a table, for spreadsheets.

use std::collections::HashMap;
use std::sync::Arc;

use actix_web::web::{Bytes, Data, Query, block};
use actix_web::{HttpResponse, get};
use domain::calendar::zones::Zone;
use domain::file_name::{FileName, day};
use domain::mark::ResultMark;
use domain::resources::{SessionEntry, SessionFilter};
use domain::scoring;
use domain::sight::SchoolSight;
use futures_util::stream::{BoxStream, StreamExt, TryStreamExt};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::list::entries;
use crate::auth::caller::Admin;
use crate::auth::refusals::AdminRefusals;
use crate::clock::Clock;
use crate::config::Config;
use crate::database::Database;
use crate::error::{Error, ErrorBody, FORBIDDEN};
use crate::http::after::After;
use crate::http::answers::{FileBytes, private};
use crate::http::attachment::attachment;
use crate::http::session_conditions::{OriginChoice, SessionConditions, SessionParameters};
use crate::provider::Provider;
use crate::sheets::mark_cells::{MARK, PASSED, mark_cells};
use crate::sheets::turns::{WorkbookTurnstile, turn};
use crate::sheets::write::{CSV, TableCell, XLSX, table_head, table_lines, table_workbook};
use crate::store::embargo::Embargo;
use crate::store::marks::load_of_any;
use crate::store::school::find_zone;
use crate::store::session_lists::{have_forms, have_marks};
use crate::store::sessions::load_accuracies;
use crate::store::templates::load_names;
use crate::strain::{Deferrable, Strain};

/// Rows of a workbook, which is made in memory. A longer table is read as CSV, which is streamed.
const WORKBOOK_RESULTS_MAX: usize = 50_000;
const TOO_MANY: &str = "Too many results for a workbook: ask for fewer, or for format=csv";
/// Of the column that the table has only if somebody has sat one of several forms.
const FORM: &str = "form";
const HEADINGS: [&str; 22] = [
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
    MARK,
    PASSED,
    "correctAnswers",
    "totalQuestions",
    "accuracy (%)",
    "origin",
    "verified",
    "webhookSent",
    "templateId",
    FORM,
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

    fn filter(self, zone: &Zone) -> Result<SessionFilter, Error> {
        let Self { grade, from, to, event, template, q, origin, .. } = self;
        let conditions = SessionConditions { grade, from, to, event, template, q, origin };
        conditions.live_unless_asked(conditions.filter(zone)?)
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
        SessionParameters,
        ("origin" = inline(Option<OriginChoice>), Query, description = "`live`, also without it, `client` or `all`"),
    ),
    responses(
        (status = 200, description = "The table, named `results`, the day, and `.csv` or `.xlsx`", content(
            (String = "text/csv"),
            (inline(FileBytes) = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        )),
        (status = 400, description = "Names the parameter that is wrong, or too many results for a workbook", body = ErrorBody),
        AdminRefusals,
        (status = 501, description = "`Not available from the external data provider`", body = ErrorBody),
        (status = 503, description = "`The server is busy`: too many workbooks at once, or answers are saved late", body = ErrorBody),
    )
)]
#[get("/api/admin/results")]
pub async fn results(
    asked: After<Admin, Query<ResultsQuery>>,
    provider: Data<dyn Provider>,
    database: Data<Database>,
    (turns, strain): (Data<WorkbookTurnstile>, Data<Strain>),
    config: Data<Config>,
    clock: Data<Clock>,
) -> Result<HttpResponse, Error> {
    let After(Admin(admin), Query(asked)) = asked;
    let sight = Embargo::school_sight(&admin).ok_or(Error::Forbidden(FORBIDDEN))?;
    let format = asked.format()?;
    // The table as CSV has no turn that would ask.
    strain.admit(Deferrable::Bulk)?;
    let zone = find_zone(&database.read).await?;
    let filter = asked.filter(&zone)?;
    let name = |ending| FileName::of(&["results", &day(&zone, clock.now())], ending);
    let table = TableShape {
        has_forms: have_forms(&database, sight, &filter).await?,
        has_marks: have_marks(&database, sight, &filter).await?,
    };
    let pages = rows(entries(provider.into_inner(), sight, filter), sight, &database, config.into_inner(), table);
    match format {
        ResultsFormat::Csv => {
            let body = csv_of(pages, table).await?;
            Ok(private(&mut attachment(&name("csv"))).content_type(CSV).streaming(body))
        }
        ResultsFormat::Xlsx => {
            let turn = turn(turns.join()?).await?;
            let rows = rows_of(pages).await?;
            let made = block(move || {
                let made = table_workbook("Results", &table.headings(), &rows);
                drop(turn);
                made
            });
            let file = made.await.map_err(Error::internal)?.map_err(Error::internal)?;
            Ok(private(&mut attachment(&name("xlsx"))).content_type(XLSX).body(file))
        }
    }
}

/// Which columns the table has. It is known before the first row is read, since the rows are streamed.
#[derive(Clone, Copy)]
struct TableShape {
    has_forms: bool,
    has_marks: bool,
}

impl TableShape {
    fn headings(self) -> Vec<&'static str> {
        HEADINGS.into_iter().filter(|heading| self.has(heading)).collect()
    }

    fn cells(self, all: [TableCell; HEADINGS.len()]) -> ResultRow {
        HEADINGS.iter().zip(all).filter(|(heading, _)| self.has(heading)).map(|(_, cell)| cell).collect()
    }

    fn has(self, heading: &str) -> bool {
        match heading {
            FORM => self.has_forms,
            MARK | PASSED => self.has_marks,
            _ => true,
        }
    }
}

type ResultRow = Vec<TableCell>;

/// The sessions as rows, with the names of their templates.
fn rows(
    pages: BoxStream<'static, Result<Vec<SessionEntry>, Error>>,
    sight: SchoolSight,
    database: &Database,
    config: Arc<Config>,
    table: TableShape,
) -> BoxStream<'static, Result<Vec<ResultRow>, Error>> {
    let database = Arc::new(database.clone());
    let named = pages.and_then(move |page| {
        let (database, config) = (Arc::clone(&database), Arc::clone(&config));
        async move {
            let names = load_names(&database, page.iter().filter_map(|entry| entry.template_id)).await?;
            // What a client sent stands in the result as it was sent, also when it does not follow from the counts.
            let sent = page.iter().filter(|entry| !entry.verified).map(|entry| entry.summary.session_id);
            let sent = load_accuracies(&database, sight, sent).await?;
            let ids: Vec<Uuid> =
                page.iter().map(|entry| entry.summary.session_id).filter(|_| table.has_marks).collect();
            let mut marks = load_of_any(&database.read, sight, &ids).await?;
            let row = |entry: SessionEntry| {
                let mark = marks.remove(&entry.summary.session_id);
                table.cells(row(entry, mark, &names, &sent, &config))
            };
            Ok(page.into_iter().map(row).collect())
        }
    });
    named.boxed()
}

fn row(
    entry: SessionEntry,
    mark: Option<ResultMark>,
    templates: &HashMap<Uuid, String>,
    accuracies: &HashMap<Uuid, f64>,
    config: &Config,
) -> [TableCell; HEADINGS.len()] {
    let text = |text: Option<String>| text.map_or(TableCell::Empty, TableCell::Text);
    let number = |number: i32| TableCell::Number(number.into());
    let yes = |is_so: bool| TableCell::Text(if is_so { "yes" } else { "no" }.to_owned());
    let summary = entry.summary;
    let [mark, passed] = mark_cells(mark);
    let count = |number: i32| u32::try_from(number).unwrap_or_default();
    let accuracy = || scoring::accuracy(count(summary.correct_answers), count(summary.total_questions));
    let accuracy = accuracies.get(&summary.session_id).copied().unwrap_or_else(accuracy);
    [
        TableCell::Text(summary.session_id.to_string()),
        TableCell::Text(entry.student),
        text(entry.student_id),
        text(entry.account),
        TableCell::Number(summary.grade.into()),
        text(entry.template_id.and_then(|id| templates.get(&id).cloned())),
        // No number, because spreadsheets round those of more than 15 digits.
        text(entry.event.map(|event| event.to_string())),
        TableCell::Time(entry.started_at.milliseconds()),
        TableCell::Time(summary.timestamp.milliseconds()),
        number(entry.time_taken),
        number(summary.score),
        mark,
        passed,
        number(summary.correct_answers),
        number(summary.total_questions),
        TableCell::Number(accuracy),
        TableCell::Text(entry.origin.name().to_owned()),
        yes(entry.verified),
        yes(summary.webhook_sent),
        text(entry.template_id.map(|id| id.to_string())),
        text(entry.form.map(|form| form.to_string())),
        TableCell::Text(config.server.report_link(summary.session_id)),
    ]
}

/// The table as CSV, page by page. An error on the first page is answered as one.
async fn csv_of(
    mut pages: BoxStream<'static, Result<Vec<ResultRow>, Error>>,
    table: TableShape,
) -> Result<BoxStream<'static, Result<Bytes, Error>>, Error> {
    let first = pages.try_next().await?.unwrap_or_default();
    let head = [table_head(&table.headings())?, table_lines(&first)?].concat();
    let more = pages.map(|page| table_lines(&page?).map(Bytes::from));
    Ok(futures_util::stream::iter([Ok(Bytes::from(head))]).chain(more).boxed())
}

/// All rows, if they are few enough for a workbook.
async fn rows_of(mut pages: BoxStream<'static, Result<Vec<ResultRow>, Error>>) -> Result<Vec<ResultRow>, Error> {
    let mut rows = Vec::new();
    while let Some(page) = pages.try_next().await? {
        rows.extend(page);
        if rows.len() > WORKBOOK_RESULTS_MAX {
            return Err(Error::Invalid(TOO_MANY.to_owned()));
        }
    }
    Ok(rows)
}
