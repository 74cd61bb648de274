//! A turnstile at which every address, or account, stands in a line of its own, and the lines take turns: however many
//! wait from one address, a caller from another one waits only for the first of each line.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::timeout;

use super::{Turn, TurnError, Turnstile};
use crate::http::limits::{CountedCaller, network};
use crate::http::unbroken::caller_gone;
use crate::strain::{Deferrable, Strain};

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
    /// The number of the last caller who came.
    came: u64,
    /// By address (by network for IPv6) or by account. Requests without an address share a line.
    of: HashMap<Option<CountedCaller>, Line>,
}

struct Line {
    callers: usize,
    /// Has one permit, for the first of the line.
    first: Arc<Semaphore>,
    /// Those who wait, in the order in which they came. Whose sender is dropped gives its place up.
    waiting: VecDeque<(u64, oneshot::Sender<()>)>,
}

/// A caller's place in a line. It counts until it is dropped, or until it must be given up.
struct LinePlace {
    lines: Arc<Mutex<Lines>>,
    caller: Option<CountedCaller>,
    number: u64,
    is_working: bool,
}

/// The turn of the first in a line, until it is dropped.
pub struct LineTurn {
    _turn: Turn,
    _first: OwnedSemaphorePermit,
    _place: LinePlace,
}

impl AddressTurnstile {
    /// For `at_once` who work, each from another address, among `callers_max` who work or wait, of whom
    /// `callers_of_address_max` may come from one address. Nobody waits longer than `patience`. When all places are
    /// taken, the last of the longest line gives its place up to a caller with a shorter line, so that a few addresses
    /// can't keep out the others.
    #[must_use]
    pub fn new(at_once: usize, callers_max: usize, callers_of_address_max: usize, patience: Duration) -> Self {
        let turnstile = Turnstile::new(at_once, callers_max, patience);
        Self { turnstile, callers_max, callers_of_address_max, lines: Arc::default() }
    }

    /// The same for work that can wait, as [`Turnstile::yielding`].
    #[must_use]
    pub fn yielding(self, strain: &Arc<Strain>, work: Deferrable) -> Self {
        Self { turnstile: self.turnstile.yielding(strain, work), ..self }
    }

    /// Another way to the same lines and turns, as [`Turnstile::unyielding`].
    #[must_use]
    pub fn unyielding(&self) -> Self {
        let (callers_max, callers_of_address_max) = (self.callers_max, self.callers_of_address_max);
        let lines = Arc::clone(&self.lines);
        Self { turnstile: self.turnstile.unyielding(), callers_max, callers_of_address_max, lines }
    }

    /// Waits for the turn of the address, and does the work in a task of its own within `limit`. The turn ends with the
    /// work and not with its caller.
    pub async fn run<T: Send + 'static>(
        &self,
        address: Option<IpAddr>,
        limit: Duration,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, TurnError> {
        self.run_for(address.map(|address| CountedCaller::Address(network(address))), limit, work).await
    }

    /// The same in the line of this caller, who may have an account.
    pub async fn run_for<T: Send + 'static>(
        &self,
        caller: Option<CountedCaller>,
        limit: Duration,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, TurnError> {
        let turn = self.turn(caller).await.ok_or(TurnError::Busy)?;
        let done = tokio::spawn(async move {
            let done = timeout(limit, work).await;
            drop(turn);
            done
        });
        done.await?.map_err(|_| TurnError::Busy)
    }

    /// Waits in the line of this caller: `None` when there is no place, no turn in time, or when the work must wait for
    /// saves.
    pub async fn turn(&self, caller: Option<CountedCaller>) -> Option<LineTurn> {
        if self.turnstile.must_yield() {
            return None;
        }
        let (mut place, first, given_up) = self.join(caller)?;
        let waiting = async {
            let first = first.acquire_owned().await.ok()?;
            Some((first, self.turnstile.turn().await?))
        };
        let turn = tokio::select! {
            biased;
            // The sender is never used, only dropped.
            _ = given_up => None,
            () = caller_gone() => None,
            turn = timeout(self.turnstile.patience, waiting) => turn.ok().flatten(),
        };
        let (first, turn) = turn.filter(|_| place.begin())?;
        Some(LineTurn { _turn: turn, _first: first, _place: place })
    }

    /// Takes a place: with it, what the first of the line acquires, and what ends when the place must be given up.
    fn join(&self, caller: Option<CountedCaller>) -> Option<(LinePlace, Arc<Semaphore>, oneshot::Receiver<()>)> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let callers = lines.of.get(&caller).map_or(0, |line| line.callers);
        if callers >= self.callers_of_address_max || (lines.callers >= self.callers_max && !lines.make_room(callers)) {
            return None;
        }
        lines.callers += 1;
        lines.came += 1;
        let number = lines.came;
        let new = || Line { callers: 0, first: Arc::new(Semaphore::new(1)), waiting: VecDeque::new() };
        let line = lines.of.entry(caller.clone()).or_insert_with(new);
        line.callers += 1;
        let (waits, given_up) = oneshot::channel();
        line.waiting.push_back((number, waits));
        let first = Arc::clone(&line.first);
        Some((LinePlace { lines: Arc::clone(&self.lines), caller, number, is_working: false }, first, given_up))
    }
}

