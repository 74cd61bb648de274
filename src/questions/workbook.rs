//! The question bank as a spreadsheet workbook. Reading and writing the file is separate from the routes, since the
//! command line does the same.

mod archive;
mod cells;
pub mod read;
pub mod write;

use std::sync::Arc;
use std::time::Duration;

use domain::question::Question;
use domain::resources::WriteCounts;
use domain::workbook::{Exported, WorkbookRows};
use rust_xlsxwriter::XlsxError;
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use utoipa::ToSchema;

use crate::error::Error;
use crate::provider::{Provider, WriteProgress};
use read::Unusable;

/// Bytes of a workbook file.
pub const FILE_BYTES_MAX: usize = 20 * 1_024 * 1_024;
/// Workbooks that are read or written at once: one needs many times its file size in memory.
const WORKBOOKS_AT_ONCE: usize = 1;
/// Callers who are sending, waiting for or processing a workbook. Each may hold a file of 20 MiB in memory.
const WAITING_MAX: usize = 16;
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
}

impl From<Unusable> for Error {
    fn from(unusable: Unusable) -> Self {
        Self::Invalid(unusable.to_string())
    }
}

/// The permits to hold a workbook in memory, and to wait for one.
pub struct Turns {
    places: Arc<Semaphore>,
    turns: Arc<Semaphore>,
}

impl Default for Turns {
    fn default() -> Self {
        Self { places: Arc::new(Semaphore::new(WAITING_MAX)), turns: Arc::new(Semaphore::new(WORKBOOKS_AT_ONCE)) }
    }
}

impl Turns {
    /// Takes a place in the queue. Callers take it before they receive a file, so that waiting files can't fill the
    /// memory.
    pub fn join(&self) -> Result<Place, Error> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| Error::Unavailable(BUSY))?;
        Ok(Place { _place: place, turns: Arc::clone(&self.turns) })
    }
}

/// A place in the queue.
pub struct Place {
    _place: OwnedSemaphorePermit,
    turns: Arc<Semaphore>,
}

impl Place {
    /// Waits for the turn.
    pub async fn turn(self) -> Result<Turn, Error> {
        let turn = tokio::time::timeout(TURN_TIMEOUT, Arc::clone(&self.turns).acquire_owned()).await;
        turn.ok().and_then(Result::ok).map(|turn| Turn { _turn: turn, _place: self }).ok_or(Error::Unavailable(BUSY))
    }
}

/// The permit to hold a workbook in memory, until it is dropped.
pub struct Turn {
    _turn: OwnedSemaphorePermit,
    _place: Place,
}

/// Reads a workbook on the blocking pool. The turn is returned, since the rows are still in memory.
pub async fn read_in_turn(file: Vec<u8>, turn: Turn) -> Result<(WorkbookRows, Turn), Error> {
    // The turn moves into the task: the work continues when the caller has gone, and must still count.
    actix_web::web::block(move || read::read(file, &mut |_, _| ()).map(|rows| (rows, turn)))
        .await
        .map_err(Error::internal)?
        .map_err(Error::from)
}

/// Writes the good rows, all or none; with `is_dry_run` only counts them.
pub async fn apply(
    provider: &dyn Provider,
    mut rows: WorkbookRows,
    is_dry_run: bool,
    progress: WriteProgress<'_>,
) -> Result<ImportReport, Error> {
    let WriteCounts { added, updated, errors: not_taken } =
        if is_dry_run { provider.count_import(&mut rows).await? } else { provider.import(&mut rows, progress).await? };
    let mut errors = rows.into_errors();
    errors.extend(not_taken);
    Ok(ImportReport { added, updated, errors })
}

/// Makes the workbook of a bank on the blocking pool.
pub async fn export(provider: &dyn Provider, exported: Exported, turn: Turn) -> Result<Vec<u8>, Error> {
    let bank = load(provider, exported).await?;
    let written = actix_web::web::block(move || {
        let written = write::write(&bank, &mut |_| ());
        drop(turn);
        written
    });
    written.await.map_err(Error::internal)?.map_err(Error::from)
}

pub async fn load(provider: &dyn Provider, exported: Exported) -> Result<Vec<Question>, Error> {
    let mut bank = Vec::new();
    for grade in exported.grades() {
        bank.append(&mut provider.bank(grade).await?);
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

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[tokio::test]
    async fn one_workbook_is_at_hand_at_a_time() {
        let turns = Turns::default();
        let first = turns.join().unwrap().turn().await.unwrap();
        assert!(turns.join().unwrap().turn().now_or_never().is_none());
        drop(first);
        assert!(turns.join().unwrap().turn().now_or_never().unwrap().is_ok());
    }
}
