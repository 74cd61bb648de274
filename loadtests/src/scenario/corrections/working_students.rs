//! Students who save while keys are corrected: each works on a socket and a test of their own without a gap, from
//! before the first window to the end of the last one.

use super::saved_windows::{SavedWindows, WindowKind};
use crate::check::check_all;
use crate::failure::Failure;
use crate::ledger::Comparison;
use crate::output;
use crate::seat::{Pace, Seat};
use crate::seats::{self, PlannedSeat};
use crate::server::Server;
use crate::table::{Row, count, latency, row};
use crate::tally::{Tally, read};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

/// Unanswered commands at which a seat pauses. At the usual paces a seat reaches it only when the server stalls.
const IN_FLIGHT_MAX: usize = 32;
/// For how long a window goes on when the tests have followed: what was sent before is answered by then, and a stall at
/// the very end is not missed.
const ANSWERED_WITHIN: Duration = Duration::from_secs(1);
/// The time after the first connections, and after each correction, that is in no window: the database is still at what
/// they have left to do.
const RESTED_FOR: Duration = Duration::from_secs(4);

/// The students at work. Dropping them ends their work.
pub struct WorkingStudents {
    server: Arc<Server>,
    tally: Arc<Tally>,
    tasks: JoinSet<Option<Seat>>,
    end: watch::Sender<bool>,
    seats: u32,
}

/// What has become of them.
pub struct StudentsOutcome {
    seats: u64,
    started: u64,
    sent: u64,
    saved: u64,
    /// Commands that were due in the end and not sent, because their seat was held back.
    unsent: u64,
    /// Commands without an answer at the end of the wait.
    unanswered: u64,
    comparison: Comparison,
    errors: BTreeMap<String, u64>,
    late: Row,
}

impl WorkingStudents {
    /// Seats them one after another; each works from then on.
    pub async fn seat(server: &Arc<Server>, seats: u32, commands_per_second: f64) -> Result<Self, Failure> {
        let (tally, (end, ends)) = (Arc::new(Tally::new()?), watch::channel(false));
        let pace = Pace { commands_per_second, in_flight_max: IN_FLIGHT_MAX };
        let ramp = seats::usual_ramp(seats);
        let (begin, gap) = (Instant::now(), Duration::from_secs_f64(ramp / f64::from(seats)));
        let (seating, mut seated) = mpsc::channel(1);
        let mut tasks = JoinSet::new();
        output::progress(&format!("Seating {seats} students over {ramp:.1} s"));
        for number in 0..seats {
            let plan =
                PlannedSeat { number: number as usize, due: begin + gap * number, pace, tally: Arc::clone(&tally) };
            tasks.spawn(sit(Arc::clone(server), plan, ends.clone(), seating.clone()));
        }
        drop(seating);
        // Nothing is ever sent: the channel closes when every seat has dropped its sender.
        while seated.recv().await.is_some() {}
        if tally.start_times.percentiles().is_none() {
            let codes: Vec<String> = tally.errors().into_keys().collect();
            return Err(format!("no seat could start ({})", codes.join(", ")).into());
        }
        sleep(RESTED_FOR).await;
        Ok(Self { server: Arc::clone(server), tally, tasks, end, seats })
    }

    /// Measures for a while in which nothing is corrected.
    pub async fn measure_quiet(&self, length: Duration, windows: &mut SavedWindows) {
        self.begin_window();
        sleep(length).await;
        self.end_window(WindowKind::Quiet, windows);
    }

    /// Ends the window that has gone on since the last one, in which a key was corrected.
    pub async fn end_beside(&self, windows: &mut SavedWindows) {
        sleep(ANSWERED_WITHIN).await;
        self.end_window(WindowKind::Beside, windows);
        sleep(RESTED_FOR).await;
    }

    /// Whatever was answered before is in no window.
    fn begin_window(&self) {
        self.tally.saved_times.take_percentiles();
    }

    fn end_window(&self, kind: WindowKind, windows: &mut SavedWindows) {
        windows.push(kind, self.tally.saved_times.take_percentiles());
        output::progress(&windows.newest_in_words());
    }

    /// Lets them stop, and compares what they know with what the server keeps.
    pub async fn end(mut self) -> StudentsOutcome {
        self.end.send_replace(true);
        let seated = seats::collect(&mut self.tasks, &self.tally).await;
        output::progress(&format!("Comparing what {} seats know with what the server keeps", seated.len()));
        let comparison = check_all(&self.server, &seated, &self.tally).await;
        StudentsOutcome {
            seats: self.seats.into(),
            started: seated.len() as u64,
            sent: read(&self.tally.sent),
            saved: read(&self.tally.saved),
            unsent: read(&self.tally.unsent),
            unanswered: seated.iter().map(|seat| seat.ledger.in_flight() as u64).sum(),
            comparison,
            errors: self.tally.errors(),
            late: latency("generator late by", self.tally.late_times.percentiles()),
        }
    }
}

impl StudentsOutcome {
    /// Whether everybody could work, and nothing is lost.
    pub fn is_whole(&self) -> bool {
        self.started == self.seats && self.unanswered == 0 && self.comparison.missing == 0 && self.errors.is_empty()
    }

    pub fn rows(&self) -> Vec<Row> {
        let mut rows = vec![
            row("seats started", format!("{} of {}", self.started, self.seats)),
            count("commands sent", self.sent),
            count("commands saved", self.saved),
            count("commands held back to the end", self.unsent),
            self.late.clone(),
            count("errors", self.errors.values().sum()),
        ];
        rows.extend(self.errors.iter().map(|(code, &times)| count(&format!("  {code}"), times)));
        rows.push(count("commands without an answer", self.unanswered));
        rows.push(count("saved values compared", self.comparison.values));
        rows.push(count("missing", self.comparison.missing));
        rows
    }
}

/// One student from the connection to the end. A seat that lost its socket is returned too, since what it knows must
/// still be compared.
async fn sit(
    server: Arc<Server>,
    plan: PlannedSeat,
    mut end: watch::Receiver<bool>,
    seating: mpsc::Sender<()>,
) -> Option<Seat> {
    let mut seat = plan.take(&server, seating).await?;
    if let Err(code) = seat.work_until(&mut end).await {
        plan.tally.error(&code);
    }
    Some(seat)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome() -> StudentsOutcome {
        StudentsOutcome {
            seats: 2,
            started: 2,
            sent: 9,
            saved: 9,
            unsent: 0,
            unanswered: 0,
            comparison: Comparison { values: 5, missing: 0 },
            errors: BTreeMap::new(),
            late: row("generator late by", String::new()),
        }
    }

    #[test]
    fn a_loss_an_absent_seat_or_an_error_is_no_whole_outcome() {
        assert!(outcome().is_whole());
        assert!(!StudentsOutcome { started: 1, ..outcome() }.is_whole());
        assert!(!StudentsOutcome { unanswered: 1, ..outcome() }.is_whole());
        assert!(!StudentsOutcome { comparison: Comparison { values: 5, missing: 1 }, ..outcome() }.is_whole());
        let errors = BTreeMap::from([("late".to_owned(), 1)]);
        assert!(!StudentsOutcome { errors, ..outcome() }.is_whole());
    }
}
