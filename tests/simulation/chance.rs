//! The only source of chance in a simulation. It is written out here, so that a seed replays the same day whatever
//! version of a library is used.

use uuid::Uuid;

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    pub const fn of(seed: u64) -> Self {
        Self(seed)
    }

    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to one less than the count.
    pub fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.number() % u64::try_from(count).unwrap()).unwrap()
    }

    /// Both included.
    pub fn between(&mut self, least: i64, most: i64) -> i64 {
        least + i64::try_from(self.number() % u64::try_from(most - least + 1).unwrap()).unwrap()
    }

    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub fn uuid(&mut self) -> Uuid {
        Uuid::from_u64_pair(self.number(), self.number())
    }
}
