//! Knows whether this server can save: the journals of its workers note whether their commits succeed. The lease cannot
//! tell, because it can be renewed on a disk that has room for nothing else.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a failed commit counts as a sign that nothing can be saved. It is tried again within seconds, so an older
/// failure without a newer one says nothing.
const FAILURE_COUNTS_FOR: Duration = Duration::from_secs(60);

/// How the last commits of this server went.
#[derive(Debug, Default)]
pub struct Saving {
    /// When the first and the last commit failed of those that nothing was stored between or after.
    failures: Mutex<Option<(Instant, Instant)>>,
    /// Whether time in which commits failed may have to be given back.
    owes_time: AtomicBool,
}

impl Saving {
    /// A commit was stored, or the database has refused what was in it.
    pub fn note_answered(&self) {
        *self.failures() = None;
    }

    /// A commit failed, and is tried again.
    pub fn note_failed(&self) {
        let now = Instant::now();
        let first = self.failures().map_or(now, |(first, _)| first);
        *self.failures() = Some((first, now));
        self.owes_time.store(true, Ordering::Release);
    }

    /// For how long nothing could be stored; `None` while commits are stored, or there are none.
    #[must_use]
    pub fn failing_for(&self) -> Option<Duration> {
        self.failures().filter(|(_, last)| last.elapsed() < FAILURE_COUNTS_FOR).map(|(first, _)| first.elapsed())
    }

    /// Whether time in which commits failed may have to be given back.
    #[must_use]
    pub fn owes_time(&self) -> bool {
        self.owes_time.load(Ordering::Acquire)
    }

    /// Everything that was owed is given back.
    pub fn settle(&self) {
        self.owes_time.store(false, Ordering::Release);
    }

    /// A panic elsewhere may poison the lock, but does not make the moments wrong.
    fn failures(&self) -> MutexGuard<'_, Option<(Instant, Instant)>> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_that_is_stored_ends_what_failed_before() {
        let saving = Saving::default();
        assert!(saving.failing_for().is_none() && !saving.owes_time());
        saving.note_failed();
        saving.note_failed();
        assert!(saving.failing_for().is_some() && saving.owes_time());
        saving.note_answered();
        assert!(saving.failing_for().is_none() && saving.owes_time(), "what it has taken is not given back by itself");
        saving.settle();
        assert!(!saving.owes_time());
    }
}
