//! One student's client: its socket, its commands and their answers. It keeps its own schedule and knows no other seat.

use crate::begun_exam::BegunExam;
use crate::commands::{Schedule, random_change};
use crate::frames::{self, Frame};
use crate::ledger::{Change, Ledger, SentCommand, Seq};
use crate::probes::Probes;
use crate::server::Server;
use crate::socket::Socket;
use crate::tally::{Tally, add};
use fastrand::Rng;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout, timeout_at};

/// Longest wait from connecting to `started`.
const START_LIMIT: Duration = Duration::from_secs(30);
/// How long a seat waits for outstanding answers after the last command.
pub const DRAIN_LIMIT: Duration = Duration::from_secs(10);
/// Longest wait for `submitted`: long, since all seats submit at once.
const SUBMIT_LIMIT: Duration = Duration::from_secs(60);
/// How late a timer of tokio may be on an idle machine. The latency of a command sent later than this counts from when
/// it was due.
const TIMER_GRAIN: Duration = Duration::from_millis(2);
/// Later than anything that is due: where a seat works until it is told to end.
const NO_END: Duration = Duration::from_secs(86_400);
/// The error after which the server keeps trying to save, so the command is still pending (`docs/live-protocol.md`).
const STORAGE_UNAVAILABLE: &str = "storage_unavailable";

/// The measured time, the same for all seats: commands that fall due in it are sent.
#[derive(Clone, Copy, Debug)]
pub struct TimeWindow {
    pub begin: Instant,
    /// Exclusive.
    pub end: Instant,
}

#[derive(Clone, Copy, Debug)]
pub struct Pace {
    pub commands_per_second: f64,
    /// Unanswered commands at which the seat pauses.
    pub in_flight_max: usize,
}

pub struct Student {
    /// Index of the seat in the run; it seeds the seat's generator.
    pub number: usize,
    pub grade: u8,
    pub behaviour: Behaviour,
}

pub enum Behaviour {
    /// Answers, opens, flags and draws at random, as students do.
    Answering,
    /// Opens one question after another, so that every command changes the row that proctors see.
    Browsing(Arc<Probes>),
}

/// A seat whose test has started.
pub struct Seat {
    pub session_id: String,
    /// The secret that reads the attempt.
    pub token: String,
    pub question_ids: Arc<Vec<String>>,
    pub ledger: Ledger,
    socket: Socket,
    tally: Arc<Tally>,
    pace: Pace,
    random: Rng,
    number: usize,
    behaviour: Behaviour,
    line: String,
    last_seq: Seq,
    started_at: Instant,
    /// When the seat last resumed after a pause for unanswered commands: commands due before that were held back.
    released_at: Instant,
}

impl Seat {
    /// Connects and starts a test. An error is a code to count.
    pub async fn start(server: &Server, student: Student, pace: Pace, tally: Arc<Tally>) -> Result<Self, String> {
        let Student { number, grade, behaviour } = student;
        let began_at = Instant::now();
        let starting = timeout(START_LIMIT, started(server, number, grade)).await;
        let (socket, frame) = starting.map_err(|_| "start: no answer".to_owned())??;
        let now = Instant::now();
        let Frame::Started { session_id, token, question_ids } = frame else {
            return Err(format!("start: {}", frame.code()));
        };
        if question_ids.is_empty() {
            return Err("start: no questions".to_owned());
        }
        tally.start_times.record(now - began_at);
        let exam = BegunExam { socket, session_id, token, question_ids: Arc::new(question_ids), last_seq: 0 };
        Ok(Self::in_exam(exam, Student { number, grade, behaviour }, pace, tally))
    }

    /// Comes back to a test on a new socket. An error is a code to count.
    pub async fn resume(server: &Server, number: usize, session_id: &str, token: &str) -> Result<Socket, String> {
        let coming = async {
            let mut socket = server.connect(number).await?;
            match socket.request(&frames::resume(session_id, token)).await? {
                Frame::Resumed { .. } => Ok(socket),
                frame => Err(format!("resume: {}", frame.code())),
            }
        };
        timeout(START_LIMIT, coming).await.map_err(|_| "resume: no answer".to_owned())?
    }

