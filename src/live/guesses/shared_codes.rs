//! Guesses at the code of a template, which is one for all who sit it: apart from [`super`], whose codes belong to one
//! person each. Whoever is signed in is counted by account, so that nobody uses up what a classmate may try, and guests
//! by address. What begins alike is not counted: a right code begins like itself for the whole class.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tokio::time::timeout;
use uuid::Uuid;

use super::{ANSWERED_WITHIN, TURN_WITHIN, Tally, add, pace};
use crate::clock::Clock;
use crate::http::limits::CountedCaller;
use crate::http::turnstile::Turnstile;

/// Wrong codes of one account at one template in a day before each of its look-ups needs its turn: everybody mistypes,
/// and nobody ten times.
const WRONG_OF_ACCOUNT_MAX: u32 = 10;
/// Wrong codes of one address at one template in a day before each look-up of its guests needs a turn: more than two
/// classes mistype.
const WRONG_OF_GUESTS_MAX: u32 = 600;
/// Look-ups of the guests of one address that may hold a turn at once.
const TURNS_OF_GUESTS: usize = 32;
/// Look-ups of one account, or of the guests of one address, that may wait for their turn or have it.
const WAITING_AT_CODE_MAX: usize = 1_000;
/// The longest that a wrong code holds its turn. A class behind one address comes in between two of them, since
/// look-ups wait longer than that.
const CODE_PACE_MAX: Duration = ANSWERED_WITHIN;
/// Wrong codes that a right one of a guest makes good. Whoever has the code need not guess it, so this only helps those
/// who share the address.
const MADE_GOOD_BY_RIGHT: u32 = 100;

/// What a code was that somebody has typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuessedCode {
    Right,
    Wrong,
    /// It was wrong and slowed, or there was no turn for it in time.
    TooMany,
}

/// Who has tried wrong codes of templates today.
pub struct SharedCodeGuesses {
    clock: Clock,
    guessers: Tally<(Uuid, Option<CountedCaller>), CodeGuesser>,
}

/// An account, or the guests of an address, at one template.
#[derive(Default)]
struct CodeGuesser {
    wrong: AtomicU32,
    turns: OnceLock<Turnstile>,
}

impl SharedCodeGuesses {
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        Self { clock, guessers: Tally::new() }
    }

    /// Tells a caller whether what they have typed is the code of a template, when it is their turn to know. A right
    /// one waits like a wrong one, otherwise it would stand out at once among many.
    pub async fn judge(&self, template_id: Uuid, caller: Option<CountedCaller>, is_right: bool) -> GuessedCode {
        let is_account = matches!(caller, Some(CountedCaller::Account(_)));
        let (most, turns) = if is_account { (WRONG_OF_ACCOUNT_MAX, 1) } else { (WRONG_OF_GUESTS_MAX, TURNS_OF_GUESTS) };
        let guesser = self.guessers.of((template_id, caller)).await;
        // It counts as a wrong one until it may be known: of many at once all would come before the first is counted.
        let wrong = add(&guesser.wrong);
        let mut counted = TypedNow { wrong: &guesser.wrong, is_wrong: false };
        let turn = if wrong < most {
            None
        } else {
            let new = || Turnstile::new(turns, WAITING_AT_CODE_MAX, TURN_WITHIN);
            let place = guesser.turns.get_or_init(new).join();
            let waiting = async { place?.turn().await };
            let Ok(Some(turn)) = timeout(TURN_WITHIN, waiting).await else { return GuessedCode::TooMany };
            Some(turn)
        };
        if is_right {
            if !is_account {
                take_back(&guesser.wrong, MADE_GOOD_BY_RIGHT);
            }
            return GuessedCode::Right;
        }
        counted.is_wrong = true;
        let Some(turn) = turn else { return GuessedCode::Wrong };
        let held = pace(wrong, most, CODE_PACE_MAX);
        let clock = self.clock.clone();
        // The turn is held whether or not the caller waits for the answer.
        tokio::spawn(async move {
            clock.sleep(held).await;
            drop(turn);
        });
        self.clock.sleep(held).await;
        GuessedCode::TooMany
    }
}

/// A typed code that counts as a wrong one. It is taken back when it is dropped, unless it was wrong.
struct TypedNow<'a> {
    wrong: &'a AtomicU32,
    is_wrong: bool,
}

impl Drop for TypedNow<'_> {
    fn drop(&mut self) {
        if !self.is_wrong {
            take_back(self.wrong, 1);
        }
    }
}

