//! Carries messages between servers over Redis: to all servers, to one, and requests with an answer.
//!
//! Redis carries messages, never the truth (`docs/decisions/0015-leases-and-rooms.md`). A lost message does no harm,
//! because every server also polls the database. A server whose request gets no answer claims the seat and answers
//! itself. A server also sends messages to itself: while they do not arrive, it cannot hear the others either, and its
//! picture of them is partial.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tokio::sync::{Notify, mpsc, oneshot};
use uuid::Uuid;

use super::messages::{ForwardedReply, ForwardedRequest, ServerMessage};
use crate::clock::Clock;
use crate::redis::Redis;

/// Messages waiting to be sent. More are dropped: Redis is down then, and the database has the truth.
const WAITING_MAX: usize = 20_000;
/// Messages sent to Redis in one round trip.
const SENT_AT_ONCE: usize = 256;
/// How long another server may take to answer a request before it is taken to be down. Short, because a student waits
/// and claiming its seat instead loses nothing.
const ANSWER_WITHIN: Duration = Duration::from_secs(1);
/// How often a server sends a message to itself.
const ECHO_EVERY: Duration = Duration::from_millis(500);
/// How long a server may miss its own messages before it assumes that it cannot hear the others: four of them.
const ECHO_WITHIN: Duration = Duration::from_secs(2);
/// How long a server may miss its own messages before it connects to Redis again.
const SILENCE_MAX: Duration = Duration::from_secs(6);
/// The wait before the channels are subscribed to again after a failure.
const LISTEN_AGAIN: Duration = Duration::from_millis(300);
/// The Redis channel that all servers listen to.
const ALL: &str = "live";

#[derive(Serialize, Deserialize)]
struct Envelope<W> {
    from: Uuid,
    word: W,
}

pub struct Relay {
    server_id: Uuid,
    redis: Option<Redis>,
    clock: Clock,
    sending: mpsc::Sender<(String, String)>,
    to_send: Mutex<Option<mpsc::Receiver<(String, String)>>>,
    asked: Mutex<HashMap<u64, oneshot::Sender<ForwardedReply>>>,
    numbers: AtomicU64,
    started: Instant,
    heard_at_ms: AtomicI64,
    is_reachable: AtomicBool,
    /// Notified when the other servers become reachable or unreachable.
    pub changed: Notify,
}

impl Relay {
    /// Gives this run of the server a new id. Without Redis the server is alone.
    #[must_use]
    pub fn new(redis: Option<Redis>, clock: Clock) -> Self {
        let (sending, to_send) = mpsc::channel(WAITING_MAX);
        Self {
            server_id: Uuid::new_v4(),
            redis,
            clock,
            sending,
            to_send: Mutex::new(Some(to_send)),
            asked: Mutex::default(),
            numbers: AtomicU64::default(),
            started: Instant::now(),
            heard_at_ms: AtomicI64::new(i64::MIN),
            is_reachable: AtomicBool::default(),
            changed: Notify::new(),
        }
    }

    /// Identifies this run of this server.
    #[must_use]
    pub const fn server_id(&self) -> Uuid {
        self.server_id
    }

    /// Returns whether this is the only server, by configuration.
    #[must_use]
    pub const fn is_alone(&self) -> bool {
        self.redis.is_none()
    }