    /// Goes on with an exam that has begun.
    pub fn in_exam(exam: BegunExam, student: Student, pace: Pace, tally: Arc<Tally>) -> Self {
        let BegunExam { socket, session_id, token, question_ids, last_seq } = exam;
        let now = Instant::now();
        Self {
            ledger: Ledger::new(question_ids.len()),
            random: Rng::with_seed(student.number as u64),
            number: student.number,
            behaviour: student.behaviour,
            line: String::new(),
            last_seq,
            started_at: now,
            released_at: now,
            session_id,
            token,
            question_ids,
            socket,
            tally,
            pace,
        }
    }

    /// Counts into `tally` from now on.
    pub fn use_tally(&mut self, tally: Arc<Tally>) {
        self.tally = tally;
    }

    /// Waits for the next window, works until it ends, and waits for outstanding answers.
    pub async fn work_through(&mut self, opening: &mut watch::Receiver<Option<TimeWindow>>) -> Result<(), String> {
        let window = self.wait(opening).await?;
        let working = async {
            self.work(window).await?;
            self.drain().await
        };
        // Running out of time is not an error of its own: the commands without an answer are counted.
        timeout_at(window.end + DRAIN_LIMIT, working).await.unwrap_or(Ok(()))
    }

    /// Works from now until `end` changes, without a gap, and waits for outstanding answers.
    pub async fn work_until(&mut self, end: &mut watch::Receiver<bool>) -> Result<(), String> {
        let mut schedule = Schedule::new(Instant::now(), self.pace.commands_per_second, &mut self.random);
        loop {
            let is_held = self.is_held();
            tokio::select! {
                biased;
                _ = end.changed() => break,
                frame = self.socket.receive() => self.take(frame?),
                () = sleep_until(schedule.due()), if !is_held => {
                    self.send_due(&mut schedule, Instant::now() + NO_END).await?;
                }
            }
        }
        let unsent = schedule.left_before(Instant::now(), &mut self.random);
        add(&self.tally.unsent, unsent);
        timeout(DRAIN_LIMIT, self.drain()).await.unwrap_or(Ok(()))
    }

    /// Keeps reading, which answers pings, until the window is announced.
    async fn wait(&mut self, opening: &mut watch::Receiver<Option<TimeWindow>>) -> Result<TimeWindow, String> {
        loop {
            tokio::select! {
                frame = self.socket.receive() => self.take(frame?),
                changed = opening.changed() => {
                    let window = changed.ok().and_then(|()| *opening.borrow_and_update());
                    return window.ok_or_else(|| "wait: no window".to_owned());
                }
            }
        }
    }

    /// Sends commands as they fall due, until the window ends.
    async fn work(&mut self, window: TimeWindow) -> Result<(), String> {
        let pace = self.pace.commands_per_second;
        let mut schedule = Schedule::new(window.begin, pace, &mut self.random);
        let worked = self.work_on(&mut schedule, window).await;
        let unsent = schedule.left_before(window.end, &mut self.random);
        add(&self.tally.unsent, unsent);
        worked
    }

    async fn drain(&mut self) -> Result<(), String> {
        while self.ledger.in_flight() > 0 {
            let frame = self.socket.receive().await?;
            self.take(frame);
        }
        Ok(())
    }

    /// Submits the test. An error is a code to count.
    pub async fn submit(&mut self) -> Result<(), String> {
        let began_at = Instant::now();
        self.last_seq += 1;
        self.socket.send(&frames::submit(self.last_seq)).await?;
        let answered = timeout(SUBMIT_LIMIT, self.submitted()).await;
        answered.map_err(|_| "submit: no answer".to_owned())??;
        self.tally.submit_times.record(began_at.elapsed());
        Ok(())
    }

    async fn work_on(&mut self, schedule: &mut Schedule, window: TimeWindow) -> Result<(), String> {
        let mut timer = pin!(sleep_until(schedule.due().min(window.end)));
        loop {
            tokio::select! {
                biased;
                frame = self.socket.receive() => self.take(frame?),
                () = timer.as_mut() => {
                    if Instant::now() >= window.end {
                        return Ok(());
                    }
                    self.send_due(schedule, window.end).await?;
                }
            }
            let wake = if self.is_held() { window.end } else { schedule.due().min(window.end) };
            if wake != timer.deadline() {
                timer.as_mut().reset(wake);
            }
        }
    }

