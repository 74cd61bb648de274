//! Results as a table for spreadsheets, with a column for each question where they fit.

use std::sync::Arc;

use actix_web::web::{Data, Query, block};
use actix_web::{HttpResponse, get};
use domain::access::Identity;
use domain::file_name::{FileName, day};
use domain::question::Selected;
use domain::time::moment::Moment;

use super::asked::{ResultsAsked, ResultsParameters, Subject};
use super::view::{StaffResult, StaffResults};
use super::{Results, in_turn};
use crate::auth::caller::{Manager, NOT_ASSIGNED};
use crate::auth::refusals::ManagerRefusals;
use crate::clock::Clock;
use crate::config::Config;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{FileBytes, private};
use crate::http::attachment::attachment;
use crate::sheets::mark_cells::{MARK, PASSED, mark_cells, without_unused_marks};
use crate::sheets::write::{CSV, TableCell, XLSX, table_head, table_lines, table_workbook, without_unused_column};
use crate::store::school::find_zone;

/// Cells with answers of one table, which is made in memory. Of more, the columns of questions are left out.
const ANSWER_CELLS_MAX: usize = 1_000_000;
/// Of the column that a table has only where there are several forms.
const FORM: &str = "form";
const HEADINGS: [&str; 15] = [
    "student",
    "account",
    "room",
    "seat",
    FORM,
    "state",
    "score",
    MARK,
    PASSED,
    "right",
    "questions",
    "time (s)",
    "submittedAt (UTC)",
    "sessionId",
    "reportUrl",
];
/// Stands in the cell of a question that was not answered. A cell is empty if the question was not asked.
const UNANSWERED: &str = "–";

/// A table with its headings.
struct ResultTable {
    headings: Vec<String>,
    rows: Vec<Vec<TableCell>>,
}

/// The same as CSV: a row for each person. The table of a sitting and of a template has a column for each question.
#[utoipa::path(
    operation_id = "downloadStaffResultTable",
    tag = "results",
    security(("api_token" = [])),
    params(ResultsParameters),
    responses(
        (status = 200, description = "The table", body = String, content_type = "text/csv"),
        (status = 400, description = "`Invalid <parameter>`, or not exactly one of the first three", body = ErrorBody),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 501, description = "`Not available from the external data provider`", body = ErrorBody),
        (status = 503, description = "Too many ask for results at once", body = ErrorBody),
    )
)]
#[get("/api/manager/results.csv")]
pub async fn results_text(
    asked: After<Manager, Query<ResultsAsked>>,
    service: Data<Results>,
    config: Data<Config>,
    clock: Data<Clock>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), Query(asked)) = asked;
    let write = |table: ResultTable| Ok([table_head(&table.headings)?, table_lines(&table.rows)?].concat());
    let (subject, file) = service.file(&caller, asked, config.into_inner(), write).await?;
    let name = service.file_name(&subject, clock.now(), "csv").await?;
    Ok(private(&mut attachment(&name)).content_type(CSV).body(file))
}

/// The same as a workbook.
#[utoipa::path(
    operation_id = "downloadStaffResultWorkbook",
    tag = "results",
    security(("api_token" = [])),
    params(ResultsParameters),
    responses(
        (status = 200, description = "The table", content((inline(FileBytes) = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
        (status = 400, description = "`Invalid <parameter>`, or not exactly one of the first three", body = ErrorBody),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 501, description = "`Not available from the external data provider`", body = ErrorBody),
        (status = 503, description = "Too many ask for results at once", body = ErrorBody),
    )
)]
#[get("/api/manager/results.xlsx")]
pub async fn results_workbook(
    asked: After<Manager, Query<ResultsAsked>>,
    service: Data<Results>,
    config: Data<Config>,
    clock: Data<Clock>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), Query(asked)) = asked;
    let write = |table: ResultTable| table_workbook("Results", &table.headings, &table.rows).map_err(Error::internal);
    let (subject, file) = service.file(&caller, asked, config.into_inner(), write).await?;
    let name = service.file_name(&subject, clock.now(), "xlsx").await?;
    Ok(private(&mut attachment(&name)).content_type(XLSX).body(file))
}

impl Results {
    /// The name of a file with results: of a sitting with its day, else with the present one.
    async fn file_name(&self, subject: &Subject, now: Moment, ending: &str) -> Result<FileName, Error> {
        let about = match subject {
            Subject::Sitting(managed, _) => {
                return self.sittings.file_name(&managed.sitting, &["results"], ending).await;
            }
            Subject::Template(template) => template.config.name.clone(),
            Subject::Grade(grade) => format!("grade{}", grade.number()),
        };
        let day = day(&find_zone(&self.database.read).await?, now);
        Ok(FileName::of(&[&about, &day, "results"], ending))
    }

    /// What the results are of, and their table as a file. It is about people, so reviewers get none.
    async fn file(
        &self,
        caller: &Identity,
        asked: ResultsAsked,
        config: Arc<Config>,
        write: fn(ResultTable) -> Result<Vec<u8>, Error>,
    ) -> Result<(Subject, Vec<u8>), Error> {
        let asked = self.asked(caller, asked).await?;
        if !asked.sight.shows_people() {
            return Err(Error::Forbidden(NOT_ASSIGNED));
        }
        let work = self.clone();
        let made = in_turn(&self.turns, async move {
            let gathered = work.gather(&asked).await?;
            let has_one_paper = !matches!(asked.subject, Subject::Grade(_));
            let written = block(move || {
                let file = write(table(StaffResults::of(&asked, gathered), has_one_paper, &config))?;
                Ok::<_, Error>((asked.subject, file))
            });
            written.await.map_err(Error::internal)?
        });
        made.await
    }
}

fn table(results: StaffResults, has_one_paper: bool, config: &Config) -> ResultTable {
    let questions = results.question_headings();
    let fits = has_one_paper && questions.len().saturating_mul(results.rows.len()) <= ANSWER_CELLS_MAX;
    let columns = if fits { questions.len() } else { 0 };
    let mut headings: Vec<String> = HEADINGS.map(str::to_owned).into();
    headings.extend(questions.take(columns));
    let rows = results.rows.into_iter().map(|result| row(result, columns, config)).collect();
    let (headings, rows) = without_unused_column(FORM, headings, rows);
    let (headings, rows) = without_unused_marks(headings, rows);
    ResultTable { headings, rows }
}

fn row(result: StaffResult, columns: usize, config: &Config) -> Vec<TableCell> {
    let text = |text: Option<String>| text.map_or(TableCell::Empty, TableCell::Text);
    let number = |number: Option<i32>| number.map_or(TableCell::Empty, |number| TableCell::Number(number.into()));
    let [mark, passed] = mark_cells(result.mark);
    let mut cells = vec![
        TableCell::Text(result.student),
        text(result.account),
        text(result.room),
        text(result.seat),
        text(result.form.map(|form| form.to_string())),
        TableCell::Text(result.state.name().to_owned()),
        number(result.score),
        mark,
        passed,
        number(result.right),
        number(result.questions),
        number(result.time),
        result.submitted_at.map_or(TableCell::Empty, |moment| TableCell::Time(moment.milliseconds())),
        text(result.session_id.map(|id| id.to_string())),
        text(result.session_id.map(|id| config.server.report_link(id))),
    ];
    let first = cells.len();
    cells.resize_with(first + columns, || TableCell::Empty);
    for answer in result.answers {
        if let Some(cell) = cells.get_mut(first + answer.0 as usize) {
            *cell = TableCell::Text(answer.1.as_ref().map_or(UNANSWERED, Selected::text).to_owned());
        }
    }
    cells
}