impl Lines {
    /// Has the last of the longest line give its place up to a line of `callers`, unless that line is as long.
    fn make_room(&mut self, callers: usize) -> bool {
        let longest = self.of.values_mut().filter(|line| !line.waiting.is_empty()).max_by_key(|line| line.callers);
        let Some(line) = longest.filter(|line| line.callers > callers + 1) else { return false };
        line.waiting.pop_back();
        line.callers -= 1;
        self.callers -= 1;
        true
    }
}

impl LinePlace {
    /// Ends the waiting: from now on the place can't be lost. False if it has been lost before.
    fn begin(&mut self) -> bool {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_working = lines.of.get_mut(&self.caller).is_some_and(|line| line.end_waiting(self.number));
        self.is_working
    }
}

impl Line {
    /// False if the caller has given the place up.
    fn end_waiting(&mut self, number: u64) -> bool {
        let place = self.waiting.iter().position(|(waiting, _)| *waiting == number);
        place.and_then(|place| self.waiting.remove(place)).is_some()
    }
}

impl Drop for LinePlace {
    fn drop(&mut self) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(line) = lines.of.get_mut(&self.caller) else { return };
        if !self.is_working && !line.end_waiting(self.number) {
            return;
        }
        line.callers -= 1;
        let is_empty = line.callers == 0;
        lines.callers -= 1;
        if is_empty {
            lines.of.remove(&self.caller);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

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
    async fn few_addresses_can_not_take_all_places() {
        let turnstile = AddressTurnstile::new(1, 9, 4, LONG);
        let end = Arc::new(Semaphore::new(0));
        let work = || {
            let end = Arc::clone(&end);
            async move { end.acquire().await.unwrap().forget() }
        };
        let ask = |last: u8| Box::pin(turnstile.run(from(last), LONG, work()));
        let mut all: Vec<_> = [1, 1, 1, 1, 2, 2, 2, 2, 3].into_iter().map(|last| (last, ask(last))).collect();
        for (_, asked) in &mut all {
            assert!(asked.as_mut().now_or_never().is_none());
        }
        // Each of the others gets as many as the first, but one who has as many as anyone gets no more.
        for last in [4, 4, 3, 5] {
            all.push((last, ask(last)));
            let (_, asked) = all.last_mut().unwrap();
            assert!(asked.as_mut().now_or_never().is_none(), "{last}");
        }
        assert!(matches!(ask(1).now_or_never(), Some(Err(TurnError::Busy))));
        end.add_permits(all.len());
        let mut served = std::collections::BTreeMap::<u8, usize>::new();
        for (last, asked) in join_all(all.into_iter().map(async |(last, asked)| (last, asked.await))).await {
            *served.entry(last).or_default() += usize::from(asked.is_ok());
        }
        assert_eq!(served.into_iter().collect::<Vec<_>>(), [(1, 2), (2, 2), (3, 2), (4, 2), (5, 1)]);
        assert!(turnstile.lines.lock().unwrap().of.is_empty() && turnstile.lines.lock().unwrap().callers == 0);
    }

    #[tokio::test]
    async fn an_account_does_not_stand_behind_its_address() {
        let turnstile = AddressTurnstile::new(2, 100, 100, LONG);
        let mut behind = Box::pin(join_all((0..10).map(|_| turnstile.run(from(1), LONG, pending::<()>()))));
        assert!((&mut behind).now_or_never().is_none(), "all of the address wait for one that never ends");
        let account = Some(CountedCaller::Account("ada@exam.test".to_owned()));
        assert_eq!(turnstile.run_for(account, LONG, async { 5 }).await.unwrap(), 5);
    }

    #[tokio::test]
    async fn work_that_can_not_wait_stands_in_the_same_lines() {
        let strain = Arc::new(Strain::new(Some(Duration::from_secs(1)), Arc::default()));
        let yielding = AddressTurnstile::new(2, 2, 2, LONG).yielding(&strain, Deferrable::Single);
        let unyielding = yielding.unyielding();
        let late = strain.begin(std::time::Instant::now().checked_sub(Duration::from_secs(10)).unwrap());
        assert!(yielding.turn(None).await.is_none());
        let first = unyielding.turn(None).await.unwrap();
        assert!(unyielding.turn(None).now_or_never().is_none(), "one of a line at a time");
        assert_eq!(yielding.lines.lock().unwrap().callers, 1);
        drop((first, late));
        assert!(yielding.lines.lock().unwrap().of.is_empty());
    }

    #[tokio::test]
    async fn all_together_are_bounded_too() {
        let turnstile = AddressTurnstile::new(1, 2, 2, LONG);
        let account = |name: &str| Some(CountedCaller::Account(name.to_owned()));
        let _places = [turnstile.join(None), turnstile.join(account("ada@exam.test"))];
        assert!(turnstile.join(account("bo@exam.test")).is_none());
    }
}
