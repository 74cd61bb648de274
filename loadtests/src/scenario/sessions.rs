//! The sessions scenario: clients hand in finished tests as fast as the server answers, and receivers of webhooks note
//! when they are told of each. Requests are made beforehand, so that the generator costs the machine little.

use crate::failure::Failure;
use crate::http_message::HttpConnection;
use crate::machine::ProcessorTicks;
use crate::metrics::ServerReading;
use crate::output;
use crate::server::Server;
use crate::table::{count, figure, latency, row};
use crate::tally::Times;
use crate::told_receiver::{ToldReceivers, ToldSessions};
use clap::Args;
use futures_util::future::join_all;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, Interval, interval_at, sleep};

/// Questions of each test, which makes a body of about 5 KB.
const QUESTIONS: usize = 40;
/// How long receivers are waited for after the last test was handed in.
const TOLD_WITHIN: Duration = Duration::from_secs(120);
const LETTERS: [&str; 4] = ["A", "B", "C", "D"];

#[derive(Args)]
pub struct SessionsOptions {
    /// Connections, each with one request at a time.
    #[arg(long, default_value_t = 128, value_parser = clap::value_parser!(u16).range(1..=4_096))]
    connections: u16,
    /// Length of the run in seconds.
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    seconds: u32,
    /// Tests a second, of all connections together; 0 for as many as the server takes.
    #[arg(long, default_value_t = 0)]
    rate: u32,
    /// Sends each test with an `Idempotency-Key` of its own.
    #[arg(long)]
    keys: bool,
    /// Receivers of webhooks, each with an address of its own; 0 for tests without one. The server must be allowed to
    /// reach them (`WEBHOOK_HOSTS=127.0.0.1`).
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1_000))]
    receivers: u16,
    /// Milliseconds until a receiver answers.
    #[arg(long, default_value_t = 0)]
    receiver_millis: u64,
    /// One receiver more that takes connections and never answers.
    #[arg(long)]
    dead_receiver: bool,
    /// Grade of the tests.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=10))]
    grade: u8,
}

/// Runs the scenario. It passes when every test was stored, and every receiver that answers was told of each of its
/// own.
pub async fn run(server: &Server, options: &SessionsOptions) -> Result<bool, Failure> {
    let bank = server.get(&format!("/api/questions?grade={}", options.grade), "").await?;
    let bank = bank.as_array().ok_or("the bank is not an array")?;
    let receivers = ToldReceivers::open(options.receivers, Duration::from_millis(options.receiver_millis)).await?;
    let dead = if options.dead_receiver { Some(tokio::net::TcpListener::bind("127.0.0.1:0").await?) } else { None };
    let dead_url = dead.as_ref().map(|listener| listener.local_addr()).transpose()?.map(|at| format!("http://{at}/"));
    let (answered, told) = (Times::new()?, receivers.told());
    let begun = Instant::now();
    let end = begun + Duration::from_secs(options.seconds.into());
    let pause =
        (options.rate > 0).then(|| Duration::from_secs_f64(f64::from(options.connections) / f64::from(options.rate)));
    let (before, ticks) = (ServerReading::take(server).await, ProcessorTicks::take());
    let clients = (0..usize::from(options.connections)).map(|number| {
        // One client in ten reports to the receiver that is dead.
        let url = match &dead_url {
            Some(url) if number % 10 == 9 => Some(url.clone()),
            _ => receivers.url(number),
        };
        let is_awaited = url.is_some() && url != dead_url;
        let client = Client {
            address: server.address(),
            head: head(server),
            body: test(bank, options.grade, number, url.as_deref()).to_string(),
            keys: options.keys.then_some(number),
            told: is_awaited.then(|| Arc::clone(&told)),
        };
        // Spread over the pause, as people are.
        let first = begun + pause.unwrap_or_default().mul_f64(number as f64 / f64::from(options.connections));
        client.work(end, pause.map(|pause| interval_at(first, pause)), &answered)
    });
    let counts = join_all(clients).await;
    let took = begun.elapsed().as_secs_f64();
    let (after, busy) = (ServerReading::take(server).await, ProcessorTicks::take());
    let (mut stored, mut refused, mut failed, mut awaited) = (0, 0, 0, 0);
    for one in counts {
        (stored, refused, failed) = (stored + one.stored, refused + one.refused, failed + one.failed);
        awaited += one.awaited;
    }
    output::progress(&format!("{stored} tests are stored; waiting for {awaited} webhooks"));
    while told.count() < awaited && end.elapsed() < TOLD_WITHIN {
        sleep(Duration::from_millis(20)).await;
    }
    let delivered = told.count();
    let cpu = after.cpu_seconds.zip(before.cpu_seconds).map(|(after, before)| (after - before) / stored.max(1) as f64);
    let used = ticks.zip(busy).and_then(|(before, after)| after.since(before)).map(|(busy, _)| busy);
    let passed = refused + failed == 0 && stored > 0 && delivered == awaited;
    let mut rows = vec![
        count("tests stored", stored),
        figure("tests a second", Some(stored as f64 / took), ""),
        latency("answered within", answered.percentiles()),
        figure("server CPU a test", cpu.map(|seconds| seconds * 1e6), " µs"),
        figure("processors busy", used, " %"),
        count("refused", refused),
        count("failed", failed),
    ];
    if options.receivers > 0 {
        rows.push(row("webhooks delivered", format!("{delivered} of {awaited}")));
        rows.push(figure("webhooks a second", Some(delivered as f64 / told.last(begun).as_secs_f64()), ""));
        rows.push(latency("delivered after the answer", told.times()?.percentiles()));
    }
    output::print_rows(&rows, passed);
    Ok(passed)
}

