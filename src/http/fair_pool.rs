//! Memory, or places, that many holders share, so that a few of them can't keep out the others: nobody gets more than
//! stays free after it. However much the first ones take, the next one finds half of what they have left.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use uuid::Uuid;

use super::limits::CountedCaller;

/// Whose share it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ShareHolder {
    /// A running exam.
    Attempt(Uuid),
    Caller(CountedCaller),
}

/// A number of bytes or places.
pub struct FairPool {
    all: usize,
    of_one: usize,
    taken: Mutex<TakenShares>,
}

#[derive(Default)]
struct TakenShares {
    all: usize,
    of: HashMap<ShareHolder, usize>,
}

/// What one body has taken, until it is dropped. Without a holder, only the whole pool bounds it.
pub struct PoolShare {
    pool: Arc<FairPool>,
    holder: Option<ShareHolder>,
    taken: usize,
}

impl FairPool {
    /// For `all` together, of which one holder gets `of_one` at most.
    #[must_use]
    pub fn new(all: usize, of_one: usize) -> Self {
        Self { all, of_one, taken: Mutex::default() }
    }

    /// A share of nothing yet. All shares of one holder count together.
    #[must_use]
    pub const fn share(self: Arc<Self>, holder: Option<ShareHolder>) -> PoolShare {
        PoolShare { pool: self, holder, taken: 0 }
    }

    fn taken(&self) -> MutexGuard<'_, TakenShares> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What all have taken.
    #[cfg(test)]
    #[must_use]
    pub fn taken_by_all(&self) -> usize {
        let taken = self.taken();
        assert!(taken.of.values().all(|of_one| *of_one > 0), "who has nothing is forgotten");
        taken.all
    }
}

impl PoolShare {
    /// Takes so much more, if there is room for this holder.
    #[must_use]
    pub fn take(&mut self, more: usize) -> bool {
        let mut taken = self.pool.taken();
        let Some(free) = self.pool.all.checked_sub(taken.all + more) else { return false };
        if let Some(holder) = self.holder.as_ref().filter(|_| more > 0) {
            let own = taken.of.get(holder).copied().unwrap_or_default() + more;
            if own > self.pool.of_one.min(free) {
                return false;
            }
            taken.of.insert(holder.clone(), own);
        }
        taken.all += more;
        self.taken += more;
        true
    }

    #[must_use]
    pub const fn taken(&self) -> usize {
        self.taken
    }
}

impl Drop for PoolShare {
    fn drop(&mut self) {
        let mut taken = self.pool.taken();
        taken.all -= self.taken;
        let Some(holder) = &self.holder else { return };
        if let Some(own) = taken.of.get_mut(holder) {
            *own -= self.taken;
            if *own == 0 {
                taken.of.remove(holder);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holder(number: u128) -> Option<ShareHolder> {
        Some(ShareHolder::Attempt(Uuid::from_u128(number)))
    }

    /// Shares of one each, until this holder gets no more.
    fn fill(pool: &Arc<FairPool>, number: u128) -> Vec<PoolShare> {
        let next = || {
            let mut share = Arc::clone(pool).share(holder(number));
            share.take(1).then_some(share)
        };
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn however_much_some_have_taken_others_get_something() {
        let pool = Arc::new(FairPool::new(512, 32));
        let held: Vec<Vec<PoolShare>> = (0..18).map(|number| fill(&pool, number)).collect();
        assert!(held[..14].iter().all(|shares| shares.len() == 32));
        assert!(held.iter().all(|shares| !shares.is_empty()), "{:?}", held.iter().map(Vec::len).collect::<Vec<_>>());
        drop(held);
        assert_eq!(pool.taken_by_all(), 0);
    }

    #[test]
    fn nobody_takes_more_than_stays_free_and_all_not_more_than_there_is() {
        let pool = Arc::new(FairPool::new(100, usize::MAX));
        let mut first = Arc::clone(&pool).share(holder(1));
        assert!(first.take(50));
        assert!(!first.take(1));
        let mut second = Arc::clone(&pool).share(holder(2));
        assert!(!second.take(26));
        assert!(second.take(25));
        let mut whole = Arc::clone(&pool).share(None);
        assert!(whole.take(25));
        assert!(!whole.take(1));
        assert_eq!((first.taken(), pool.taken_by_all()), (50, 100));
        drop(first);
        assert_eq!(pool.taken_by_all(), 50);
    }
}
