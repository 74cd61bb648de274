//! The proctor scenario: a room full of students, first without watchers and then with them. It measures how old the
//! rows are that watchers see, and what watchers cost students and server.

use crate::check::check_all;
use crate::failure::Failure;
use crate::ledger::Comparison;
use crate::metrics::{Reading, ServerReading};
use crate::output;
use crate::probes::Probes;
use crate::seat::{Behaviour, DRAIN_LIMIT, Pace, Seat, Student, TimeWindow};
use crate::seats;
use crate::server::Server;
use crate::socket::ProctorSocket;
use crate::table::{Row, count, figure, latency, row, seat_latency};
use crate::tally::{Percentiles, Tally, Times, read};
use crate::watcher::{Watcher, WatcherManner, WatcherTraffic, watch_room};
use clap::Args;
use futures_util::future::{join, try_join_all};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};

/// Unanswered commands at which a seat pauses. At the usual paces a seat reaches it only when the server stalls.
const IN_FLIGHT_MAX: usize = 32;
/// Longest time for the last changes to reach the watchers after the last command was saved.
const SHOWN_LIMIT: Duration = Duration::from_secs(5);
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Interval between readings of the server's memory.
const READING_INTERVAL: Duration = Duration::from_millis(500);
const MEBIBYTE: f64 = 1_048_576.0;

#[derive(Args)]
pub struct ProctorOptions {
    /// Students in the room, each with a socket and a test of their own.
    #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    seats: u32,
    /// Proctors who watch the room and read its changes.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=1_000))]
    watchers: u16,
    /// Proctors who request the room and never read.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(0..=1_000))]
    idle_watchers: u16,
    /// Rows that each reader has in view, as a page has; 0 for the progress of all students.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u16).range(0..=500))]
    in_view: u16,
    /// Readers ask for whole rows of all students, as clients of the first version of the protocol do.
    #[arg(long, conflicts_with = "in_view")]
    whole_rows: bool,
    /// Length in seconds of each of the two measured windows.
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    seconds: u32,
    /// Commands a second for each seat; every one changes the seat's row.
    #[arg(long, default_value_t = 0.2, value_parser = seats::pace)]
    pace: f64,
    /// Grade of the room; nobody else may be sitting a test of it.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=10))]
    grade: u8,
    /// API token of an admin.
    #[arg(long, env = "EXAMHALL_TOKEN", hide_env_values = true)]
    token: String,
}

impl ProctorOptions {
    fn manner(&self) -> WatcherManner {
        match self.in_view {
            _ if self.whole_rows => WatcherManner::WholeRows,
            0 => WatcherManner::Differences,
            rows => WatcherManner::View(rows.into()),
        }
    }
}

/// What one window measured: the students' figures and the server's cost.
struct Phase {
    tally: Arc<Tally>,
    begin: Reading,
    end: Reading,
    peak_bytes: Option<f64>,
}

/// What the watchers measured.
struct WatcherFindings {
    traffic: Vec<WatcherTraffic>,
    times: Arc<Times>,
    expected: u64,
}

/// Runs the scenario and prints its table. It passes when nothing is missing, every command was shown to every watcher,
/// and there was no error.
pub async fn run(server: Server, options: &ProctorOptions) -> Result<bool, Failure> {
    let (seats, watchers) = (options.seats as usize, usize::from(options.watchers));
    seats::open_files_for(seats + watchers + usize::from(options.idle_watchers))?;
    let (server, probes) = (Arc::new(server), Arc::new(Probes::new(seats)));
    let tallies = [Arc::new(Tally::new()?), Arc::new(Tally::new()?)];
    let (open, opening) = watch::channel(None);
    let (mut seat_tasks, mut seated) = seat_all(options, &server, &probes, &tallies, &opening);
    // Nothing is ever sent: the channel closes when every seat has dropped its sender.
    while seated.recv().await.is_some() {}

    let [alone, watched] = tallies;
    output::progress(&format!("Every seat has started or failed; sending for {} s without watchers", options.seconds));
    let without = phase(&server, alone, &open, options.seconds).await;
    probes.forget();
    output::progress(&format!("{watchers} watchers and {} idle ones come", options.idle_watchers));
    let (readers, idle) = open_watchers(&server, &probes, options).await?;
    output::progress(&format!("Sending for {} s with watchers", options.seconds));
    let watching = WatcherTasks::begin(readers, &probes)?;
    let with = phase(&server, watched, &open, options.seconds).await;
    let watched = watching.end(&probes, &with.tally).await;
    drop(idle);

    let seated = seats::collect(&mut seat_tasks, &with.tally).await;
    output::progress(&format!("Comparing what {} seats know with what the server keeps", seated.len()));
    let comparison = check_all(&server, &seated, &with.tally).await;
    let unanswered = seated.iter().map(|seat| seat.ledger.in_flight() as u64).sum();
    Ok(print(options, &ProctorOutcome { started: seated.len() as u64, without, with, watched, comparison, unanswered }))
}

