//! The runs of an attempt: the first one, and another one after each reopening. Whatever is numbered for the seat of
//! one run is above all numbers of the run before, although nothing is kept of that one's seat.

/// Bits by which the fences of two runs are apart: no seat is claimed four thousand million times.
const FENCE_BITS: u32 = 32;
/// Bits by which the numbers of orders are apart, which clients see as the version of the time: no test gets a million
/// orders, and every JSON reader keeps the sum exactly.
const ORDER_BITS: u32 = 20;

/// Which run of an attempt: how often it had been reopened before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct AttemptRun(u32);

impl AttemptRun {
    /// The run after so many reopenings.
    #[must_use]
    pub fn after(reopenings: i32) -> Self {
        Self(u32::try_from(reopenings).unwrap_or_default())
    }

    /// The run of the seat with this fence.
    #[must_use]
    pub fn of_fence(fence: i64) -> Self {
        Self(u32::try_from(fence >> FENCE_BITS).unwrap_or_default())
    }

    /// The fence of a seat of this run that nobody has claimed yet.
    #[must_use]
    pub fn fence(self) -> i64 {
        i64::from(self.0) << FENCE_BITS
    }

    /// How many orders the seat of this run counts before the first one.
    #[must_use]
    pub fn orders(self) -> i64 {
        i64::from(self.0) << ORDER_BITS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_run_are_above_those_before_it() {
        let runs = [0, 1, 2, 700].map(AttemptRun::after);
        for pair in runs.windows(2) {
            let [before, after] = [pair[0], pair[1]];
            assert!(before < after && before.fence() + 1_000_000 < after.fence());
            assert!(before.orders() + 1_000_000 < after.orders());
        }
        for run in runs {
            assert_eq!([0, 1, 1_000_000].map(|claims| AttemptRun::of_fence(run.fence() + claims)), [run; 3]);
        }
        assert_eq!((AttemptRun::default().fence(), AttemptRun::default().orders()), (0, 0), "as it always was");
        assert_eq!([AttemptRun::after(-1), AttemptRun::of_fence(-1)], [AttemptRun::default(); 2]);
    }
}
