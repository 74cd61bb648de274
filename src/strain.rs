//! How long answers wait to be saved at the moment. While they wait for too long, work that can wait is refused, what
//! is missed last before what is missed sooner, so that the machine and the database are left to what can't
//! (`docs/decisions/0094-the-edge.md`).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::telemetry::Metrics;

/// How long the delay of a save counts after its end, unless a longer one has ended since: work that was refused does
/// not come back all at once after each commit.
const COUNTS_FOR: Duration = Duration::from_secs(2);
/// How many times as late as for the first work a save must be before the second is refused too.
const SECOND_AFTER_TIMES: u32 = 4;
/// For work that is refused.
pub const BUSY: &str = "The server is busy";

/// Work that can wait. Whatever is not named here is never refused for the sake of saves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deferrable {
    /// What staff have made in large: workbooks read and written, exports, statistics, papers for printing, all reports
    /// of an exam in one file. It is refused first.
    Bulk,
    /// What one person looks at: a report, results, a search. It is refused second.
    Single,
}

impl Deferrable {
    const ALL: [Self; 2] = [Self::Bulk, Self::Single];

    const fn name(self) -> &'static str {
        match self {
            Self::Bulk => "bulk",
            Self::Single => "single",
        }
    }
}

/// The saves that are under way, and how late the last ones were.
#[derive(Debug)]
pub struct Strain {
    shed_after: Option<Duration>,
    metrics: Arc<Metrics>,
    saves: Mutex<Saves>,
}

#[derive(Debug, Default)]
struct Saves {
    /// By number: since when the oldest answer of each batch has waited.
    under_way: BTreeMap<u64, Instant>,
    begun: u64,
    /// The longest delay of those that have ended lately, and when it ended.
    last: Option<(Duration, Instant)>,
}

/// Answers that are being saved, until it is dropped.
#[derive(Debug)]
pub struct SaveUnderWay {
    strain: Arc<Strain>,
    number: u64,
}

impl Strain {
    /// Refuses work when saves are late by `shed_after`, or never.
    #[must_use]
    pub fn new(shed_after: Option<Duration>, metrics: Arc<Metrics>) -> Self {
        Deferrable::ALL.iter().for_each(|work| metrics.edge.show_shed(work.name()));
        Self { shed_after, metrics, saves: Mutex::default() }
    }

    /// Notes that answers are being saved of which the oldest has waited since then.
    #[must_use]
    pub fn begin(self: &Arc<Self>, since: Instant) -> SaveUnderWay {
        let mut saves = self.saves();
        saves.begun += 1;
        let number = saves.begun;
        saves.under_way.insert(number, since);
        SaveUnderWay { strain: Arc::clone(self), number }
    }

    /// How late saves are: as late as the oldest that is under way, or as the latest of those that ended just now.
    #[must_use]
    pub fn delay(&self) -> Duration {
        let saves = self.saves();
        let oldest = saves.under_way.values().min().map(Instant::elapsed).unwrap_or_default();
        oldest.max(saves.recent().unwrap_or_default())
    }

    /// Returns whether this work must wait, and counts it as refused then.
    #[must_use]
    pub fn refuses(&self, work: Deferrable) -> bool {
        let Some(first) = self.shed_after else { return false };
        let limit = match work {
            Deferrable::Bulk => first,
            Deferrable::Single => first * SECOND_AFTER_TIMES,
        };
        let is_late = self.delay() >= limit;
        if is_late {
            self.metrics.edge.shed(work.name());
        }
        is_late
    }

    /// 503 while this work must wait.
    pub fn admit(&self, work: Deferrable) -> Result<(), Error> {
        if self.refuses(work) { Err(Error::Unavailable(BUSY)) } else { Ok(()) }
    }

    /// A panic elsewhere may poison the lock, but does not make the moments wrong.
    fn saves(&self) -> MutexGuard<'_, Saves> {
        self.saves.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Saves {
    fn recent(&self) -> Option<Duration> {
        self.last.filter(|(_, ended)| ended.elapsed() < COUNTS_FOR).map(|(delay, _)| delay)
    }
}

impl Drop for SaveUnderWay {
    fn drop(&mut self) {
        let mut saves = self.strain.saves();
        let Some(since) = saves.under_way.remove(&self.number) else { return };
        let delay = since.elapsed();
        if saves.recent().is_none_or(|recent| delay >= recent) {
            saves.last = Some((delay, Instant::now()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AFTER: Duration = Duration::from_secs(1);

    fn strain(shed_after: Option<Duration>) -> Arc<Strain> {
        Arc::new(Strain::new(shed_after, Arc::default()))
    }

    /// A save whose oldest answer has waited for so long.
    fn waiting(strain: &Arc<Strain>, waited: Duration) -> SaveUnderWay {
        strain.begin(Instant::now().checked_sub(waited).unwrap())
    }

    #[test]
    fn bulk_is_refused_before_what_one_person_looks_at() {
        let strain = strain(Some(AFTER));
        assert!(!strain.refuses(Deferrable::Bulk));
        let late = waiting(&strain, AFTER);
        assert!(strain.refuses(Deferrable::Bulk) && !strain.refuses(Deferrable::Single));
        assert!(matches!(strain.admit(Deferrable::Bulk), Err(Error::Unavailable(BUSY))));
        let later = waiting(&strain, AFTER * SECOND_AFTER_TIMES);
        assert!(strain.refuses(Deferrable::Single));
        drop((late, later));
        let counted = strain.metrics.render();
        assert!(counted.contains("examhall_shed_total{work=\"bulk\"} 2"), "{counted}");
        assert!(counted.contains("examhall_shed_total{work=\"single\"} 1"), "{counted}");
    }

    #[test]
    fn a_late_save_counts_for_a_while_and_a_prompt_one_does_not_hide_it() {
        let strain = strain(Some(AFTER));
        drop(waiting(&strain, AFTER));
        drop(waiting(&strain, Duration::ZERO));
        assert!(strain.delay() >= AFTER);
        if let Some((_, ended)) = &mut strain.saves().last {
            *ended = ended.checked_sub(COUNTS_FOR).unwrap();
        }
        assert_eq!(strain.delay(), Duration::ZERO);
        drop(waiting(&strain, Duration::ZERO));
        assert!(strain.delay() < AFTER);
    }

    #[test]
    fn nothing_is_refused_without_a_limit() {
        let strain = strain(None);
        let _late = waiting(&strain, AFTER * 100);
        assert!(!strain.refuses(Deferrable::Bulk) && !strain.refuses(Deferrable::Single));
    }
}
