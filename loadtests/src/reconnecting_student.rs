//! A student who reconnects to the next server whenever the socket is lost, and sends every unanswered command again.

use crate::begun_exam::BegunExam;
use crate::commands::{Schedule, random_change};
use crate::fleet::RoundRobin;
use crate::frames::{self, Frame};
use crate::ledger::{Ledger, SentCommand, Seq};
use crate::saved_witness::SavedWitness;
use crate::seat::DRAIN_LIMIT;
use crate::server::Server;
use crate::socket::Socket;
use crate::tally::{Tally, add};
use fastrand::Rng;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until, timeout};

/// Longest wait for a connection and the first answer on it.
const RESUME_LIMIT: Duration = Duration::from_secs(5);
/// Longest wait for `submitted` on one socket.
const SUBMIT_LIMIT: Duration = Duration::from_secs(10);
/// How long a student keeps trying to reconnect or to submit.
const PERSISTENCE: Duration = Duration::from_secs(60);
/// Pause after a round of all servers without success.
const RETRY_PAUSE: Duration = Duration::from_millis(100);
/// Unanswered commands at which a student pauses. All of them are sent again at once after a reconnection, so the
/// number stays below the 50 commands a second that the server accepts.
const IN_FLIGHT_MAX: usize = 32;
/// Prefix of the error codes that a killed server causes; other errors end the student's work.
const LOST: &str = "socket: ";

pub struct ReconnectingStudent {
    pub session_id: String,
    /// The secret that resumes and reads the attempt.
    pub token: String,
    pub question_ids: Arc<Vec<String>>,
    pub ledger: Ledger,
    /// Every deadline that a frame has named, each once.
    pub told_deadlines: BTreeSet<String>,
    /// Who is told of what is saved, in scenarios that compare it while students work.
    pub witness: Option<Arc<SavedWitness>>,
    servers: Arc<RoundRobin>,
    socket: Socket,
    tally: Arc<Tally>,
    jitter: Duration,
    random: Rng,
    number: usize,
    line: String,
    last_seq: Seq,
    started_at: Instant,
    is_submitted: bool,
}

impl ReconnectingStudent {
    /// Starts a test on the next server. An error is a code to count.
    pub async fn start(
        servers: Arc<RoundRobin>,
        number: usize,
        webhook_url: &str,
        jitter: Duration,
        tally: Arc<Tally>,
    ) -> Result<Self, String> {
        let began_at = Instant::now();
        let first = frames::start(number, frames::spread_grade(number), Some(webhook_url));
        let server = servers.next().ok_or("start: no server")?;
        let opened = timeout(RESUME_LIMIT, open(server, number, &first)).await;
        let (socket, frame) = opened.map_err(|_| "start: no answer".to_owned())??;
        let Frame::Started { session_id, token, question_ids } = frame else {
            return Err(format!("start: {}", frame.code()));
        };
        tally.start_times.record(began_at.elapsed());
        let exam = BegunExam { socket, session_id, token, question_ids: Arc::new(question_ids), last_seq: 0 };
        Ok(Self::in_exam(exam, servers, number, jitter, tally))
    }

    /// Goes on with an exam that has begun.
    pub fn in_exam(
        exam: BegunExam,
        servers: Arc<RoundRobin>,
        number: usize,
        jitter: Duration,
        tally: Arc<Tally>,
    ) -> Self {
        let BegunExam { socket, session_id, token, question_ids, last_seq } = exam;
        Self {
            ledger: Ledger::new(question_ids.len()),
            session_id,
            token,
            question_ids,
            told_deadlines: BTreeSet::new(),
            witness: None,
            servers,
            socket,
            tally,
            jitter,
            random: Rng::with_seed(number as u64),
            number,
            line: String::new(),
            last_seq,
            started_at: Instant::now(),
            is_submitted: false,
        }
    }

    /// Sends commands as they fall due from `begin` until `ends` has a time, reconnecting as often as needed, and then
    /// waits for outstanding answers.
    pub async fn work(
        &mut self,
        begin: Instant,
        ends: &mut watch::Receiver<Option<Instant>>,
        pace: f64,
    ) -> Result<(), String> {
        let mut schedule = Schedule::new(begin, pace, &mut self.random);
        loop {
            let end = *ends.borrow_and_update();
            let is_settled = self.ledger.in_flight() == 0;
            if end.is_some_and(|end| is_settled || Instant::now() > end + DRAIN_LIMIT) {
                // The caller counts the commands that are still without an answer.
                return Ok(());
            }
            let is_held = end.is_some() || self.ledger.in_flight() >= IN_FLIGHT_MAX;
            let step = tokio::select! {
                biased;
                frame = self.socket.receive() => frame.and_then(|frame| self.take(frame)),
                () = sleep_until(schedule.due()), if !is_held => self.send_due(&mut schedule).await,
                _ = ends.changed(), if end.is_none() => Ok(()),
                () = sleep(DRAIN_LIMIT), if end.is_some() => Ok(()),
            };
            self.go_on_after(step).await?;
        }
    }

