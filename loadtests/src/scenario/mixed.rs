//! The mixed scenario: an exam day with everything at once. Students answer, banks are read, tests are handed in,
//! reports and exports are made and proctors watch, for as long as one likes; nothing may be lost, and memory must stay
//! flat. Reports and exports may be refused while saves are late; nothing else may.

use crate::check::check_all;
use crate::failure::Failure;
use crate::frames;
use crate::http_message::HttpConnection;
use crate::ledger::Comparison;
use crate::metrics::{Reading, ServerReading};
use crate::output;
use crate::probes::Probes;
use crate::scenario::bank::{BankRequests, bank_path};
use crate::seat::{Behaviour, Pace, Seat, Student, TimeWindow};
use crate::seats;
use crate::server::Server;
use crate::table::{Row, count, figure, latency, row};
use crate::tally::{Tally, Times, read};
use crate::test_client::{HandedIn, HandingIn, TestClient, bank, test};
use crate::watcher::{Watcher, WatcherManner};
use clap::Args;
use futures_util::future::{join3, join4, try_join_all};
use futures_util::{StreamExt, stream};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, sleep_until};

/// Seats that start at once.
const STARTING: usize = 200;
const BANK_CONNECTIONS: u32 = 16;
const TEST_CONNECTIONS: u16 = 16;
const REPORT_CONNECTIONS: u32 = 4;
const EXPORT_CONNECTIONS: u32 = 8;
/// The answer to work that must wait for saves.
const BUSY: u16 = 503;
/// Tests whose reports are requested again and again.
const REPORTED_TESTS: u64 = 32;
/// Rows that each proctor has in view.
const IN_VIEW: usize = 60;
/// When the server's memory is read for the first time: everything has been used by then.
const WARM_AFTER: Duration = Duration::from_secs(60);
const MEMORY_INTERVAL: Duration = Duration::from_secs(5);
/// How much more memory than after the first minute is still flat.
const GROWTH_MAX_PERCENT: f64 = 5.0;
const MEBIBYTE: f64 = 1_048_576.0;

#[derive(Args)]
pub struct MixedOptions {
    /// Students, each with a socket and a test of their own.
    #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    seats: u32,
    /// Commands a second for each seat.
    #[arg(long, default_value_t = 1.0, value_parser = seats::pace)]
    pace: f64,
    /// Banks read in a second.
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    banks: u32,
    /// Tests handed in in a second.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    tests: u32,
    /// PDF reports made in a second.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    reports: u32,
    /// Workbooks with the bank of a grade that are exported in a second.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1_000))]
    exports: u32,
    /// Proctors who watch, spread over the ten grades.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u16).range(0..=1_000))]
    watchers: u16,
    /// Length of the day in seconds.
    #[arg(long, default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..=3_000))]
    seconds: u32,
    /// API token of an admin.
    #[arg(long, env = "EXAMHALL_TOKEN", hide_env_values = true)]
    token: String,
}

/// Runs the scenario. It passes when nothing is missing, everything was answered, and memory stayed flat.
pub async fn run(server: Server, options: &MixedOptions) -> Result<bool, Failure> {
    seats::open_files_for(options.seats as usize + usize::from(options.watchers))?;
    let (server, tally) = (Arc::new(server), Arc::new(Tally::new()?));
    let bank = bank(&server, 5).await?;
    let reported = finished_sessions(&server, &bank).await?;
    output::progress(&format!("Seating {} students", options.seats));
    let mut seated = seat_all(&server, options, &tally).await;
    let watching = Watching::begin(&server, options).await?;
    let window = seats::window(options.seconds);
    let (open, opening) = watch::channel(None);
    open.send_replace(Some(window));
    output::progress(&format!("Everything at once for {} s", options.seconds));
    let working = stream::iter(seated.iter_mut()).map(|seat| {
        let mut opening = opening.clone();
        opening.mark_changed();
        async move { seat.work_through(&mut opening).await }
    });
    let students = options.seats as usize;
    let beside = Beside { server: &server, options, window, bank: &bank, reported: &reported };
    let (worked, measured, asked) = join3(
        working.buffer_unordered(students).collect::<Vec<Result<(), String>>>(),
        measured(&server, &tally, window),
        beside.run(),
    )
    .await;
    worked.into_iter().filter_map(Result::err).for_each(|code| tally.error(&code));
    let frames = watching.end(&tally).await;
    output::progress(&format!("Comparing what {} seats know with what the server keeps", seated.len()));
    let comparison = check_all(&server, &seated, &tally).await;
    let unanswered = seated.iter().map(|seat| seat.ledger.in_flight() as u64).sum();
    let outcome = MixedOutcome { started: seated.len(), measured, asked: asked?, frames, comparison, unanswered };
    Ok(print(options, &outcome, &tally))
}

/// Tests that are finished, whose reports are made.
async fn finished_sessions(server: &Server, bank: &[serde_json::Value]) -> Result<Vec<String>, Failure> {
    let mut ids = Vec::new();
    for number in 0..REPORTED_TESTS {
        ids.push(server.create_session(&test(bank, 5, number as usize, None)).await?);
    }
    Ok(ids)
}

