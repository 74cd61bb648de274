//! Lists that cost the database much take turns: exams read from the same database, and must never wait for a search.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::answer::error::CalendarError;
use crate::error::Error;

/// Such lists that are read at once.
const COSTLY_AT_ONCE: usize = 2;
/// Callers whose list is read or waited for.
const COSTLY_ASKED_MAX: usize = 64;
/// How long a list waits until others are read.
const TURN_TIMEOUT: Duration = Duration::from_secs(10);
/// How long one may be read: a connection that is dead without saying so would keep its turn for good.
const READING_TIMEOUT: Duration = Duration::from_secs(20);
/// For a caller whose turn does not come.
const BUSY: &str = "The calendar is busy";

/// Who reads, and who waits, of one kind of lists.
pub struct Turns {
    places: Semaphore,
    turns: Arc<Semaphore>,
}

impl Turns {
    /// Nobody yet.
    #[must_use]
    pub fn new() -> Self {
        Self { places: Semaphore::new(COSTLY_ASKED_MAX), turns: Arc::new(Semaphore::new(COSTLY_AT_ONCE)) }
    }

    /// What this reading gives, when its turn has come.
    ///
    /// # Errors
    /// 503 when that takes too long, or when too many wait; those of the reading.
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
        // The turn goes along: the database goes on reading when its caller has gone.
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
