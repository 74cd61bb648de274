//! The failover scenario: three servers are killed and restarted in turn while students answer. Nothing may be lost or
//! stored twice.

use crate::failure::Failure;
use crate::fleet::{Fleet, SERVERS, ServerProgram};
use crate::ledger::Comparison;
use crate::output;
use crate::reconnecting_student::ReconnectingStudent;
use crate::seats;
use crate::table::{Row, count, latency, row, seat_latency};
use crate::tally::{Tally, read};
use crate::webhook_receiver::WebhookReceiver;
use clap::Args;
use entities::session;
use futures_util::future::join_all;
use futures_util::{StreamExt, stream};
use sea_orm::{ColumnTrait, Database, EntityTrait, PaginatorTrait, QueryFilter};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};
use uuid::Uuid;

/// Session ids in one query: below the parameters that a statement of Postgres can have.
const SESSIONS_PER_QUERY: usize = 1_000;
/// Attempts that are read over HTTP at once.
const READS_AT_ONCE: usize = 32;
/// Longest wait for the webhook of every test.
const DELIVERY_LIMIT: Duration = Duration::from_secs(60);
const POLL_INTERVAL: Duration = Duration::from_millis(100);

#[derive(Args)]
pub struct FailoverOptions {
    /// Students, spread over the servers.
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=50_000))]
    seats: u32,
    /// Number of kills; the three servers take turns.
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=100))]
    kills: u32,
    /// Seconds from a kill to the server's restart, and from when it is ready to the next kill.
    #[arg(long, default_value_t = 3.0, value_parser = interval)]
    every: f64,
    /// Commands a second for each student.
    #[arg(long, default_value_t = 1.0, value_parser = seats::pace)]
    pace: f64,
    /// Longest wait in seconds before a student who lost the socket reconnects; each waits a random part of it.
    #[arg(long, default_value_t = 0.5, value_parser = interval)]
    jitter: f64,
    /// The server program, which is started three times.
    #[arg(long, default_value = "target/dist/examhall")]
    server: PathBuf,
    /// URL of a Postgres database for the servers.
    #[arg(long, env = "DATABASE_URL")]
    database_url: String,
    /// URL of a Redis for the servers.
    #[arg(long, env = "REDIS_URL")]
    redis_url: String,
}

/// Runs the scenario and prints its table. It passes when nothing was lost and nothing is stored or delivered twice.
pub async fn run(options: &FailoverOptions) -> Result<bool, Failure> {
    seats::open_files_for(options.seats as usize)?;
    let (receiver, tally) = (WebhookReceiver::open().await?, Arc::new(Tally::new()?));
    let program = ServerProgram::of(&options.server, &options.database_url, &options.redis_url)?;
    let mut fleet = Fleet::start(program, SERVERS).await?;
    output::progress(&format!("Seating {} students", options.seats));
    let students = seat_all(options, &fleet, &receiver.url(), &tally).await;
    let seats = students.len();

    let (stop, ends) = watch::channel(None);
    let mut seat_tasks = JoinSet::new();
    for student in students {
        seat_tasks.spawn(work(student, ends.clone(), options.pace, Arc::clone(&tally)));
    }
    kill_in_turn(&mut fleet, options).await?;
    stop.send_replace(Some(Instant::now()));
    let mut students = seats::collect(&mut seat_tasks, &tally).await;

    output::progress(&format!("Comparing what {} students know with what the servers keep", students.len()));
    let comparison = compare(&students, &fleet, &tally).await;
    let unanswered = students.iter().map(|student| student.ledger.in_flight() as u64).sum();
    output::progress("Submitting");
    join_all(students.iter_mut().map(async |student| {
        if let Err(code) = student.submit().await {
            tally.error(&code);
        }
    }))
    .await;
    let deliveries = deliveries(options, &students, &receiver).await?;
    Ok(print(options, &FailoverOutcome { seats, comparison, unanswered, deliveries }, &tally))
}

async fn seat_all(
    options: &FailoverOptions,
    fleet: &Fleet,
    webhook_url: &str,
    tally: &Arc<Tally>,
) -> Vec<ReconnectingStudent> {
    let gap = Duration::from_secs_f64(seats::usual_ramp(options.seats) / f64::from(options.seats));
    let (begin, jitter) = (Instant::now(), Duration::from_secs_f64(options.jitter));
    let starting = (0..options.seats).map(async |number| {
        sleep_until(begin + gap * number).await;
        let started = ReconnectingStudent::start(
            Arc::clone(&fleet.servers),
            number as usize,
            webhook_url,
            jitter,
            Arc::clone(tally),
        )
        .await;
        started.inspect_err(|code| tally.error(code)).ok()
    });
    join_all(starting).await.into_iter().flatten().collect()
}

