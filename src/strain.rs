//! How long answers and finished tests wait to be saved at the moment. While they wait for too long, work that can wait
//! is refused, what is missed last before what is missed sooner, so that the machine and the database are left to what
//! can't (`docs/decisions/0094-the-edge.md`).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::telemetry::Metrics;

/// How long the delay of a save counts after its end, unless a longer one has ended since: work that was refused does
/// not come back all at once after each commit.
const COUNTS_FOR: Duration = Duration::from_secs(2);
/// A batch that has hung for longer is an outage, and no longer a reason to refuse anything: what is refused would not
/// help it, and one batch that waits for a forgotten lock would keep all reports away until somebody finds it.
const OUTAGE_AFTER: Duration = Duration::from_secs(60);
/// How many times as late as for the first work a save must be before the second is refused too.
const SECOND_AFTER_TIMES: u32 = 4;
/// For work that is refused.
pub const BUSY: &str = "The server is busy";

/// Work that can wait. Whatever is not named here is never refused for the sake of saves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deferrable {
    /// What staff have made in large: exports, imports of questions, statistics, all reports of an exam in one file. It
    /// is refused first.
    Bulk,
    /// What one person looks at, and what an exam day needs in large: a report, results, a search, papers for printing.
    /// It is refused second.
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
    /// By number.
    under_way: BTreeMap<u64, Batch>,
    begun: u64,
    /// The longest delay of those that have ended lately, and when it ended.
    last: Option<(Duration, Instant)>,
}

/// Answers that are stored together.
#[derive(Clone, Copy, Debug)]
struct Batch {
    /// Since when its oldest answer has waited, also for earlier batches.
    since: Instant,
    /// When it began to be stored itself.
    began: Instant,
}

impl Batch {
    /// Whether it has hung for so long that it says nothing about how much there is to do.
    fn is_outage(&self) -> bool {
        self.began.elapsed() > OUTAGE_AFTER
    }
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
        saves.under_way.insert(number, Batch { since, began: Instant::now() });
        SaveUnderWay { strain: Arc::clone(self), number }
    }

    /// How late saves are: as late as the oldest that is under way, or as the latest of those that ended just now. It
    /// is told in an outage too.
    #[must_use]
    pub fn delay(&self) -> Duration {
        self.saves().delay(|_| true)
    }

    /// Returns whether this work must wait, and counts it as refused then.
    #[must_use]
    pub fn refuses(&self, work: Deferrable) -> bool {
        let Some(first) = self.shed_after else { return false };
        let limit = match work {
            Deferrable::Bulk => first,
            Deferrable::Single => first * SECOND_AFTER_TIMES,
        };
        let is_late = self.saves().delay(|batch| !batch.is_outage()) >= limit;
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
    /// How late they are by the batches that count, and by those that ended just now.
    fn delay(&self, counts: impl Fn(&Batch) -> bool) -> Duration {
        let under_way = self.under_way.values().filter(|batch| counts(batch));
        let longest = under_way.map(|batch| batch.since.elapsed()).max().unwrap_or_default();
        longest.max(self.recent().unwrap_or_default())
    }

    fn recent(&self) -> Option<Duration> {
        self.last.filter(|(_, ended)| ended.elapsed() < COUNTS_FOR).map(|(delay, _)| delay)
    }
}

impl Drop for SaveUnderWay {
    fn drop(&mut self) {
        let mut saves = self.strain.saves();
        let ended = saves.under_way.remove(&self.number).filter(|batch| !batch.is_outage());
        let Some(batch) = ended else { return };
        let delay = batch.since.elapsed();
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
    fn a_batch_that_hangs_is_an_outage_and_what_waited_behind_it_is_not() {
        let strain = strain(Some(AFTER));
        let long = OUTAGE_AFTER + AFTER;
        let hanging = waiting(&strain, long);
        assert!(strain.refuses(Deferrable::Bulk), "its answers have waited for others, and not for it");
        if let Some(batch) = strain.saves().under_way.get_mut(&hanging.number) {
            batch.began = batch.since;
        }
        assert!(!strain.refuses(Deferrable::Bulk) && !strain.refuses(Deferrable::Single));
        assert!(strain.delay() >= long, "it is told all the same");
        let late = waiting(&strain, AFTER);
        assert!(strain.refuses(Deferrable::Bulk), "another batch is late by itself");
        assert!(!strain.refuses(Deferrable::Single));
        drop((late, hanging));
        assert!(!strain.refuses(Deferrable::Single), "nor does it count once it has ended");
        let _next = waiting(&strain, long);
        assert!(strain.refuses(Deferrable::Single), "what has waited behind it is a lot to do");
    }

    #[test]
    fn nothing_is_refused_without_a_limit() {
        let strain = strain(None);
        let _late = waiting(&strain, AFTER * 100);
        assert!(!strain.refuses(Deferrable::Bulk) && !strain.refuses(Deferrable::Single));
    }
}