type SeatTasks = JoinSet<Option<Seat>>;

fn seat_all(
    options: &ProctorOptions,
    server: &Arc<Server>,
    probes: &Arc<Probes>,
    tallies: &[Arc<Tally>; 2],
    opening: &watch::Receiver<Option<TimeWindow>>,
) -> (SeatTasks, mpsc::Receiver<()>) {
    let ramp = seats::usual_ramp(options.seats);
    let gap = Duration::from_secs_f64(ramp / f64::from(options.seats));
    let pace = Pace { commands_per_second: options.pace, in_flight_max: IN_FLIGHT_MAX };
    let (seating, seated) = mpsc::channel(1);
    let begin = Instant::now();
    let mut seat_tasks = JoinSet::new();
    output::progress(&format!("Seating {} students over {ramp:.1} s", options.seats));
    for number in 0..options.seats {
        let student = Student {
            number: number as usize,
            grade: options.grade,
            behaviour: Behaviour::Browsing(Arc::clone(probes)),
        };
        let plan =
            SeatPlan { student, due: begin + gap * number, pace, tallies: tallies.clone(), probes: Arc::clone(probes) };
        seat_tasks.spawn(sit(Arc::clone(server), plan, opening.clone(), seating.clone()));
    }
    (seat_tasks, seated)
}

struct SeatPlan {
    student: Student,
    due: Instant,
    pace: Pace,
    tallies: [Arc<Tally>; 2],
    probes: Arc<Probes>,
}

/// One student through both windows. A seat that lost its socket is returned too, since what it knows must still be
/// compared.
async fn sit(
    server: Arc<Server>,
    plan: SeatPlan,
    mut opening: watch::Receiver<Option<TimeWindow>>,
    seating: mpsc::Sender<()>,
) -> Option<Seat> {
    sleep_until(plan.due).await;
    let [alone, _] = &plan.tallies;
    let number = plan.student.number;
    let started = Seat::start(&server, plan.student, plan.pace, Arc::clone(alone)).await;
    let mut seat = started.inspect_err(|code| alone.error(code)).ok()?;
    plan.probes.register_seat(number, &seat.session_id);
    drop(seating);
    for tally in plan.tallies {
        seat.use_tally(Arc::clone(&tally));
        if let Err(code) = seat.work_through(&mut opening).await {
            tally.error(&code);
            break;
        }
    }
    Some(seat)
}

/// Lets all seats work for a window, and waits for outstanding answers.
async fn phase(server: &Server, tally: Arc<Tally>, open: &watch::Sender<Option<TimeWindow>>, seconds: u32) -> Phase {
    let window = seats::window(seconds);
    open.send_replace(Some(window));
    sleep_until(window.begin).await;
    let begin = Reading::take(server, &tally).await;
    let peak_bytes = peak_memory(server, window.end).await;
    let end = Reading::take(server, &tally).await;
    let limit = window.end + DRAIN_LIMIT;
    while read(&tally.saved) < read(&tally.sent) && Instant::now() < limit {
        sleep(POLL_INTERVAL).await;
    }
    Phase { tally, begin, end, peak_bytes }
}

