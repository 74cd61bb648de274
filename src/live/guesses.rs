//! Guesses at codes that people type: wrong ones are counted for a day, by the address that sends them, by what they
//! are aimed at, and by those that begin alike. After many of them each look-up waits for its turn, and a wrong code
//! holds the turn for a while, longer with each one. A right one gives it back at once, so a school behind one address
//! passes while some of its pupils guess (`docs/decisions/0062-guesses-have-a-budget.md`).

pub mod shared_codes;

use std::collections::HashSet;
use std::hash::Hash;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use moka::future::Cache;
use moka::policy::EvictionPolicy;
use tokio::time::timeout;
use uuid::Uuid;

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
/// The longest that a guess takes: the wait for its turn, and that for its answer.
pub const GUESSED_WITHIN: Duration = TURN_WITHIN.saturating_add(ANSWERED_WITHIN);

/// Wrong codes of one address, which may be that of a whole school, before each of its look-ups needs a turn.
const WRONG_OF_ADDRESS_MAX: u32 = 60;
/// Look-ups of one address that may hold a turn at once. A caller who guesses one code after another holds as many of
/// them as wait for their pace.
const TURNS_OF_ADDRESS: usize = 32;
/// Look-ups of one address that may wait for their turn.
const WAITING_OF_ADDRESS_MAX: usize = 10_000;
/// The longest that a wrong code holds the turn of its address.
const ADDRESS_PACE_MAX: Duration = Duration::from_secs(600);
/// Wrong codes that an address may send for each person whose right code came from it, before it needs the turn of the
/// aim like any other address. A school behind one address types more wrong codes the more pupils it has.
const WRONG_FOR_EACH_RIGHT: u32 = 100;
/// People of one address whose right codes count for [`WRONG_FOR_EACH_RIGHT`]. Each person counts once, so a thief of
/// one code does not get the allowance of a school.
const RIGHT_MAX: usize = 20;

/// Wrong codes for one aim, such as a sitting, before addresses that have sent [`FREE_OF_ADDRESS`] of them need a turn.
const WRONG_OF_AIM_MAX: u32 = 600;
/// Wrong codes that an address may send before [`WRONG_OF_AIM_MAX`] and [`WRONG_ALIKE_MAX`] apply to it: everybody
/// mistypes.
const FREE_OF_ADDRESS: u32 = 3;
/// Wrong codes for one aim before every address without right codes needs a turn. Addresses that have sent no wrong
/// code have a turn of their own, so that an attack from many addresses hardly delays those who do not guess.
const WRONG_OF_AIM_LIMIT: u32 = 5_000;
/// How long a wrong code holds the turn of addresses that had sent none before.
const FIRST_PACE: Duration = Duration::from_secs(5);
/// The longest that a wrong code holds the turn of its aim.
const AIM_PACE_MAX: Duration = Duration::from_secs(10);
/// Look-ups that may wait for the turn of one aim.
const WAITING_OF_AIM_MAX: usize = 1_024;
/// Look-ups from one address that may wait for the turn of one aim.
const WAITING_OF_AIM_AND_ADDRESS_MAX: usize = 32;

/// Wrong codes with the same beginning before addresses that have sent [`FREE_OF_ADDRESS`] of them need a turn.
const WRONG_ALIKE_MAX: u32 = 10;
/// Wrong codes with the same beginning before every address needs a turn.
const WRONG_ALIKE_LIMIT: u32 = 1_000;
/// The longest that a wrong code holds the turn of codes with the same beginning.
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
    of_address: Tally<Option<CountedCaller>, Sender>,
    of_aim: Tally<String, Target>,
    alike: Tally<Aim, Target>,
    alike_of_address: Tally<(Option<CountedCaller>, Aim), AtomicU32>,
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
    address: Arc<Sender>,
    alike: Arc<Target>,
    alike_of_address: Arc<AtomicU32>,
    /// Counts what has been found to be wrong alone: a whole cohort may be looked up at once.
    aim: Arc<Target>,
    is_wrong: bool,
}

impl Drop for Counted {
    fn drop(&mut self) {
        if !self.is_wrong {
            for wrong in [&self.address.wrong, &self.alike.wrong, &*self.alike_of_address] {
                wrong.fetch_sub(1, Ordering::Relaxed);
            }
        }
    }
}

/// A turn that ends when it is dropped.
type HeldTurn = Box<dyn Send>;

/// Wrong codes that have come from one address.
#[derive(Default)]
struct Sender {
    wrong: AtomicU32,
    /// Whose codes were right, as far as they are remembered.
    right: Mutex<HashSet<Uuid>>,
    turns: OnceLock<Turnstile>,
}

/// Wrong codes that are aimed at one thing, or begin alike.
#[derive(Default)]
struct Target {
    wrong: AtomicU32,
    /// One at a time, and the addresses in turn.
    turns: OnceLock<AddressTurnstile>,
    /// The same for addresses that have not guessed.
    first_turns: OnceLock<AddressTurnstile>,
}

