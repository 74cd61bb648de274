//! Receivers of webhooks that note when each session reaches them. Their connections stay open, as those of real
//! receivers do.

use crate::failure::Failure;
use crate::http_message::HttpMessage;
use crate::tally::Times;
use hdrhistogram::CreationError;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

const SESSION_ID: &[u8] = b"\"sessionId\":\"";
const UUID_LETTERS: usize = 36;
const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

/// What is known of each session, by its id.
type Known = HashMap<String, KnownSession>;

/// When a session was stored, as the client learned it, and when its receiver was told; whichever comes first.
#[derive(Default)]
struct KnownSession {
    stored: Option<Instant>,
    told: Option<Instant>,
}

#[derive(Default)]
pub struct ToldSessions {
    sessions: Mutex<Known>,
}

impl ToldSessions {
    pub fn stored(&self, id: &str) {
        self.sessions().entry(id.to_owned()).or_default().stored = Some(Instant::now());
    }

    fn told(&self, id: &str) {
        self.sessions().entry(id.to_owned()).or_default().told.get_or_insert_with(Instant::now);
    }

    /// Sessions that both sides know.
    pub fn count(&self) -> u64 {
        self.sessions().values().filter(|one| one.stored.is_some() && one.told.is_some()).count() as u64
    }

    /// How long after `begun` the last receiver was told.
    pub fn last(&self, begun: Instant) -> Duration {
        let last = self.sessions().values().filter_map(|one| one.told).max();
        last.map_or(Duration::ZERO, |last| last.duration_since(begun))
    }

    /// From the client's answer to the receiver; nothing for those that were told before the client had its answer.
    pub fn times(&self) -> Result<Times, CreationError> {
        let times = Times::new()?;
        for one in self.sessions().values() {
            if let (Some(stored), Some(told)) = (one.stored, one.told) {
                times.record(told.saturating_duration_since(stored));
            }
        }
        Ok(times)
    }

    fn sessions(&self) -> MutexGuard<'_, Known> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Receivers, each at a port of its own.
pub struct ToldReceivers {
    addresses: Vec<SocketAddr>,
    told: Arc<ToldSessions>,
    /// Whether answers wait.
    held: watch::Sender<bool>,
    /// They end with this.
    _tasks: JoinSet<()>,
}

impl ToldReceivers {
    /// Opens receivers that answer after `delay`.
    pub async fn open(count: u16, delay: Duration) -> Result<Self, Failure> {
        let (mut addresses, told, mut tasks) = (Vec::new(), Arc::<ToldSessions>::default(), JoinSet::new());
        let held = watch::Sender::new(false);
        for _ in 0..count {
            let listener = TcpListener::bind("127.0.0.1:0").await?;
            addresses.push(listener.local_addr()?);
            let (told, held) = (Arc::clone(&told), held.subscribe());
            tasks.spawn(async move {
                while let Ok((stream, _)) = listener.accept().await {
                    let (told, held) = (Arc::clone(&told), held.clone());
                    tokio::spawn(async move { serve(stream, delay, &told, held).await.ok() });
                }
            });
        }
        Ok(Self { addresses, told, held, _tasks: tasks })
    }

    /// Lets all answers wait, or go.
    pub fn hold(&self, is_held: bool) {
        self.held.send_replace(is_held);
    }

    pub fn told(&self) -> Arc<ToldSessions> {
        Arc::clone(&self.told)
    }

    /// The address of the receiver of this client; `None` without receivers.
    pub fn url(&self, client: usize) -> Option<String> {
        let address = self.addresses.get(client.checked_rem(self.addresses.len())?)?;
        Some(format!("http://{address}/hook"))
    }
}

/// Answers one request after another on a connection.
async fn serve(
    mut stream: TcpStream,
    delay: Duration,
    told: &ToldSessions,
    mut held: watch::Receiver<bool>,
) -> Result<(), Failure> {
    let mut buffer = Vec::new();
    loop {
        while let Some(message) = HttpMessage::first(&buffer)? {
            let request: Vec<u8> = buffer.drain(..message.end).collect();
            let id = request.windows(SESSION_ID.len()).position(|part| part == SESSION_ID).and_then(|at| {
                let id = request.get(at + SESSION_ID.len()..at + SESSION_ID.len() + UUID_LETTERS)?;
                std::str::from_utf8(id).ok()
            });
            told.told(id.ok_or("an event without a session")?);
            if !delay.is_zero() {
                sleep(delay).await;
            }
            held.wait_for(|is_held| !is_held).await?;
            stream.write_all(ANSWER).await?;
        }
        if stream.read_buf(&mut buffer).await? == 0 {
            return Ok(());
        }
    }
}
