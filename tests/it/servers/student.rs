//! A student who goes on whatever happens to the servers: it keeps each command until a road has answered for it, and
//! comes back by any server.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::watch;
use uuid::Uuid;

use crate::hall::numbered::{QUESTIONS, assert_kept, command, letters};
use crate::hall::{Caller, Heard, LiveSocket, PATIENCE, ids, time_of};

/// Where students connect.
const STUDENT_PATH: &str = "/api/live";
/// Between two commands of a student; about a tenth of what the server takes.
const PACE: Duration = Duration::from_millis(200);
/// Commands that a student sends at once when it has to catch up: ten times so many a second are below the limit.
const SENT_AT_ONCE: u64 = 4;
/// A road on which nothing comes for so long, while something is awaited, is lost: as with the pings of a page.
const SILENCE_MAX: Duration = Duration::from_secs(3);
/// The longest wait before a student comes back.
const JITTER_MAX: Duration = Duration::from_millis(500);
/// The longest wait after `restarting`, which a page may make five seconds long.
const RESTART_JITTER_MAX: Duration = Duration::from_secs(2);
/// One student in so many posts over HTTPS instead of using a socket.
const POSTING: usize = 4;

/// What a student does, and what it has seen.
pub struct Student {
    base: String,
    /// Whoever holds the session's token.
    caller: Caller,
    number: usize,
    posts: bool,
    /// Whether each command is sent twice, as by a network that repeats.
    sends_twice: bool,
    /// The session's id.
    pub session_id: String,
    token: String,
    paper: Vec<String>,
    socket: Option<LiveSocket>,
    /// The highest number that this road has carried.
    carried: u64,
    /// The highest number of a command that exists.
    pub sent: u64,
    /// The highest number up to which everything is saved.
    pub saved: u64,
    /// Every deadline that was told, in order, without repeats.
    pub deadlines: Vec<Value>,
    /// `saved`, for those who look on.
    progress: Arc<AtomicU64>,
    heard_at: Instant,
    lost_at: Option<Instant>,
    /// How often the road was lost.
    pub losses: usize,
    /// The longest time without a road, without the waits that the student chose.
    pub longest_search: Duration,
    /// How often a server said that it restarts.
    pub restarts_told: usize,
}

impl Student {
    /// Starts a test of grade 5 over HTTPS, told to `webhook_url`; `number` decides by which road it goes on.
    pub async fn start(base: &str, number: usize, webhook_url: &str) -> Self {
        let start = json!({
            "grade": 5, "questionCount": QUESTIONS, "durationMinutes": 70, "key": Uuid::new_v4().to_string(),
            "annotations": { "studentId": format!("s-{number}") }, "webhookUrl": webhook_url,
        });
        let answer = Caller::new(base, None).post_json("/api/live", &start).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let started = answer.json();
        let text = |name: &str| started[name].as_str().unwrap().to_owned();
        Self {
            base: base.to_owned(),
            caller: Caller::new(base, Some(&text("token"))),
            number,
            posts: number.is_multiple_of(POSTING),
            sends_twice: false,
            session_id: text("sessionId"),
            token: text("token"),
            paper: ids(&started["questionIds"]),
            socket: None,
            carried: 0,
            sent: 0,
            saved: 0,
            deadlines: vec![started["deadline"].clone()],
            progress: Arc::default(),
            heard_at: Instant::now(),
            lost_at: None,
            losses: 0,
            longest_search: Duration::ZERO,
            restarts_told: 0,
        }
    }

    /// How much is saved, while the student works.
    pub fn progress(&self) -> Arc<AtomicU64> {
        self.progress.clone()
    }

    /// Whether it works on a socket; otherwise it posts.
    pub fn is_on_a_socket(&self) -> bool {
        !self.posts
    }

    /// How many questions have an answer.
    pub fn answered(&self) -> usize {
        letters(&self.paper, self.sent).len()
    }

    /// From now on every command is sent twice.
    pub fn send_twice(&mut self) {
        self.sends_twice = true;
    }

