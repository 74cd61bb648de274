//! Marks, compared with a second implementation on random scales and results.

use domain::mark::{MarkScale, MarkedFacts};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use crate::hall::oracle;

const SEED: u64 = 0x0000_3A2C;
const CASES: usize = 4_000;

fn number(hundredths: i64) -> Value {
    if hundredths % 100 == 0 { json!(hundredths / 100) } else { json!(hundredths as f64 / 100.0) }
}

fn scale(random: &mut StdRng) -> Value {
    let basis = *["percent", "points", "score"].choose(random).unwrap();
    let has_pass = random.random_bool(0.7);
    if random.random_bool(0.5) {
        let step = *[100, 50, 25, 10, 5, 1].choose(random).unwrap();
        let most = (2_000 / step).min(60);
        let worst = random.random_range(-most..=most);
        let best = loop {
            let best = random.random_range(-most..=most);
            if best != worst {
                break best;
            }
        };
        let pass = random.random_range(worst.min(best) * step..=worst.max(best) * step);
        return json!({
            "type": "numbers", "basis": basis, "worst": number(worst * step), "best": number(best * step),
            "step": number(step), "rounding": (["nearest", "up", "down"].choose(random)),
            "pass": has_pass.then(|| number(pass)),
        });
    }
    let (lowest, highest, unit) = if basis == "score" { (200, 800, 100) } else { (0, 10_000, 1) };
    let mut limits: Vec<i64> =
        (1..random.random_range(2..=20_usize)).map(|_| random.random_range(lowest + 1..=highest)).collect();
    limits.push(lowest);
    limits.sort_unstable();
    limits.dedup();
    limits.reverse();
    if limits.len() < 2 {
        limits.insert(0, highest);
    }
    let labels: Vec<Value> = (0..)
        .zip(&limits)
        .map(|(place, from): (usize, _)| json!({ "label": format!("L{place}"), "from": number(from * unit) }))
        .collect();
    let pass = format!("L{}", random.random_range(0..labels.len()));
    json!({ "type": "labels", "basis": basis, "labels": labels, "pass": has_pass.then_some(pass) })
}

fn facts(random: &mut StdRng) -> (MarkedFacts, Value) {
    let questions = random.random_range(0..=40_u32);
    let correct = random.random_range(0..=questions);
    let possible = random.random_range(0..=120_u64);
    let points = random.random_bool(0.9).then(|| (random.random_range(0..=possible), possible));
    let score = random.random_range(200..=800_u32);
    let told = json!({
        "score": score, "correct": correct, "questions": questions,
        "points": points.map(|(earned, possible)| [earned, possible]),
    });
    (MarkedFacts { score, correct, questions, points }, told)
}

#[test]
fn both_mark_alike() {
    let mut random = StdRng::seed_from_u64(SEED);
    let cases: Vec<(Value, MarkedFacts, Value)> = (0..CASES)
        .map(|_| {
            let scale = scale(&mut random);
            let (facts, told) = facts(&mut random);
            (scale, facts, told)
        })
        .collect();
    let questions: Vec<Value> =
        cases.iter().map(|(scale, _, facts)| json!({ "scale": scale, "facts": facts })).collect();
    let expected = oracle::ask("marks.py", &questions);
    assert_eq!(expected.len(), CASES);
    let (mut marked, mut passed) = (0, 0);
    for ((written, facts, _), expected) in cases.iter().zip(&expected) {
        let scale = MarkScale::read(written).unwrap_or_else(|| panic!("{written}"));
        let mark = scale.mark(*facts);
        assert_eq!(json!(mark), *expected, "{facts:?} by {written}");
        marked += usize::from(mark.is_some());
        passed += usize::from(mark.is_some_and(|mark| mark.passed == Some(true)));
    }
    // All outcomes are frequent, so that the comparison is one.
    assert!(marked > CASES / 2 && marked < CASES && passed > CASES / 10, "{passed} of {marked}");
}
