//! Counters and histograms that all seats of a run share: histograms for each of ten thousand seats would take
//! gigabytes.

use hdrhistogram::{CreationError, Histogram};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Longest time that a histogram can hold; longer ones are recorded as this.
const MEASURED_MAX: Duration = Duration::from_secs(600);
/// Precision of a histogram: figures are right to a thousandth.
const SIGNIFICANT_DIGITS: u8 = 3;

pub struct Tally {
    /// Commands written to a socket.
    pub sent: AtomicU64,
    pub saved: AtomicU64,
    /// Commands that were due in the window but never sent, because their seat was held back or lost.
    pub unsent: AtomicU64,
    /// Seats whose work ended by an error that no reconnection helps against.
    pub given_up: AtomicU64,
    /// From connecting to `started`.
    pub start_times: Times,
    /// From when a command's latency begins to its `saved`.
    pub saved_times: Times,
    /// How late the generator itself sent commands that nothing held back.
    pub late_times: Times,
    /// From `submit` to `submitted`.
    pub submit_times: Times,
    /// From the loss of a socket to the `resumed` of the next one.
    pub reconnect_times: Times,
    errors: Mutex<BTreeMap<String, u64>>,
}

impl Tally {
    pub fn new() -> Result<Self, CreationError> {
        Ok(Self {
            sent: AtomicU64::new(0),
            saved: AtomicU64::new(0),
            unsent: AtomicU64::new(0),
            given_up: AtomicU64::new(0),
            start_times: Times::new()?,
            saved_times: Times::new()?,
            late_times: Times::new()?,
            submit_times: Times::new()?,
            reconnect_times: Times::new()?,
            errors: Mutex::default(),
        })
    }

    pub fn error(&self, code: &str) {
        let mut errors = locked(&self.errors);
        match errors.get_mut(code) {
            Some(count) => *count += 1,
            None => {
                errors.insert(code.to_owned(), 1);
            }
        }
    }

    pub fn errors(&self) -> BTreeMap<String, u64> {
        locked(&self.errors).clone()
    }
}

/// Relaxed ordering is enough: no other memory depends on a counter.
pub fn add(counter: &AtomicU64, count: u64) {
    counter.fetch_add(count, Ordering::Relaxed);
}

pub fn read(counter: &AtomicU64) -> u64 {
    counter.load(Ordering::Relaxed)
}

/// A histogram of times in microseconds that many seats write to.
pub struct Times(Mutex<Histogram<u64>>);

impl Times {
    pub fn new() -> Result<Self, CreationError> {
        let histogram = Histogram::new_with_max(microseconds(MEASURED_MAX), SIGNIFICANT_DIGITS)?;
        Ok(Self(Mutex::new(histogram)))
    }

    pub fn record(&self, time: Duration) {
        self.recorder().record(time);
    }

    /// Takes the lock once, to record several times: one `saved` answers many commands.
    pub fn recorder(&self) -> Recorder<'_> {
        Recorder(locked(&self.0))
    }

    pub fn count(&self) -> u64 {
        locked(&self.0).len()
    }

    /// `None` when nothing was recorded.
    pub fn percentiles(&self) -> Option<Percentiles> {
        percentiles_of(&locked(&self.0))
    }

    /// The same of what was recorded since this was last asked for, which is forgotten.
    pub fn take_percentiles(&self) -> Option<Percentiles> {
        let mut histogram = locked(&self.0);
        let percentiles = percentiles_of(&histogram);
        histogram.reset();
        percentiles
    }
}

fn percentiles_of(histogram: &Histogram<u64>) -> Option<Percentiles> {
    let at = |quantile| Duration::from_micros(histogram.value_at_quantile(quantile));
    (!histogram.is_empty()).then(|| Percentiles {
        p50: at(0.5),
        p99: at(0.99),
        p999: at(0.999),
        max: Duration::from_micros(histogram.max()),
    })
}

/// A locked histogram.
pub struct Recorder<'a>(MutexGuard<'a, Histogram<u64>>);

impl Recorder<'_> {
    pub fn record(&mut self, time: Duration) {
        self.0.saturating_record(microseconds(time));
    }
}

/// The percentiles that tables show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Percentiles {
    pub p50: Duration,
    pub p99: Duration,
    /// The 99.9th percentile.
    pub p999: Duration,
    pub max: Duration,
}

fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

// A poisoned lock is harmless: a seat that panicked while counting leaves at worst one count too few, and the run fails
// anyway.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_those_of_the_recorded_times() {
        let times = Times::new().unwrap();
        assert_eq!(times.percentiles(), None);
        for milliseconds in 1..=1_000 {
            times.record(Duration::from_millis(milliseconds));
        }
        let percentiles = times.percentiles().unwrap();
        let close =
            |time: Duration, milliseconds: f64| (time.as_secs_f64() * 1_000.0 / milliseconds - 1.0).abs() < 0.01;
        assert!(close(percentiles.p50, 500.0) && close(percentiles.p99, 990.0));
        assert!(close(percentiles.p999, 999.0) && close(percentiles.max, 1_000.0));
    }

    #[test]
    fn what_was_taken_is_forgotten() {
        let times = Times::new().unwrap();
        times.record(Duration::from_secs(5));
        assert!(times.take_percentiles().unwrap().max > Duration::from_secs(4));
        assert_eq!(times.take_percentiles(), None);
        times.record(Duration::from_millis(5));
        assert!(times.take_percentiles().unwrap().max < Duration::from_millis(6));
    }

    #[test]
    fn errors_are_counted_by_code() {
        let tally = Tally::new().unwrap();
        for code in ["late", "rate_limited", "late"] {
            tally.error(code);
        }
        let expected = BTreeMap::from([("late".to_owned(), 2), ("rate_limited".to_owned(), 1)]);
        assert_eq!(tally.errors(), expected);
    }
}
