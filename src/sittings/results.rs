//! The results of a sitting: a row for each candidate, as JSON and as a table. Below are their release, and what
//! happened while they came about.

pub mod incidents;
pub mod release;

use std::collections::HashMap;

use actix_web::web::{Data, Path, block};
use actix_web::{HttpResponse, get};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::access::Identity;
use domain::form::FormLetter;
use domain::mark::ResultMark;
use domain::sitting::Sitting;
use domain::sitting::candidate::CandidateState;
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::view::CandidateView;
use super::{Sittings, known};
use crate::auth::caller::{Manager, NOT_ASSIGNED};
use crate::auth::refusals::ManagerRefusals;
use crate::config::Config;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{FileBytes, private};
use crate::http::attachment::attachment;
use crate::sheets::mark_cells::{MARK, PASSED, mark_cells, without_unused_marks};
use crate::sheets::turns::{WorkbookTurnstile, turn};
use crate::sheets::write::{CSV, TableCell, XLSX, table_head, table_lines, table_workbook, without_unused_column};
use crate::store::candidates::{CandidateResult, load_results};
use crate::store::embargo::Embargo;
use crate::store::marks;
use crate::store::sitting_logs::{self, SignedLog};
use crate::strain::{Deferrable, Strain};

/// Of the column that a table has only where there are several forms.
const FORM: &str = "form";
const HEADINGS: [&str; 17] = [
    "name",
    "email",
    "externalId",
    "room",
    "seat",
    FORM,
    "state",
    "factor (%)",
    "extraMinutes",
    "sessionId",
    "score",
    MARK,
    PASSED,
    "right",
    "questions",
    "time (s)",
    "reportUrl",
];

/// A candidate, and their result if they have one.
type CandidateRow = (CandidateView, Option<MarkedResult>);

/// A result with its mark.
struct MarkedResult {
    result: CandidateResult,
    mark: Option<ResultMark>,
}

/// `{ rows, log }`, the rows by name.
#[derive(Serialize, ToSchema)]
struct SittingResults {
    rows: Vec<SittingResult>,
    /// Null until the log of receipts has begun.
    #[schema(required)]
    log: Option<LogView>,
}

/// What was signed last of a sitting's log of receipts.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SittingLog)]
struct LogView {
    /// How many receipts it has.
    size: u64,
    /// The root of its hash tree: 32 bytes in base64.
    root: String,
    /// The checkpoint, a signed note of C2SP.
    checkpoint: String,
    /// The key that checks it, as verifiers of notes take it.
    vkey: String,
    #[schema(value_type = String, format = DateTime)]
    begun_at: Moment,
}

impl From<SignedLog> for LogView {
    fn from(signed: SignedLog) -> Self {
        let SignedLog { begun_at, size, root, checkpoint, vkey, .. } = signed;
        Self { size, root: STANDARD.encode(root), checkpoint, vkey, begun_at }
    }
}

/// The result of a candidate; null where they have none.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SittingResult {
    candidate: ResultCandidate,
    state: CandidateState,
    #[schema(required)]
    session_id: Option<Uuid>,
    #[schema(required)]
    score: Option<i32>,
    /// The mark on the scale of the sitting; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    mark: Option<ResultMark>,
    /// Right answers.
    #[schema(required)]
    right: Option<i32>,
    /// Questions of the test.
    #[schema(required)]
    questions: Option<i32>,
    /// Whole seconds.
    #[schema(required)]
    time: Option<i32>,
    /// Link to the report on this server.
    #[schema(required)]
    report: Option<String>,
}

/// Whose result it is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ResultCandidate {
    id: Uuid,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    external_id: Option<String>,
    name: String,
    #[schema(required)]
    room: Option<String>,
    #[schema(required)]
    seat: Option<String>,
    /// The form that they sit, `A` to `H`; absent for a template without forms.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false, example = "B")]
    form: Option<FormLetter>,
}

/// The results of a sitting, of all candidates by name; also before they are released.
#[utoipa::path(
    operation_id = "readSittingResults",
    tag = "sittings",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Sitting id")),
    responses(
        (status = 200, description = "A row for each candidate", body = SittingResults),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[get("/api/admin/sittings/{id}/results")]
pub async fn results(
    asked: After<Manager, Path<String>>,
    service: Data<Sittings>,
    config: Data<Config>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), id) = asked;
    let (_, rows) = service.results(&caller, &id).await?;
    let log = sitting_logs::find(&service.database.read, known(&id)?).await?.and_then(|log| log.signed);
    let row = |(candidate, result): CandidateRow| {
        let CandidateView { id, email, external_id, name, room, seat, form, state, session_id, .. } = candidate;
        let (result, mark) = result.map(|MarkedResult { result, mark }| (result, mark)).unzip();
        SittingResult {
            candidate: ResultCandidate { id, email, external_id, name, room, seat, form },
            state,
            session_id,
            score: result.as_ref().map(|result| result.score),
            mark: mark.flatten(),
            right: result.as_ref().map(|result| result.correct_answers),
            questions: result.as_ref().map(|result| result.total_questions),
            time: result.as_ref().map(|result| result.time_taken),
            report: result.map(|result| config.server.report_link(result.session_id)),
        }
    };
    let rows = rows.into_iter().map(row).collect();
    Ok(private(&mut HttpResponse::Ok()).json(SittingResults { rows, log: log.map(LogView::from) }))
}