/// Counts less, down to none: what others have made good meanwhile may be more than there was.
fn take_back(wrong: &AtomicU32, count: u32) {
    // The closure never refuses.
    let _ = wrong.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |wrong| Some(wrong.saturating_sub(count)));
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use futures_util::FutureExt;
    use futures_util::future::{join, join_all};

    use super::*;

    fn guests() -> Option<CountedCaller> {
        Some(CountedCaller::Address([192, 0, 2, 1].into()))
    }

    fn account(name: &str) -> Option<CountedCaller> {
        Some(CountedCaller::Account(format!("{name}@exam.test")))
    }

    async fn set_wrong(guesses: &SharedCodeGuesses, caller: Option<CountedCaller>, wrong: u32) {
        guesses.guessers.of((Uuid::nil(), caller)).await.wrong.store(wrong, Ordering::Relaxed);
    }

    #[tokio::test]
    async fn a_class_behind_one_address_comes_in_while_one_of_it_guesses() {
        let clock = Clock::movable();
        let guesses = SharedCodeGuesses::new(clock.clone());
        // What somebody has tried the evening before.
        set_wrong(&guesses, guests(), 100 * WRONG_OF_GUESTS_MAX).await;
        let judged = |is_right| tokio::task::unconstrained(guesses.judge(Uuid::nil(), guests(), is_right));
        let guessing = join_all((0..2 * TURNS_OF_GUESTS).map(|_| judged(false)));
        let class = join_all((0..40).map(|_| judged(true)));
        tokio::pin!(guessing, class);
        assert!(guessing.as_mut().now_or_never().is_none(), "all turns are taken, and as many wait");
        assert!(class.as_mut().now_or_never().is_none(), "nobody is told at once what is right");
        let waited = Cell::new(Duration::ZERO);
        let moving = async {
            loop {
                for _ in 0..100 {
                    tokio::task::yield_now().await;
                }
                waited.set(waited.get() + CODE_PACE_MAX);
                clock.advance(CODE_PACE_MAX);
            }
        };
        let told = tokio::select! {
            (told, _) = join(class, guessing) => told,
            () = moving => unreachable!(),
        };
        assert!(told.iter().all(|told| *told == GuessedCode::Right));
        assert!(waited.get() < TURN_WITHIN, "{:?}", waited.get());
    }

    #[tokio::test]
    async fn a_class_that_mistypes_is_not_slowed_and_right_codes_make_wrong_ones_good() {
        let guesses = SharedCodeGuesses::new(Clock::movable());
        let ask = |is_right| guesses.judge(Uuid::nil(), guests(), is_right).now_or_never();
        for number in 0..WRONG_OF_GUESTS_MAX {
            assert_eq!(ask(false), Some(GuessedCode::Wrong), "{number}");
        }
        assert_eq!(ask(true), Some(GuessedCode::Right));
        for number in 0..MADE_GOOD_BY_RIGHT {
            assert_eq!(ask(false), Some(GuessedCode::Wrong), "{number}");
        }
        assert_eq!(ask(false), None, "then each holds a turn");
    }

    #[tokio::test]
    async fn an_account_uses_up_its_own_budget_alone_and_at_one_template() {
        let guesses = SharedCodeGuesses::new(Clock::movable());
        let other = Uuid::from_u128(1);
        let ask = |id, caller, is_right| guesses.judge(id, caller, is_right).now_or_never();
        for number in 0..WRONG_OF_ACCOUNT_MAX {
            assert_eq!(ask(Uuid::nil(), account("ada"), false), Some(GuessedCode::Wrong), "{number}");
        }
        assert_eq!(ask(Uuid::nil(), account("ada"), false), None);
        assert_eq!(ask(Uuid::nil(), account("ada"), true), None, "its one turn is held");
        assert_eq!(ask(other, account("ada"), false), Some(GuessedCode::Wrong));
        assert_eq!(ask(Uuid::nil(), account("bo"), true), Some(GuessedCode::Right));
        assert_eq!(ask(Uuid::nil(), guests(), true), Some(GuessedCode::Right));
    }

    #[test]
    fn a_day_finds_a_code_of_six_characters_once_in_thousands_of_days() {
        const DAY_SECONDS: u64 = 24 * 60 * 60;
        let turns = DAY_SECONDS / CODE_PACE_MAX.as_secs() * TURNS_OF_GUESTS as u64;
        // The first ones are held for less, which ten times the free ones more than make up for.
        let guessed = turns + u64::from(10 * WRONG_OF_GUESTS_MAX);
        assert!(36_u64.pow(6) / guessed > 3_000);
    }
}
