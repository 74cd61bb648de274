//! A turnstile at which every address stands in a line of its own, and the lines take turns: however many wait from one
//! address, a caller from another one waits only for the first of each line.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::{TurnError, Turnstile};
use crate::http::limits::network;

/// The lines, and the turnstile for which only their first callers wait.
pub struct AddressTurnstile {
    turnstile: Turnstile,
    callers_max: usize,
    callers_of_address_max: usize,
    lines: Arc<Mutex<Lines>>,
}

#[derive(Default)]
struct Lines {
    callers: usize,
    /// By address, or by network for IPv6. Requests without an address share a line.
    of: HashMap<Option<IpAddr>, Line>,
}

struct Line {
    callers: usize,
    /// Has one permit, for the first of the line.
    first: Arc<Semaphore>,
}

/// A caller's place in a line. It counts until it is dropped.
struct LinePlace {
    lines: Arc<Mutex<Lines>>,
    address: Option<IpAddr>,
    first: Arc<Semaphore>,
}

impl AddressTurnstile {
    /// For `at_once` who work, each from another address, among `callers_max` who work or wait, of whom
    /// `callers_of_address_max` may come from one address. Nobody waits longer than `patience`.
    #[must_use]
    pub fn new(at_once: usize, callers_max: usize, callers_of_address_max: usize, patience: Duration) -> Self {
        let turnstile = Turnstile::new(at_once, callers_max, patience);
        Self { turnstile, callers_max, callers_of_address_max, lines: Arc::default() }
    }

    /// Waits for the turn of the address, and does the work in a task of its own within `limit`. The turn ends with the
    /// work and not with its caller.
    pub async fn run<T: Send + 'static>(
        &self,
        address: Option<IpAddr>,
        limit: Duration,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, TurnError> {
        let place = self.join(address.map(network)).ok_or(TurnError::Busy)?;
        let waiting = async {
            let first = Arc::clone(&place.first).acquire_owned().await.ok()?;
            Some((first, self.turnstile.turn().await?))
        };
        let turn = timeout(self.turnstile.patience, waiting).await.ok().flatten().ok_or(TurnError::Busy)?;
        let done = tokio::spawn(async move {
            let done = timeout(limit, work).await;
            drop((turn, place));
            done
        });
        done.await?.map_err(|_| TurnError::Busy)
    }

    fn join(&self, address: Option<IpAddr>) -> Option<LinePlace> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = lines.of.get(&address).map_or(0, |line| line.callers);
        if lines.callers >= self.callers_max || waiting >= self.callers_of_address_max {
            return None;
        }
        lines.callers += 1;
        let line = lines.of.entry(address).or_insert_with(|| Line { callers: 0, first: Arc::new(Semaphore::new(1)) });
        line.callers += 1;
        Some(LinePlace { lines: Arc::clone(&self.lines), address, first: Arc::clone(&line.first) })
    }
}

impl Drop for LinePlace {
    fn drop(&mut self) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.callers -= 1;
        if let Some(line) = lines.of.get_mut(&self.address) {
            line.callers -= 1;
            if line.callers == 0 {
                lines.of.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use futures_util::future::join_all;
    use tokio::sync::Notify;

    const LONG: Duration = Duration::from_secs(20);

    fn from(last: u8) -> Option<IpAddr> {
        Some(IpAddr::from([192, 0, 2, last]))
    }

    fn turnstile() -> AddressTurnstile {
        AddressTurnstile::new(2, 100, 10, LONG)
    }

    #[tokio::test]
    async fn one_address_keeps_no_other_waiting() {
        let (turnstile, end) = (turnstile(), Arc::new(Notify::new()));
        let endless = || {
            let end = Arc::clone(&end);
            async move { end.notified().await }
        };
        let mut flood = Box::pin(join_all((0..10).map(|_| turnstile.run(from(1), LONG, endless()))));
        assert!((&mut flood).now_or_never().is_none());
        assert!(matches!(turnstile.run(from(1), LONG, endless()).await, Err(TurnError::Busy)), "its line is full");
        for _ in 0..3 {
            assert_eq!(turnstile.run(from(2), LONG, async { 5 }).await.unwrap(), 5);
        }
        let ending = async {
            for _ in 0..10 {
                end.notify_one();
                tokio::task::yield_now().await;
            }
        };
        // Each of the flood has its turn, one after another.
        let (ended, ()) = tokio::join!(flood, async {
            ending.await;
            while !turnstile.lines.lock().unwrap().of.is_empty() {
                end.notify_one();
                tokio::task::yield_now().await;
            }
        });
        assert!(ended.iter().all(Result::is_ok));
    }

    #[tokio::test]
    async fn a_caller_that_has_gone_leaves_its_line() {
        let turnstile = turnstile();
        let (end, held) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let (ended, holds) = (Arc::clone(&end), Arc::clone(&held));
        let mut first = Box::pin(turnstile.run(from(1), LONG, async move {
            holds.notify_one();
            ended.notified().await;
        }));
        assert!((&mut first).now_or_never().is_none());
        held.notified().await;
        let mut gone = Box::pin(turnstile.run(from(1), LONG, async {}));
        assert!((&mut gone).now_or_never().is_none());
        assert_eq!(turnstile.lines.lock().unwrap().callers, 2);
        drop(gone);
        assert_eq!(turnstile.lines.lock().unwrap().callers, 1);
        end.notify_one();
        first.await.unwrap();
        assert!(turnstile.lines.lock().unwrap().of.is_empty());
    }

    #[tokio::test]
    async fn all_together_are_bounded_too() {
        let turnstile = AddressTurnstile::new(1, 2, 2, LONG);
        let _places = [turnstile.join(None), turnstile.join(from(1))];
        assert!(turnstile.join(from(2)).is_none());
    }
}
