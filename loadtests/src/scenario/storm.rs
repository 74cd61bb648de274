//! Three storms: everybody starts, comes back or hands in at one moment. Each answer counts from that moment, whenever
//! its student got round to asking.

use crate::failure::Failure;
use crate::frames;
use crate::machine::ProcessorTicks;
use crate::metrics::ServerReading;
use crate::output;
use crate::seat::{Behaviour, Pace, Seat, Student};
use crate::seats;
use crate::server::Server;
use crate::table::{count, figure, row, seat_latency};
use crate::tally::{Tally, Times};
use clap::Args;
use futures_util::{StreamExt, stream};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep, sleep_until};

/// Seats that start at once while a storm is prepared.
const SEATED_AT_ONCE: usize = 200;
/// Between the preparation and the storm.
const QUIET: Duration = Duration::from_secs(3);

/// What everybody does at once.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Storm {
    Start,
    Reconnect,
    Submit,
}

#[derive(Args)]
pub struct StormOptions {
    /// Students, each with a socket and a test of their own.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    seats: u32,
}

/// Runs a storm. It passes when everybody was answered and nobody was refused.
pub async fn run(server: Server, storm: Storm, options: &StormOptions) -> Result<bool, Failure> {
    let students = options.seats as usize;
    seats::open_files_for(students)?;
    let (server, tally) = (Arc::new(server), Arc::new(Tally::new()?));
    let seated = if storm == Storm::Start { Vec::new() } else { seat_all(&server, students, &tally).await };
    if storm != Storm::Start {
        output::progress(&format!("{} students sit; quiet for {} s", seated.len(), QUIET.as_secs()));
    }
    // Nobody is served from what the preparation has left busy.
    sleep(QUIET).await;
    let (before, ticks) = (ServerReading::take(&server).await, ProcessorTicks::take());
    let times = Arc::new(Times::new()?);
    let begun = Instant::now() + Duration::from_millis(100);
    let answered = match storm {
        Storm::Start => start_all(&server, students, begun, &times, &tally).await,
        Storm::Reconnect => reconnect_all(&server, seated, begun, &times, &tally).await,
        Storm::Submit => submit_all(seated, begun, &times, &tally).await,
    };
    let (after, busy) = (ServerReading::take(&server).await, ProcessorTicks::take());
    let cpu =
        after.cpu_seconds.zip(before.cpu_seconds).map(|(after, before)| (after - before) / answered.max(1) as f64);
    let used = ticks.zip(busy).and_then(|(before, after)| after.since(before)).map(|(busy, _)| busy);
    let errors = tally.errors();
    let passed = answered == students && errors.is_empty();
    let mut rows = vec![
        row("students answered", format!("{answered} of {students}")),
        seat_latency("answered after the moment", times.percentiles()),
        figure("server CPU a student", cpu.map(|seconds| seconds * 1e6), " µs"),
        figure("processors busy", used, " %"),
        count("errors", errors.values().sum()),
    ];
    rows.extend(errors.iter().map(|(code, &times)| count(&format!("  {code}"), times)));
    output::print_rows(&rows, passed);
    Ok(passed)
}

fn student(number: usize) -> Student {
    Student { number, grade: frames::spread_grade(number), behaviour: Behaviour::Answering }
}

fn pace() -> Pace {
    Pace { commands_per_second: 1.0, in_flight_max: 1 }
}

async fn seat_all(server: &Arc<Server>, students: usize, tally: &Arc<Tally>) -> Vec<Seat> {
    output::progress(&format!("Seating {students} students"));
    let starting = stream::iter(0..students)
        .map(|number| async move { Seat::start(server, student(number), pace(), Arc::clone(tally)).await });
    let started: Vec<Result<Seat, String>> = starting.buffer_unordered(SEATED_AT_ONCE).collect().await;
    started.into_iter().filter_map(|one| one.inspect_err(|code| tally.error(code)).ok()).collect()
}

async fn start_all(server: &Server, students: usize, begun: Instant, times: &Times, tally: &Arc<Tally>) -> usize {
    let starting = stream::iter(0..students).map(|number| async move {
        sleep_until(begun).await;
        let seat = Seat::start(server, student(number), pace(), Arc::clone(tally)).await;
        noted(seat, begun, times, tally)
    });
    // Sockets stay open until the last student has begun.
    starting.buffer_unordered(students).collect::<Vec<_>>().await.iter().flatten().count()
}

async fn reconnect_all(server: &Server, seated: Vec<Seat>, begun: Instant, times: &Times, tally: &Arc<Tally>) -> usize {
    let known: Vec<(String, String)> =
        seated.iter().map(|seat| (seat.session_id.clone(), seat.token.clone())).collect();
    // All sockets are lost in one moment, as when a network goes.
    drop(seated);
    let students = known.len();
    let coming = stream::iter(known).enumerate().map(|(number, (session_id, token))| async move {
        sleep_until(begun).await;
        let socket = Seat::resume(server, number, &session_id, &token).await;
        noted(socket, begun, times, tally)
    });
    coming.buffer_unordered(students.max(1)).collect::<Vec<_>>().await.iter().flatten().count()
}

async fn submit_all(seated: Vec<Seat>, begun: Instant, times: &Times, tally: &Tally) -> usize {
    let students = seated.len();
    let submitting = stream::iter(seated).map(|mut seat| async move {
        sleep_until(begun).await;
        let submitted = seat.submit().await;
        noted(submitted, begun, times, tally)
    });
    submitting.buffer_unordered(students.max(1)).collect::<Vec<_>>().await.iter().flatten().count()
}

fn noted<T>(answer: Result<T, String>, begun: Instant, times: &Times, tally: &Tally) -> Option<T> {
    times.record(begun.elapsed());
    answer.inspect_err(|code| tally.error(code)).ok()
}
