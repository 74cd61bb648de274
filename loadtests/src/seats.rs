//! Shared parts of scenarios with many seats: the limit on open files, the ramp, the measured window, the collection of
//! finished seats, and the pace option.

use crate::failure::Failure;
use crate::frames;
use crate::seat::{Behaviour, Pace, Seat, Student, TimeWindow};
use crate::server::{HTTP_CONNECTIONS_MAX, Server};
use crate::tally::Tally;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

/// Time between announcing a window and its begin, so that every seat is awake when it begins.
const HEAD_START: Duration = Duration::from_millis(500);
/// Seats that connect in a second by default.
const SEATS_PER_RAMP_SECOND: f64 = 500.0;
/// Open files beyond those of sockets and pooled HTTP connections: standard streams, the runtime, the database.
const SPARE_FILES: usize = 64;

/// Slowest pace: one command in a thousand seconds.
const PACE_MIN: f64 = 0.001;
/// Fastest pace. The server refuses commands long before.
const PACE_MAX: f64 = 10_000.0;

/// A student who answers, and who connects when the ramp has come to them.
pub struct PlannedSeat {
    pub number: usize,
    pub due: Instant,
    pub pace: Pace,
    pub tally: Arc<Tally>,
}

impl PlannedSeat {
    /// Starts a test when it is due. A failure is counted. Dropping `seating` tells that this seat has tried.
    pub async fn take(&self, server: &Server, seating: mpsc::Sender<()>) -> Option<Seat> {
        sleep_until(self.due).await;
        let student =
            Student { number: self.number, grade: frames::spread_grade(self.number), behaviour: Behaviour::Answering };
        let started = Seat::start(server, student, self.pace, Arc::clone(&self.tally)).await;
        drop(seating);
        started.inspect_err(|code| self.tally.error(code)).ok()
    }
}

/// Raises the limit on open files so that `sockets` sockets can be open at once.
pub fn open_files_for(sockets: usize) -> Result<(), Failure> {
    let wanted = (sockets + HTTP_CONNECTIONS_MAX + SPARE_FILES) as u64;
    let allowed = rlimit::increase_nofile_limit(wanted)?;
    if allowed < wanted {
        return Err(format!("{sockets} sockets need {wanted} open files, and this process may have {allowed}").into());
    }
    Ok(())
}

/// Seconds over which seats connect by default.
pub fn usual_ramp(seats: u32) -> f64 {
    f64::from(seats) / SEATS_PER_RAMP_SECOND
}

/// A window that begins in a moment and lasts `seconds`.
pub fn window(seconds: u32) -> TimeWindow {
    let begin = Instant::now() + HEAD_START;
    TimeWindow { begin, end: begin + Duration::from_secs(u64::from(seconds)) }
}

/// Waits for all seats. A seat that panicked is counted as an error.
pub async fn collect<T: 'static>(seat_tasks: &mut JoinSet<Option<T>>, tally: &Tally) -> Vec<T> {
    let mut seats = Vec::with_capacity(seat_tasks.len());
    while let Some(joined) = seat_tasks.join_next().await {
        match joined {
            Ok(seat) => seats.extend(seat),
            Err(_) => tally.error("generator: seat panicked"),
        }
    }
    seats
}

/// Parses a pace, in commands a second.
pub fn pace(text: &str) -> Result<f64, String> {
    number_within(text, PACE_MIN, PACE_MAX)
}

/// Parses a number from `low` to `high`, which excludes NaN and infinity.
pub fn number_within(text: &str, low: f64, high: f64) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| (low..=high).contains(number));
    number.ok_or_else(|| format!("it must be a number from {low} to {high}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pace_is_a_number_within_its_limits() {
        assert_eq!(pace("0.25"), Ok(0.25));
        for text in ["0", "-1", "NaN", "inf", "10001", "fast"] {
            assert!(pace(text).is_err(), "{text}");
        }
    }
}