/// The same as a workbook.
#[utoipa::path(
    operation_id = "downloadSittingWorkbook",
    tag = "sittings",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Sitting id")),
    responses(
        (status = 200, description = "The table", content((inline(FileBytes) = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
        (status = 503, description = "`The server is busy`: too many workbooks at once, or answers are saved late", body = ErrorBody),
    )
)]
#[get("/api/admin/sittings/{id}/results.xlsx")]
pub async fn results_workbook(
    asked: After<Manager, Path<String>>,
    service: Data<Sittings>,
    turns: Data<WorkbookTurnstile>,
    config: Data<Config>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), id) = asked;
    // Whoever may not waits for no turn, and what is read for the table is read in it.
    service.managed(&caller, &id).await?;
    let turn = turn(turns.join()?).await?;
    let (sitting, rows) = service.results(&caller, &id).await?;
    let name = service.file_name(&sitting, &["results"], "xlsx").await?;
    let (headings, rows) = table(rows, &config);
    let made = block(move || {
        let made = table_workbook("Results", &headings, &rows);
        drop(turn);
        made
    });
    let file = made.await.map_err(Error::internal)?.map_err(Error::internal)?;
    Ok(private(&mut attachment(&name)).content_type(XLSX).body(file))
}

/// The same as CSV.
#[utoipa::path(
    operation_id = "downloadSittingTable",
    tag = "sittings",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Sitting id")),
    responses(
        (status = 200, description = "The table", body = String, content_type = "text/csv"),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
        (status = 503, description = "`The server is busy`: answers are saved late", body = ErrorBody),
    )
)]
#[get("/api/admin/sittings/{id}/results.csv")]
pub async fn results_text(
    asked: After<Manager, Path<String>>,
    service: Data<Sittings>,
    config: Data<Config>,
    strain: Data<Strain>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), id) = asked;
    strain.admit(Deferrable::Bulk)?;
    let (sitting, rows) = service.results(&caller, &id).await?;
    let name = service.file_name(&sitting, &["results"], "csv").await?;
    let (headings, rows) = table(rows, &config);
    let file = [table_head(&headings)?, table_lines(&rows)?].concat();
    Ok(private(&mut attachment(&name)).content_type(CSV).body(file))
}

impl Sittings {
    async fn results(&self, caller: &Identity, id: &str) -> Result<(Sitting, Vec<CandidateRow>), Error> {
        let managed = self.managed(caller, id).await?;
        let sight = Embargo::staff_sight(caller, &managed.template.grades).ok_or(Error::Forbidden(NOT_ASSIGNED))?;
        let candidates = self.views(&managed).await?;
        let ids: Vec<Uuid> = candidates.iter().filter_map(|candidate| candidate.session_id).collect();
        let mut found = load_results(&self.database.read, sight, &ids).await?;
        let mut marks = match managed.sitting.plan.mark_scale {
            Some(_) => marks::load(&self.database.read, sight, &ids).await?,
            None => HashMap::new(),
        };
        let with_result = |candidate: CandidateView| {
            let result = candidate.session_id.and_then(|id| {
                let result = found.remove(&id)?;
                Some(MarkedResult { result, mark: marks.remove(&id) })
            });
            (candidate, result)
        };
        Ok((managed.sitting, candidates.into_iter().map(with_result).collect()))
    }
}

fn table(rows: Vec<CandidateRow>, config: &Config) -> (Vec<&'static str>, Vec<Vec<TableCell>>) {
    let text = |text: Option<String>| text.map_or(TableCell::Empty, TableCell::Text);
    let number = |number: Option<i32>| number.map_or(TableCell::Empty, |number| TableCell::Number(number.into()));
    let row = |(candidate, result): CandidateRow| {
        let (result, mark) = result.map(|MarkedResult { result, mark }| (result, mark)).unzip();
        let [mark, passed] = mark_cells(mark.flatten());
        vec![
            TableCell::Text(candidate.name),
            text(candidate.email),
            text(candidate.external_id),
            text(candidate.room),
            text(candidate.seat),
            text(candidate.form.map(|form| form.to_string())),
            TableCell::Text(candidate.state.name().to_owned()),
            TableCell::Number(candidate.factor.into()),
            TableCell::Number(candidate.extra_minutes.into()),
            text(candidate.session_id.map(|id| id.to_string())),
            number(result.as_ref().map(|result| result.score)),
            mark,
            passed,
            number(result.as_ref().map(|result| result.correct_answers)),
            number(result.as_ref().map(|result| result.total_questions)),
            number(result.as_ref().map(|result| result.time_taken)),
            text(result.map(|result| config.server.report_link(result.session_id))),
        ]
    };
    let (headings, rows) = without_unused_column(FORM, HEADINGS.to_vec(), rows.into_iter().map(row).collect());
    without_unused_marks(headings, rows)
}