async fn peak_memory(server: &Server, end: Instant) -> Option<f64> {
    let mut peak: Option<f64> = None;
    while Instant::now() < end {
        let reading = ServerReading::take(server).await.resident_bytes;
        peak = reading.map(|bytes| peak.map_or(bytes, |peak| peak.max(bytes))).or(peak);
        sleep_until(end.min(Instant::now() + READING_INTERVAL)).await;
    }
    peak
}

/// Opens all watchers at once, so that the idle ones are not the last in the server's lists.
async fn open_watchers(
    server: &Server,
    probes: &Probes,
    options: &ProctorOptions,
) -> Result<(Vec<Watcher>, Vec<ProctorSocket>), Failure> {
    let (manner, numbers) = (options.manner(), probes.seat_numbers());
    let asking = (0..options.idle_watchers).map(|_| watch_room(server, &options.token, options.grade, manner));
    let reading = (0..usize::from(options.watchers))
        .map(|place| Watcher::open(server, &options.token, options.grade, (manner, place), &numbers));
    let (idle, readers) = join(try_join_all(asking), try_join_all(reading)).await;
    Ok((readers?, idle?))
}

struct WatcherTasks {
    done: watch::Sender<bool>,
    readers: JoinSet<(WatcherTraffic, Result<(), String>)>,
    /// For each seat how many watchers are to be shown its commands.
    shown_to: Vec<u64>,
    times: Arc<Times>,
}

impl WatcherTasks {
    fn begin(readers: Vec<Watcher>, probes: &Arc<Probes>) -> Result<Self, Failure> {
        let (done, waiting) = watch::channel(false);
        let numbers = Arc::new(probes.seat_numbers());
        let mut shown_to = vec![0; numbers.len()];
        for reader in &readers {
            reader.count_seats(&mut shown_to);
        }
        let times = Arc::new(Times::new()?);
        let mut reading = JoinSet::new();
        for reader in readers {
            reading.spawn(read_on(
                reader,
                Arc::clone(probes),
                Arc::clone(&numbers),
                Arc::clone(&times),
                waiting.clone(),
            ));
        }
        Ok(Self { done, readers: reading, shown_to, times })
    }

    /// Waits until every command was shown to every watcher.
    async fn end(mut self, probes: &Probes, tally: &Tally) -> WatcherFindings {
        let expected = (0..).zip(&self.shown_to).map(|(seat, watchers)| probes.sent(seat) * watchers).sum();
        let limit = Instant::now() + SHOWN_LIMIT;
        while self.times.count() < expected && Instant::now() < limit {
            sleep(POLL_INTERVAL).await;
        }
        self.done.send_replace(true);
        let mut traffic = Vec::new();
        while let Some(joined) = self.readers.join_next().await {
            let Ok((one, ended)) = joined else {
                tally.error("generator: watcher panicked");
                continue;
            };
            if let Err(code) = ended {
                tally.error(&code);
            }
            traffic.push(one);
        }
        WatcherFindings { traffic, times: self.times, expected }
    }
}

async fn read_on(
    reader: Watcher,
    probes: Arc<Probes>,
    numbers: Arc<HashMap<String, usize>>,
    times: Arc<Times>,
    done: watch::Receiver<bool>,
) -> (WatcherTraffic, Result<(), String>) {
    reader.read_on(&probes, &numbers, &times, done).await
}

struct ProctorOutcome {
    started: u64,
    without: Phase,
    with: Phase,
    watched: WatcherFindings,
    comparison: Comparison,
    unanswered: u64,
}

fn print(options: &ProctorOptions, outcome: &ProctorOutcome) -> bool {
    let ProctorOutcome { started, without, with, watched, comparison, unanswered } = outcome;
    let mut errors = without.tally.errors();
    for (code, times) in with.tally.errors() {
        *errors.entry(code).or_default() += times;
    }
    let shown = watched.times.count();
    let passed = *started == u64::from(options.seats)
        && shown == watched.expected
        && comparison.missing == 0
        && *unanswered == 0
        && errors.is_empty();
    let mut rows = vec![
        row("seats started", format!("{started} of {}", options.seats)),
        row("watchers", format!("{} and {} idle", options.watchers, options.idle_watchers)),
        row(
            "commands sent",
            format!("{} without watchers, {} with", read(&without.tally.sent), read(&with.tally.sent)),
        ),
    ];
    rows.extend(student_rows(without, with));
    rows.extend(watcher_rows(options, watched));
    rows.extend(cost_rows(without, with));
    rows.push(count("errors", errors.values().sum()));
    rows.extend(errors.iter().map(|(code, &times)| count(&format!("  {code}"), times)));
    rows.push(count("commands without an answer", *unanswered));
    rows.push(count("saved values compared", comparison.values));
    rows.push(count("missing", comparison.missing));
    output::print_rows(&rows, passed);
    passed
}