    /// Answers until it is told to end, and then until everything is saved.
    pub async fn work(mut self, ending: watch::Receiver<bool>) -> Self {
        let mut ended_at = None;
        while !*ending.borrow() || self.saved < self.sent {
            if *ending.borrow() {
                let waited = ended_at.get_or_insert_with(Instant::now).elapsed();
                assert!(waited < PATIENCE, "student {}: {} of {} are saved", self.number, self.saved, self.sent);
            } else {
                self.sent += 1;
            }
            let wait = if self.posts { self.post_round().await } else { self.socket_round().await };
            tokio::time::sleep(wait).await;
        }
        self
    }

    /// One round on the socket; gives the wait that a lost road brings with it.
    async fn socket_round(&mut self) -> Duration {
        let jitter = match self.attend().await {
            Ok(()) => return Duration::ZERO,
            Err(Lost::Restarting) => RESTART_JITTER_MAX,
            Err(Lost::Silently) => JITTER_MAX,
        };
        self.socket = None;
        self.lose(jitter)
    }

    async fn attend(&mut self) -> Result<(), Lost> {
        if self.socket.is_none() {
            self.resume().await?;
        }
        self.send_some().await;
        let round_ends = Instant::now() + PACE;
        while let Some(heard) = self.hear_until(round_ends).await {
            match heard {
                Heard::Frame(frame) => self.note(&frame)?,
                Heard::Closed(Some(1012)) => return Err(Lost::Restarting),
                Heard::Closed(_) => return Err(Lost::Silently),
            }
        }
        let is_silent = self.saved < self.carried && self.heard_at.elapsed() > SILENCE_MAX;
        if is_silent { Err(Lost::Silently) } else { Ok(()) }
    }

    async fn hear_until(&mut self, end: Instant) -> Option<Heard> {
        self.socket.as_mut()?.hear_within(end.saturating_duration_since(Instant::now())).await
    }

    async fn resume(&mut self) -> Result<(), Lost> {
        let mut socket = LiveSocket::reach(&self.base, STUDENT_PATH, &[]).await.ok_or(Lost::Silently)?;
        socket.send(&json!({ "type": "resume", "sessionId": self.session_id, "token": self.token })).await;
        let resumed = loop {
            match socket.hear_within(SILENCE_MAX).await {
                Some(Heard::Frame(frame)) if frame["type"] == "resumed" => break frame,
                // It may be said to a socket that has not resumed yet, or the database may be away.
                Some(Heard::Frame(frame))
                    if frame["type"] == "restarting" || frame["code"] == "storage_unavailable" => {}
                Some(Heard::Frame(frame)) => panic!("resumed expected: {frame}"),
                Some(Heard::Closed(Some(code @ (4401 | 4403 | 4404)))) => panic!("closed with {code}"),
                Some(Heard::Closed(_)) | None => return Err(Lost::Silently),
            }
        };
        assert_kept(&resumed, &self.paper, self.saved, self.sent);
        self.note_deadline(&resumed);
        self.find();
        self.heard_at = Instant::now();
        // What no road has answered for is sent again.
        self.carried = self.saved;
        self.socket = Some(socket);
        Ok(())
    }

    async fn send_some(&mut self) {
        let last = self.sent.min(self.carried + SENT_AT_ONCE);
        if self.carried < last && self.saved == self.carried {
            // The time for an answer begins now.
            self.heard_at = Instant::now();
        }
        let times = if self.sends_twice { 2 } else { 1 };
        for seq in self.carried + 1..=last {
            let frame = command(&self.paper, seq);
            let Some(socket) = self.socket.as_mut() else { return };
            for _ in 0..times {
                socket.send(&frame).await;
            }
        }
        self.carried = last;
    }

    fn note(&mut self, frame: &Value) -> Result<(), Lost> {
        self.heard_at = Instant::now();
        match (frame["type"].as_str().unwrap(), frame["code"].as_str()) {
            ("saved", _) => self.note_saved(frame["seq"].as_u64().unwrap()),
            ("time" | "extended", _) => self.note_deadline(frame),
            ("restarting", _) => self.restarts_told += 1,
            // The server keeps trying.
            ("error", Some("storage_unavailable")) | ("notice" | "alert", _) => {}
            // Everything without an answer is sent again, on a new road. A server that was frozen may take a late
            // `resume` for a second device.
            ("error", Some("rate_limited")) | ("superseded", _) => return Err(Lost::Silently),
            _ => panic!("student {}: {frame}", self.number),
        }
        Ok(())
    }