    /// Submits the test, reconnecting as often as needed.
    pub async fn submit(&mut self) -> Result<(), String> {
        let began_at = Instant::now();
        self.last_seq += 1;
        let frame = frames::submit(self.last_seq);
        while !self.is_submitted {
            if began_at.elapsed() > PERSISTENCE {
                return Err("submit: no answer".to_owned());
            }
            let submitting = async {
                self.socket.send(&frame).await?;
                while !self.is_submitted {
                    let frame = self.socket.receive().await?;
                    self.take(frame)?;
                }
                Ok(())
            };
            let step = timeout(SUBMIT_LIMIT, submitting).await.unwrap_or_else(|_| Err("socket: silent".to_owned()));
            self.go_on_after(step).await?;
        }
        self.tally.submit_times.record(began_at.elapsed());
        Ok(())
    }

    async fn send_due(&mut self, schedule: &mut Schedule) -> Result<(), String> {
        let now = Instant::now();
        while schedule.due() <= now && self.ledger.in_flight() < IN_FLIGHT_MAX {
            let due = schedule.due();
            schedule.advance(&mut self.random);
            self.last_seq += 1;
            let question = self.random.usize(..self.question_ids.len());
            let change = random_change(&mut self.random, self.last_seq);
            let sent = SentCommand { seq: self.last_seq, question, change, from: due };
            self.ledger.send(sent);
            add(&self.tally.sent, 1);
            self.feed(&sent).await?;
        }
        self.socket.flush().await
    }

    async fn feed(&mut self, sent: &SentCommand) -> Result<(), String> {
        let question_id = self.question_ids.get(sent.question).map_or("", String::as_str);
        frames::write_command(&mut self.line, sent, question_id, self.started_at.elapsed().as_secs());
        self.socket.feed(&self.line).await
    }

    fn take(&mut self, frame: Frame) -> Result<(), String> {
        match frame {
            Frame::Saved { seq } => self.acknowledge(seq),
            Frame::Submitted { .. } => self.is_submitted = true,
            // Another socket of this same student took the session over: one that was opened while reconnecting and
            // then given up.
            Frame::Superseded => return Err("socket: superseded".to_owned()),
            Frame::Error { code, seq } => {
                self.tally.error(&code);
                if let Some(seq) = seq.filter(|_| code != "storage_unavailable") {
                    self.ledger.refuse(seq);
                }
            }
            Frame::Time { deadline } => self.told_deadlines.extend(deadline),
            Frame::Other => {}
            Frame::Started { .. } | Frame::Resumed { .. } => return Err(format!("unexpected: {}", frame.code())),
        }
        Ok(())
    }

    fn acknowledge(&mut self, up_to: Seq) {
        let (now, mut answered) = (Instant::now(), Vec::new());
        let mut times = self.tally.saved_times.recorder();
        self.ledger.acknowledge(up_to, |sent| {
            times.record(now.saturating_duration_since(sent.from));
            answered.push(sent);
        });
        drop(times);
        add(&self.tally.saved, answered.len() as u64);
        if let Some(witness) = &self.witness {
            witness.note(&self.session_id, &answered, now);
        }
    }

    /// Reconnects when the step has lost its socket; any other error ends the student's work.
    async fn go_on_after(&mut self, step: Result<(), String>) -> Result<(), String> {
        match step {
            Ok(()) => Ok(()),
            Err(_) if self.is_submitted => Ok(()),
            Err(code) if code.starts_with(LOST) => self.come_back().await,
            Err(code) => Err(code),
        }
    }

    /// Waits for a random time, then tries the servers in turn until one has resumed the session and received every
    /// unanswered command.
    async fn come_back(&mut self) -> Result<(), String> {
        let lost_at = Instant::now();
        sleep(self.jitter.mul_f64(self.random.f64())).await;
        let limit = lost_at + PERSISTENCE;
        for attempt in 1.. {
            if Instant::now() > limit {
                break;
            }
            if self.try_resume().await? {
                self.tally.reconnect_times.record(lost_at.elapsed());
                return Ok(());
            }
            if attempt % self.servers.len() == 0 {
                sleep(RETRY_PAUSE).await;
            }
        }
        Err("resume: no server".to_owned())
    }

    /// Returns false when this server is not available.
    async fn try_resume(&mut self) -> Result<bool, String> {
        let Some(server) = self.servers.next() else { return Ok(false) };
        let first = frames::resume(&self.session_id, &self.token);
        let Ok(Ok((socket, frame))) = timeout(RESUME_LIMIT, open(server, self.number, &first)).await else {
            return Ok(false);
        };
        let state = match frame {
            Frame::Resumed { state, deadline } => {
                self.told_deadlines.extend(deadline);
                state
            }
            Frame::Error { code, .. } if code == "storage_unavailable" || code == "internal" => return Ok(false),
            frame => return Err(format!("resume: {}", frame.code())),
        };
        self.socket = socket;
        self.is_submitted = state == "submitted";
        let pending: Vec<SentCommand> = self.ledger.pending().copied().collect();
        for sent in &pending {
            if self.feed(sent).await.is_err() {
                return Ok(false);
            }
        }
        Ok(self.socket.flush().await.is_ok())
    }
}

/// Opens a socket, sends the first frame and returns the frame that answers it.
async fn open(server: &Server, number: usize, first: &str) -> Result<(Socket, Frame), String> {
    let mut socket = server.connect(number).await?;
    let frame = socket.request(first).await?;
    Ok((socket, frame))
}
