//! The memory scenario: what a seat costs the server while its student waits and works, and whether it comes back when
//! all have handed in.

use crate::failure::Failure;
use crate::frames;
use crate::metrics::ServerReading;
use crate::output;
use crate::seat::{Behaviour, Pace, Seat, Student};
use crate::seats;
use crate::server::Server;
use crate::table::{count, figure, row};
use crate::tally::Tally;
use clap::Args;
use futures_util::{StreamExt, stream};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

/// Seats that start, and hand in, at once.
const AT_ONCE: usize = 200;
/// How long the server has to give memory back. It keeps finished attempts for a minute, for students who come back.
const SETTLED_AFTER: Duration = Duration::from_secs(90);
/// How long the memory must not have fallen by a hundredth before the first figure is taken.
const QUIET_FOR: Duration = Duration::from_secs(15);
/// The first figure is taken after this time at the latest. The server gives back slowly what its start has used, and
/// seats would fill that space unseen.
const QUIET_WITHIN: Duration = Duration::from_secs(180);

#[derive(Args)]
pub struct MemoryOptions {
    /// Students, each with a socket and a test of their own.
    #[arg(long, default_value_t = 19_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    seats: u32,
    /// Length in seconds of the window in which they work.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    seconds: u32,
    /// Commands a second for each seat.
    #[arg(long, default_value_t = 0.5, value_parser = seats::pace)]
    pace: f64,
}

/// Runs the scenario. It passes when everybody could work and hand in.
pub async fn run(server: Server, options: &MemoryOptions) -> Result<bool, Failure> {
    let students = options.seats as usize;
    seats::open_files_for(students)?;
    let (server, tally) = (Arc::new(server), Arc::new(Tally::new()?));
    // The first requests load the banks, which all later ones share.
    let warm = seat_all(&server, 0..AT_ONCE, options, &tally).await;
    submit_all(warm, &tally).await;
    output::progress("Waiting until the server's memory is at rest");
    let before = rested(&server).await;
    output::progress(&format!("Seating {students} students"));
    let mut seated = seat_all(&server, AT_ONCE..AT_ONCE + students, options, &tally).await;
    let idle = resident(&server).await;
    let (open, opening) = watch::channel(None);
    open.send_replace(Some(seats::window(options.seconds)));
    output::progress(&format!("They work for {} s", options.seconds));
    let working = stream::iter(seated.iter_mut()).map(|seat| {
        let mut opening = opening.clone();
        opening.mark_changed();
        async move { seat.work_through(&mut opening).await }
    });
    let worked: Vec<Result<(), String>> = working.buffer_unordered(students).collect().await;
    worked.into_iter().filter_map(Result::err).for_each(|code| tally.error(&code));
    let busy = resident(&server).await;
    let count_seated = seated.len();
    output::progress("They hand in");
    submit_all(seated, &tally).await;
    let submitted = resident(&server).await;
    sleep(SETTLED_AFTER).await;
    let after = resident(&server).await;
    let mebibytes = |bytes: Option<f64>| bytes.map(|bytes| bytes / 1_048_576.0);
    let each = |bytes: Option<f64>| {
        bytes.zip(before).map(|(bytes, before)| (bytes - before) / 1_024.0 / count_seated.max(1) as f64)
    };
    let grown = after.zip(before).map(|(after, before)| 100.0 * (after - before) / before);
    let errors = tally.errors();
    let passed = count_seated == students && errors.is_empty();
    let mut rows = vec![
        row("students seated", format!("{count_seated} of {students}")),
        figure("server memory before", mebibytes(before), " MiB"),
        figure("server memory for each idle seat", each(idle), " KiB"),
        figure("server memory for each working seat", each(busy), " KiB"),
        figure("server memory when all have handed in", mebibytes(submitted), " MiB"),
        figure(&format!("server memory {} s later", SETTLED_AFTER.as_secs()), mebibytes(after), " MiB"),
        figure("  more than before", grown, " %"),
        count("errors", errors.values().sum()),
    ];
    rows.extend(errors.iter().map(|(code, &times)| count(&format!("  {code}"), times)));
    output::print_rows(&rows, passed);
    Ok(passed)
}

/// The server's memory when it has stopped falling.
async fn rested(server: &Server) -> Option<f64> {
    let ends = Instant::now() + QUIET_WITHIN;
    let mut lowest = resident(server).await?;
    let mut since = Instant::now();
    while since.elapsed() < QUIET_FOR && Instant::now() < ends {
        sleep(Duration::from_secs(1)).await;
        let now = resident(server).await?;
        if now < 0.99 * lowest {
            since = Instant::now();
        }
        lowest = lowest.min(now);
    }
    resident(server).await
}

async fn resident(server: &Server) -> Option<f64> {
    ServerReading::take(server).await.resident_bytes
}

async fn seat_all(
    server: &Server,
    numbers: std::ops::Range<usize>,
    options: &MemoryOptions,
    tally: &Arc<Tally>,
) -> Vec<Seat> {
    let pace = Pace { commands_per_second: options.pace, in_flight_max: 32 };
    let starting = stream::iter(numbers).map(|number| async move {
        let student = Student { number, grade: frames::spread_grade(number), behaviour: Behaviour::Answering };
        Seat::start(server, student, pace, Arc::clone(tally)).await
    });
    let started: Vec<Result<Seat, String>> = starting.buffer_unordered(AT_ONCE).collect().await;
    started.into_iter().filter_map(|one| one.inspect_err(|code| tally.error(code)).ok()).collect()
}

async fn submit_all(seated: Vec<Seat>, tally: &Tally) {
    let submitting = stream::iter(seated).map(|mut seat| async move { seat.submit().await });
    let submitted: Vec<Result<(), String>> = submitting.buffer_unordered(AT_ONCE).collect().await;
    submitted.into_iter().filter_map(Result::err).for_each(|code| tally.error(&code));
}
