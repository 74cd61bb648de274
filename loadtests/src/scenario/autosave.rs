//! The autosave scenario: students start a test and answer at their pace for a while. Everything that the server said
//! was saved must be stored.

mod outcome;

use crate::check::check_all;
use crate::failure::Failure;
use crate::metrics::Reading;
use crate::output;
use crate::seat::{Pace, Seat, TimeWindow};
use crate::seats::{self, PlannedSeat};
use crate::server::Server;
use crate::tally::Tally;
use clap::Args;
use futures_util::{StreamExt, stream};
use outcome::AutosaveOutcome;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

const RAMP_SECONDS_MAX: f64 = 3_600.0;
#[derive(Args, Clone, Copy)]
pub struct AutosaveOptions {
    /// Students, each with a socket and a test of their own.
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    seats: u32,
    /// Length of the measured window in seconds.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    seconds: u32,
    /// Commands a second for each seat; fractions are allowed. The server refuses more than 50.
    #[arg(long, default_value_t = 1.0, value_parser = seats::pace)]
    pace: f64,
    /// Unanswered commands at which a seat pauses.
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    window: u16,
    /// Seconds over which the seats connect [default: seats / 500].
    #[arg(long, value_parser = ramp)]
    ramp: Option<f64>,
    /// Submit every test at the end, all at once.
    #[arg(long)]
    submit: bool,
}

/// Runs the scenario and prints its table. It passes when nothing is missing and nothing unexpected happened.
pub async fn run(server: Server, options: &AutosaveOptions) -> Result<bool, Failure> {
    seats::open_files_for(options.seats as usize)?;
    let (server, tally) = (Arc::new(server), Arc::new(Tally::new()?));
    let before = Reading::take(&server, &tally).await;
    let (open, opening) = watch::channel(None);
    let (mut seat_tasks, mut seated) = spawn_seats(options, &server, &tally, &opening);
    // Nothing is ever sent: the channel closes when every seat has dropped its sender.
    while seated.recv().await.is_some() {}
    if tally.start_times.percentiles().is_none() {
        let codes: Vec<String> = tally.errors().into_keys().collect();
        return Err(format!("no seat could start ({})", codes.join(", ")).into());
    }

    let idle = Reading::take(&server, &tally).await;
    let window = seats::window(options.seconds);
    output::progress(&format!("Every seat has started or failed; sending for {} s", options.seconds));
    open.send_replace(Some(window));
    sleep_until(window.begin).await;
    let begin = Reading::take(&server, &tally).await;
    sleep_until(window.end).await;
    let end = Reading::take(&server, &tally).await;

    let seats = seats::collect(&mut seat_tasks, &tally).await;
    output::progress(&format!("Comparing what {} seats know with what the server keeps", seats.len()));
    let comparison = check_all(&server, &seats, &tally).await;
    let outcome = AutosaveOutcome {
        seats: u64::from(options.seats),
        started: seats.len() as u64,
        unanswered: seats.iter().map(|seat| seat.ledger.in_flight() as u64).sum(),
        comparison,
        before,
        idle,
        begin,
        end,
    };
    if options.submit {
        submit_all(seats, &tally).await;
    }
    Ok(outcome::print(&outcome, &tally, options.submit))
}

type Seated = mpsc::Receiver<()>;

fn spawn_seats(
    options: &AutosaveOptions,
    server: &Arc<Server>,
    tally: &Arc<Tally>,
    opening: &watch::Receiver<Option<TimeWindow>>,
) -> (JoinSet<Option<Seat>>, Seated) {
    let ramp = options.ramp.unwrap_or(seats::usual_ramp(options.seats));
    let gap = Duration::from_secs_f64(ramp / f64::from(options.seats));
    let pace = Pace { commands_per_second: options.pace, in_flight_max: usize::from(options.window) };
    let (seating, seated) = mpsc::channel(1);
    let begin = Instant::now();
    let mut seat_tasks = JoinSet::new();
    output::progress(&format!("Seating {} students over {ramp:.1} s", options.seats));
    for number in 0..options.seats {
        let plan = PlannedSeat { number: number as usize, due: begin + gap * number, pace, tally: Arc::clone(tally) };
        seat_tasks.spawn(sit(Arc::clone(server), plan, opening.clone(), seating.clone()));
    }
    (seat_tasks, seated)
}

/// One student from the connection to the last answer. A seat that lost its socket is returned too, since what it knows
/// must still be compared.
async fn sit(
    server: Arc<Server>,
    plan: PlannedSeat,
    mut opening: watch::Receiver<Option<TimeWindow>>,
    seating: mpsc::Sender<()>,
) -> Option<Seat> {
    let mut seat = plan.take(&server, seating).await?;
    if let Err(code) = seat.work_through(&mut opening).await {
        plan.tally.error(&code);
    }
    Some(seat)
}

/// Submits all tests at once: a server must survive the moment of a common deadline.
async fn submit_all(seats: Vec<Seat>, tally: &Tally) {
    output::progress(&format!("Submitting {} tests at once", seats.len()));
    let together = seats.len();
    stream::iter(seats)
        .for_each_concurrent(together, |mut seat| async move {
            if let Err(code) = seat.submit().await {
                tally.error(&code);
            }
        })
        .await;
}

fn ramp(text: &str) -> Result<f64, String> {
    seats::number_within(text, 0.0, RAMP_SECONDS_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ramp_is_a_number_of_seconds_and_may_be_zero() {
        assert_eq!(ramp("0"), Ok(0.0));
        for text in ["-1", "NaN", "inf", "3601", "slow"] {
            assert!(ramp(text).is_err(), "{text}");
        }
    }
}
