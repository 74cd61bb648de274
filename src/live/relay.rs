//! What servers tell each other over Redis: words to all, words to one, and questions with an answer.
//!
//! Redis is never the truth. A word that is lost is made good by whoever asks the database a little later, and a
//! question without an answer is answered by whoever asked it. A server hears its own echo: while it does not, the
//! others can't be heard either, and what it knows of them is partial.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tokio::sync::{Notify, mpsc, oneshot};
use uuid::Uuid;

use super::messages::{ForwardedReply, ForwardedRequest, ServerMessage};
use crate::redis::Redis;

/// Words that wait to be sent; more are dropped, since Redis is away then.
const WAITING_MAX: usize = 20_000;
/// Words that are sent in one go.
const SENT_AT_ONCE: usize = 256;
/// Another server answers a question within this time, or is taken not to live.
const ANSWER_WITHIN: Duration = Duration::from_secs(1);
/// A server speaks to itself so often …
const ECHO_EVERY: Duration = Duration::from_millis(500);
/// … and can't hear the others when it has not heard itself for so long.
const ECHO_WITHIN: Duration = Duration::from_secs(2);
/// After so long a silence Redis is connected to anew.
const SILENCE_MAX: Duration = Duration::from_secs(6);
/// After a failure the channels are listened to again so soon.
const LISTEN_AGAIN: Duration = Duration::from_millis(300);
/// The channel that all servers hear.
const ALL: &str = "live";

#[derive(Serialize, Deserialize)]
struct Envelope<W> {
    from: Uuid,
    word: W,
}

/// Speaks to the other servers.
pub struct Relay {
    server_id: Uuid,
    redis: Option<Redis>,
    sending: mpsc::Sender<(String, String)>,
    to_send: Mutex<Option<mpsc::Receiver<(String, String)>>>,
    asked: Mutex<HashMap<u64, oneshot::Sender<ForwardedReply>>>,
    numbers: AtomicU64,
    started: Instant,
    heard_at_ms: AtomicI64,
    is_reachable: AtomicBool,
    /// Woken when the others can be heard again, or no more.
    pub changed: Notify,
}

impl Relay {
    /// Of a server with a new id; alone without Redis.
    #[must_use]
    pub fn new(redis: Option<Redis>) -> Self {
        let (sending, to_send) = mpsc::channel(WAITING_MAX);
        Self {
            server_id: Uuid::new_v4(),
            redis,
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

    /// The id of this run of this server.
    #[must_use]
    pub const fn server_id(&self) -> Uuid {
        self.server_id
    }

    /// Whether there are no other servers, by configuration.
    #[must_use]
    pub const fn is_alone(&self) -> bool {
        self.redis.is_none()
    }

    /// Whether there may be others who can't be heard.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        !self.is_alone() && !self.is_reachable.load(Ordering::Relaxed)
    }

    /// Tells all servers, this one too; never waits, and what can't be sent is dropped.
    pub fn tell_all(&self, word: &ServerMessage) {
        self.send(ALL.to_owned(), word);
    }

    /// Tells one server; never waits, and what can't be sent is dropped.
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

    /// Asks the server that holds a seat; `None` when it does not answer.
    pub async fn ask(&self, server: Uuid, question: ForwardedRequest) -> Option<ForwardedReply> {
        if self.is_alone() || self.is_partial() {
            return None;
        }
        let (reply, answer) = oneshot::channel();
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        self.asked().insert(number, reply);
        let _forgotten = PendingQuestion { relay: self, number };
        self.tell(server, &ServerMessage::Ask { number, question });
        tokio::time::timeout(ANSWER_WITHIN, answer).await.ok()?.ok()
    }

    /// Sends and receives messages until the server ends: to be run once. `deliver` is given each message that is not the
    /// relay's own, with the server that sent it.
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
                || self.tell(self.server_id, &ServerMessage::Echo),
                async |text| self.receive(deliver, &text),
            );
            tokio::select! {
                ended = listening => {
                    if let Err(error) = ended {
                        tracing::warn!(%error, "other servers cannot be heard; trying again");
                    }
                }
                // A connection that the network has swallowed tells nothing by itself.
                () = self.silence() => tracing::warn!("Redis is silent; connecting anew"),
            }
            tokio::time::sleep(LISTEN_AGAIN).await;
        }
    }

    /// Waits until this server has not heard itself for a while.
    async fn silence(&self) {
        let begun_ms = self.age_ms();
        let heard_within = |since: i64| {
            u128::try_from(self.age_ms().saturating_sub(since)).is_ok_and(|silence| silence < SILENCE_MAX.as_millis())
        };
        while heard_within(self.heard_at_ms.load(Ordering::Relaxed).max(begun_ms)) {
            tokio::time::sleep(ECHO_EVERY).await;
        }
    }

    async fn speak_to_itself(&self) {
        loop {
            self.tell(self.server_id, &ServerMessage::Echo);
            tokio::time::sleep(ECHO_EVERY).await;
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

/// A question under way; forgotten also when its asker has gone.
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
            Err(error) if !is_away => {
                is_away = true;
                tracing::warn!(%error, "other servers cannot be told; they notice by themselves");
            }
            Err(_) => {}
        }
        words.clear();
    }
}
