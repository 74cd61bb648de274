//! A student's client that follows the protocol: it keeps each command until the connection that carried it has
//! acknowledged it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::{Value, json};

use super::{Answer, Caller, Heard, LiveSocket};

/// How long a client waits before it resends commands that came too fast.
const RATE_PAUSE: Duration = Duration::from_secs(1);
/// Commands that it sends at once when it resends.
const RESENT_AT_ONCE: usize = 40;

/// A student in a live test.
pub struct Candidate {
    base: String,
    socket: Option<LiveSocket>,
    /// The answer to `start`.
    pub started: Value,
    /// The session's id.
    pub session_id: String,
    /// The session's secret.
    pub token: String,
    /// Question ids of the stage.
    pub paper: Vec<String>,
    /// The highest number given to a command.
    pub seq: u64,
    /// Every command, by number.
    pub sent: BTreeMap<u64, Value>,
    /// Numbers of commands that are known to be saved.
    pub saved: BTreeSet<u64>,
    /// Numbers that wait for an answer, with whether this socket has carried them.
    kept: BTreeMap<u64, bool>,
    /// The highest number that this socket has carried.
    highest: u64,
    /// Whether the server has refused a command as too fast.
    too_fast: bool,
}

impl Candidate {
    /// Starts over a WebSocket; the fields of `start` without its type.
    pub async fn start(base: &str, mut start: Value) -> Self {
        let mut socket = LiveSocket::connect(base, &[]).await.unwrap();
        start["type"] = json!("start");
        socket.send(&start).await;
        let started = socket.expect("started").await;
        Self::new(base, Some(socket), started)
    }

    /// Starts over HTTPS.
    pub async fn start_by_https(base: &str, start: &Value) -> Self {
        let answer = Caller::new(base, None).post_json("/api/live", start).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        Self::new(base, None, answer.json())
    }

    /// Enters a sitting over a WebSocket as someone who has signed in; `started` is the first `waiting`.
    pub async fn enter(base: &str, cookie: &str, sitting_id: &Value) -> Self {
        let mut socket = LiveSocket::connect(base, &[("cookie", cookie)]).await.unwrap();
        socket.send(&json!({ "type": "enter", "sittingId": sitting_id })).await;
        let mut waiting = socket.expect("waiting").await;
        waiting["questionIds"] = json!([]);
        waiting["seq"] = json!(0);
        Self::new(base, Some(socket), waiting)
    }

    /// Waits until the time of a sitting counts.
    pub async fn begin(&mut self) -> Value {
        self.socket().until("begin").await
    }

    fn new(base: &str, socket: Option<LiveSocket>, started: Value) -> Self {
        let text = |name: &str| started[name].as_str().unwrap().to_owned();
        Self {
            base: base.to_owned(),
            socket,
            session_id: text("sessionId"),
            token: text("token"),
            paper: ids(&started["questionIds"]),
            seq: started["seq"].as_u64().unwrap(),
            started,
            sent: BTreeMap::new(),
            saved: BTreeSet::new(),
            kept: BTreeMap::new(),
            highest: 0,
            too_fast: false,
        }
    }

    /// The socket that is open.
    pub fn socket(&mut self) -> &mut LiveSocket {
        self.socket.as_mut().expect("the candidate has no socket")
    }

    /// Drops the socket without closing it properly.
    pub fn cut(&mut self) {
        self.socket = None;
        self.highest = 0;
        self.kept.values_mut().for_each(|carried| *carried = false);
    }

    /// Follows the server to another address.
    pub fn move_to(&mut self, base: &str) {
        self.cut();
        self.base = base.to_owned();
    }

    /// The same student on another device, by another server.
    pub async fn elsewhere(&self, base: &str) -> Self {
        let mut other = Self::new(base, None, self.started.clone());
        other.resume().await;
        other
    }

    /// Resumes on a new socket.
    pub async fn resume(&mut self) -> Value {
        self.cut();
        let mut socket = LiveSocket::connect(&self.base, &[]).await.unwrap();
        socket.send(&self.resume_frame()).await;
        let resumed = socket.expect("resumed").await;
        self.socket = Some(socket);
        self.seq = self.seq.max(resumed["seq"].as_u64().unwrap());
        resumed
    }

    /// The first frame of a resumed socket.
    pub fn resume_frame(&self) -> Value {
        json!({ "type": "resume", "sessionId": self.session_id, "token": self.token })
    }

    /// Who holds the session's token, over HTTPS.
    pub fn caller(&self) -> Caller {
        Caller::new(&self.base, Some(&self.token))
    }

    /// The state that the server returns over HTTPS.
    pub async fn state(&self) -> Value {
        let answer = self.caller().get(&format!("/api/live/{}", self.session_id)).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    }

    /// Numbers a command and keeps it, without sending it.
    pub fn act(&mut self, mut command: Value) -> u64 {
        self.seq += 1;
        command["seq"] = json!(self.seq);
        self.sent.insert(self.seq, command);
        self.kept.insert(self.seq, false);
        self.seq
    }

    /// Sends a command over the socket, without waiting for the answer.
    pub async fn send(&mut self, command: Value) -> u64 {
        let seq = self.act(command);
        self.carry(seq).await;
        seq
    }

    /// Sends a numbered command over the socket, again or for the first time.
    pub async fn carry(&mut self, seq: u64) {
        let frame = self.sent[&seq].clone();
        self.socket().send(&frame).await;
        self.highest = self.highest.max(seq);
        self.kept.entry(seq).and_modify(|carried| *carried = true);
    }

