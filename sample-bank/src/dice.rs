//! A seeded sequence of numbers (SplitMix64) that stays the same forever, which no library's generator promises.

/// A repeatable source of numbers for the sample bank. Do not use it for anything that must be unpredictable.
pub struct Dice {
    state: u64,
}

impl Dice {
    /// Dice with this seed; the same seed always gives the same sequence.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(0x1234_5678_9ABC_DEF1) }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A whole number from 0 to `bound - 1`; 0 when `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % (bound.max(1) as u64)).unwrap_or(0)
    }

    /// A whole number from `low` to `high`, both included.
    pub fn range(&mut self, low: i64, high: i64) -> i64 {
        let width = u64::try_from(high - low).unwrap_or(0) + 1;
        low + i64::try_from(self.next() % width).unwrap_or(0)
    }

    /// Puts the items into an order, all equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for index in (1..items.len()).rev() {
            items.swap(index, self.below(index + 1));
        }
    }

    /// One of the items, all equally likely.
    #[allow(clippy::indexing_slicing, reason = "the index is below the length")]
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        let index = self.below(items.len());
        &items[index]
    }
}
