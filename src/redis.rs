//! Redis: the shared copies of compressed public banks, and the channels over which servers talk to each other.
//!
//! Redis holds no question that is not for everyone (`docs/security.md#redis`).
//!
//! The database is the truth, never Redis: a failure here is logged, counts as a miss, and the database answers
//! instead. Nothing that comes from Redis is believed unless a server with the same `AUTH_SECRET` has signed it.

mod seal;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use deadpool_redis::{Config as PoolConfig, Pool, Runtime};
use futures_util::StreamExt;
use prometheus_client::metrics::counter::Counter;
use redis::{AsyncCommands, Client, Msg, RedisError};
use thiserror::Error;

use crate::clock::Clock;
use crate::config::Secret;
use crate::telemetry::PoolState;
use seal::Seal;

/// How long a request waits for Redis before it goes on without.
const TIMEOUT: Duration = Duration::from_millis(500);
/// How long a body is kept. Servers remove it earlier when something in it may have become secret.
const KEPT_SECONDS: i64 = 24 * 60 * 60;
/// Keys that Redis examines in one step of a search.
const SEARCHED_AT_ONCE: usize = 1_000;
/// The wait before the server subscribes again after a failure.
const RESUBSCRIBE: Duration = Duration::from_secs(2);
/// How often the log warns of a value that is rejected. A writer who sends many could otherwise fill the log.
const WARN_EVERY: Duration = Duration::from_secs(60);

#[derive(Clone)]
pub struct Redis {
    pool: Pool,
    client: Client,
    prefix: String,
    seal: Seal,
    refused: Refused,
}

/// Counts what is not believed, and says so in the log now and then.
#[derive(Clone)]
struct Refused {
    count: Counter,
    warned_at: Arc<Mutex<Option<Instant>>>,
}

/// A body of an answer, plain and compressed.
pub struct SharedBody {
    pub plain: Vec<u8>,
    pub gzip: Vec<u8>,
    pub brotli: Vec<u8>,
}

