//! A candidate of a sitting until the exam begins: enters, fetches and checks the sealed paper, says that it is here,
//! waits, and opens it. Whoever loses the socket meanwhile comes back with `resume`.

use crate::begun_exam::BegunExam;
use crate::cohort::Cohort;
use crate::ledger::Seq;
use crate::server::Server;
use crate::sitting_admin::SittingStart;
use crate::socket::Socket;
use crate::tally::add;
use crate::waiting_frames::{self as frames, FIRST_PART, SealedPart, WaitingFrame, WaitingRoom};
use crate::wall_clock::microseconds_now;
use fastrand::Rng;
use reqwest::Method;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep, sleep_until, timeout};

/// Longest wait for a connection and the answer to `enter`, of which thousands may come at once.
const ENTER_LIMIT: Duration = Duration::from_secs(30);
/// Longest wait for a connection and the answer to `resume`: short, since a frozen server does not answer at all.
const RESUME_LIMIT: Duration = Duration::from_secs(2);
/// How long a candidate keeps trying to reconnect.
const PERSISTENCE: Duration = Duration::from_secs(60);
/// Pause after a round of all servers without success, and after a refusal that asks for one.
const RETRY_PAUSE: Duration = Duration::from_millis(200);
/// How often a refused `enter` is sent again.
const ENTER_TRIES_MAX: usize = 100;
/// How long after the start a candidate waits for `begin` before the socket is given up: the server is frozen, or it
/// would have come.
const PATIENCE: Duration = Duration::from_secs(1);
/// A wait without an end, in practice.
const LONG: Duration = Duration::from_secs(24 * 60 * 60);
/// A socket that was opened this long before T0, or later, was opened because of what happened at T0.
const AROUND_START_MICROSECONDS: i64 = 1_000_000;
/// Prefix of the error codes after which a candidate reconnects; others end the exam for them.
const LOST: &str = "socket: ";

pub struct WaitingCandidate {
    cohort: Arc<Cohort>,
    number: usize,
    socket: Socket,
    connected_at: Instant,
    connected_at_microseconds: i64,
    room: WaitingRoom,
    token: String,
    last_seq: Seq,
    /// Ready for the paper of these hashes.
    ready_for: Vec<String>,
    is_counted_ready: bool,
    random: Rng,
}

/// A candidate whose exam has begun, and what they were told of it.
pub struct BegunCandidate {
    pub exam: BegunExam,
    pub name: String,
    /// Milliseconds since 1970 of the `startedAt` that was told.
    pub started_at: i64,
    /// The whole time that was promised in the waiting room.
    pub given_ms: i64,
    /// If a `resumed` began the exam, the deadline in it.
    pub deadline: Option<String>,
}

/// A socket with the first frame on it.
struct Opened {
    socket: Socket,
    connected_at: Instant,
    connected_at_microseconds: i64,
    text: String,
}

impl WaitingCandidate {
    /// Enters, fetches the paper and says that it is here. An error is a code to count.
    pub async fn enter(cohort: Arc<Cohort>, number: usize, access_code: &str) -> Result<Self, String> {
        let began_at = Instant::now();
        let mut random = Rng::new();
        let key: String = std::iter::repeat_with(|| random.alphanumeric()).take(32).collect();
        let first = frames::enter(&cohort.code, access_code, &key);
        let (opened, room) = Self::admitted(&cohort, number, &first, &mut random).await?;
        cohort.figures.enter_times.record(began_at.elapsed());
        add(&cohort.figures.entered, 1);
        let token = room.token.clone().ok_or("enter: no token")?;
        let Opened { socket, connected_at, connected_at_microseconds, .. } = opened;
        let mut candidate = Self {
            cohort,
            number,
            socket,
            connected_at,
            connected_at_microseconds,
            room,
            token,
            last_seq: 0,
            ready_for: Vec::new(),
            is_counted_ready: false,
            random,
        };
        candidate.prepare().await?;
        candidate.probe().await;
        Ok(candidate)
    }

    /// The answer to `enter`, which is sent again when the server asks for it.
    async fn admitted(
        cohort: &Cohort,
        number: usize,
        first: &str,
        random: &mut Rng,
    ) -> Result<(Opened, WaitingRoom), String> {
        for _ in 0..ENTER_TRIES_MAX {
            let server = cohort.servers.next().ok_or("enter: no server")?;
            let opened = timeout(ENTER_LIMIT, open(server, number, first)).await;
            let opened = opened.map_err(|_| "enter: no answer".to_owned())??;
            record(cohort, number, &opened.text);
            match frames::read(&opened.text) {
                Some(WaitingFrame::Waiting(room)) => return Ok((opened, room)),
                Some(WaitingFrame::Error { code, .. }) if code == "rate_limited" || code == "storage_unavailable" => {
                    cohort.tally.error(&format!("enter: {code}, sent again"));
                    sleep(RETRY_PAUSE.mul_f64(1.0 + random.f64())).await;
                }
                Some(WaitingFrame::Error { code, .. }) => return Err(format!("enter: {code}")),
                other => return Err(format!("enter: unexpected {other:?}")),
            }
        }
        Err("enter: refused again and again".to_owned())
    }

