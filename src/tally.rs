//! A tally of what is counted in the database a little later, apart from the answers: whoever asks neither waits for
//! the writer nor learns from the time of an answer what there was to count.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::clock::Clock;

/// How often the keys that have arrived meanwhile are counted.
const COUNTED_EVERY: Duration = Duration::from_secs(1);
/// Keys of one tally that wait to be counted, also while the database is away. Further ones are dropped: figures may
/// have gaps, memory has limits.
const WAITING_MAX: usize = 10_000;

/// How much of something waits to be counted.
pub trait Tallied: Default {
    /// Adds what has come for the same key.
    fn add(&mut self, more: Self);
}

impl Tallied for i32 {
    fn add(&mut self, more: Self) {
        *self = self.saturating_add(more);
    }
}

/// What has come since it was counted last, or could not be counted then.
#[derive(Default)]
pub struct WaitingTally<K, V>(Mutex<HashMap<K, V>>);

impl<K: Eq + Hash, V: Tallied> WaitingTally<K, V> {
    pub fn add(&self, key: K, more: V) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() < WAITING_MAX || waiting.contains_key(&key) {
            waiting.entry(key).or_default().add(more);
        }
    }

    fn take(&self) -> HashMap<K, V> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Has all that waits counted, again and again. Never returns. `count` says whether it has succeeded; if not, what
    /// it has left of the value waits for the next turn, and so does all that comes after it in this one, which would
    /// wait for the same database.
    pub async fn count_all(&self, clock: &Clock, count: impl AsyncFn(&K, &mut V) -> bool) {
        loop {
            clock.sleep(COUNTED_EVERY).await;
            let mut turn = self.take().into_iter();
            for (key, mut value) in turn.by_ref() {
                if !count(&key, &mut value).await {
                    self.add(key, value);
                    break;
                }
            }
            turn.for_each(|(key, value)| self.add(key, value));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn what_waits_again_joins_what_has_come_meanwhile() {
        let tally = WaitingTally::default();
        tally.add('a', 3);
        let taken = tally.take();
        assert_eq!(taken, HashMap::from([('a', 3)]));
        tally.add('a', 2);
        taken.into_iter().for_each(|(key, value)| tally.add(key, value));
        assert_eq!(tally.take(), HashMap::from([('a', 5)]));
        tally.add('a', i32::MAX);
        tally.add('a', 1);
        assert_eq!(tally.take(), HashMap::from([('a', i32::MAX)]));
        assert_eq!(tally.take(), HashMap::new());
    }

    #[test]
    fn only_so_many_keys_wait() {
        let tally = WaitingTally::default();
        (0..=WAITING_MAX).for_each(|key| tally.add(key, 1));
        tally.add(0, 1);
        let taken = tally.take();
        assert_eq!((taken.len(), taken[&0]), (WAITING_MAX, 2));
    }

    #[tokio::test]
    async fn what_cannot_be_counted_waits_with_all_that_was_not_reached() {
        let (clock, tally) = (Clock::movable(), WaitingTally::default());
        let all = HashMap::from([('a', 1), ('b', 2), ('c', 3)]);
        all.iter().for_each(|(key, value)| tally.add(*key, *value));
        // The second of the first turn fails when one of it is counted.
        let (calls, counted) = (RefCell::new(0), RefCell::new(HashMap::new()));
        let mut counting = Box::pin(tally.count_all(&clock, async |key: &char, value: &mut i32| {
            *calls.borrow_mut() += 1;
            let is_failing = *calls.borrow() == 2;
            let done = if is_failing { 1 } else { *value };
            *counted.borrow_mut().entry(*key).or_insert(0) += done;
            *value -= done;
            !is_failing
        }));
        let mut turn = || {
            assert!((&mut counting).now_or_never().is_none());
            clock.advance(COUNTED_EVERY);
            assert!((&mut counting).now_or_never().is_none());
            *calls.borrow()
        };
        assert_eq!(turn(), 2, "the third would wait for the same database");
        assert_eq!(turn(), 4);
        assert_eq!(*counted.borrow(), all);
        assert_eq!(turn(), 4, "nothing waits any more");
    }
}