fn student_rows(without: &Phase, with: &Phase) -> Vec<Row> {
    let (alone, watched) = (without.tally.saved_times.percentiles(), with.tally.saved_times.percentiles());
    let ratio = alone.zip(watched).map(|(alone, watched)| ratio_of(alone, watched));
    vec![
        latency("saved latency without watchers", alone),
        latency("saved latency with watchers", watched),
        row("  the second by the first", ratio.unwrap_or_else(|| "n/a".to_owned())),
    ]
}

fn ratio_of(alone: Percentiles, watched: Percentiles) -> String {
    let by = |watched: Duration, alone: Duration| format!("{:.2}", watched.as_secs_f64() / alone.as_secs_f64());
    format!(
        "p50 {}  p99 {}  max {}",
        by(watched.p50, alone.p50),
        by(watched.p99, alone.p99),
        by(watched.max, alone.max)
    )
}

fn watcher_rows(options: &ProctorOptions, watched: &WatcherFindings) -> Vec<Row> {
    let watchers = watched.traffic.len().max(1) as f64;
    let mean = |of: fn(&WatcherTraffic) -> u64| Some(watched.traffic.iter().map(of).sum::<u64>() as f64 / watchers);
    let per_second = |value: Option<f64>| value.map(|value| value / f64::from(options.seconds));
    let most = watched.traffic.iter().map(|one| one.changes_bytes).max();
    let kibibytes = |bytes: Option<f64>| bytes.map(|bytes| bytes / 1_024.0);
    vec![
        seat_latency("from command to watchers", watched.times.percentiles()),
        row("commands shown to watchers", format!("{} of {}", watched.times.count(), watched.expected)),
        figure("roster to each watcher", kibibytes(mean(|one| one.roster_bytes)), " KiB"),
        figure("changes to each watcher", kibibytes(mean(|one| one.changes_bytes)), " KiB"),
        figure("  to the one that got most", kibibytes(most.map(|bytes| bytes as f64)), " KiB"),
        figure("  a second", kibibytes(per_second(mean(|one| one.changes_bytes))), " KiB"),
        figure("  frames a second", per_second(mean(|one| one.frames)), ""),
    ]
}

fn cost_rows(without: &Phase, with: &Phase) -> Vec<Row> {
    let mebibytes = |bytes: Option<f64>| bytes.map(|bytes| bytes / MEBIBYTE);
    let percent = |phase: &Phase, seconds: Option<f64>| {
        seconds.map(|seconds| 100.0 * seconds / (phase.end.at - phase.begin.at).as_secs_f64())
    };
    let server = |phase: &Phase| {
        percent(phase, phase.end.server.cpu_seconds.zip(phase.begin.server.cpu_seconds).map(|(end, begin)| end - begin))
    };
    let own = |phase: &Phase| {
        percent(
            phase,
            phase.end.generator_cpu.zip(phase.begin.generator_cpu).map(|(end, begin)| (end - begin).as_secs_f64()),
        )
    };
    vec![
        figure("server memory without watchers, at most", mebibytes(without.peak_bytes), " MiB"),
        figure("server memory with watchers, at most", mebibytes(with.peak_bytes), " MiB"),
        figure("server CPU without watchers", server(without), " % of a core"),
        figure("server CPU with watchers", server(with), " % of a core"),
        figure("generator CPU without watchers", own(without), " % of a core"),
        figure("generator CPU with watchers", own(with), " % of a core"),
    ]
}
