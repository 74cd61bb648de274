//! Turns at what only few may do at once because it costs memory, processors or the database. A turnstile bounds how
//! many callers wait, how many work, and how long one waits for its turn. At one whose work can wait nobody begins
//! while answers of students wait to be saved for too long.

pub mod by_address;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinError;
use tokio::time::timeout;

use super::unbroken::caller_gone;
use crate::strain::{Deferrable, Strain};

/// The permits to wait, and to work.
pub struct Turnstile {
    places: Arc<Semaphore>,
    turns: Arc<Semaphore>,
    patience: Duration,
    yields: Option<Yields>,
}

/// To what the work yields, and how soon.
#[derive(Clone)]
struct Yields {
    strain: Arc<Strain>,
    work: Deferrable,
}

/// A place among those who wait or work. It counts until it is dropped.
pub struct Place {
    _permit: OwnedSemaphorePermit,
    turns: Arc<Semaphore>,
    patience: Duration,
    yields: Option<Yields>,
}

/// The right to work, until it is dropped; with the place of its caller, if it was waited for in one.
pub struct Turn {
    _permit: OwnedSemaphorePermit,
    _place: Option<Place>,
}

/// Why work in its turn has no result.
#[derive(Debug, thiserror::Error)]
pub enum TurnError {
    /// There was no place, no turn in time, or no end in time; or the work must wait for saves.
    #[error("there is no turn")]
    Busy,
    /// The work panicked.
    #[error(transparent)]
    Broken(#[from] JoinError),
}

impl Turnstile {
    /// For `at_once` who work, among `callers_max` who work or wait, each for `patience` at most.
    #[must_use]
    pub fn new(at_once: usize, callers_max: usize, patience: Duration) -> Self {
        let (places, turns) = (Arc::new(Semaphore::new(callers_max)), Arc::new(Semaphore::new(at_once)));
        Self { places, turns, patience, yields: None }
    }

    /// The same for work that can wait: while saves are late nobody gets a place or a turn. What has begun goes on.
    #[must_use]
    pub fn yielding(self, strain: &Arc<Strain>, work: Deferrable) -> Self {
        Self { yields: Some(Yields { strain: Arc::clone(strain), work }), ..self }
    }

    /// Another way to the same places and turns, for the part of the work that cannot wait: nobody is refused there for
    /// the sake of saves.
    #[must_use]
    pub fn unyielding(&self) -> Self {
        let (places, turns) = (Arc::clone(&self.places), Arc::clone(&self.turns));
        Self { places, turns, patience: self.patience, yields: None }
    }

    /// Returns whether the work must wait for saves, and counts it as refused then.
    fn must_yield(&self) -> bool {
        must_yield(self.yields.as_ref())
    }

    /// Takes a place, without waiting: `None` when all are taken, or the work must wait for saves. A caller that takes
    /// it before it receives a body keeps waiting bodies from filling the memory.
    #[must_use]
    pub fn join(&self) -> Option<Place> {
        if self.must_yield() {
            return None;
        }
        let permit = Arc::clone(&self.places).try_acquire_owned().ok()?;
        let (turns, patience, yields) = (Arc::clone(&self.turns), self.patience, self.yields.clone());
        Some(Place { _permit: permit, turns, patience, yields })
    }

    /// Waits for a turn of work that several callers share, each of whom has a place of its own.
    pub async fn turn(&self) -> Option<Turn> {
        let permit = acquire(&self.turns, self.patience, self.yields.as_ref()).await?;
        Some(Turn { _permit: permit, _place: None })
    }

