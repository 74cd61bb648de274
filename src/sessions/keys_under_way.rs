//! Lets only one request with the same `Idempotency-Key` work on the database at a time. The others wait here, where
//! they hold no connection: on Postgres, repeats of a request that stands still would otherwise take the whole pool.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::error::{Error, UNAVAILABLE};

/// Requests with one key that are in progress on this server, including the one that works. Clients repeat a request
/// when its answer is late, but few do it so often.
const SAME_KEY_MAX: usize = 64;
/// How long a repeat waits for the request that works before its caller gets 503 and tries again later.
const SAME_KEY_WITHIN: Duration = Duration::from_secs(5);

/// The hash of a caller and their key.
type KeyHash = [u8; 32];

/// The keys of requests under way.
#[derive(Default)]
pub struct KeysUnderWay {
    keys: Mutex<HashMap<KeyHash, OneKey>>,
}

/// The requests with one key.
struct OneKey {
    turn: Arc<Semaphore>,
    requests: usize,
}

/// A request among those with its key; it counts until it is dropped.
struct Counted {
    all: Arc<KeysUnderWay>,
    key_hash: KeyHash,
}

/// The turn of a request, until it is dropped.
pub struct KeyTurn {
    // The first field, so that the turn is free before the key is forgotten.
    _permit: OwnedSemaphorePermit,
    _counted: Counted,
}

impl KeysUnderWay {
    /// Waits until no other request with the key works: 503 if that takes long, or if too many wait.
    pub async fn turn(self: &Arc<Self>, key_hash: KeyHash) -> Result<KeyTurn, Error> {
        self.turn_within(key_hash, SAME_KEY_WITHIN).await
    }

    async fn turn_within(self: &Arc<Self>, key_hash: KeyHash, patience: Duration) -> Result<KeyTurn, Error> {
        let (turn, counted) = self.join(key_hash).ok_or(Error::Unavailable(UNAVAILABLE))?;
        match timeout(patience, turn.acquire_owned()).await {
            Ok(Ok(permit)) => Ok(KeyTurn { _permit: permit, _counted: counted }),
            Ok(Err(_)) | Err(_) => Err(Error::Unavailable(UNAVAILABLE)),
        }
    }

    fn join(self: &Arc<Self>, key_hash: KeyHash) -> Option<(Arc<Semaphore>, Counted)> {
        let mut keys = self.keys();
        let one = keys.entry(key_hash).or_insert_with(|| OneKey { turn: Arc::new(Semaphore::new(1)), requests: 0 });
        if one.requests == SAME_KEY_MAX {
            return None;
        }
        one.requests += 1;
        Some((Arc::clone(&one.turn), Counted { all: Arc::clone(self), key_hash }))
    }

    fn keys(&self) -> MutexGuard<'_, HashMap<KeyHash, OneKey>> {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut keys = self.all.keys();
        let Some(one) = keys.get_mut(&self.key_hash) else { return };
        one.requests -= 1;
        if one.requests == 0 {
            keys.remove(&self.key_hash);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[tokio::test]
    async fn requests_with_one_key_take_turns_and_leave_nothing_behind() {
        let (all, one, other) = (Arc::<KeysUnderWay>::default(), [1; 32], [2; 32]);
        let first = all.turn(one).await.unwrap();
        assert!(all.turn(one).now_or_never().is_none(), "one at a time");
        drop(all.turn(other).now_or_never().unwrap().unwrap());
        drop(first);
        drop(all.turn(one).now_or_never().unwrap().unwrap());
        assert!(all.keys().is_empty());
    }

    #[tokio::test]
    async fn who_waits_too_long_or_with_too_many_is_turned_away() {
        let (all, key) = (Arc::<KeysUnderWay>::default(), [1; 32]);
        let first = all.turn(key).await.unwrap();
        let impatient = all.turn_within(key, Duration::from_millis(1)).await;
        assert!(matches!(impatient, Err(Error::Unavailable(_))), "after some time");
        let mut waiting: Vec<_> = (1..SAME_KEY_MAX).map(|_| Box::pin(all.turn(key))).collect();
        assert!(waiting.iter_mut().all(|one| one.now_or_never().is_none()));
        assert!(matches!(all.turn(key).now_or_never(), Some(Err(Error::Unavailable(_)))), "at once");
        drop((waiting, first));
        assert!(all.keys().is_empty());
    }
}
