//! Guesses at codes that people type: wrong ones are counted for a day, by the address that sends them, by what they
//! are aimed at, and by those that begin alike. After many of them each look-up waits for its turn, and a wrong code
//! holds the turn for a while, longer with each one. A right one gives it back at once, so a school behind one address
//! passes while some of its pupils guess (`docs/decisions/0062-guesses-have-a-budget.md`).

use std::hash::Hash;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use moka::future::Cache;
use moka::policy::EvictionPolicy;
use tokio::time::timeout;

use crate::clock::Clock;
use crate::http::limits::CountedCaller;
use crate::http::turnstile::Turnstile;
use crate::http::turnstile::by_address::AddressTurnstile;

/// How long wrong codes are remembered.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);
/// Addresses, aims, and beginnings of codes whose wrong codes are remembered, each: more than the budgets of a day let
/// anybody fill.
const REMEMBERED_MAX: u64 = 200_000;
/// How long a look-up waits for its turns.
const TURN_WITHIN: Duration = Duration::from_secs(20);
/// The longest that a wrong code waits for its answer. Its turn may be taken for longer.
const ANSWERED_WITHIN: Duration = Duration::from_secs(5);
/// The longest that both take.
pub const GUESSED_WITHIN: Duration = Duration::from_secs(25);

/// Wrong codes of one address, which may be that of a whole school, before each of its look-ups needs a turn.
const WRONG_OF_ADDRESS_MAX: u32 = 60;
/// Turns of one address. Those who guess one code after another fill as many as they are.
const TURNS_OF_ADDRESS: usize = 32;
/// Look-ups of one address that wait.
const WAITING_OF_ADDRESS_MAX: usize = 2_048;
/// The longest that a wrong code holds the turn of its address.
const ADDRESS_PACE_MAX: Duration = Duration::from_secs(600);
/// An address from which a right code has come passes the line of the aim until it has sent so many wrong ones.
const WRONG_OF_TRUSTED_MAX: u32 = 2_000;

/// Wrong codes for one aim, such as a sitting, after which those addresses need its turn that have sent some …
const WRONG_OF_AIM_MAX: u32 = 600;
/// … which are so many …
const FREE_OF_ADDRESS: u32 = 3;
/// … and wrong codes after which every other address needs one too. Those that have sent none have a turn of their own,
/// so that an attack from many addresses keeps out nobody who has not guessed.
const WRONG_OF_AIM_LIMIT: u32 = 5_000;
/// How long a wrong code holds that turn.
const FIRST_PACE: Duration = Duration::from_secs(5);
/// The longest that a wrong code holds the turn of its aim.
const AIM_PACE_MAX: Duration = Duration::from_secs(10);
/// Look-ups that wait for the turn of an aim …
const WAITING_OF_AIM_MAX: usize = 1_024;
/// … and of them from one address.
const WAITING_OF_AIM_AND_ADDRESS_MAX: usize = 32;

/// Wrong codes that begin alike, after which addresses need a turn that have sent some of them …
const WRONG_ALIKE_MAX: u32 = 10;
/// … and after which all do.
const WRONG_ALIKE_LIMIT: u32 = 1_000;
/// The longest that a wrong code holds the turn of those that begin like it.
const ALIKE_PACE_MAX: Duration = Duration::from_secs(60);

/// The shortest that a wrong code holds a turn.
const PACE_MIN: Duration = Duration::from_secs(1);

/// What a code is for, and how it begins, which may be that of somebody's code.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Aim {
    pub at: String,
    pub half: String,
}

/// Who has tried wrong codes today, at what, and those who wait for that.
pub struct Guesses {
    clock: Clock,
    of_address: Tally<Option<CountedCaller>>,
    of_aim: Tally<String>,
    alike: Tally<Aim>,
    alike_of_address: Tally<(Option<CountedCaller>, Aim)>,
}

/// A code that is about to be looked up, with the turns that it needs for that. Until it is known to be right it counts
/// as a wrong one: otherwise many that are sent at once would all come before the first is counted.
pub struct Guess {
    clock: Clock,
    counted: Counted,
    turns: Vec<(HeldTurn, Duration)>,
}

/// Where a guess is counted. It is taken back when it is dropped, unless the guess was wrong.
struct Counted {
    address: Arc<Tries>,
    others: [Arc<Tries>; 3],
    is_wrong: bool,
}

