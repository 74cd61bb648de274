//! The turns at making reports and papers: which of them yield while answers of students are saved late, and which do
//! not, because they have begun or because somebody would be kept out of an exam.

use std::sync::Arc;
use std::time::Duration;

use super::BUSY;
use crate::error::Error;
use crate::http::turnstile::by_address::AddressTurnstile;
use crate::http::turnstile::{Turn, Turnstile};
use crate::strain::{Deferrable, Strain};

/// Callers who wait for a report. They hold nothing but a connection, so a whole school may wait.
const REPORTS_ASKED_MAX: usize = 5_000;
/// Callers from one address who wait for a report. They take turns, so a school that shares one address can print a
/// year's reports at once.
const REPORTS_ASKED_BY_ADDRESS_MAX: usize = 2_000;
/// How long a report waits for its turn before its caller gets 503. Browsers and proxies give up soon after.
const TURN_TIMEOUT: Duration = Duration::from_secs(60);
/// Sessions in memory for each processor, each with up to 9 MiB of drawings: some are read while others are made.
const SESSIONS_PER_PROCESSOR: usize = 2;
/// Files of entry slips, and kits of a morning, that are made at once: those of a thousand candidates have a million
/// marks.
const PRINTS_AT_ONCE: usize = 1;
/// Callers who wait for such a file or have one made.
const PRINTS_ASKED_MAX: usize = 64;

/// What is made in turns. Those that do not yield share the turns of those that do, so that there are no more at once.
pub(super) struct ReportTurns {
    /// For a report that somebody asks for.
    pub asked: AddressTurnstile,
    /// For the reports of a file that is being sent: one that was refused would be missing from it.
    pub begun: AddressTurnstile,
    papers: Turnstile,
    one_slip: Turnstile,
}

impl ReportTurns {
    pub fn open(strain: &Arc<Strain>, processors: usize) -> Self {
        let asked = AddressTurnstile::new(
            SESSIONS_PER_PROCESSOR * processors,
            REPORTS_ASKED_MAX,
            REPORTS_ASKED_BY_ADDRESS_MAX,
            TURN_TIMEOUT,
        );
        let asked = asked.yielding(strain, Deferrable::Single);
        // The next exam needs its papers while this one goes on.
        let papers = Turnstile::new(PRINTS_AT_ONCE, PRINTS_ASKED_MAX, TURN_TIMEOUT);
        let papers = papers.yielding(strain, Deferrable::Single);
        Self { begun: asked.unyielding(), asked, one_slip: papers.unyielding(), papers }
    }

    /// The turn to make papers, of which one file is made at a time: that of a thousand candidates has a million marks.
    pub async fn papers(&self) -> Result<Turn, Error> {
        turn(&self.papers).await
    }

    /// The same for the slip of one candidate. It makes the code of somebody who has come late or lost theirs, and who
    /// cannot enter without it.
    pub async fn one_slip(&self) -> Result<Turn, Error> {
        turn(&self.one_slip).await
    }
}

async fn turn(turnstile: &Turnstile) -> Result<Turn, Error> {
    let place = turnstile.join().ok_or(Error::Unavailable(BUSY))?;
    place.turn().await.ok_or(Error::Unavailable(BUSY))
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    const AFTER: Duration = Duration::from_secs(1);

    #[tokio::test]
    async fn what_has_begun_and_the_slip_of_one_do_not_yield() {
        let strain = Arc::new(Strain::new(Some(AFTER), Arc::default()));
        let turns = ReportTurns::open(&strain, 1);
        let _late = strain.begin(Instant::now().checked_sub(AFTER).unwrap());
        assert!(turns.papers().await.is_ok(), "papers are not the first thing to be refused");
        let _later = strain.begin(Instant::now().checked_sub(AFTER * 10).unwrap());
        assert!(turns.asked.turn(None).await.is_none());
        assert!(turns.begun.turn(None).await.is_some());
        assert!(matches!(turns.papers().await, Err(Error::Unavailable(BUSY))));
        assert!(turns.one_slip().await.is_ok());
    }
}
