//! Lists that are costly for the database take turns. Exams use the same database and must never wait for a search.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::answer::error::CalendarError;
use crate::error::Error;

/// Costly lists that are read at once. Two leave most connections to exams.
const COSTLY_AT_ONCE: usize = 2;
/// Callers whose list is being read or is waiting. Further callers are refused at once instead of piling up.
const COSTLY_ASKED_MAX: usize = 64;
/// How long a list waits for its turn.
const TURN_TIMEOUT: Duration = Duration::from_secs(10);
/// How long reading a list may take. A dead connection would otherwise keep its turn forever.
const READING_TIMEOUT: Duration = Duration::from_secs(20);
/// The message for a caller whose turn does not come.
const BUSY: &str = "The calendar is busy";

/// The turns of one kind of list: `places` bounds the callers, `turns` those of them whose list is being read.
pub struct Turns {
    places: Semaphore,
    turns: Arc<Semaphore>,
}

impl Turns {
    #[must_use]
    pub fn new() -> Self {
        Self { places: Semaphore::new(COSTLY_ASKED_MAX), turns: Arc::new(Semaphore::new(COSTLY_AT_ONCE)) }
    }

    /// Runs a reading when its turn comes. 503 if that takes too long or if too many callers wait.
    pub async fn take<T, E>(
        &self,
        reading: impl Future<Output = Result<T, E>> + Send + 'static,
    ) -> Result<T, CalendarError>
    where
        T: Send + 'static,
        E: Send + 'static,
        CalendarError: From<E>,
    {
        let _place = self.places.try_acquire().map_err(|_| Error::Unavailable(BUSY))?;
        let turn = timeout(TURN_TIMEOUT, Arc::clone(&self.turns).acquire_owned()).await;
        let turn = turn.ok().and_then(Result::ok).ok_or(Error::Unavailable(BUSY))?;
        // The turn belongs to the task: if the caller goes away, the database goes on reading.
        let read = tokio::spawn(async move {
            let read = timeout(READING_TIMEOUT, reading).await;
            drop(turn);
            read
        });
        let read = read.await.map_err(Error::internal)?;
        Ok(read.map_err(|_| Error::Unavailable(BUSY))??)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::future::join_all;
    use tokio::sync::Notify;

    async fn eventually(is_so: impl Fn() -> bool) {
        let waiting = async {
            while !is_so() {
                tokio::task::yield_now().await;
            }
        };
        timeout(Duration::from_secs(10), waiting).await.unwrap();
    }

    #[tokio::test]
    async fn some_read_and_others_wait() {
        let (turns, end) = (Turns::new(), Arc::new(Semaphore::new(0)));
        let running = Arc::new(Semaphore::new(0));
        let reading = || {
            let (running, end) = (Arc::clone(&running), Arc::clone(&end));
            async move {
                running.add_permits(1);
                drop(end.acquire().await.unwrap());
                Ok::<_, Error>(())
            }
        };
        let all = join_all((0..COSTLY_ASKED_MAX).map(|_| turns.take(reading())));
        let watch = async {
            eventually(|| running.available_permits() == COSTLY_AT_ONCE).await;
            for _ in 0..100 {
                tokio::task::yield_now().await;
            }
            assert_eq!(running.available_permits(), COSTLY_AT_ONCE);
            assert_eq!(turns.take(reading()).await.unwrap_err().status, 503);
            end.add_permits(1);
        };
        let (read, ()) = tokio::join!(all, watch);
        assert!(read.iter().all(Result::is_ok));
        assert_eq!(running.available_permits(), COSTLY_ASKED_MAX);
    }

    #[tokio::test]
    async fn a_turn_ends_with_its_reading_and_not_with_its_caller() {
        let (turns, end) = (Turns::new(), Arc::new(Notify::new()));
        let waiting = Arc::clone(&end);
        let gone = turns.take(async move {
            waiting.notified().await;
            Ok::<_, Error>(())
        });
        assert!(timeout(Duration::from_millis(1), gone).await.is_err());
        assert_eq!(turns.turns.available_permits(), COSTLY_AT_ONCE - 1);
        end.notify_one();
        eventually(|| turns.turns.available_permits() == COSTLY_AT_ONCE).await;
        assert_eq!(turns.take(async { Ok::<_, Error>(5) }).await.unwrap(), 5);
    }
}