impl Counted {
    fn all(&self) -> impl Iterator<Item = &Arc<Tries>> {
        self.others.iter().chain([&self.address])
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        if !self.is_wrong {
            for tries in self.all() {
                tries.wrong.fetch_sub(1, Ordering::Relaxed);
            }
        }
    }
}

/// A turn that ends when it is dropped.
type HeldTurn = Box<dyn Send>;

/// What has come from one place, or is aimed at one.
#[derive(Default)]
struct Tries {
    wrong: AtomicU32,
    right: AtomicU32,
    /// Of an address.
    turns: OnceLock<Turnstile>,
    /// Of what codes are aimed at: a line for each address.
    lines: OnceLock<AddressTurnstile>,
    /// The same for addresses that have not guessed.
    first: OnceLock<AddressTurnstile>,
}

struct Tally<K>(Cache<K, Arc<Tries>>);

impl<K: Hash + Eq + Send + Sync + 'static> Tally<K> {
    fn new() -> Self {
        let kept = Cache::builder().max_capacity(REMEMBERED_MAX).time_to_live(KEPT);
        // Otherwise a flood of codes of which each is new would keep them all out.
        Self(kept.eviction_policy(EvictionPolicy::lru()).build())
    }

    async fn of(&self, key: K) -> Arc<Tries> {
        self.0.get_with(key, async { Arc::default() }).await
    }
}

impl Tries {
    /// Counts another one; returns how many there were before.
    fn add(&self) -> u32 {
        self.wrong.fetch_add(1, Ordering::Relaxed)
    }

    /// A turn of the address that this is.
    async fn own_turn(&self) -> Option<HeldTurn> {
        let turns = self.turns.get_or_init(|| Turnstile::new(TURNS_OF_ADDRESS, WAITING_OF_ADDRESS_MAX, TURN_WITHIN));
        Some(Box::new(turns.join()?.turn().await?))
    }

    /// The turn of those who aim at this: one at a time, and the addresses in turn.
    async fn turn_of(&self, caller: Option<CountedCaller>) -> Option<HeldTurn> {
        Some(Box::new(self.lines.get_or_init(one_by_one).turn(caller).await?))
    }

    /// That of addresses that have not guessed.
    async fn first_turn_of(&self, caller: Option<CountedCaller>) -> Option<HeldTurn> {
        Some(Box::new(self.first.get_or_init(one_by_one).turn(caller).await?))
    }
}

fn one_by_one() -> AddressTurnstile {
    AddressTurnstile::new(1, WAITING_OF_AIM_MAX, WAITING_OF_AIM_AND_ADDRESS_MAX, TURN_WITHIN)
}

/// A second for each `per` wrong codes, within limits.
fn pace(wrong: u32, per: u32, most: Duration) -> Duration {
    (Duration::from_secs(wrong.into()) / per).clamp(PACE_MIN, most)
}

impl Guesses {
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        let (of_address, of_aim) = (Tally::new(), Tally::new());
        Self { clock, of_address, of_aim, alike: Tally::new(), alike_of_address: Tally::new() }
    }

    /// Waits for the turns that a look-up of a code needs; `None` if there is no place to wait, or no turn in time.
    pub async fn guess(&self, caller: Option<CountedCaller>, aim: Aim) -> Option<Guess> {
        timeout(TURN_WITHIN, self.guess_in_turn(caller, aim)).await.ok().flatten()
    }

    async fn guess_in_turn(&self, caller: Option<CountedCaller>, aim: Aim) -> Option<Guess> {
        let address = self.of_address.of(caller.clone()).await;
        let of_aim = self.of_aim.of(aim.at.clone()).await;
        let alike = self.alike.of(aim.clone()).await;
        let alike_of_address = self.alike_of_address.of((caller.clone(), aim)).await;
        let (own, all, near, own_near) = (address.add(), of_aim.add(), alike.add(), alike_of_address.add());
        let is_trusted = address.right.load(Ordering::Relaxed) > 0 && own < WRONG_OF_TRUSTED_MAX;
        let counted = Counted { address, others: [of_aim, alike, alike_of_address], is_wrong: false };
        let [of_aim, alike, _] = &counted.others;
        let mut turns = Vec::new();
        // What others wait for is waited for last, so that nobody holds it meanwhile.
        if own >= WRONG_OF_ADDRESS_MAX {
            turns.push((counted.address.own_turn().await?, pace(own, WRONG_OF_ADDRESS_MAX, ADDRESS_PACE_MAX)));
        }
        if near >= WRONG_ALIKE_LIMIT || near >= WRONG_ALIKE_MAX && own_near >= FREE_OF_ADDRESS {
            turns.push((alike.turn_of(caller.clone()).await?, pace(near, WRONG_ALIKE_MAX, ALIKE_PACE_MAX)));
        }
        let is_slowed = all >= WRONG_OF_AIM_LIMIT || all >= WRONG_OF_AIM_MAX && own >= FREE_OF_ADDRESS;
        if is_slowed && !is_trusted {
            turns.push(match own {
                0 => (of_aim.first_turn_of(caller).await?, FIRST_PACE),
                _ => (of_aim.turn_of(caller).await?, pace(all, WRONG_OF_AIM_MAX, AIM_PACE_MAX)),
            });
        }
        Some(Guess { clock: self.clock.clone(), counted, turns })
    }
}

