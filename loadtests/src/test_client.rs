//! Clients who hand in finished tests. Requests are made beforehand, so that the generator costs the machine little.

use crate::failure::Failure;
use crate::http_message::HttpConnection;
use crate::server::Server;
use crate::tally::Times;
use crate::told_receiver::ToldSessions;
use futures_util::future::join_all;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, Interval, interval_at};

/// Questions of each test, which makes a body of about 5 KB.
const QUESTIONS: usize = 40;
const LETTERS: [&str; 4] = ["A", "B", "C", "D"];

/// The questions of a grade, which tests are made of.
pub async fn bank(server: &Server, grade: u8) -> Result<Vec<Value>, Failure> {
    match server.get_public(&format!("/api/questions?grade={grade}")).await? {
        Value::Array(questions) => Ok(questions),
        _ => Err("the bank is not an array".into()),
    }
}

/// What clients did.
#[derive(Clone, Copy, Default)]
pub struct HandedIn {
    pub stored: u64,
    /// With 429 or 503.
    pub refused: u64,
    pub failed: u64,
    /// Stored tests whose receiver answers.
    pub awaited: u64,
}

impl HandedIn {
    pub fn plus(self, other: Self) -> Self {
        Self {
            stored: self.stored + other.stored,
            refused: self.refused + other.refused,
            failed: self.failed + other.failed,
            awaited: self.awaited + other.awaited,
        }
    }
}

/// When clients hand in.
#[derive(Clone, Copy)]
pub struct HandingIn {
    /// Connections, each with one request at a time.
    pub connections: u16,
    /// Tests a second, of all connections together; 0 for as many as the server takes.
    pub rate: u32,
    pub begun: Instant,
    pub end: Instant,
    /// Most tests of each connection.
    pub tests_max: u64,
}

impl HandingIn {
    /// Lets clients hand in side by side. `client` makes the one with this number.
    pub async fn run(self, answered: &Times, client: impl Fn(usize) -> TestClient) -> HandedIn {
        let pause =
            (self.rate > 0).then(|| Duration::from_secs_f64(f64::from(self.connections) / f64::from(self.rate)));
        let clients = (0..usize::from(self.connections)).map(|number| {
            // Spread over the pause, as people are.
            let share = number as f64 / f64::from(self.connections);
            let first = self.begun + pause.unwrap_or_default().mul_f64(share);
            client(number).work(self, pause.map(|pause| interval_at(first, pause)), answered)
        });
        join_all(clients).await.into_iter().fold(HandedIn::default(), HandedIn::plus)
    }
}

/// A client that hands in the same test again and again.
pub struct TestClient {
    pub address: SocketAddr,
    pub body: String,
    /// The number of the client if each test has an `Idempotency-Key`.
    pub keys: Option<usize>,
    /// Where its tests are noted, if somebody is to be told of them.
    pub told: Option<Arc<ToldSessions>>,
}

impl TestClient {
    async fn work(self, plan: HandingIn, mut due: Option<Interval>, answered: &Times) -> HandedIn {
        let mut counts = HandedIn::default();
        let Ok(mut connection) = HttpConnection::open(self.address).await else {
            return HandedIn { failed: 1, ..counts };
        };
        let mut number = 0_u64;
        while Instant::now() < plan.end && number < plan.tests_max {
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
        let head =
            format!("POST /api/sessions HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n", self.address);
        let request = format!("{head}{key}content-length: {length}\r\n\r\n{}", self.body);
        let (message, answer) = connection.ask(request.as_bytes()).await?;
        let created: Value = serde_json::from_slice(message.body(answer)).unwrap_or_default();
        Ok((message.status()?, created.get("sessionId").and_then(Value::as_str).map(str::to_owned)))
    }
}

/// A finished test of the same size as those of the scenario, without a bank.
pub fn finished_test(client: usize) -> Value {
    let bank: Vec<Value> = (1..=QUESTIONS).map(|number| json!({ "id": format!("g5-{number:03}") })).collect();
    test(&bank, 5, client, None)
}

/// A finished test whose answers vary with the client.
pub fn test(bank: &[Value], grade: u8, client: usize, webhook_url: Option<&str>) -> Value {
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
