//! The days of many seeds, and of those on which a bug that was put in on purpose has to be found.

use std::collections::BTreeMap;
use std::panic;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use super::bug::Bug;
use super::world::World;

/// Days of each run of all tests.
const SEEDS: u64 = 10_000;
/// Days within which each bug has to be found.
const SEEDS_OF_A_BUG: u64 = 2_000;
/// What has to have happened in all these days together: a simulation in which nothing breaks shows nothing.
const HAPPENED: [&str; 38] = [
    "attached",
    "clocks set",
    "commits refused",
    "corrections",
    "crashes",
    "cut off from students",
    "cut off from the database",
    "disk full",
    "ended",
    "ends ordered",
    "extensions",
    "failing transactions",
    "failovers",
    "frozen",
    "kept after a proctor's end",
    "kept late",
    "late",
    "late work accepted",
    "offline",
    "other devices",
    "pauses",
    "pauses ended",
    "pauses of all",
    "receiver down",
    "refused in a pause",
    "released",
    "released early",
    "reopened",
    "rolled back",
    "saved",
    "slow disk",
    "started",
    "stored unheard",
    "submissions",
    "superseded",
    "swept",
    "tails lost",
    "thrown away",
];

/// How often what has happened, and the promise that was broken first.
struct Day {
    broken: Option<String>,
    happened: BTreeMap<&'static str, u64>,
}

fn simulate(seed: u64, bug: Option<Bug>, is_told: bool) -> Day {
    let passed = panic::catch_unwind(|| {
        let mut world = World::of(seed, bug);
        world.is_told = is_told;
        let broken = world.pass();
        Day { broken, happened: world.happened }
    });
    passed.unwrap_or_else(|_| Day { broken: Some("nothing panics".to_owned()), happened: BTreeMap::new() })
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|text| text.parse().expect(variable))
}

/// Simulates the days of all seeds below this, on all processors. Returns what has happened, and the broken days.
fn simulate_all(seeds: u64) -> (BTreeMap<&'static str, u64>, BTreeMap<u64, String>) {
    let (next, failed) = (AtomicU64::new(0), AtomicU64::new(0));
    let work = || {
        let (mut happened, mut broken) = (BTreeMap::<&'static str, u64>::new(), BTreeMap::new());
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds || failed.load(Ordering::Relaxed) > 0 {
                return (happened, broken);
            }
            let day = simulate(seed, None, false);
            for (what, times) in day.happened {
                *happened.entry(what).or_default() += times;
            }
            if let Some(promise) = day.broken {
                failed.fetch_add(1, Ordering::Relaxed);
                broken.insert(seed, promise);
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let working: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let (mut happened, mut broken) = (BTreeMap::<&'static str, u64>::new(), BTreeMap::new());
        for done in working {
            let (more, failed) = done.join().unwrap();
            for (what, times) in more {
                *happened.entry(what).or_default() += times;
            }
            broken.extend(failed);
        }
        (happened, broken)
    })
}

/// Takes more than a second by its nature: it simulates ten thousand days.
#[test]
fn every_day_keeps_its_promises() {
    match number("SEED") {
        Some(seed) => {
            let day = simulate(seed, None, true);
            assert_eq!(day.broken, None, "SEED={seed}, {:#?}", day.happened);
        }
        None => simulate_many(number("SEEDS").unwrap_or(SEEDS)),
    }
}

fn simulate_many(seeds: u64) {
    let (happened, broken) = simulate_all(seeds);
    if let Some((seed, promise)) = broken.first_key_value() {
        panic!("{promise}\nreplay it: SEED={seed} cargo test --test simulation whole_days::every_day -- --nocapture");
    }
    // A few days need not have everything.
    if seeds < SEEDS {
        return;
    }
    let has_not = |what: &&str| happened.get(what).is_none_or(|times| *times == 0);
    let missing: Vec<&str> = HAPPENED.into_iter().filter(has_not).collect();
    assert!(missing.is_empty(), "nothing of this has happened: {missing:?}, of {happened:#?}");
}

#[test]
fn a_seed_is_always_the_same_day() {
    for seed in 0..20 {
        let [one, other] = [0, 1].map(|_| simulate(seed, None, false));
        assert_eq!((one.broken, one.happened), (other.broken, other.happened), "SEED={seed}");
    }
}

/// The bug is found on some day by one of these promises, and that day has no fault without it. Each promise is a part
/// of what is told of it.
fn is_found(bug: Bug, promises: &[&str]) {
    let mut others = BTreeMap::new();
    let found = (0..SEEDS_OF_A_BUG).find_map(|seed| {
        let promise = simulate(seed, Some(bug), false).broken?;
        if promises.iter().any(|expected| promise.contains(expected)) {
            return Some((seed, promise));
        }
        others.insert(seed, promise);
        None
    });
    let (seed, promise) = found.unwrap_or_else(|| panic!("{bug:?} is not found, or by other promises: {others:#?}"));
    eprintln!("{bug:?} is found on day {seed}: {promise}");
    assert_eq!(simulate(seed, None, false).broken, None, "SEED={seed}");
}

#[test]
fn finds_an_acknowledgement_before_its_commit() {
    is_found(Bug::AcknowledgedBeforeCommit, &["nothing acknowledged is lost"]);
}

#[test]
fn finds_a_fence_that_is_left_out() {
    is_found(Bug::FenceLeftOut, &["graded by what is stored", "nothing acknowledged is lost", "each receipt"]);
}

#[test]
fn finds_a_deadline_of_the_client() {
    is_found(Bug::DeadlineOfClient, &["a deadline is not moved"]);
}

#[test]
fn finds_a_double_submission() {
    is_found(Bug::DoubleSubmit, &["one session and one event"]);
}

#[test]
fn finds_an_embargo_that_is_forgotten_on_one_road() {
    is_found(Bug::EmbargoForgotten, &["nothing leaks before the release: a webhook"]);
}

#[test]
fn finds_a_rollback_that_fails() {
    is_found(Bug::RollbackFails, &["one session and one event", "what lasts has a seat", "graded by what is stored"]);
}

#[test]
fn finds_a_version_that_is_sent_out_of_order() {
    is_found(Bug::VersionOutOfOrder, &["versions come in order"]);
}

#[test]
fn finds_a_pause_that_misses_who_enters() {
    is_found(Bug::PauseMissesEntrant, &["everyone is paused"]);
}
