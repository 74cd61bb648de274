//! How many wrong codes the server's limits let anybody try (`src/live/guesses.rs`), and how many right ones are found
//! among so many. It has numbers of its own, so that a server with weaker limits fails the scenario. Pure.

use std::time::Duration;

/// Codes of ten characters, for each of which there are 27 (`domain/src/sitting/code.rs`).
const CODES: f64 = 205_891_132_094_649.0;
pub const DAY: Duration = Duration::from_secs(24 * 60 * 60);

const WRONG_OF_ADDRESS: u64 = 60;
const TURNS_OF_ADDRESS: u64 = 32;
const ADDRESS_PACE: Pace = Pace { per: WRONG_OF_ADDRESS, most_seconds: 600.0 };
const WRONG_OF_SITTING: u64 = 600;
const FREE_OF_ADDRESS: u64 = 3;
const WRONG_OF_SITTING_LIMIT: u64 = 5_000;
const SITTING_PACE: Pace = Pace { per: WRONG_OF_SITTING, most_seconds: 10.0 };
/// How long a wrong code holds the turn of addresses that have sent none yet.
const FIRST_SECONDS: f64 = 5.0;

/// How long a wrong code holds its turn: a second for each `per` that came before it, within limits.
#[derive(Clone, Copy)]
struct Pace {
    per: u64,
    most_seconds: f64,
}

impl Pace {
    /// The most wrong codes in a line of so many turns within a time, after `first` that needed none. Each turn may be
    /// taken once more just before its end.
    fn most(self, first: u64, turns: u64, time: Duration) -> u64 {
        let (mut wrong, mut left) = (first, time.as_secs_f64() * turns as f64);
        while left > 0.0 {
            left -= (wrong as f64 / self.per as f64).clamp(1.0, self.most_seconds);
            wrong += 1;
        }
        wrong - first + turns
    }
}

/// The most wrong codes of one address from which right ones have come, too: it does not wait for the sitting's turn.
pub fn of_address(time: Duration) -> u64 {
    WRONG_OF_ADDRESS + ADDRESS_PACE.most(WRONG_OF_ADDRESS, TURNS_OF_ADDRESS, time)
}

/// The most wrong codes for one sitting from so many addresses of strangers. Those that are under way at once may all
/// be looked up before the first of them is counted.
pub fn of_strangers(addresses: u64, at_once: u64, time: Duration) -> u64 {
    let free = (WRONG_OF_SITTING + FREE_OF_ADDRESS * addresses).min(WRONG_OF_SITTING_LIMIT) + at_once;
    let slowed = SITTING_PACE.most(WRONG_OF_SITTING, 1, time);
    // Each address is a new one once.
    let new = (time.as_secs_f64() / FIRST_SECONDS) as u64 + 1;
    (free + slowed + new.min(addresses)).min(addresses.saturating_mul(of_address(time)))
}

/// How many codes are found on average among so many that were looked up, of candidates with a code each.
pub fn expected(looked_up: f64, candidates: u32) -> f64 {
    looked_up * f64::from(candidates) / CODES
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn codes_have_ten_of_27_characters() {
        assert_eq!(27_f64.powi(10), CODES);
    }

    #[test]
    fn a_turn_lets_fewer_and_fewer_pass() {
        let pace = Pace { per: 60, most_seconds: 4.0 };
        assert_eq!(pace.most(0, 1, MINUTE), 61);
        assert_eq!(pace.most(120, 1, MINUTE), 29);
        assert_eq!(pace.most(100_000, 1, MINUTE), 16);
        assert_eq!(pace.most(100_000, 10, MINUTE), 160);
    }

    #[test]
    fn a_minute_of_one_address_is_a_few_hundred_codes() {
        let budget = of_address(MINUTE);
        assert!((450..600).contains(&budget), "{budget}");
        assert_eq!(of_strangers(1, 256, MINUTE), budget);
    }

    #[test]
    fn more_addresses_have_more_until_all_wait_for_turns() {
        let budgets = [1, 100, 10_000, 100_000].map(|addresses| of_strangers(addresses, 256, 10 * MINUTE));
        assert!(budgets.is_sorted(), "{budgets:?}");
        assert_eq!(budgets[2], budgets[3]);
        assert!((5_000..6_500).contains(&budgets[3]), "{budgets:?}");
    }

    #[test]
    fn a_day_within_the_budget_finds_less_than_a_millionth_of_a_code() {
        for addresses in [1, 100, 10_000] {
            let found = expected(of_strangers(addresses, 256, DAY) as f64, 2_000);
            assert!(found < 1e-6, "{addresses} addresses: {found:e}");
        }
    }
}