    /// Sends a command again. If it still waits and this socket has carried a later one, it goes by a new socket: a
    /// `saved` that is on its way for the later one would be taken for an answer to this one.
    pub async fn carry_again(&mut self, seq: u64) {
        if self.kept.contains_key(&seq) && seq < self.highest {
            self.resume().await;
        }
        self.carry(seq).await;
    }

    /// Chooses an answer and waits until it is saved.
    pub async fn answer(&mut self, question_id: &str, selected: &str) {
        self.send(answer(question_id, selected)).await;
        self.settle().await;
    }

    /// Sends a command that ends something, when everything before it is saved, and waits for its answer.
    pub async fn end(&mut self, kind: &str, answer: &str) -> Value {
        self.settle().await;
        let seq = self.send(json!({ "type": kind })).await;
        // Commands that were sent twice may still be answered.
        let frame = loop {
            match self.socket().hear().await {
                Heard::Frame(frame) if frame["type"] == answer => break frame,
                // On a machine that has much else to do, saving may take long enough to be told.
                Heard::Frame(frame) if is_passing(&frame) || frame["code"] == "storage_unavailable" => {}
                other => panic!("{answer} expected: {other:?}"),
            }
        };
        assert_eq!(frame["seq"], seq, "{frame}");
        self.kept.remove(&seq);
        frame
    }

    /// `next`; the second stage becomes the paper.
    pub async fn next(&mut self) -> Value {
        let stage = self.end("next", "stage").await;
        self.paper = ids(&stage["questionIds"]);
        stage
    }

    /// `submit`, up to the close.
    pub async fn submit(&mut self) -> Value {
        let submitted = self.end("submit", "submitted").await;
        loop {
            match self.socket().hear().await {
                Heard::Frame(frame) if is_passing(&frame) => {}
                Heard::Closed(Some(1000)) => return submitted,
                other => panic!("the end expected: {other:?}"),
            }
        }
    }

    /// Numbers that wait for an answer.
    pub fn waiting(&self) -> Vec<u64> {
        self.kept.keys().copied().collect()
    }

    /// Sends what this socket has not carried and reads until nothing is kept.
    pub async fn settle(&mut self) {
        while !self.kept.is_empty() {
            self.carry_the_rest().await;
            let heard = self.socket().hear_within(super::PATIENCE).await;
            let Some(heard) = heard else {
                panic!("the server says nothing while these wait, sent on this socket or not: {:?}", self.kept)
            };
            self.note(&heard);
        }
    }

    /// Numbers must rise on each socket, because `saved` is cumulative there. A number below the highest one is sent on
    /// a new socket.
    async fn carry_the_rest(&mut self) {
        let rest: Vec<u64> =
            self.kept.iter().filter(|(_, carried)| !**carried).map(|(seq, _)| *seq).take(RESENT_AT_ONCE).collect();
        let falls = rest.first().is_some_and(|first| *first < self.highest);
        if (falls || self.too_fast) && rest.len() < self.kept.len() && self.kept.values().any(|carried| *carried) {
            return;
        }
        if std::mem::take(&mut self.too_fast) {
            tokio::time::sleep(RATE_PAUSE).await;
        }
        if falls {
            self.resume().await;
        }
        for seq in rest {
            self.carry(seq).await;
        }
    }

    fn note(&mut self, heard: &Heard) {
        let Heard::Frame(frame) = heard else { panic!("{heard:?} while these wait: {:?}", self.kept.keys()) };
        match (frame["type"].as_str().unwrap(), frame["code"].as_str()) {
            ("saved", _) => self.note_saved(frame["seq"].as_u64().unwrap()),
            ("error", Some("rate_limited")) => {
                self.kept.insert(frame["seq"].as_u64().unwrap(), false);
                self.too_fast = true;
            }
            // Told again from time to time until something is saved.
            ("error", Some("storage_unavailable")) => {}
            _ if is_passing(frame) => {}
            _ => panic!("unexpected: {frame}"),
        }
    }

    fn note_saved(&mut self, seq: u64) {
        assert!(seq <= self.seq, "saved {seq} was never sent");
        let answered: Vec<u64> =
            self.kept.range(..=seq).filter(|(_, carried)| **carried).map(|(seq, _)| *seq).collect();
        for seq in answered {
            self.kept.remove(&seq);
            self.saved.insert(seq);
        }
    }

    /// Posts numbered commands over HTTPS; what was not refused is saved.
    pub async fn post(&mut self, seqs: &[u64]) -> Value {
        let commands: Vec<Value> = seqs.iter().map(|seq| self.sent[seq].clone()).collect();
        let answer = self.try_post(&json!({ "commands": commands })).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let body = answer.json();
        let refused: Vec<u64> = body["replies"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|reply| reply["type"] == "error")
            .map(|reply| reply["seq"].as_u64().unwrap())
            .collect();
        for seq in seqs.iter().filter(|seq| !refused.contains(seq)) {
            self.kept.remove(seq);
            self.saved.insert(*seq);
        }
        body
    }

    /// Posts any body to the commands of this session.
    pub async fn try_post(&self, body: &Value) -> Answer {
        self.caller().post_json(&format!("/api/live/{}/commands", self.session_id), body).await
    }
}

/// Whether a frame may come at any time and asks for nothing.
fn is_passing(frame: &Value) -> bool {
    ["saved", "time", "waiting"].iter().any(|kind| frame["type"] == *kind)
}

/// An `answer` command.
pub fn answer(question_id: &str, selected: &str) -> Value {
    json!({ "type": "answer", "questionId": question_id, "selected": selected })
}

/// Ids of a JSON array.
pub fn ids(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect()
}