    /// Takes a place, waits for the turn, and does the work in a task of its own within `limit`: the database goes on
    /// reading when the caller has gone, so its turn goes on too.
    pub async fn run<T: Send + 'static>(
        &self,
        limit: Duration,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, TurnError> {
        let _place = self.join().ok_or(TurnError::Busy)?;
        let turn = self.turn().await.ok_or(TurnError::Busy)?;
        let done = tokio::spawn(async move {
            let done = timeout(limit, work).await;
            drop(turn);
            done
        });
        done.await?.map_err(|_| TurnError::Busy)
    }
}

impl Place {
    /// Waits for the turn.
    pub async fn turn(self) -> Option<Turn> {
        let permit = acquire(&self.turns, self.patience, self.yields.as_ref()).await?;
        Some(Turn { _permit: permit, _place: Some(self) })
    }
}

fn must_yield(yields: Option<&Yields>) -> bool {
    yields.is_some_and(|Yields { strain, work }| strain.refuses(*work))
}

async fn acquire(turns: &Arc<Semaphore>, patience: Duration, yields: Option<&Yields>) -> Option<OwnedSemaphorePermit> {
    let permit = tokio::select! {
        biased;
        () = caller_gone() => None,
        permit = timeout(patience, Arc::clone(turns).acquire_owned()) => permit.ok()?.ok(),
    };
    // Saves may have become late while it was waited for.
    permit.filter(|_| !must_yield(yields))
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use futures_util::future::join_all;
    use tokio::sync::Notify;

    const AT_ONCE: usize = 2;
    const CALLERS_MAX: usize = 64;
    const LONG: Duration = Duration::from_secs(20);

    fn turnstile() -> Turnstile {
        Turnstile::new(AT_ONCE, CALLERS_MAX, Duration::from_secs(10))
    }

    async fn eventually(is_so: impl Fn() -> bool) {
        let waiting = async {
            while !is_so() {
                tokio::task::yield_now().await;
            }
        };
        timeout(Duration::from_secs(10), waiting).await.unwrap();
    }

    #[tokio::test]
    async fn some_work_and_others_wait() {
        let (turnstile, end) = (turnstile(), Arc::new(Semaphore::new(0)));
        let running = Arc::new(Semaphore::new(0));
        let work = || {
            let (running, end) = (Arc::clone(&running), Arc::clone(&end));
            async move {
                running.add_permits(1);
                drop(end.acquire().await.unwrap());
            }
        };
        let all = join_all((0..CALLERS_MAX).map(|_| turnstile.run(LONG, work())));
        let watch = async {
            eventually(|| running.available_permits() == AT_ONCE).await;
            for _ in 0..100 {
                tokio::task::yield_now().await;
            }
            assert_eq!(running.available_permits(), AT_ONCE);
            assert!(matches!(turnstile.run(LONG, work()).await, Err(TurnError::Busy)));
            end.add_permits(1);
        };
        let (done, ()) = tokio::join!(all, watch);
        assert!(done.iter().all(Result::is_ok));
        assert_eq!(running.available_permits(), CALLERS_MAX);
    }

    #[tokio::test]
    async fn a_turn_ends_with_its_work_and_not_with_its_caller() {
        let (turnstile, end) = (turnstile(), Arc::new(Notify::new()));
        let waiting = Arc::clone(&end);
        let gone = turnstile.run(LONG, async move { waiting.notified().await });
        assert!(timeout(Duration::from_millis(1), gone).await.is_err());
        assert_eq!(turnstile.turns.available_permits(), AT_ONCE - 1);
        end.notify_one();
        eventually(|| turnstile.turns.available_permits() == AT_ONCE).await;
        assert_eq!(turnstile.run(LONG, async { 5 }).await.unwrap(), 5);
    }

    #[tokio::test]
    async fn work_that_panics_is_not_called_busy_and_gives_its_turn_back() {
        let turnstile = turnstile();
        let broken = turnstile.run(LONG, async { panic!("as intended") }).await;
        assert!(matches!(broken, Err::<(), _>(TurnError::Broken(_))));
        assert_eq!(turnstile.turns.available_permits(), AT_ONCE);
    }

    #[tokio::test]
    async fn who_has_a_place_gets_the_turn_that_another_gives_back() {
        let turnstile = Turnstile::new(1, 2, LONG);
        let first = turnstile.join().unwrap().turn().await.unwrap();
        let second = turnstile.join().unwrap();
        assert!(turnstile.join().is_none());
        assert!(turnstile.turn().now_or_never().is_none());
        drop(first);
        assert!(second.turn().now_or_never().unwrap().is_some());
        assert!(turnstile.join().is_some());
    }

    #[tokio::test]
    async fn work_that_can_wait_gets_no_turn_while_saves_are_late() {
        let strain = Arc::new(Strain::new(Some(Duration::from_secs(1)), Arc::default()));
        let turnstile = Turnstile::new(1, 3, LONG).yielding(&strain, Deferrable::Bulk);
        let first = turnstile.join().unwrap().turn().await.unwrap();
        let second = turnstile.join().unwrap();
        let late = strain.begin(std::time::Instant::now().checked_sub(Duration::from_secs(1)).unwrap());
        assert!(turnstile.join().is_none());
        drop(first);
        assert!(second.turn().await.is_none(), "who waited already is refused too");
        assert!(matches!(turnstile.run(LONG, async {}).await, Err(TurnError::Busy)));
        let other = Turnstile::new(1, 1, LONG);
        assert!(other.join().unwrap().turn().await.is_some(), "whatever does not yield goes on");
        drop(late);
        assert_eq!(turnstile.turns.available_permits(), 1, "nobody keeps a turn that was refused");
    }

    #[tokio::test]
    async fn work_that_can_not_wait_shares_the_turns_of_work_that_can() {
        let strain = Arc::new(Strain::new(Some(Duration::from_secs(1)), Arc::default()));
        let yielding = Turnstile::new(1, 2, LONG).yielding(&strain, Deferrable::Bulk);
        let unyielding = yielding.unyielding();
        let first = yielding.join().unwrap().turn().await.unwrap();
        let late = strain.begin(std::time::Instant::now().checked_sub(Duration::from_secs(1)).unwrap());
        let second = unyielding.join().unwrap();
        assert!(unyielding.join().is_none(), "the places are the same");
        assert!(unyielding.turn().now_or_never().is_none(), "and so are the turns");
        drop(first);
        assert!(second.turn().now_or_never().unwrap().is_some());
        assert!(yielding.join().is_none());
        drop(late);
    }

    #[tokio::test]
    async fn nobody_waits_longer_than_its_patience() {
        let turnstile = Turnstile::new(1, 2, Duration::from_millis(20));
        let _first = turnstile.turn().await.unwrap();
        assert!(turnstile.join().unwrap().turn().await.is_none());
    }
}
