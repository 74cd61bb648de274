//! Turns at holding a workbook in memory, which costs many times the size of its file.

use std::time::Duration;

use crate::error::Error;
use crate::http::turnstile::{Place, Turn, Turnstile};

/// Workbooks that are read or written at once: one needs many times its file size in memory.
const WORKBOOKS_AT_ONCE: usize = 1;
/// Callers who are sending, waiting for or processing a workbook. Each may hold a file of 20 MiB in memory.
const WORKBOOK_CALLERS_MAX: usize = 16;
/// How long a workbook waits for its turn before its caller gets 503.
const TURN_TIMEOUT: Duration = Duration::from_secs(20);
const BUSY: &str = "The server is busy";

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