async fn work(
    mut student: ReconnectingStudent,
    mut ends: watch::Receiver<Option<Instant>>,
    pace: f64,
    tally: Arc<Tally>,
) -> Option<ReconnectingStudent> {
    if let Err(code) = student.work(Instant::now(), &mut ends, pace).await {
        tally.error(&code);
    }
    Some(student)
}

async fn kill_in_turn(fleet: &mut Fleet, options: &FailoverOptions) -> Result<(), Failure> {
    let interval = Duration::from_secs_f64(options.every);
    sleep(interval).await;
    for kill in 0..options.kills as usize {
        output::progress(&format!("Killing server {}", kill % SERVERS));
        fleet.kill(kill % SERVERS).await?;
        sleep(interval).await;
        fleet.restart(kill % SERVERS).await?;
        sleep(interval).await;
    }
    Ok(())
}

/// Reads every attempt from some server over HTTP and compares it. An attempt that cannot be read counts as an error.
async fn compare(students: &[ReconnectingStudent], fleet: &Fleet, tally: &Tally) -> Comparison {
    let reading = stream::iter(students).map(async |student| {
        let stored = match fleet.servers.next() {
            Some(server) => server.stored_attempt(&student.session_id, &student.token).await,
            None => Err("check: no server".to_owned()),
        };
        stored.map(|stored| student.ledger.compare(&student.question_ids, &stored)).unwrap_or_else(|code| {
            tally.error(&code);
            Comparison::default()
        })
    });
    let sum = |sum: Comparison, one: Comparison| async move {
        Comparison { values: sum.values + one.values, missing: sum.missing + one.missing }
    };
    reading.buffer_unordered(READS_AT_ONCE).fold(Comparison::default(), sum).await
}

/// What the database and the webhook receiver have of the students' sessions.
struct Deliveries {
    sessions: u64,
    delivered: u64,
    event_ids: u64,
}

async fn deliveries(
    options: &FailoverOptions,
    students: &[ReconnectingStudent],
    receiver: &WebhookReceiver,
) -> Result<Deliveries, Failure> {
    let limit = Instant::now() + DELIVERY_LIMIT;
    while receiver.events().len() < students.len() && Instant::now() < limit {
        sleep(POLL_INTERVAL).await;
    }
    let ids = students.iter().map(|student| student.session_id.parse()).collect::<Result<Vec<Uuid>, _>>()?;
    let database = Database::connect(&options.database_url).await?;
    let mut sessions = 0;
    for ids in ids.chunks(SESSIONS_PER_QUERY) {
        sessions +=
            session::Entity::find().filter(session::Column::SessionId.is_in(ids.to_vec())).count(&database).await?;
    }
    database.close().await?;
    let events = receiver.events();
    Ok(Deliveries {
        sessions,
        delivered: events.len() as u64,
        event_ids: events.values().map(|ids| ids.len() as u64).sum(),
    })
}

struct FailoverOutcome {
    seats: usize,
    comparison: Comparison,
    unanswered: u64,
    deliveries: Deliveries,
}

fn print(options: &FailoverOptions, outcome: &FailoverOutcome, tally: &Tally) -> bool {
    let FailoverOutcome { seats, comparison, unanswered, deliveries } = outcome;
    let (errors, seats) = (tally.errors(), *seats as u64);
    let unexpected = errors.keys().any(|code| code != "storage_unavailable");
    let is_once = deliveries.sessions == seats && deliveries.delivered == seats && deliveries.event_ids == seats;
    let passed =
        seats == u64::from(options.seats) && comparison.missing == 0 && *unanswered == 0 && is_once && !unexpected;
    let mut rows: Vec<Row> = vec![
        row("seats started", format!("{seats} of {}", options.seats)),
        row("servers killed", format!("{} times, one of {SERVERS} at a time", options.kills)),
        count("commands sent", read(&tally.sent)),
        count("commands saved", read(&tally.saved)),
        latency("saved latency", tally.saved_times.percentiles()),
        count("sockets lost", tally.reconnect_times.count()),
        row("wait of a student's own", format!("0 to {:.1} s", options.jitter)),
        seat_latency("from the loss to the next connection", tally.reconnect_times.percentiles()),
        seat_latency("submit latency", tally.submit_times.percentiles()),
        count("saved values compared", comparison.values),
        count("lost", comparison.missing),
        count("commands without an answer", *unanswered),
        row("sessions stored", format!("{} of {seats}", deliveries.sessions)),
        row("sessions told", format!("{} of {seats}, with {} event ids", deliveries.delivered, deliveries.event_ids)),
        count("double", deliveries.event_ids.saturating_sub(deliveries.delivered)),
        count("errors", errors.values().sum()),
    ];
    rows.extend(errors.iter().map(|(code, &times)| count(&format!("  {code}"), times)));
    output::print_rows(&rows, passed);
    passed
}

fn interval(text: &str) -> Result<f64, String> {
    seats::number_within(text, 0.0, 600.0)
}