    /// Sends every command that is due, up to the limit of unanswered ones, in one write.
    async fn send_due(&mut self, schedule: &mut Schedule, end: Instant) -> Result<(), String> {
        let now = Instant::now();
        while schedule.due() <= now && schedule.due() < end && !self.is_held() {
            self.feed(schedule.due(), now).await?;
            schedule.advance(&mut self.random);
        }
        self.socket.flush().await
    }

    async fn feed(&mut self, due: Instant, now: Instant) -> Result<(), String> {
        self.last_seq += 1;
        let (question, change) = self.next();
        let sent = SentCommand { seq: self.last_seq, question, change, from: self.counts_from(due, now) };
        let question_id = self.question_ids.get(question).map_or("", String::as_str);
        let seconds = (now - self.started_at).as_secs();
        frames::write_command(&mut self.line, &sent, question_id, seconds);
        if let Behaviour::Browsing(probes) = &self.behaviour {
            probes.record_opened(self.number, question_id, now);
        }
        self.ledger.send(sent);
        add(&self.tally.sent, 1);
        self.socket.feed(&self.line).await
    }

    /// The index of a question, and what the next command changes.
    fn next(&mut self) -> (usize, Change) {
        match self.behaviour {
            Behaviour::Answering => {
                (self.random.usize(..self.question_ids.len()), random_change(&mut self.random, self.last_seq))
            }
            Behaviour::Browsing(_) => (self.last_seq as usize % self.question_ids.len(), Change::Visited(true)),
        }
    }

    /// When a command's latency begins: at the time it was due if it was held back or is sent late, otherwise now.
    fn counts_from(&self, due: Instant, now: Instant) -> Instant {
        let late = now - due;
        let was_held = due <= self.released_at;
        if !was_held {
            self.tally.late_times.record(late);
        }
        if was_held || late > TIMER_GRAIN { due } else { now }
    }

    fn is_held(&self) -> bool {
        self.ledger.in_flight() >= self.pace.in_flight_max
    }

    fn take(&mut self, frame: Frame) {
        match frame {
            Frame::Saved { seq } => self.acknowledge(seq),
            Frame::Error { code, seq } => self.refuse(&code, seq),
            Frame::Other | Frame::Time { .. } => {}
            frame @ (Frame::Started { .. } | Frame::Resumed { .. } | Frame::Submitted { .. } | Frame::Superseded) => {
                self.tally.error(&format!("unexpected: {}", frame.code()));
            }
        }
    }

    fn acknowledge(&mut self, up_to: Seq) {
        let now = Instant::now();
        let was_held = self.is_held();
        let before = self.ledger.in_flight();
        let mut times = self.tally.saved_times.recorder();
        self.ledger.acknowledge(up_to, |sent| times.record(now - sent.from));
        drop(times);
        add(&self.tally.saved, (before - self.ledger.in_flight()) as u64);
        self.release(was_held, now);
    }

    fn refuse(&mut self, code: &str, seq: Option<Seq>) {
        self.tally.error(code);
        let was_held = self.is_held();
        let Some(seq) = seq.filter(|_| code != STORAGE_UNAVAILABLE) else {
            return;
        };
        if !self.ledger.refuse(seq) {
            self.tally.error("refused after saved");
        }
        self.release(was_held, Instant::now());
    }

    fn release(&mut self, was_held: bool, now: Instant) {
        if was_held && !self.is_held() {
            self.released_at = now;
        }
    }

    async fn submitted(&mut self) -> Result<(), String> {
        loop {
            match self.socket.receive().await? {
                Frame::Submitted { session_id } if session_id == self.session_id => return Ok(()),
                frame @ (Frame::Submitted { .. } | Frame::Error { .. }) => {
                    return Err(format!("submit: {}", frame.code()));
                }
                frame => self.take(frame),
            }
        }
    }
}

/// Opens the socket, starts the test and returns the frame that answers it.
async fn started(server: &Server, number: usize, grade: u8) -> Result<(Socket, Frame), String> {
    let mut socket = server.connect(number).await?;
    let frame = socket.request(&frames::start(number, grade, None)).await?;
    Ok((socket, frame))
}