async fn seat_all(server: &Server, options: &MixedOptions, tally: &Arc<Tally>) -> Vec<Seat> {
    let pace = Pace { commands_per_second: options.pace, in_flight_max: 32 };
    let starting = stream::iter(0..options.seats as usize).map(|number| async move {
        let student = Student { number, grade: frames::spread_grade(number), behaviour: Behaviour::Answering };
        Seat::start(server, student, pace, Arc::clone(tally)).await
    });
    let started: Vec<Result<Seat, String>> = starting.buffer_unordered(STARTING).collect().await;
    started.into_iter().filter_map(|one| one.inspect_err(|code| tally.error(code)).ok()).collect()
}

/// Proctors who read what they are told, and check none of it.
struct Watching {
    done: watch::Sender<bool>,
    readers: JoinSet<(u64, Result<(), String>)>,
}

impl Watching {
    async fn begin(server: &Server, options: &MixedOptions) -> Result<Self, Failure> {
        let none = HashMap::new();
        let opening = (0..usize::from(options.watchers)).map(|number| {
            let grade = frames::spread_grade(number);
            Watcher::open(server, &options.token, grade, (WatcherManner::View(IN_VIEW), number), &none)
        });
        let (done, waiting) = watch::channel(false);
        let mut readers = JoinSet::new();
        for reader in try_join_all(opening).await? {
            let (waiting, times) = (waiting.clone(), Times::new()?);
            readers.spawn(async move {
                let (traffic, ended) = reader.read_on(&Probes::new(0), &HashMap::new(), &times, waiting).await;
                (traffic.frames, ended)
            });
        }
        Ok(Self { done, readers })
    }

    /// Returns how many frames they were told.
    async fn end(mut self, tally: &Tally) -> u64 {
        self.done.send_replace(true);
        let mut frames = 0;
        while let Some(joined) = self.readers.join_next().await {
            let Ok((read, ended)) = joined else {
                tally.error("generator: watcher panicked");
                continue;
            };
            frames += read;
            if let Err(code) = ended {
                tally.error(&code);
            }
        }
        frames
    }
}

/// The server over the day.
struct Measured {
    begin: Reading,
    end: Reading,
    /// Bytes after the first minute, and most of them later; of a shorter day those of its begin.
    warm: Option<f64>,
    peak: Option<f64>,
}

async fn measured(server: &Server, tally: &Tally, window: TimeWindow) -> Measured {
    sleep_until(window.begin).await;
    let begin = Reading::take(server, tally).await;
    let mut warm = begin.server.resident_bytes;
    let mut peak = warm;
    let mut due = interval(MEMORY_INTERVAL);
    let warm_at = window.begin + WARM_AFTER;
    while Instant::now() < window.end {
        due.tick().await;
        let bytes = ServerReading::take(server).await.resident_bytes;
        if Instant::now() < warm_at {
            (warm, peak) = (bytes, bytes);
        } else {
            peak = bytes.zip(peak).map(|(bytes, peak)| bytes.max(peak));
        }
    }
    Measured { begin, end: Reading::take(server, tally).await, warm, peak }
}

/// What is asked for beside the students.
struct Beside<'a> {
    server: &'a Server,
    options: &'a MixedOptions,
    window: TimeWindow,
    bank: &'a [serde_json::Value],
    reported: &'a [String],
}

/// How it was answered.
struct Asked {
    banks: Times,
    tests: Times,
    reports: Times,
    exports: Times,
    /// Reports and exports that were refused since saves were late.
    refused: u64,
    handed_in: HandedIn,
}

/// Requests that are sent at a pace.
struct Requests<'a> {
    connections: u32,
    /// In a second, of all connections together.
    rate: u32,
    times: &'a Times,
    /// Whether they can wait, and may be refused.
    can_wait: bool,
}