    /// Returns whether there may be other servers that cannot be heard.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        !self.is_alone() && !self.is_reachable.load(Ordering::Relaxed)
    }

    /// Sends a message to all servers, including this one. Never waits; a message that cannot be sent is dropped.
    pub fn tell_all(&self, word: &ServerMessage) {
        self.send(ALL.to_owned(), word);
    }

    /// Sends a message to one server. Never waits; a message that cannot be sent is dropped.
    pub fn tell(&self, server: Uuid, word: &ServerMessage) {
        self.send(channel_of(server), word);
    }

    fn send(&self, channel: String, word: &ServerMessage) {
        if self.is_alone() {
            return;
        }
        if let Ok(text) = serde_json::to_string(&Envelope { from: self.server_id, word }) {
            let _ = self.sending.try_send((channel, text));
        }
    }

    /// Sends a request to the server that holds a seat. Returns `None` if it does not answer.
    pub async fn ask(&self, server: Uuid, question: ForwardedRequest) -> Option<ForwardedReply> {
        self.ask_by(server, |number| ServerMessage::Ask { number, question }).await
    }

    /// Has another server let the seat of an earlier run of an attempt go. Returns whether it says that it has.
    pub async fn let_go(&self, server: Uuid, session_id: Uuid) -> bool {
        self.ask_by(server, |number| ServerMessage::LetGo { number, session_id }).await.is_some()
    }

    async fn ask_by(&self, server: Uuid, message: impl FnOnce(u64) -> ServerMessage) -> Option<ForwardedReply> {
        if self.is_alone() || self.is_partial() {
            return None;
        }
        let (reply, answer) = oneshot::channel();
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        self.asked().insert(number, reply);
        let _forgotten = PendingQuestion { relay: self, number };
        self.tell(server, &message(number));
        tokio::time::timeout(ANSWER_WITHIN, answer).await.ok()?.ok()
    }

    /// Sends and receives messages until the server ends. Run once. `deliver` gets each message that the relay does not
    /// handle itself, and the id of the server that sent it.
    pub async fn run(&self, deliver: impl Fn(Uuid, ServerMessage)) {
        let (Some(redis), Some(to_send)) =
            (&self.redis, self.to_send.lock().unwrap_or_else(PoisonError::into_inner).take())
        else {
            return;
        };
        tokio::join!(send_all(redis, to_send), self.listen(redis, &deliver), self.speak_to_itself());
    }

    async fn listen(&self, redis: &Redis, deliver: &impl Fn(Uuid, ServerMessage)) {
        let channels = [ALL.to_owned(), channel_of(self.server_id)];
        loop {
            let listening = redis.listen(
                &channels,
                // Its return shows at once that the channels can be heard, before the next regular one.
                || self.tell(self.server_id, &ServerMessage::Echo),
                async |text| self.receive(deliver, &text),
            );
            tokio::select! {
                ended = listening => {
                    if let Err(error) = ended {
                        tracing::warn!(%error, "other servers cannot be heard; trying again");
                    }
                }
                // A connection that the network has dropped gives no sign by itself.
                () = self.silence() => tracing::warn!("Redis is silent; connecting anew"),
            }
            self.clock.sleep(LISTEN_AGAIN).await;
        }
    }

    /// Waits until this server has not heard itself for [`SILENCE_MAX`].
    async fn silence(&self) {
        // Counted from the beginning of this wait at the earliest, so that a new connection gets its full time.
        let begun_ms = self.age_ms();
        let heard_within = |since: i64| {
            u128::try_from(self.age_ms().saturating_sub(since)).is_ok_and(|silence| silence < SILENCE_MAX.as_millis())
        };
        while heard_within(self.heard_at_ms.load(Ordering::Relaxed).max(begun_ms)) {
            self.clock.sleep(ECHO_EVERY).await;
        }
    }

    async fn speak_to_itself(&self) {
        loop {
            self.tell(self.server_id, &ServerMessage::Echo);
            self.clock.sleep(ECHO_EVERY).await;
            let silence = self.age_ms().saturating_sub(self.heard_at_ms.load(Ordering::Relaxed));
            self.set_reachable(u128::try_from(silence).is_ok_and(|silence| silence < ECHO_WITHIN.as_millis()));
        }
    }

    fn set_reachable(&self, is_reachable: bool) {
        if self.is_reachable.swap(is_reachable, Ordering::Relaxed) != is_reachable {
            tracing::info!(is_reachable, "other servers");
            self.changed.notify_waiters();
        }
    }

    fn receive(&self, deliver: &impl Fn(Uuid, ServerMessage), text: &str) {
        let Ok(Envelope { from, word }) = serde_json::from_str::<Envelope<ServerMessage>>(text) else {
            return tracing::warn!("a message of another server is not understood");
        };
        match word {
            ServerMessage::Echo => {
                self.heard_at_ms.store(self.age_ms(), Ordering::Relaxed);
                self.set_reachable(true);
            }
            ServerMessage::Answer { number, reply } => {
                if let Some(waiting) = self.asked().remove(&number) {
                    let _ = waiting.send(reply);
                }
            }
            message => deliver(from, message),
        }
    }

    fn age_ms(&self) -> i64 {
        i64::try_from(self.started.elapsed().as_millis()).unwrap_or(i64::MAX)
    }

    fn asked(&self) -> std::sync::MutexGuard<'_, HashMap<u64, oneshot::Sender<ForwardedReply>>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request that waits for its answer. Dropping it forgets the request, also when the caller has gone.
struct PendingQuestion<'a> {
    relay: &'a Relay,
    number: u64,
}

impl Drop for PendingQuestion<'_> {
    fn drop(&mut self) {
        self.relay.asked().remove(&self.number);
    }
}

fn channel_of(server: Uuid) -> String {
    format!("{ALL}:{server}")
}

async fn send_all(redis: &Redis, mut to_send: mpsc::Receiver<(String, String)>) {
    let mut words = Vec::new();
    let mut is_away = false;
    while to_send.recv_many(&mut words, SENT_AT_ONCE).await > 0 {
        match redis.publish(&words).await {
            Ok(()) => is_away = false,
            // Once for each outage: thousands of messages may fail in it.
            Err(error) if !is_away => {
                is_away = true;
                tracing::warn!(%error, "other servers cannot be told; they notice by themselves");
            }
            Err(_) => {}
        }
        words.clear();
    }
}
