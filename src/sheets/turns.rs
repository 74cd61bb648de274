//! Turns at holding a workbook in memory, which costs many times the size of its file.

use std::sync::Arc;
use std::time::Duration;

use crate::base::Base;
use crate::error::Error;
use crate::http::turnstile::{Place, Turn, Turnstile};
use crate::strain::{BUSY, Deferrable, Strain};

/// Workbooks that are read or written at once: one needs many times its file size in memory.
const WORKBOOKS_AT_ONCE: usize = 1;
/// Callers who are sending, waiting for or processing a workbook. Each may hold a file of 20 MiB in memory.
const WORKBOOK_CALLERS_MAX: usize = 16;
/// How long a workbook waits for its turn before its caller gets 503.
const TURN_TIMEOUT: Duration = Duration::from_secs(20);

/// Turns at holding a workbook in memory. While answers of students are saved late nobody gets one but for lists of
/// people.
pub struct WorkbookTurnstile {
    yielding: Turnstile,
    of_lists: Turnstile,
}

impl WorkbookTurnstile {
    #[must_use]
    pub fn open(base: &Base) -> Self {
        let turnstile = Turnstile::new(WORKBOOKS_AT_ONCE, WORKBOOK_CALLERS_MAX, TURN_TIMEOUT);
        Self::of(turnstile, &base.strain)
    }

    fn of(turnstile: Turnstile, strain: &Arc<Strain>) -> Self {
        Self { of_lists: turnstile.unyielding(), yielding: turnstile.yielding(strain, Deferrable::Bulk) }
    }

    /// Takes a place. Callers take it before they receive a file, so that waiting files can't fill the memory.
    pub fn join(&self) -> Result<Place, Error> {
        self.yielding.join().ok_or(Error::Unavailable(BUSY))
    }

    /// The same for a roster, a register of accommodations or the people of a class, in the same line. The next exam
    /// needs it while this one goes on, so it does not yield.
    pub fn join_with_list(&self) -> Result<Place, Error> {
        self.of_lists.join().ok_or(Error::Unavailable(BUSY))
    }
}

/// Waits for the turn.
pub async fn turn(place: Place) -> Result<Turn, Error> {
    place.turn().await.ok_or(Error::Unavailable(BUSY))
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[tokio::test]
    async fn lists_of_people_do_not_yield_and_stand_in_the_same_line() {
        let after = Duration::from_secs(1);
        let strain = Arc::new(Strain::new(Some(after), Arc::default()));
        let turnstile = WorkbookTurnstile::of(Turnstile::new(1, 1, TURN_TIMEOUT), &strain);
        let workbook = turnstile.join().unwrap();
        assert!(turnstile.join_with_list().is_err(), "there is one place");
        drop(workbook);
        let _late = strain.begin(Instant::now().checked_sub(after * 10).unwrap());
        assert!(matches!(turnstile.join(), Err(Error::Unavailable(BUSY))));
        assert!(turn(turnstile.join_with_list().unwrap()).await.is_ok());
    }
}