/// What one client did.
#[derive(Default)]
struct ClientCounts {
    stored: u64,
    /// With 429 or 503.
    refused: u64,
    failed: u64,
    /// Stored tests whose receiver answers.
    awaited: u64,
}

struct Client {
    address: SocketAddr,
    head: String,
    body: String,
    keys: Option<usize>,
    told: Option<Arc<ToldSessions>>,
}

impl Client {
    async fn work(self, end: Instant, mut due: Option<Interval>, answered: &Times) -> ClientCounts {
        let mut counts = ClientCounts::default();
        let Ok(mut connection) = HttpConnection::open(self.address).await else {
            return ClientCounts { failed: 1, ..counts };
        };
        let mut number = 0_u64;
        while Instant::now() < end {
            if let Some(due) = &mut due {
                due.tick().await;
            }
            number += 1;
            let sent = Instant::now();
            match self.hand_in(&mut connection, number).await {
                Ok((200, session_id)) => {
                    answered.record(sent.elapsed());
                    counts.stored += 1;
                    if let (Some(told), Some(id)) = (&self.told, session_id) {
                        told.stored(&id);
                        counts.awaited += 1;
                    }
                }
                Ok((429 | 503, _)) => counts.refused += 1,
                Ok(_) => counts.failed += 1,
                Err(_) => {
                    counts.failed += 1;
                    return counts;
                }
            }
        }
        counts
    }

    /// Returns the status and the session's id.
    async fn hand_in(&self, connection: &mut HttpConnection, number: u64) -> Result<(u16, Option<String>), Failure> {
        let key = self.keys.map(|client| format!("idempotency-key: client-{client:08}-{number:012}\r\n"));
        let (key, length) = (key.unwrap_or_default(), self.body.len());
        let request = format!("{}{key}content-length: {length}\r\n\r\n{}", self.head, self.body);
        let (message, answer) = connection.ask(request.as_bytes()).await?;
        let created: Value = serde_json::from_slice(message.body(answer)).unwrap_or_default();
        Ok((message.status()?, created.get("sessionId").and_then(Value::as_str).map(str::to_owned)))
    }
}

fn head(server: &Server) -> String {
    format!("POST /api/sessions HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n", server.address())
}

/// A finished test of the same size as those of the scenario, without a bank.
pub fn finished_test(client: usize) -> Value {
    let bank: Vec<Value> = (1..=QUESTIONS).map(|number| json!({ "id": format!("g5-{number:03}") })).collect();
    test(&bank, 5, client, None)
}

/// A finished test whose answers vary with the client.
fn test(bank: &[Value], grade: u8, client: usize, webhook_url: Option<&str>) -> Value {
    let line = |(index, question): (usize, &Value)| {
        json!({
            "questionId": question["id"], "selected": LETTERS.get((index * 7 + client) % LETTERS.len()), "correct": "A",
            "isCorrect": false, "timeTaken": 20 + index,
        })
    };
    let answers: Vec<Value> = bank.iter().take(QUESTIONS).enumerate().map(line).collect();
    let mut test = json!({
        "grade": grade, "startedAt": "2026-01-05T09:00:00.000Z", "baseUrl": "https://exam.example",
        "annotations": { "name": format!("Student {client}"), "studentId": format!("s-{client}") },
        "result": {
            "score": 500, "correctAnswers": 0, "totalQuestions": answers.len(), "timeTaken": 2_052,
            "topicBreakdown": [], "difficultyBreakdown": [], "answers": answers,
        },
    });
    if let (Some(url), Some(fields)) = (webhook_url, test.as_object_mut()) {
        fields.insert("webhookUrl".to_owned(), url.into());
    }
    test
}