    /// Waits until the exam begins, reconnecting as often as needed. An error is a code to count.
    pub async fn wait(mut self) -> Result<BegunCandidate, String> {
        loop {
            let patience = self.patience();
            let step = tokio::select! {
                biased;
                text = self.socket.receive_text() => match text {
                    Ok(text) => self.take(&text).await,
                    Err(code) => Err(code),
                },
                () = sleep_until(patience) => Err("socket: silent".to_owned()),
            };
            let begun = match step {
                Err(code) if code.starts_with(LOST) => self.come_back().await?,
                step => step?,
            };
            if let Some(begun) = begun {
                return self.begin(begun);
            }
        }
    }

    /// Until when the socket may be silent: by the clock of the server, which it has told.
    fn patience(&self) -> Instant {
        let starts_at = frames::milliseconds(&self.room.starts_at).filter(|_| self.cohort.start == SittingStart::Clock);
        let wait = starts_at.map_or(LONG, |starts_at| {
            let left = starts_at * 1_000 - microseconds_now();
            Duration::from_micros(u64::try_from(left).unwrap_or(0)) + PATIENCE
        });
        // After the start the wait begins with the connection: a server that has just answered is not frozen.
        (Instant::now() + wait).max(self.connected_at + PATIENCE)
    }

    /// Handles a frame. Returns how the exam has begun if it has.
    async fn take(&mut self, text: &str) -> Result<Option<Beginning>, String> {
        let came_at = microseconds_now();
        match frames::read(text) {
            Some(WaitingFrame::Begin { started_at, keys }) => {
                Ok(Some(Beginning { came_at, started_at, keys, deadline: None }))
            }
            Some(WaitingFrame::Resumed { started_at, deadline, keys }) => {
                Ok(Some(Beginning { came_at, started_at, keys, deadline: Some(deadline) }))
            }
            frame => {
                record(&self.cohort, self.number, text);
                self.react(frame).await?;
                Ok(None)
            }
        }
    }

    async fn react(&mut self, frame: Option<WaitingFrame>) -> Result<(), String> {
        match frame {
            Some(WaitingFrame::Waiting(room)) => {
                self.room = room;
                self.prepare().await
            }
            Some(WaitingFrame::Saved { seq }) => {
                if seq >= self.last_seq && !self.is_counted_ready {
                    self.is_counted_ready = true;
                    add(&self.cohort.figures.ready, 1);
                }
                Ok(())
            }
            Some(WaitingFrame::Error { code, seq: Some(_) }) => {
                self.cohort.tally.error(&format!("ready: {code}"));
                Ok(())
            }
            Some(WaitingFrame::Error { code, seq: None }) if code == "storage_unavailable" || code == "internal" => {
                Err(format!("{LOST}{code}"))
            }
            Some(WaitingFrame::Error { code, seq: None }) => Err(format!("wait: {code}")),
            Some(WaitingFrame::Superseded) => Err("wait: superseded".to_owned()),
            Some(_) => Ok(()),
            None => Err("wait: unreadable frame".to_owned()),
        }
    }

    /// Fetches the parts that are not here yet, checks them, and names their hashes.
    async fn prepare(&mut self) -> Result<(), String> {
        let hashes: Vec<String> = self.room.sealed.iter().map(|part| part.sha256.clone()).collect();
        if hashes == self.ready_for {
            return Ok(());
        }
        if hashes.is_empty() {
            return Err("paper: no part".to_owned());
        }
        for part in self.room.sealed.clone() {
            self.fetch(&part).await?;
            self.last_seq += 1;
            self.socket.send(&frames::ready(self.last_seq, &part.sha256)).await?;
        }
        self.ready_for = hashes;
        Ok(())
    }

    async fn fetch(&self, part: &SealedPart) -> Result<(), String> {
        let began_at = Instant::now();
        let server = self.cohort.servers.next().ok_or("paper: no server")?;
        let answer = server.send(Method::GET, &part.url, None, None).await?;
        if answer.status != 200 {
            return Err(format!("paper: http {}", answer.status));
        }
        self.cohort.figures.fetch_times.record(began_at.elapsed());
        if self.number < self.cohort.searched {
            self.cohort.seen.record("the sealed part", &answer.body);
        }
        let is_right = answer.body.len() == part.bytes && self.cohort.shelf.take(&part.sha256, &answer.body);
        if is_right { Ok(()) } else { Err("paper: wrong bytes".to_owned()) }
    }