/// Why Redis could not do what it was asked.
#[derive(Debug, Error)]
pub enum RedisFailure {
    /// Redis answered with an error, or with something unexpected.
    #[error(transparent)]
    Redis(#[from] RedisError),
    /// No connection could be had.
    #[error(transparent)]
    Pool(#[from] deadpool_redis::PoolError),
    #[error("Redis did not answer in time")]
    Timeout,
    #[error("REDIS_URL cannot be used")]
    Address,
}

impl Redis {
    /// Prepares a pool, but opens no connection, so the server also starts while Redis is down. All servers of a
    /// service have the same secret; `refused` counts what none of them has signed.
    pub fn new(url: &str, prefix: &str, secret: &Secret, refused: Counter) -> Result<Self, RedisFailure> {
        let pool = PoolConfig::from_url(url).create_pool(Some(Runtime::Tokio1)).map_err(|_| RedisFailure::Address)?;
        let (seal, refused) = (Seal::new(secret), Refused { count: refused, warned_at: Arc::default() });
        Ok(Self { pool, client: Client::open(url)?, prefix: prefix.to_owned(), seal, refused })
    }

    pub async fn ping(&self) -> Result<(), RedisFailure> {
        self.within(async |mut connection| connection.ping::<()>().await).await
    }

    /// The connections of the pool. Those that listen for messages are not in it.
    #[must_use]
    pub fn pool(&self) -> PoolState {
        let status = self.pool.status();
        PoolState { in_use: status.size.saturating_sub(status.available), idle: status.available, max: status.max_size }
    }

    /// The body with that name; `None` if there is none, if no server of this service has stored it, or if Redis fails.
    pub async fn find_body(&self, name: &str) -> Option<SharedBody> {
        let key = self.key(name);
        let found = self
            .within(async |mut connection| {
                connection.hmget::<_, _, Vec<Option<Vec<u8>>>>(&key, &["plain", "gzip", "brotli", "signature"]).await
            })
            .await;
        let parts =
            found.inspect_err(|error| tracing::warn!(%error, "Redis failed; the bank comes from the database")).ok()?;
        let [plain, gzip, brotli, signature] = <[_; 4]>::try_from(parts).ok()?;
        // A server of an earlier version stores bodies without a signature. Such a body is stored anew with one.
        let (body, signature) = (SharedBody { plain: plain?, gzip: gzip?, brotli: brotli? }, signature?);
        if self.seal.is_body(&key, body.parts(), &signature) {
            return Some(body);
        }
        self.refused.one_more();
        None
    }

    /// Stores a body under that name. A failure is only logged.
    pub async fn keep_body(&self, name: &str, body: &SharedBody) {
        let key = self.key(name);
        let signature = self.seal.sign_body(&key, body.parts());
        let [plain, gzip, brotli] = body.parts();
        let fields = [("plain", plain), ("gzip", gzip), ("brotli", brotli), ("signature", &signature)];
        // At once, so that no body stays for ever where the connection ends between the two.
        let mut pipeline = redis::pipe();
        pipeline.atomic().hset_multiple(&key, &fields).ignore().expire(&key, KEPT_SECONDS).ignore();
        let kept = self.within(async |mut connection| pipeline.query_async::<()>(&mut connection).await);
        if let Err(error) = kept.await {
            tracing::warn!(%error, "Redis failed; the bank's body is not shared");
        }
    }

    /// Removes the bodies with these names.
    pub async fn remove_bodies(&self, names: impl Iterator<Item = String>) -> Result<(), RedisFailure> {
        let keys: Vec<String> = names.map(|name| self.key(&name)).collect();
        self.within(async |mut connection| connection.unlink::<_, ()>(&keys).await).await
    }

    /// Removes the bodies that servers of earlier versions have stored: papers of exams and secure questions are among
    /// them.
    pub async fn remove_earlier_bodies(&self) -> Result<(), RedisFailure> {
        // Redis would read these signs of the prefix as a pattern. What it finds too much is filtered out below.
        let pattern = self.key("body:").replace(['\\', '*', '?', '[', ']'], "?") + "*";
        let mut cursor = 0_u64;
        loop {
            let (next, found) = self
                .within(async |mut connection| {
                    let mut search = redis::cmd("SCAN");
                    search.arg(cursor).arg("MATCH").arg(&pattern).arg("COUNT").arg(SEARCHED_AT_ONCE);
                    search.query_async::<(u64, Vec<Vec<u8>>)>(&mut connection).await
                })
                .await?;
            let begin = self.key("body:");
            let keys: Vec<_> = found.into_iter().filter(|key| key.starts_with(begin.as_bytes())).collect();
            if !keys.is_empty() {
                self.within(async |mut connection| connection.unlink::<_, ()>(&keys).await).await?;
            }
            if next == 0 {
                return Ok(());
            }
            cursor = next;
        }
    }

    /// Tells all servers that banks have changed. A failure is only logged, since servers also poll the database.
    pub async fn tell_banks_changed(&self) {
        let channel = self.channel();
        let sealed = self.seal.seal(&channel, "");
        let told = self.within(async |mut connection| connection.publish::<_, _, ()>(&channel, &sealed).await);
        if let Err(error) = told.await {
            tracing::warn!(%error, "Redis failed; other servers notice the changed bank by themselves");
        }
    }

    /// Calls `on_change` at each message that banks have changed, and after each reconnection, when a message may have
    /// been missed. Never returns.
    pub async fn listen_for_changed_banks(&self, clock: &Clock, on_change: impl AsyncFn()) {
        loop {
            if let Err(error) = self.listen_until_lost(&on_change).await {
                tracing::warn!(%error, "Redis is gone; changed banks are noticed a little later");
            }
            clock.sleep(RESUBSCRIBE).await;
        }
    }

    async fn listen_until_lost(&self, on_change: &impl AsyncFn()) -> Result<(), RedisFailure> {
        let connecting = tokio::time::timeout(TIMEOUT, self.client.get_async_pubsub());
        let mut subscription = connecting.await.map_err(|_| RedisFailure::Timeout)??;
        subscription.subscribe(self.channel()).await?;
        on_change().await;
        let mut messages = subscription.on_message();
        while let Some(message) = messages.next().await {
            if self.open(&message).is_some() {
                on_change().await;
            }
        }
        Ok(())
    }

    /// Publishes the messages on their channels, in order. After an error some of them may have been published.
    pub async fn publish(&self, messages: &[(String, String)]) -> Result<(), RedisFailure> {
        let mut pipeline = redis::pipe();
        for (channel, message) in messages {
            let channel = self.key(channel);
            let sealed = self.seal.seal(&channel, message);
            pipeline.publish(channel, sealed).ignore();
        }
        self.within(async |mut connection| pipeline.query_async::<()>(&mut connection).await).await
    }

    /// Calls `on_message` with each message of servers of this service on these channels until the connection is lost,
    /// and `on_listening` once the subscription is active.
    pub async fn listen(
        &self,
        channels: &[String],
        on_listening: impl FnOnce(),
        on_message: impl AsyncFn(String),
    ) -> Result<(), RedisFailure> {
        let connecting = tokio::time::timeout(TIMEOUT, async {
            let mut subscription = self.client.get_async_pubsub().await?;
            for channel in channels {
                subscription.subscribe(self.key(channel)).await?;
            }
            Ok::<_, RedisError>(subscription)
        });
        let mut subscription = connecting.await.map_err(|_| RedisFailure::Timeout)??;
        on_listening();
        let mut messages = subscription.on_message();
        while let Some(message) = messages.next().await {
            if let Some(message) = self.open(&message) {
                on_message(message).await;
            }
        }
        Ok(())
    }

    /// The message, if a server of this service has published it on its channel.
    fn open(&self, message: &Msg) -> Option<String> {
        let opened = self.seal.open(message.get_channel_name(), message.get_payload_bytes());
        if opened.is_none() {
            self.refused.one_more();
        }
        opened.map(str::to_owned)
    }

    async fn within<T>(
        &self,
        work: impl AsyncFnOnce(deadpool_redis::Connection) -> Result<T, RedisError>,
    ) -> Result<T, RedisFailure> {
        // The wait for a free connection counts as well.
        let all = async { Ok(work(self.pool.get().await?).await?) };
        tokio::time::timeout(TIMEOUT, all).await.map_err(|_| RedisFailure::Timeout)?
    }

    fn key(&self, name: &str) -> String {
        format!("{}:{name}", self.prefix)
    }

    fn channel(&self) -> String {
        self.key("banks-changed")
    }
}

impl SharedBody {
    fn parts(&self) -> [&[u8]; 3] {
        [&self.plain, &self.gzip, &self.brotli]
    }
}

impl Refused {
    fn one_more(&self) {
        self.count.inc();
        let mut warned_at = self.warned_at.lock().unwrap_or_else(PoisonError::into_inner);
        if warned_at.is_none_or(|warned_at| warned_at.elapsed() >= WARN_EVERY) {
            *warned_at = Some(Instant::now());
            tracing::warn!(
                refused = self.count.get(),
                "Redis has something that no server with this AUTH_SECRET has signed; it is ignored"
            );
        }
    }
}
