//! Turns at holding a workbook in memory, which costs many times the size of its file.

use std::time::Duration;

use crate::base::Base;
use crate::error::Error;
use crate::http::turnstile::{Place, Turn, Turnstile};
use crate::strain::{BUSY, Deferrable};

/// Workbooks that are read or written at once: one needs many times its file size in memory.
const WORKBOOKS_AT_ONCE: usize = 1;
/// Callers who are sending, waiting for or processing a workbook. Each may hold a file of 20 MiB in memory.
const WORKBOOK_CALLERS_MAX: usize = 16;
/// How long a workbook waits for its turn before its caller gets 503.
const TURN_TIMEOUT: Duration = Duration::from_secs(20);

/// Turns at holding a workbook in memory. While answers of students are saved late nobody gets one.
pub struct WorkbookTurnstile(Turnstile);

impl WorkbookTurnstile {
    #[must_use]
    pub fn open(base: &Base) -> Self {
        let turnstile = Turnstile::new(WORKBOOKS_AT_ONCE, WORKBOOK_CALLERS_MAX, TURN_TIMEOUT);
        Self(turnstile.yielding(&base.strain, Deferrable::Bulk))
    }

    /// Takes a place. Callers take it before they receive a file, so that waiting files can't fill the memory.
    pub fn join(&self) -> Result<Place, Error> {
        self.0.join().ok_or(Error::Unavailable(BUSY))
    }
}

/// Waits for the turn.
pub async fn turn(place: Place) -> Result<Turn, Error> {
    place.turn().await.ok_or(Error::Unavailable(BUSY))
}