    /// A candidate whose bytes are searched also tries every other address that could tell something too early.
    async fn probe(&self) {
        if self.number >= self.cohort.searched {
            return;
        }
        let (sitting_id, session_id) = (&self.cohort.sitting_id, &self.room.session_id);
        for path in [
            format!("/s/{}", self.cohort.code),
            format!("/api/sittings/{sitting_id}/paper/{FIRST_PART}?open"),
            format!("/api/sittings/{sitting_id}/calendar.ics"),
            format!("/api/live/{session_id}"),
            format!("/api/sessions/{session_id}"),
            format!("/api/sessions/{session_id}?payload=1"),
            format!("/api/report/{session_id}/questions"),
        ] {
            let Some(server) = self.cohort.servers.next() else { continue };
            match server.send(Method::GET, &path, Some(&self.token), None).await {
                Ok(answer) => self.cohort.seen.record(&format!("GET {path}"), &answer.body),
                Err(code) => self.cohort.tally.error(&format!("probe: {code}")),
            }
        }
    }

    /// Reconnects with `resume`. Returns how the exam has begun if it has meanwhile.
    async fn come_back(&mut self) -> Result<Option<Beginning>, String> {
        add(&self.cohort.figures.sockets_lost, 1);
        let lost_at = Instant::now();
        sleep(self.cohort.jitter.mul_f64(self.random.f64())).await;
        let first = crate::frames::resume(&self.room.session_id, &self.token);
        while lost_at.elapsed() < PERSISTENCE {
            let server = self.cohort.servers.next().ok_or("resume: no server")?;
            if let Ok(Ok(opened)) = timeout(RESUME_LIMIT, open(server, self.number, &first)).await {
                self.socket = opened.socket;
                self.connected_at = opened.connected_at;
                self.connected_at_microseconds = opened.connected_at_microseconds;
                match self.take(&opened.text).await {
                    Err(code) if code.starts_with(LOST) => {}
                    step => return step,
                }
            }
            sleep(RETRY_PAUSE).await;
        }
        Err("resume: no server".to_owned())
    }

    /// Opens the paper, and counts how long after T0 that was possible.
    fn begin(self, beginning: Beginning) -> Result<BegunCandidate, String> {
        let Self { cohort, socket, room, token, last_seq, connected_at, connected_at_microseconds, .. } = self;
        let Beginning { came_at, started_at, keys, deadline } = beginning;
        let started_at = frames::milliseconds(&started_at).ok_or("begin: unreadable time")?;
        let figures = &cohort.figures;
        let late = came_at - started_at * 1_000;
        let after = Duration::from_micros(u64::try_from(late).unwrap_or(0));
        if connected_at_microseconds > started_at * 1_000 - AROUND_START_MICROSECONDS {
            figures.late_begin_times.record(after);
            figures.return_times.record(connected_at.elapsed());
        } else {
            figures.begin_times.record(after);
        }
        add(&figures.begun, 1);
        add(&figures.begun_early, u64::from(late < 0));
        let first = room.sealed.iter().find(|part| part.part == FIRST_PART).ok_or("begin: no first part")?;
        let key = keys.get(FIRST_PART).ok_or("begin: no key")?;
        let question_ids = cohort.shelf.open(&first.sha256, key).ok_or("begin: the key does not open the paper")?;
        let exam = BegunExam { socket, session_id: room.session_id, token, question_ids, last_seq };
        Ok(BegunCandidate { exam, name: room.name, started_at, given_ms: room.given_ms, deadline })
    }
}

/// How the exam has begun for a candidate.
struct Beginning {
    /// Microseconds since 1970.
    came_at: i64,
    started_at: String,
    keys: BTreeMap<String, String>,
    deadline: Option<String>,
}

/// Opens a socket, sends the first frame and returns the frame that answers it.
async fn open(server: &Server, number: usize, first: &str) -> Result<Opened, String> {
    let (connected_at, connected_at_microseconds) = (Instant::now(), microseconds_now());
    let mut socket = server.connect(number).await?;
    socket.send(first).await?;
    let text = socket.receive_text().await?.to_string();
    Ok(Opened { socket, connected_at, connected_at_microseconds, text })
}

fn record(cohort: &Cohort, number: usize, text: &str) {
    if number < cohort.searched {
        cohort.seen.record("a frame", text.as_bytes());
    }
}
