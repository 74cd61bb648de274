//! A student whose server is killed again and again: what they did, what they were told was saved, and the receipts
//! that they were given. By HTTPS, so that each request can be sent again as it is.

use crate::failure::Failure;
use crate::patient_caller::{PatientCaller, unexpected};
use crate::signed_receipts::drawing_hash;
use crate::sitting_admin::time;
use crate::wall_clock::from_now;
use fastrand::Rng;
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Share of the commands that draw.
const DRAWINGS_PERCENT: u32 = 15;
/// Share of the choices that clear one.
const CLEARS_PERCENT: u32 = 10;
/// Most commands of one request.
const COMMANDS_MAX: usize = 3;
/// Longest wait for the end of a test whose time is up, or for one that was reopened to go on.
const STATE_LIMIT: Duration = Duration::from_secs(60);
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// What a command has set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetValue {
    Choice(Option<char>),
    /// By its hash.
    Drawing(String),
}

/// A command that was sent.
#[derive(Clone, Debug)]
pub struct SentChange {
    pub question: String,
    pub value: SetValue,
}

impl SentChange {
    pub const fn is_drawing(&self) -> bool {
        matches!(self.value, SetValue::Drawing(_))
    }
}

/// A receipt that was handed out.
pub struct GivenReceipt {
    pub jws: String,
    /// The highest numbers of saved choices when it was asked for, by question.
    pub saved: BTreeMap<String, u64>,
}

/// What a student can prove and remembers.
#[derive(Default)]
pub struct StudentRecord {
    pub session_id: String,
    /// By their numbers.
    pub sent: BTreeMap<u64, SentChange>,
    /// The numbers of those that are saved.
    pub saved: BTreeSet<u64>,
    /// The numbers of those that came late and are kept.
    pub late: BTreeSet<u64>,
    /// Whether the late ones count in the end.
    pub is_late_accepted: bool,
    pub given: Vec<GivenReceipt>,
    /// Each answer to a command, and what else has happened, in order: for whoever looks for the cause of a fault.
    pub history: Vec<Value>,
}

impl StudentRecord {
    /// Puts something that was done about the test into its history.
    pub fn note(&mut self, done: &str) {
        self.history.push(json!({ "at": now(), "done": done }));
    }

    /// The highest numbers of these choices, by question.
    pub fn highest_choices(&self, numbers: impl IntoIterator<Item = u64>) -> BTreeMap<String, u64> {
        let mut highest = BTreeMap::new();
        for number in numbers {
            if let Some(SentChange { question, value: SetValue::Choice(_) }) = self.sent.get(&number) {
                let known: &mut u64 = highest.entry(question.clone()).or_default();
                *known = number.max(*known);
            }
        }
        highest
    }
}

pub struct RoundStudent {
    pub record: StudentRecord,
    pub random: Rng,
    caller: Arc<PatientCaller>,
    /// The token of the session.
    token: String,
    line: u64,
    questions: Vec<String>,
    last_seq: u64,
}

fn now() -> String {
    time(from_now(Duration::ZERO))
}

/// Knocks until the doors are open: they open at the moment at which the sitting is planned.
async fn open(caller: &PatientCaller, token: &str, first: &Value) -> Result<Value, Failure> {
    let limit = Instant::now() + STATE_LIMIT;
    loop {
        let answer = caller.ask(&Method::POST, "/api/live", token, Some(first)).await?;
        let body: Value = serde_json::from_slice(&answer.body)?;
        match answer.status {
            200 => return Ok(body),
            403 if body.get("code").and_then(Value::as_str) == Some("not_open") && Instant::now() < limit => {
                sleep(POLL_INTERVAL).await;
            }
            _ => return Err(unexpected(&Method::POST, "/api/live", &answer)),
        }
    }
}

impl RoundStudent {
    /// Begins a test by `enter` or `start`.
    pub async fn begin(caller: Arc<PatientCaller>, token: &str, mut first: Value) -> Result<Self, Failure> {
        let mut random = Rng::new();
        let key: String = std::iter::repeat_with(|| random.alphanumeric()).take(32).collect();
        if let Some(fields) = first.as_object_mut() {
            fields.insert("key".to_owned(), key.into());
        }
        let begun = open(&caller, token, &first).await?;
        let text = |name: &str| begun.get(name).and_then(Value::as_str).map(str::to_owned);
        let (Some(session_id), Some(token)) = (text("sessionId"), text("token")) else {
            return Err(format!("the test has no id or no token: {begun}").into());
        };
        let ids = begun.get("questionIds").and_then(Value::as_array).ok_or("the test has not begun")?;
        Ok(Self {
            record: StudentRecord { session_id, ..StudentRecord::default() },
            random,
            caller,
            token,
            line: begun.get("line").and_then(Value::as_u64).unwrap_or_default(),
            questions: ids.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            last_seq: 0,
        })
    }

    /// Sends some changes. Returns whether the test goes on.
    pub async fn change(&mut self) -> Result<bool, Failure> {
        let mut commands = Vec::new();
        for _ in 0..self.random.usize(1..=COMMANDS_MAX) {
            commands.push(self.next_change());
        }
        self.send(&commands).await
    }

