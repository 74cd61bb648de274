//! How long students waited for `saved` in windows that take turns, one without a correction and one beside it, so that
//! a machine that is slow today is compared with itself. Pure.

use crate::table::{Row, latency, row};
use crate::tally::Percentiles;
use std::time::Duration;

/// How many times the 99th percentile without a correction the one beside it may be.
const RATIO_MAX: f64 = 1.5;
const UNKNOWN: &str = "n/a";

/// When a window was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowKind {
    Quiet,
    Beside,
}

/// The windows of a run, in their order.
#[derive(Default)]
pub struct SavedWindows(Vec<SavedWindow>);

struct SavedWindow {
    kind: WindowKind,
    /// `None` if nothing was saved in it.
    percentiles: Option<Percentiles>,
}

impl WindowKind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quiet => "quiet",
            Self::Beside => "beside a correction",
        }
    }
}

impl SavedWindows {
    pub fn push(&mut self, kind: WindowKind, percentiles: Option<Percentiles>) {
        self.0.push(SavedWindow { kind, percentiles });
    }

    /// The newest window as a sentence.
    pub fn newest_in_words(&self) -> String {
        let window = self.0.last().map(|window| latency(window.kind.name(), window.percentiles));
        window.map(|(name, latencies)| format!("Saved, {name}: {latencies}")).unwrap_or_default()
    }

    /// Each window, both medians, and what the second is by the first.
    pub fn rows(&self) -> Vec<Row> {
        let window = |(number, window): (usize, &SavedWindow)| {
            latency(&format!("saved latency, {number}: {}", window.kind.name()), window.percentiles)
        };
        let mut rows: Vec<Row> = (1..).zip(&self.0).map(window).collect();
        for kind in [WindowKind::Quiet, WindowKind::Beside] {
            let milliseconds = self.median(kind).map(|seconds| format!("{:.3} ms", seconds * 1_000.0));
            rows.push(row(&format!("median p99, {}", kind.name()), milliseconds.unwrap_or_else(|| UNKNOWN.to_owned())));
        }
        let ratio = self.ratio().map(|ratio| format!("{ratio:.2}, allowed {RATIO_MAX}"));
        rows.push(row("  the second by the first", ratio.unwrap_or_else(|| UNKNOWN.to_owned())));
        rows
    }

    /// Whether students noticed little of corrections. A window in which nothing was saved says that they did.
    pub fn are_alike(&self) -> bool {
        self.ratio().is_some_and(|ratio| ratio <= RATIO_MAX)
    }

    fn ratio(&self) -> Option<f64> {
        let quiet = self.median(WindowKind::Quiet).filter(|seconds| *seconds > 0.0)?;
        Some(self.median(WindowKind::Beside)? / quiet)
    }

    /// The median of the 99th percentiles of these windows, in seconds.
    fn median(&self, kind: WindowKind) -> Option<f64> {
        let of_kind = self.0.iter().filter(|window| window.kind == kind);
        let seconds = of_kind.map(|window| window.percentiles.map(|percentiles| percentiles.p99));
        median(seconds.collect::<Option<Vec<Duration>>>()?)
    }
}

/// The median in seconds; of an even number of times, half the sum of the two in the middle.
fn median(mut times: Vec<Duration>) -> Option<f64> {
    times.sort_unstable();
    let last = times.len().checked_sub(1)?;
    let (lower, upper) = (times.get(last / 2)?, times.get(times.len() / 2)?);
    Some((lower.as_secs_f64() + upper.as_secs_f64()) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn windows(p99s: &[(WindowKind, u64)]) -> SavedWindows {
        let mut windows = SavedWindows::default();
        for (kind, milliseconds) in p99s {
            let p99 = Duration::from_millis(*milliseconds);
            windows.push(*kind, Some(Percentiles { p50: p99 / 2, p99, p999: p99 * 2, max: p99 * 3 }));
        }
        windows
    }

    #[test]
    fn medians_are_compared_and_not_one_window_that_was_slow() {
        use WindowKind::{Beside, Quiet};
        let run = [(Quiet, 4), (Beside, 6), (Quiet, 90), (Beside, 5), (Quiet, 4), (Beside, 70)];
        let rows: BTreeMap<String, String> = windows(&run).rows().into_iter().collect();
        assert_eq!(rows["median p99, quiet"], "4.000 ms");
        assert_eq!(rows["median p99, beside a correction"], "6.000 ms");
        assert_eq!(rows["  the second by the first"], "1.50, allowed 1.5");
        assert_eq!(rows["saved latency, 3: quiet"], "p50 45.000  p99 90.000  p99.9 180.000  max 270.000 ms");
        assert_eq!(rows.len(), run.len() + 3);
        assert!(windows(&run).are_alike());
        assert!(windows(&run).newest_in_words().starts_with("Saved, beside a correction: p50 35.000"));
    }

    #[test]
    fn a_run_is_alike_up_to_one_and_a_half_times_and_no_more() {
        use WindowKind::{Beside, Quiet};
        assert!(windows(&[(Quiet, 10), (Beside, 15), (Quiet, 10), (Beside, 15)]).are_alike());
        assert!(!windows(&[(Quiet, 10), (Beside, 15), (Quiet, 10), (Beside, 16)]).are_alike());
        assert!(windows(&[(Quiet, 10), (Beside, 1)]).are_alike());
    }

    #[test]
    fn what_was_not_measured_is_not_alike() {
        use WindowKind::{Beside, Quiet};
        assert!(!windows(&[]).are_alike());
        assert!(!windows(&[(Quiet, 10)]).are_alike());
        let mut stalled = windows(&[(Quiet, 10), (Beside, 10), (Quiet, 10)]);
        stalled.push(Beside, None);
        assert!(!stalled.are_alike());
        assert_eq!(stalled.rows().pop().unwrap().1, "n/a");
    }

    #[test]
    fn a_median_of_an_even_number_is_between_the_two_in_the_middle() {
        let of = |milliseconds: &[u64]| median(milliseconds.iter().copied().map(Duration::from_millis).collect());
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[7]), Some(0.007));
        assert_eq!(of(&[9, 1, 4]), Some(0.004));
        assert_eq!(of(&[8, 2, 4, 100]), Some(0.006));
    }
}
