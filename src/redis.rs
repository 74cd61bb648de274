//! Redis: the shared copies of compressed banks and templates, and the channels over which servers talk to each other.
//!
//! The database is the truth, never Redis: a failure here is logged, counts as a miss, and the database answers
//! instead.

use std::time::Duration;

use deadpool_redis::{Config as PoolConfig, Pool, Runtime};
use futures_util::StreamExt;
use redis::{AsyncCommands, Client, RedisError};
use thiserror::Error;

/// How long a request waits for Redis before it goes on without.
const TIMEOUT: Duration = Duration::from_millis(500);
/// How long a body that nobody requests is kept.
const KEPT_SECONDS: i64 = 24 * 60 * 60;
/// The wait before the server subscribes again after a failure.
const RESUBSCRIBE: Duration = Duration::from_secs(2);

#[derive(Clone)]
pub struct Redis {
    pool: Pool,
    client: Client,
    prefix: String,
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
    /// Prepares a pool, but opens no connection, so the server also starts while Redis is down.
    pub fn new(url: &str, prefix: &str) -> Result<Self, RedisFailure> {
        let pool = PoolConfig::from_url(url).create_pool(Some(Runtime::Tokio1)).map_err(|_| RedisFailure::Address)?;
        Ok(Self { pool, client: Client::open(url)?, prefix: prefix.to_owned() })
    }

    pub async fn ping(&self) -> Result<(), RedisFailure> {
        self.within(async |mut connection| connection.ping::<()>().await).await
    }

    /// The body with that name; `None` if there is none or Redis fails.
    pub async fn find_body(&self, name: &str) -> Option<SharedBody> {
        let key = self.key(name);
        let found = self
            .within(async |mut connection| {
                connection.hmget::<_, _, Vec<Option<Vec<u8>>>>(&key, &["plain", "gzip", "brotli"]).await
            })
            .await;
        let parts =
            found.inspect_err(|error| tracing::warn!(%error, "Redis failed; the bank comes from the database")).ok()?;
        let [plain, gzip, brotli] = <[_; 3]>::try_from(parts).ok()?;
        Some(SharedBody { plain: plain?, gzip: gzip?, brotli: brotli? })
    }

    /// Stores a body under that name. A failure is only logged.
    pub async fn keep_body(&self, name: &str, body: &SharedBody) {
        let key = self.key(name);
        let fields = [("plain", &body.plain), ("gzip", &body.gzip), ("brotli", &body.brotli)];
        let kept = self.within(async |mut connection| {
            connection.hset_multiple::<_, _, _, ()>(&key, &fields).await?;
            connection.expire::<_, ()>(&key, KEPT_SECONDS).await
        });
        if let Err(error) = kept.await {
            tracing::warn!(%error, "Redis failed; the bank's body is not shared");
        }
    }

    /// Tells all servers that banks have changed. A failure is only logged, since servers also poll the database.
    pub async fn tell_banks_changed(&self) {
        let channel = self.channel();
        if let Err(error) = self.within(async |mut connection| connection.publish::<_, _, ()>(&channel, "").await).await
        {
            tracing::warn!(%error, "Redis failed; other servers notice the changed bank by themselves");
        }
    }

    /// Calls `on_change` at each message that banks have changed, and after each reconnection, when a message may have
    /// been missed. Never returns.
    pub async fn listen_for_changed_banks(&self, on_change: impl AsyncFn()) {
        loop {
            if let Err(error) = self.listen_until_lost(&on_change).await {
                tracing::warn!(%error, "Redis is gone; changed banks are noticed a little later");
            }
            tokio::time::sleep(RESUBSCRIBE).await;
        }
    }

    async fn listen_until_lost(&self, on_change: &impl AsyncFn()) -> Result<(), RedisFailure> {
        let connecting = tokio::time::timeout(TIMEOUT, self.client.get_async_pubsub());
        let mut subscription = connecting.await.map_err(|_| RedisFailure::Timeout)??;
        subscription.subscribe(self.channel()).await?;
        on_change().await;
        let mut messages = subscription.on_message();
        while messages.next().await.is_some() {
            on_change().await;
        }
        Ok(())
    }

    /// Publishes the messages on their channels, in order. After an error some of them may have been published.
    pub async fn publish(&self, messages: &[(String, String)]) -> Result<(), RedisFailure> {
        let mut pipeline = redis::pipe();
        for (channel, message) in messages {
            pipeline.publish(self.key(channel), message).ignore();
        }
        self.within(async |mut connection| pipeline.query_async::<()>(&mut connection).await).await
    }

    /// Calls `on_message` with each message on these channels until the connection is lost, and `on_listening` once the
    /// subscription is active.
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
            on_message(message.get_payload()?).await;
        }
        Ok(())
    }

    async fn within<T>(
        &self,
        work: impl AsyncFnOnce(deadpool_redis::Connection) -> Result<T, RedisError>,
    ) -> Result<T, RedisFailure> {
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