impl Guess {
    /// The code was right: its turns are free again, and its address is that of somebody who is expected.
    pub fn right(self) {
        self.counted.address.right.fetch_add(1, Ordering::Relaxed);
    }

    /// The code was wrong: it stays counted, and holds its turns for a while, whether or not the caller waits for the
    /// answer. Returns whether it was slowed.
    pub async fn wrong(mut self) -> bool {
        self.counted.is_wrong = true;
        let Some(longest) = self.turns.iter().map(|(_, pace)| *pace).max() else { return false };
        let waited = self.clock.sleep(longest.min(ANSWERED_WITHIN));
        for (turn, pace) in self.turns {
            let clock = self.clock.clone();
            tokio::spawn(async move {
                clock.sleep(pace).await;
                drop(turn);
            });
        }
        waited.await;
        true
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use futures_util::future::join_all;

    use super::*;

    fn from(last: u8) -> Option<CountedCaller> {
        Some(CountedCaller::Address([192, 0, 2, last].into()))
    }

    fn aim(half: &str) -> Aim {
        Aim { at: "K7PQ2".to_owned(), half: half.to_owned() }
    }

    /// Wrong codes of one address that are not slowed, each with a beginning of its own.
    async fn wrong(guesses: &Guesses, address: u8, count: u32) {
        for number in 0..count {
            let guess = guesses.guess(from(address), aim(&format!("{address} {number}"))).now_or_never();
            assert!(!guess.flatten().unwrap().wrong().now_or_never().unwrap(), "{number}");
        }
    }

    #[tokio::test]
    async fn right_codes_pass_while_as_many_guess_as_there_are_in_a_class() {
        let clock = Clock::movable();
        let guesses = Guesses::new(clock.clone());
        wrong(&guesses, 1, WRONG_OF_ADDRESS_MAX).await;
        let guessing = join_all((0..20).map(async |number| {
            let guess = guesses.guess(from(1), aim(&format!("g{number}"))).await.unwrap();
            guess.wrong().await
        }));
        tokio::pin!(guessing);
        assert!(guessing.as_mut().now_or_never().is_none(), "each waits for its answer");
        for number in 0..2_000 {
            guesses.guess(from(1), aim(&format!("r{number}"))).await.expect("a turn").right();
        }
        clock.advance(ANSWERED_WITHIN);
        assert!(guessing.await.iter().all(|is_slowed| *is_slowed));
    }

    #[tokio::test]
    async fn of_many_codes_at_once_no_more_are_looked_up_than_one_after_another() {
        let guesses = Guesses::new(Clock::movable());
        let ask = |number: u32| {
            let asked = guesses.guess(from(1), aim(&format!("g{number}")));
            tokio::task::unconstrained(asked).now_or_never().flatten()
        };
        let looked_up: Vec<Guess> = (0..1_000).filter_map(ask).collect();
        assert_eq!(looked_up.len(), WRONG_OF_ADDRESS_MAX as usize + TURNS_OF_ADDRESS);
        // Whoever goes away, or finds no database, has guessed nothing.
        drop(looked_up);
        assert_eq!((0..1_000).filter_map(ask).filter(|guess| guess.turns.is_empty()).count(), 1_000);
    }

    #[tokio::test]
    async fn a_wrong_code_holds_its_turn_whether_or_not_its_caller_waits() {
        let clock = Clock::movable();
        let guesses = Guesses::new(clock.clone());
        wrong(&guesses, 1, WRONG_OF_ADDRESS_MAX).await;
        for number in 0..TURNS_OF_ADDRESS {
            let guess = guesses.guess(from(1), aim(&format!("g{number}"))).now_or_never().flatten().unwrap();
            assert!(guess.wrong().now_or_never().is_none());
        }
        let mut next = Box::pin(guesses.guess(from(1), aim("next")));
        assert!((&mut next).now_or_never().is_none(), "all turns are taken");
        clock.advance(PACE_MIN * 2);
        assert!(next.await.is_some());
    }

    #[tokio::test]
    async fn guesses_at_one_code_stand_in_one_line_and_its_owner_elsewhere_does_not() {
        let guesses = Guesses::new(Clock::movable());
        for number in 0..WRONG_ALIKE_MAX {
            let guess = guesses.guess(from(1), aim("9F3KT")).now_or_never().flatten();
            assert!(!guess.unwrap().wrong().now_or_never().unwrap(), "{number}");
        }
        let slowed = guesses.guess(from(1), aim("9F3KT")).now_or_never().flatten().unwrap();
        assert!(slowed.wrong().now_or_never().is_none());
        assert!(guesses.guess(from(1), aim("9F3KT")).now_or_never().is_none(), "the second waits for the first");
        assert!(guesses.guess(from(1), aim("22222")).now_or_never().flatten().is_some(), "others are not concerned");
        assert!(guesses.guess(from(2), aim("9F3KT")).now_or_never().flatten().unwrap().turns.is_empty());
    }

    #[tokio::test]
    async fn strangers_at_many_addresses_share_the_turns_of_the_sitting() {
        let guesses = Guesses::new(Clock::movable());
        for address in 0..200 {
            // Together so many as make all who guess wait for the turn of the sitting.
            wrong(&guesses, address, FREE_OF_ADDRESS).await;
        }
        let slowed = guesses.guess(from(7), aim("a")).now_or_never().flatten().unwrap();
        assert!(slowed.wrong().now_or_never().is_none());
        assert!(guesses.guess(from(8), aim("b")).now_or_never().is_none(), "one at a time");
        let fresh = guesses.guess(from(201), aim("c")).now_or_never().flatten().unwrap();
        assert!(fresh.turns.is_empty(), "who has not guessed is not slowed");
        fresh.right();
        wrong(&guesses, 201, FREE_OF_ADDRESS + 1).await;
        assert!(guesses.guess(from(201), aim("d")).now_or_never().flatten().unwrap().turns.is_empty(), "nor a school");
    }

    #[tokio::test]
    async fn who_has_not_guessed_is_served_while_thousands_of_addresses_guess() {
        let guesses = Guesses::new(Clock::movable());
        let everywhere = guesses.of_aim.of("K7PQ2".to_owned()).await;
        everywhere.wrong.store(WRONG_OF_AIM_LIMIT, Ordering::Relaxed);
        let guessing = guesses.of_address.of(from(1)).await;
        guessing.wrong.store(1, Ordering::Relaxed);
        let held = guesses.guess(from(1), aim("a")).now_or_never().flatten().unwrap();
        assert!(guesses.guess(from(1), aim("b")).now_or_never().is_none());
        assert!(guesses.guess(from(2), aim("c")).now_or_never().flatten().is_some());
        drop(held);
    }

    /// The budget of a day, by the rules above and nothing else: an attacker who always has a code ready.
    #[test]
    fn a_day_of_guessing_finds_less_than_a_millionth_of_a_code() {
        const DAY: f64 = 24.0 * 60.0 * 60.0;
        const CANDIDATES: f64 = 2_000.0;
        const SERVERS: f64 = 3.0;
        let codes = 27_f64.powi(10);
        for addresses in [1, 100, 10_000, 1_000_000] {
            let free = (addresses * FREE_OF_ADDRESS).clamp(WRONG_OF_AIM_MAX, WRONG_OF_AIM_LIMIT);
            let (mut wrong, mut seconds) = (free, 0.0);
            while seconds < DAY {
                seconds += pace(wrong, WRONG_OF_AIM_MAX, AIM_PACE_MAX).as_secs_f64();
                wrong += 1;
            }
            // Beside them those that come from ever new addresses.
            let first = (DAY / FIRST_PACE.as_secs_f64()).min(f64::from(addresses));
            let expected = SERVERS * (f64::from(wrong) + first) * CANDIDATES / codes;
            assert!(expected < 1e-6, "{addresses} addresses: {wrong} guesses, {expected:e} codes");
        }
    }
}
