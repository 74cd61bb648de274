//! Guesses as strangers, schools and thieves make them; apart because the file of the rules is long enough.

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
        guesses.guess(from(1), aim(&format!("r{number}"))).await.expect("a turn").right(Uuid::new_v4());
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
    fresh.right(Uuid::new_v4());
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
