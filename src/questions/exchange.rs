//! Questions that come and go as files. Reading and writing the file is separate from the routes, since the command
//! line does the same. Each format of others that is read is a [`QuestionSource`] in a file below.

pub mod format_fault;
pub mod html;
pub mod latex;
pub mod mathml;
pub mod qti;
pub mod qti3_package;
pub mod qti_package;
pub mod workbook;
pub mod workbook_file;
pub mod xml;

use std::collections::HashSet;
use std::fmt::Display;

use domain::exchange::{Exported, ImportChange, ImportPreview, QuestionRows};
use domain::question::Question;
use domain::resources::{Importer, WriteCounts};
use rust_xlsxwriter::XlsxError;
use serde::Serialize;
use utoipa::ToSchema;

use crate::database::Database;
use crate::error::Error;
use crate::http::turnstile::Turn;
use crate::provider::Provider;
use crate::sheets::table::is_zero;
use crate::store::questions::{self, WriteProgress};

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

/// A format in which others keep questions.
pub trait QuestionSource {
    /// Why a file in this format is not read at all.
    type Unusable: Display + Into<Error> + Send + 'static;

    /// Reads the questions of a file, and a sentence for each row, or whatever counts as one, that is none. Nothing of
    /// it is stored yet.
    fn drafts(&self, file: Vec<u8>, progress: ReadProgress<'_>) -> Result<QuestionDrafts, Self::Unusable>;
}

/// Called now and then with the row being read and the number of rows that the file claims.
pub type ReadProgress<'a> = &'a mut dyn FnMut(u32, u32);

/// The questions of a file, and what was wrong with its rows.
#[derive(Default)]
pub struct QuestionDrafts {
    pub rows: QuestionRows,
    /// The encoding of a text, if it was recognised by the letters alone.
    pub guessed_encoding: Option<&'static str>,
}

/// Reads a file on the blocking pool. The turn is returned, since the rows are still in memory.
pub async fn read_in_turn<Source: QuestionSource + Send + 'static>(
    source: Source,
    file: Vec<u8>,
    turn: Turn,
) -> Result<(QuestionDrafts, Turn), Error> {
    // The turn moves into the task: the work continues when the caller has gone, and must still count.
    actix_web::web::block(move || source.drafts(file, &mut |_, _| ()).map(|drafts| (drafts, turn)))
        .await
        .map_err(Error::internal)?
        .map_err(Into::into)
}

/// Writes the good rows, all or none; with `is_dry_run` only counts them, and tells what they would change.
pub async fn apply(
    provider: &dyn Provider,
    drafts: QuestionDrafts,
    by: &Importer,
    is_dry_run: bool,
    progress: WriteProgress<'_>,
) -> Result<ImportReport, Error> {
    let QuestionDrafts { mut rows, guessed_encoding: read_as } = drafts;
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
        let written = workbook_file::write(&bank, &mut |_| ());
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
