//! The public keys of platforms, fetched from the addresses that they name and kept for a while. Whoever may register a
//! platform names the address, so it is fetched as webhooks are sent: to public hosts, in a short time, and little.

use std::sync::Arc;
use std::time::Duration;

use domain::lti::platform::Platform;
use domain::time::moment::Moment;
use moka::future::Cache;
use openidconnect::JsonWebKey;
use openidconnect::core::{CoreJsonWebKey, CoreJsonWebKeySet};
use reqwest::Method;
use thiserror::Error as ThisError;
use uuid::Uuid;

use crate::base::Base;
use crate::clock::Clock;
use crate::outgoing::client::{Inquiry, OutgoingClient};

/// Bytes of a key set that are read: a hundred keys.
const KEY_SET_BYTES_MAX: usize = 128 * 1_024;
/// Keys of one platform that are kept.
const KEYS_MAX: usize = 100;
/// Platforms whose keys are kept.
const PLATFORMS_MAX: u64 = 1_000;
/// How long keys are kept. A key that the platform takes back counts no longer than this.
const KEPT: Duration = Duration::from_secs(60 * 60);
/// How often the keys of a platform are fetched again because a message names one that is unknown.
const AGAIN_AFTER_MILLISECONDS: i64 = 60_000;

/// Why the keys of a platform cannot be had. The reason is for the log and for admins.
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
#[error("the keys of the platform cannot be fetched: {0}")]
pub struct KeysUnreachable(pub String);

/// The keys of one platform.
#[derive(Debug)]
struct FetchedKeys {
    keys: Vec<CoreJsonWebKey>,
    /// From where: the address of a platform can be changed.
    address: String,
    at: Moment,
}

/// Fetches and keeps the keys of platforms.
pub struct PlatformKeys {
    client: OutgoingClient,
    clock: Clock,
    known: Cache<Uuid, Arc<FetchedKeys>>,
    /// Those that are fetched again at this moment, by when they were fetched before, and so for one address.
    again: Cache<(Uuid, Moment), Arc<FetchedKeys>>,
    /// Why they could not be fetched again, and when that was.
    failed: Cache<Uuid, (Moment, KeysUnreachable)>,
}

impl PlatformKeys {
    #[must_use]
    pub fn open(base: &Base) -> Self {
        Self {
            client: OutgoingClient::new(base.config.webhooks.targets.clone()),
            clock: base.clock.clone(),
            known: Cache::builder().max_capacity(PLATFORMS_MAX).time_to_live(KEPT).build(),
            again: Cache::builder().max_capacity(PLATFORMS_MAX).time_to_live(KEPT).build(),
            failed: Cache::builder().max_capacity(PLATFORMS_MAX).time_to_live(KEPT).build(),
        }
    }

    /// The keys of a platform with this name: none if it publishes no such key. A name that is unknown has the keys
    /// fetched again, since that is how platforms change them, but at most once a minute, also where that fails. Those
    /// that are known count meanwhile, and stay if it fails: anybody can name what is unknown.
    pub async fn named(&self, platform: &Platform, key_id: &str) -> Result<Vec<CoreJsonWebKey>, KeysUnreachable> {
        let known = self.of(platform).await?;
        let (found, now) = (named(&known.keys, key_id), self.clock.now());
        if !found.is_empty() || now.since(known.at) < AGAIN_AFTER_MILLISECONDS {
            return Ok(found);
        }
        if let Some((at, error)) = self.failed.get(&platform.id).await
            && now.since(at) < AGAIN_AFTER_MILLISECONDS
        {
            return Err(error);
        }
        // Whoever comes meanwhile waits for the same answer.
        let fetching = async { self.fetched(&platform.endpoints.jwks).await.map(Arc::new) };
        let fetched = self.again.try_get_with((platform.id, known.at), fetching).await;
        match fetched {
            Ok(fetched) => {
                let found = named(&fetched.keys, key_id);
                self.known.insert(platform.id, fetched).await;
                Ok(found)
            }
            Err(error) => {
                let error = KeysUnreachable::clone(&error);
                self.failed.insert(platform.id, (now, error.clone())).await;
                Err(error)
            }
        }
    }

    /// The keys as they were fetched last. Callers who ask at the same time share one request; a failure is not kept.
    async fn of(&self, platform: &Platform) -> Result<Arc<FetchedKeys>, KeysUnreachable> {
        let address = platform.endpoints.jwks.as_str();
        if self.known.get(&platform.id).await.is_some_and(|known| known.address != address) {
            self.known.invalidate(&platform.id).await;
        }
        let fetching = async { self.fetched(address).await.map(Arc::new) };
        let fetched = self.known.try_get_with(platform.id, fetching).await;
        fetched.map_err(|error: Arc<KeysUnreachable>| (*error).clone())
    }

    async fn fetched(&self, address: &str) -> Result<FetchedKeys, KeysUnreachable> {
        let keys = self.fetch(address).await?;
        Ok(FetchedKeys { keys, address: address.to_owned(), at: self.clock.now() })
    }

    /// The keys at this address, as they are now.
    pub async fn fetch(&self, address: &str) -> Result<Vec<CoreJsonWebKey>, KeysUnreachable> {
        let inquiry = Inquiry {
            method: Method::GET,
            url: address,
            headers: vec![("Accept", "application/json".to_owned())],
            body: None,
            bytes_max: KEY_SET_BYTES_MAX,
        };
        let answer = self.client.ask(inquiry, self.clock.now()).await;
        let answer = answer.map_err(|error| KeysUnreachable(error.to_string()))?;
        if answer.status != 200 {
            return Err(KeysUnreachable(format!("it answers {}", answer.status)));
        }
        let set: CoreJsonWebKeySet =
            serde_json::from_slice(&answer.body).map_err(|_| KeysUnreachable("it is no key set".to_owned()))?;
        Ok(set.keys().iter().take(KEYS_MAX).cloned().collect())
    }
}

fn named(keys: &[CoreJsonWebKey], key_id: &str) -> Vec<CoreJsonWebKey> {
    keys.iter().filter(|key| key.key_id().is_some_and(|id| id.as_str() == key_id)).cloned().collect()
}