impl Beside<'_> {
    async fn run(&self) -> Result<Asked, Failure> {
        let requests = BankRequests::new(self.server.address(), &bank_path(5));
        let mut asked = Asked {
            banks: Times::new()?,
            tests: Times::new()?,
            reports: Times::new()?,
            exports: Times::new()?,
            refused: 0,
            handed_in: HandedIn::default(),
        };
        let of = |connections, rate, times, can_wait| Requests { connections, rate, times, can_wait };
        let banks = of(BANK_CONNECTIONS, self.options.banks, &asked.banks, false);
        let banks = self.paced(banks, |_| requests.whole());
        let exports = of(EXPORT_CONNECTIONS, self.options.exports, &asked.exports, true);
        let exports = self.paced(exports, |number| {
            let (grade, address, token) = (1 + number % 10, self.server.address(), &self.options.token);
            let path = format!("/api/admin/export?grade={grade}");
            format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\n\r\n")
        });
        let reports = of(REPORT_CONNECTIONS, self.options.reports, &asked.reports, true);
        let reports = self.paced(reports, |number| {
            let id = self.reported.get(number % self.reported.len().max(1)).map_or("", String::as_str);
            format!("GET /api/report/{id}/pdf HTTP/1.1\r\nhost: {}\r\n\r\n", self.server.address())
        });
        let plan = HandingIn {
            connections: TEST_CONNECTIONS,
            rate: self.options.tests,
            begun: self.window.begin,
            end: self.window.end,
            tests_max: u64::MAX,
        };
        let tests = plan.run(&asked.tests, |number| TestClient {
            address: self.server.address(),
            body: test(self.bank, 5, number, None).to_string(),
            keys: None,
            told: None,
        });
        let (banks, reports, exports, handed_in) = join4(banks, reports, exports, tests).await;
        banks?;
        asked.refused = reports? + exports?;
        asked.handed_in = handed_in;
        Ok(asked)
    }

    /// Sends requests on connections that stay open, so many a second together. Returns how many were refused.
    async fn paced(&self, requests: Requests<'_>, request: impl Fn(usize) -> String) -> Result<u64, Failure> {
        let Requests { connections, rate, times, can_wait } = requests;
        if rate == 0 {
            return Ok(0);
        }
        let pause = Duration::from_secs_f64(f64::from(connections) / f64::from(rate));
        let clients = (0..connections).map(|client| {
            let request = &request;
            async move {
                let mut connection = HttpConnection::open(self.server.address()).await?;
                let first = self.window.begin + pause.mul_f64(f64::from(client) / f64::from(connections));
                let mut due = tokio::time::interval_at(first, pause);
                let (mut number, mut refused) = (client as usize, 0);
                while Instant::now() < self.window.end {
                    due.tick().await;
                    let sent = Instant::now();
                    let (message, _) = connection.ask(request(number).as_bytes()).await?;
                    match message.status()? {
                        200 => times.record(sent.elapsed()),
                        BUSY if can_wait => refused += 1,
                        status => return Err(format!("a request beside was answered with {status}").into()),
                    }
                    number += connections as usize;
                }
                Ok::<u64, Failure>(refused)
            }
        });
        try_join_all(clients).await.map(|refused| refused.into_iter().sum())
    }
}

struct MixedOutcome {
    started: usize,
    measured: Measured,
    asked: Asked,
    frames: u64,
    comparison: Comparison,
    unanswered: u64,
}

fn print(options: &MixedOptions, outcome: &MixedOutcome, tally: &Tally) -> bool {
    let MixedOutcome { started, measured, asked, frames, comparison, unanswered } = outcome;
    let seconds = (measured.end.at - measured.begin.at).as_secs_f64();
    let grown = measured.warm.zip(measured.peak).map(|(warm, peak)| 100.0 * (peak - warm) / warm);
    let cpu = measured.end.server.cpu_seconds.zip(measured.begin.server.cpu_seconds).map(|(end, begin)| end - begin);
    let errors = tally.errors();
    let is_flat = grown.is_none_or(|percent| percent <= GROWTH_MAX_PERCENT);
    let has_lost = comparison.missing + unanswered + asked.handed_in.failed + asked.handed_in.refused > 0;
    let passed = *started == options.seats as usize && is_flat && !has_lost && errors.is_empty();
    let a_second = |times: &Times| Some(times.count() as f64 / seconds);
    let mut rows: Vec<Row> = vec![
        row("seats started", format!("{started} of {}", options.seats)),
        figure("saved a second", Some((measured.end.saved - measured.begin.saved) as f64 / seconds), ""),
        latency("saved latency", tally.saved_times.percentiles()),
        figure("banks a second", a_second(&asked.banks), ""),
        latency("  answered within", asked.banks.percentiles()),
        figure("tests a second", a_second(&asked.tests), ""),
        latency("  answered within", asked.tests.percentiles()),
        figure("reports a second", a_second(&asked.reports), ""),
        latency("  answered within", asked.reports.percentiles()),
        figure("exports a second", a_second(&asked.exports), ""),
        latency("  answered within", asked.exports.percentiles()),
        count("reports and exports refused for saves", asked.refused),
        figure("frames to each watcher a second", Some(*frames as f64 / f64::from(options.watchers) / seconds), ""),
        figure("server CPU", cpu.map(|cpu| 100.0 * cpu / seconds), " % of a core"),
        figure("server memory after a minute", measured.warm.map(|bytes| bytes / MEBIBYTE), " MiB"),
        figure("  most of it later", measured.peak.map(|bytes| bytes / MEBIBYTE), " MiB"),
        figure("  more than after a minute", grown, " %"),
        count("commands sent", read(&tally.sent)),
        count("errors", errors.values().sum()),
    ];
    rows.extend(errors.iter().map(|(code, &times)| count(&format!("  {code}"), times)));
    rows.push(count("tests refused or failed", asked.handed_in.refused + asked.handed_in.failed));
    rows.push(count("commands without an answer", *unanswered));
    rows.push(count("saved values compared", comparison.values));
    rows.push(count("missing", comparison.missing));
    output::print_rows(&rows, passed);
    passed
}
