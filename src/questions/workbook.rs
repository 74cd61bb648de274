//! The question bank as a spreadsheet workbook. Reading and writing the file is separate from the routes, since the
//! command line does the same. Three formats are read, and xlsx is written.

mod archive;
mod cells;
mod delimited;
mod marks;
mod number_format;
mod ods;
pub mod read;
mod styles;
pub mod table;
pub mod write;
mod xlsx;

use std::collections::HashSet;
use std::time::Duration;

use domain::question::Question;
use domain::resources::{Importer, WriteCounts};
use domain::workbook::{Exported, ImportChange, ImportPreview};
use rust_xlsxwriter::XlsxError;
use serde::Serialize;
use utoipa::ToSchema;

use crate::database::Database;
use crate::error::Error;
use crate::http::turnstile::{Place, Turn, Turnstile};
use crate::provider::Provider;
use crate::store::questions::{self, WriteProgress};
use read::{ReadFile, Unusable};

/// Bytes of a workbook file.
pub const FILE_BYTES_MAX: usize = 20 * 1_024 * 1_024;
/// Workbooks that are read or written at once: one needs many times its file size in memory.
const WORKBOOKS_AT_ONCE: usize = 1;
/// Callers who are sending, waiting for or processing a workbook. Each may hold a file of 20 MiB in memory.
const WORKBOOK_CALLERS_MAX: usize = 16;
/// How long a workbook waits for its turn before its caller gets 503.
const TURN_TIMEOUT: Duration = Duration::from_secs(20);
const BUSY: &str = "The server is busy";
const TOO_LONG: &str = "A question is too long for a spreadsheet cell";

/// What an import has done, or would do.
#[derive(Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct ImportReport {
    /// Number of new questions.
    pub added: usize,
    /// Number of questions that were overwritten.
    pub updated: usize,
    /// A sentence for each row that was not imported, beginning with `Row <n>:`.
    pub errors: Vec<String>,
    /// What a dry run would change in existing questions; the first 1,000. Left out if there is nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ImportChange>,
    /// `windows-1252` for a text that does not say its encoding and was read as that one; otherwise left out.
    #[serde(rename = "readAs", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub read_as: Option<&'static str>,
    /// Headings of columns that were passed over. Left out if there are none.
    #[serde(rename = "ignoredColumns", skip_serializing_if = "Vec::is_empty")]
    pub ignored_columns: Vec<String>,
    /// How many rows the sheets hide, which are read like others. Left out if there are none.
    #[serde(rename = "hiddenRows", skip_serializing_if = "is_zero")]
    pub hidden_rows: u32,
}

/// Whether a count need not be told.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub const fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl From<Unusable> for Error {
    fn from(unusable: Unusable) -> Self {
        Self::Invalid(unusable.to_string())
    }
}

/// Turns at holding a workbook in memory.
pub struct WorkbookTurnstile(Turnstile);

impl Default for WorkbookTurnstile {
    fn default() -> Self {
        Self(Turnstile::new(WORKBOOKS_AT_ONCE, WORKBOOK_CALLERS_MAX, TURN_TIMEOUT))
    }
}

impl WorkbookTurnstile {
    /// Takes a place. Callers take it before they receive a file, so that waiting files can't fill the memory.
    pub fn join(&self) -> Result<Place, Error> {
        self.0.join().ok_or(Error::Unavailable(BUSY))
    }
}

/// Waits for the turn.
pub async fn turn(place: Place) -> Result<Turn, Error> {
    place.turn().await.ok_or(Error::Unavailable(BUSY))
}

/// Reads a workbook on the blocking pool. The turn is returned, since the rows are still in memory.
pub async fn read_in_turn(file: Vec<u8>, turn: Turn) -> Result<(ReadFile, Turn), Error> {
    // The turn moves into the task: the work continues when the caller has gone, and must still count.
    actix_web::web::block(move || read::read(file, &mut |_, _| ()).map(|read| (read, turn)))
        .await
        .map_err(Error::internal)?
        .map_err(Error::from)
}

/// Writes the good rows, all or none; with `is_dry_run` only counts them, and tells what they would change.
pub async fn apply(
    provider: &dyn Provider,
    file: ReadFile,
    by: &Importer,
    is_dry_run: bool,
    progress: WriteProgress<'_>,
) -> Result<ImportReport, Error> {
    let ReadFile { mut rows, guessed_encoding: read_as } = file;
    let (ignored_columns, hidden_rows) = (std::mem::take(&mut rows.ignored), rows.hidden);
    if is_dry_run {
        let ImportPreview { added, updated, changes } = provider.count_import(&mut rows).await?;
        return Ok(ImportReport {
            added,
            updated,
            errors: rows.into_errors(),
            changes,
            read_as,
            ignored_columns,
            hidden_rows,
        });
    }
    let WriteCounts { added, updated, errors: not_taken } = provider.import(&mut rows, by, progress).await?;
    let mut errors = rows.into_errors();
    errors.extend(not_taken);
    Ok(ImportReport { added, updated, errors, changes: Vec::new(), read_as, ignored_columns, hidden_rows })
}

/// A bank as a workbook shows it.
pub struct ExportedBank {
    pub questions: Vec<Question>,
    /// The ids of those that are for exams alone.
    pub secure: HashSet<String>,
}

/// Makes the workbook of a bank on the blocking pool.
pub async fn export(
    provider: &dyn Provider,
    database: &Database,
    exported: Exported,
    turn: Turn,
) -> Result<Vec<u8>, Error> {
    let bank = load(provider, database, exported).await?;
    let written = actix_web::web::block(move || {
        let written = write::write(&bank, &mut |_| ());
        drop(turn);
        written
    });
    written.await.map_err(Error::internal)?.map_err(Error::from)
}

pub async fn load(provider: &dyn Provider, database: &Database, exported: Exported) -> Result<ExportedBank, Error> {
    let mut bank = ExportedBank { questions: Vec::new(), secure: HashSet::new() };
    for grade in exported.grades() {
        bank.questions.append(&mut provider.bank(grade).await?);
        bank.secure.extend(questions::load_secure(database, grade).await?);
    }
    Ok(bank)
}

impl From<XlsxError> for Error {
    fn from(error: XlsxError) -> Self {
        match error {
            XlsxError::MaxStringLengthExceeded => Self::Failed(TOO_LONG),
            error => Self::internal(error),
        }
    }
}
