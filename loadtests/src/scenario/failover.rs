//! The failover scenario: three servers are killed and restarted in turn while students answer. Nothing may be lost or
//! stored twice.

use crate::failure::Failure;
use crate::fleet::{Fleet, SERVERS, ServerProgram};
use crate::ledger::Comparison;
use crate::output;
use crate::reconnecting_seats;
use crate::reconnecting_student::ReconnectingStudent;
use crate::seats;
use crate::table::{Row, count, latency, row, seat_latency};
use crate::tally::{Tally, read};
use crate::webhook_receiver::WebhookReceiver;
use clap::Args;
use sea_orm::Database;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

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
    let jitter = Duration::from_secs_f64(options.jitter);
    let students = reconnecting_seats::seat_all(&fleet.servers, options.seats, &receiver.url(), jitter, &tally).await;
    let seats = students.len();

    let (stop, ends) = watch::channel(None);
    let mut seat_tasks = JoinSet::new();
    for student in students {
        seat_tasks.spawn(reconnecting_seats::work(student, ends.clone(), options.pace, Arc::clone(&tally)));
    }
    kill_in_turn(&mut fleet, options).await?;
    stop.send_replace(Some(Instant::now()));
    let mut students = seats::collect(&mut seat_tasks, &tally).await;

    output::progress(&format!("Comparing what {} students know with what the servers keep", students.len()));
    let comparison = reconnecting_seats::compare(&students, &fleet.servers, &tally).await.values;
    let unanswered = students.iter().map(|student| student.ledger.in_flight() as u64).sum();
    output::progress("Submitting");
    reconnecting_seats::submit_all(&mut students, &tally).await;
    let deliveries = deliveries(options, &students, &receiver).await?;
    Ok(print(options, &FailoverOutcome { seats, comparison, unanswered, deliveries }, &tally))
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
    let database = Database::connect(&options.database_url).await?;
    let sessions = reconnecting_seats::stored_sessions(&database, &reconnecting_seats::session_ids(students)?).await?;
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