    fn note_saved(&mut self, seq: u64) {
        assert!(seq <= self.carried, "saved {seq} was never sent on this road");
        self.saved = self.saved.max(seq);
        self.progress.store(self.saved, Ordering::Relaxed);
    }

    fn note_deadline(&mut self, frame: &Value) {
        time_of(&frame["deadline"]);
        if self.deadlines.last() != Some(&frame["deadline"]) {
            self.deadlines.push(frame["deadline"].clone());
        }
    }

    /// One round over HTTPS; gives the wait before the next.
    async fn post_round(&mut self) -> Duration {
        match self.post_some().await {
            Some(()) => {
                self.find();
                PACE
            }
            None => self.lose(JITTER_MAX),
        }
    }

    async fn post_some(&mut self) -> Option<()> {
        self.carried = self.sent.min(self.saved + SENT_AT_ONCE);
        let commands: Vec<Value> = (self.saved + 1..=self.carried).map(|seq| command(&self.paper, seq)).collect();
        if commands.is_empty() {
            return Some(());
        }
        let path = format!("/api/live/{}/commands", self.session_id);
        let asked = self
            .caller
            .request(reqwest::Method::POST, &path)
            .json(&json!({ "commands": commands }))
            .timeout(SILENCE_MAX);
        let answer = asked.send().await.ok()?;
        let status = answer.status().as_u16();
        // Away, restarting, or not saved in time: the commands are sent again.
        if status != 200 {
            assert!(status >= 500, "student {}: {status}", self.number);
            return None;
        }
        let body: Value = answer.json().await.ok()?;
        if body["replies"] != json!([]) {
            let codes: Vec<&Value> = body["replies"].as_array().unwrap().iter().map(|reply| &reply["code"]).collect();
            assert!(codes.iter().all(|code| *code == "storage_unavailable" || *code == "rate_limited"), "{body}");
            return None;
        }
        self.note_deadline(&body);
        self.note_saved(body["saved"].as_u64().unwrap());
        Some(())
    }

    /// The road is lost; gives how long the student waits.
    fn lose(&mut self, jitter: Duration) -> Duration {
        self.losses += usize::from(self.lost_at.is_none());
        let wait = jitter.mul_f64(rand::random());
        // The wait is the student's own choice: it isn't counted.
        self.lost_at = Some(self.lost_at.unwrap_or_else(Instant::now) + wait);
        wait
    }

    fn find(&mut self) {
        if let Some(lost_at) = self.lost_at.take() {
            self.longest_search = self.longest_search.max(Instant::now().saturating_duration_since(lost_at));
        }
    }

    /// Submits, by as many servers as it takes; gives the answer.
    pub async fn submit(&mut self) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(submitted) = self.try_submit().await {
                return submitted;
            }
            assert!(Instant::now() < deadline, "student {} could not submit", self.number);
            self.socket = None;
            tokio::time::sleep(JITTER_MAX.mul_f64(rand::random())).await;
        }
    }

    async fn try_submit(&mut self) -> Option<Value> {
        let path = format!("/api/live/{}/commands", self.session_id);
        let body = json!({ "commands": [{ "type": "submit", "seq": self.sent + 1 }] });
        let answer =
            self.caller.request(reqwest::Method::POST, &path).json(&body).timeout(SILENCE_MAX).send().await.ok()?;
        let body: Value = answer.json().await.ok()?;
        let submitted = body["replies"].as_array()?.iter().find(|reply| reply["type"] == "submitted");
        submitted.cloned()
    }

    /// Asserts that the stored session is what the last command of each key made it.
    pub fn assert_stored(&self, stored: &Value, submitted: &Value) {
        assert_eq!(stored["result"], submitted["result"]);
        let letters = letters(&self.paper, self.sent);
        let lines = stored["result"]["answers"].as_array().unwrap();
        assert_eq!(lines.len(), QUESTIONS);
        for line in lines {
            let expected = letters.get(line["questionId"].as_str().unwrap()).map_or("", String::as_str);
            assert_eq!(line["selected"], expected, "student {}: {line}", self.number);
        }
    }
}

/// How a road was lost.
enum Lost {
    /// The server said that it restarts.
    Restarting,
    /// Closed, refused, or nothing came.
    Silently,
}