struct Tally<K, V>(Cache<K, Arc<V>>);

impl<K: Hash + Eq + Send + Sync + 'static, V: Default + Send + Sync + 'static> Tally<K, V> {
    fn new() -> Self {
        let kept = Cache::builder().max_capacity(REMEMBERED_MAX).time_to_live(KEPT);
        // Otherwise a flood of codes of which each is new would keep them all out.
        Self(kept.eviction_policy(EvictionPolicy::lru()).build())
    }

    async fn of(&self, key: K) -> Arc<V> {
        self.0.get_with(key, async { Arc::default() }).await
    }
}

impl Sender {
    /// How many wrong codes make it that of strangers again.
    fn trusted_until(&self) -> u32 {
        let people = self.right.lock().unwrap_or_else(PoisonError::into_inner).len();
        WRONG_FOR_EACH_RIGHT.saturating_mul(u32::try_from(people).unwrap_or(u32::MAX))
    }

    async fn turn(&self) -> Option<HeldTurn> {
        let turns = self.turns.get_or_init(|| Turnstile::new(TURNS_OF_ADDRESS, WAITING_OF_ADDRESS_MAX, TURN_WITHIN));
        Some(Box::new(turns.join()?.turn().await?))
    }
}

/// The turn of an address at one of the turnstiles of a [`Target`].
async fn turn_at(turns: &OnceLock<AddressTurnstile>, caller: Option<CountedCaller>) -> Option<HeldTurn> {
    let new = || AddressTurnstile::new(1, WAITING_OF_AIM_MAX, WAITING_OF_AIM_AND_ADDRESS_MAX, TURN_WITHIN);
    Some(Box::new(turns.get_or_init(new).turn(caller).await?))
}

/// Counts another one; returns how many there were before.
fn add(wrong: &AtomicU32) -> u32 {
    wrong.fetch_add(1, Ordering::Relaxed)
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
        let alike = self.alike.of(aim.clone()).await;
        let alike_of_address = self.alike_of_address.of((caller.clone(), aim.clone())).await;
        let aim = self.of_aim.of(aim.at).await;
        let (own, near, own_near) = (add(&address.wrong), add(&alike.wrong), add(&alike_of_address));
        let counted = Counted { address, alike, alike_of_address, aim, is_wrong: false };
        let mut turns = Vec::new();
        // What others wait for is waited for last, so that nobody holds it meanwhile.
        if own >= WRONG_OF_ADDRESS_MAX {
            turns.push((counted.address.turn().await?, pace(own, WRONG_OF_ADDRESS_MAX, ADDRESS_PACE_MAX)));
        }
        if near >= WRONG_ALIKE_LIMIT || near >= WRONG_ALIKE_MAX && own_near >= FREE_OF_ADDRESS {
            let turn = turn_at(&counted.alike.turns, caller.clone()).await?;
            turns.push((turn, pace(near, WRONG_ALIKE_MAX, ALIKE_PACE_MAX)));
        }
        // Others at the address may have been right meanwhile.
        let is_trusted = own < counted.address.trusted_until();
        let all = counted.aim.wrong.load(Ordering::Relaxed);
        let is_slowed = all >= WRONG_OF_AIM_LIMIT || all >= WRONG_OF_AIM_MAX && own >= FREE_OF_ADDRESS;
        if is_slowed && !is_trusted {
            turns.push(match own {
                0 => (turn_at(&counted.aim.first_turns, caller).await?, FIRST_PACE),
                _ => (turn_at(&counted.aim.turns, caller).await?, pace(all, WRONG_OF_AIM_MAX, AIM_PACE_MAX)),
            });
        }
        Some(Guess { clock: self.clock.clone(), counted, turns })
    }
}

impl Guess {
    /// The code of this person was right: its turns are free again, and its address is that of somebody who is
    /// expected.
    pub fn right(self, person: Uuid) {
        let mut right = self.counted.address.right.lock().unwrap_or_else(PoisonError::into_inner);
        if right.len() < RIGHT_MAX {
            right.insert(person);
        }
    }

    /// The code was right and came too early: it is answered like a wrong one, and is not counted. Returns whether it
    /// was slowed.
    pub async fn early(self) -> bool {
        let Some(longest) = self.longest_pace() else { return false };
        self.clock.sleep(longest.min(ANSWERED_WITHIN)).await;
        true
    }

    /// The code was wrong: it stays counted, and holds its turns for a while, whether or not the caller waits for the
    /// answer. Returns whether it was slowed.
    pub async fn wrong(mut self) -> bool {
        self.counted.is_wrong = true;
        add(&self.counted.aim.wrong);
        let Some(longest) = self.longest_pace() else { return false };
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

    fn longest_pace(&self) -> Option<Duration> {
        self.turns.iter().map(|(_, pace)| *pace).max()
    }
}

#[cfg(test)]
mod tests;