    /// Hands in. Returns whether the test goes on all the same.
    pub async fn submit(&mut self) -> Result<bool, Failure> {
        self.last_seq += 1;
        self.send(&[json!({ "type": "submit", "seq": self.last_seq })]).await
    }

    fn next_change(&mut self) -> Value {
        self.last_seq += 1;
        let seq = self.last_seq;
        let question = self.random.choice(&self.questions).cloned().unwrap_or_default();
        let mut command = json!({ "seq": seq, "line": self.line, "questionId": question });
        let (name, shown, value) = if self.random.u32(..100) < DRAWINGS_PERCENT {
            let drawing = json!({ "stamp": seq });
            let hash = drawing_hash(&drawing.to_string());
            ("drawing", drawing, SetValue::Drawing(hash))
        } else {
            let is_cleared = self.random.u32(..100) < CLEARS_PERCENT;
            let choice = (!is_cleared).then(|| self.random.char('A'..='D'));
            ("answer", json!(choice.map(String::from)), SetValue::Choice(choice))
        };
        if let Some(fields) = command.as_object_mut() {
            fields.insert("type".to_owned(), name.into());
            let shown_in = if name == "answer" { "selected" } else { name };
            fields.insert(shown_in.to_owned(), shown);
        }
        self.record.sent.insert(seq, SentChange { question, value });
        command
    }

    /// Sends commands until each is answered. Returns whether the test goes on.
    async fn send(&mut self, commands: &[Value]) -> Result<bool, Failure> {
        let path = format!("/api/live/{}/commands", self.record.session_id);
        let mut left = commands.to_vec();
        loop {
            let sent_at = now();
            let answer =
                self.caller.json(&Method::POST, &path, &self.token, Some(&json!({ "commands": left }))).await?;
            let replies = answer.get("replies").and_then(Value::as_array).cloned().unwrap_or_default();
            self.note_answer(&left, &sent_at, &answer);
            left.retain(|command| self.is_to_be_sent_again(command, &replies));
            if left.is_empty() {
                return Ok(answer.get("state").and_then(Value::as_str) != Some("submitted"));
            }
            sleep(POLL_INTERVAL).await;
        }
    }

    /// Puts an answer into the history, with what it says of the time.
    fn note_answer(&mut self, commands: &[Value], sent_at: &str, answer: &Value) {
        let numbers: Vec<&Value> = commands.iter().filter_map(|command| command.get("seq")).collect();
        let name = |name: &str| answer.get(name).cloned().unwrap_or_default();
        self.record.history.push(json!({
            "sentAt": sent_at, "at": now(), "commands": numbers, "saved": name("saved"), "replies": name("replies"),
            "state": name("state"), "remainingMs": name("remainingMs"), "deadline": name("deadline"),
        }));
    }

    /// Notes what became of a command. True for one that the server could not save just then.
    fn is_to_be_sent_again(&mut self, command: &Value, replies: &[Value]) -> bool {
        let seq = command.get("seq").and_then(Value::as_u64).unwrap_or_default();
        let reply = replies.iter().find(|reply| reply.get("seq").and_then(Value::as_u64) == Some(seq));
        if let Some(jws) = reply.and_then(|reply| reply.get("receipt")?.as_str()) {
            self.record.given.push(GivenReceipt { jws: jws.to_owned(), saved: BTreeMap::new() });
        }
        match reply.and_then(|reply| reply.get("code")?.as_str()) {
            None => {
                self.record.saved.insert(seq);
            }
            Some("late") => {
                if reply.and_then(|reply| reply.get("kept")?.as_bool()) == Some(true) {
                    self.record.late.insert(seq);
                }
            }
            Some("storage_unavailable" | "rate_limited") => return true,
            Some(_) => {}
        }
        false
    }

    /// Asks for a receipt of the test as it is; there is one a minute.
    pub async fn ask_receipt(&mut self) -> Result<(), Failure> {
        let saved = self.record.highest_choices(self.record.saved.iter().copied());
        let path = format!("/api/live/{}/receipt", self.record.session_id);
        let answer = self.caller.ask(&Method::GET, &path, &self.token, None).await?;
        match answer.status {
            200 => {
                let given: Value = serde_json::from_slice(&answer.body)?;
                let jws = given.get("receipt").and_then(Value::as_str).ok_or("an answer without a receipt")?;
                self.record.given.push(GivenReceipt { jws: jws.to_owned(), saved });
                Ok(())
            }
            // Too soon, or the test has just ended.
            429 | 409 => Ok(()),
            _ => Err(unexpected(&Method::GET, &path, &answer)),
        }
    }

    /// Waits until the test has ended, or goes on again. False if it doesn't for long.
    pub async fn wait_for(&self, state: &str) -> Result<bool, Failure> {
        let path = format!("/api/live/{}?line={}", self.record.session_id, self.line);
        let limit = Instant::now() + STATE_LIMIT;
        while Instant::now() < limit {
            let standing = self.caller.json(&Method::GET, &path, &self.token, None).await?;
            if standing.get("state").and_then(Value::as_str) == Some(state) {
                return Ok(true);
            }
            sleep(POLL_INTERVAL).await;
        }
        Ok(false)
    }
}
