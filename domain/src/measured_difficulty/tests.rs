//! Against students who are simulated, whose difficulties are known, and against the values of another library.

use std::borrow::Cow;
use std::sync::Arc;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::correction::AnswerSet;
use crate::item_statistics::ItemResponse;
use crate::number::NumberKey;
use crate::question::Choice;

const YEAR: SchoolYear = SchoolYear(2025);
const SEED: u64 = 0x0D1F_F1C0;

/// The number of a question, and whether it is right.
type Outcome = (usize, bool);

fn answers_of(tests: &[Vec<Outcome>]) -> LiveAnswers {
    let mut answers = LiveAnswers::default();
    for (id, test) in (0..).zip(tests) {
        let response = |&(question, is_correct): &Outcome| ItemResponse {
            question_id: Cow::Owned(format!("q{question:03}")),
            points: 1,
            selected: Some(if is_correct { Choice::A } else { Choice::B }.into()),
            key: Some(Choice::A.into()),
            is_correct,
            time_taken_seconds: None,
            correction: None,
            also_right: AnswerSet::default(),
        };
        assert!(answers.add(id, YEAR, &test.iter().map(response).collect::<Vec<_>>(), |_| None));
    }
    answers
}

/// Sorted by id.
fn fitted(tests: &[Vec<Outcome>], guess: f64) -> Vec<FittedQuestion> {
    let answers = Arc::new(answers_of(tests));
    let all = 0..answers.tests();
    let mut fit = RaschFit::begin(answers, all, |_| guess);
    while !fit.is_done() {
        fit = fit.round();
    }
    let mut fitted = fit.finish();
    fitted.sort_by(|one, other| one.question_id.cmp(&other.question_id));
    fitted
}

/// From a normal distribution, by the method of Box and Muller.
fn ability(random: &mut StdRng) -> f64 {
    let (one, other): (f64, f64) = (random.random_range(f64::EPSILON..1.0), random.random_range(0.0..1.0));
    (-2.0 * one.ln()).sqrt() * (2.0 * std::f64::consts::PI * other).cos()
}

/// A student who answers these questions of these difficulties.
fn sit(random: &mut StdRng, ability: f64, paper: &[usize], difficulties: &[f64]) -> Vec<Outcome> {
    let outcome = |&question: &usize| {
        let solved = 1.0 / (1.0 + (difficulties[question] - ability).exp());
        (question, random.random_bool(GUESS + (1.0 - GUESS) * solved))
    };
    paper.iter().map(outcome).collect()
}

/// The differences to the true difficulties in units of their errors, and as they are. Both are taken around their
/// mean, since the level of all together is set by the labels.
fn misses(fitted: &[FittedQuestion], difficulties: &[f64]) -> Vec<(f64, f64)> {
    let differences: Vec<f64> = fitted.iter().zip(difficulties).map(|(found, truth)| found.logits - truth).collect();
    let mean = differences.iter().sum::<f64>() / differences.len() as f64;
    differences.iter().zip(fitted).map(|(miss, found)| ((miss - mean) / found.error, miss - mean)).collect()
}

#[test]
fn claimed_errors_hold_and_nothing_is_biased() {
    let mut random = StdRng::seed_from_u64(SEED);
    let difficulties: Vec<f64> = (0..40).map(|question| f64::from(question % 5) - 2.0).collect();
    let paper: Vec<usize> = (0..40).collect();
    let (mut all, mut by_difficulty, mut errors) = (Vec::new(), [0.0; 5], 0.0);
    const RUNS: usize = 20;
    for _ in 0..RUNS {
        let student = |_| {
            let ability = ability(&mut random);
            sit(&mut random, ability, &paper, &difficulties)
        };
        let tests: Vec<Vec<Outcome>> = (0..100).map(student).collect();
        let found = fitted(&tests, GUESS);
        errors += found.iter().map(|question| question.error).sum::<f64>();
        for (question, miss) in misses(&found, &difficulties).into_iter().enumerate() {
            by_difficulty[question % 5] += miss.1 / (RUNS * 8) as f64;
            all.push(miss);
        }
    }
    let count = all.len() as f64;
    let within = all.iter().filter(|(in_errors, _)| in_errors.abs() < 2.0).count() as f64 / count;
    let spread = (all.iter().map(|(_, miss)| miss * miss).sum::<f64>() / count).sqrt();
    let claimed = errors / count;
    assert!((0.935..0.985).contains(&within), "{within} within two errors");
    assert!((spread / claimed - 1.0).abs() < 0.1, "{spread} instead of {claimed}");
    assert!(by_difficulty.iter().all(|bias| bias.abs() < 0.1), "{by_difficulty:?}");
}

#[test]
fn papers_without_a_common_question_are_on_one_scale() {
    let mut random = StdRng::seed_from_u64(SEED);
    let difficulties: Vec<f64> = (0..40).map(|question| f64::from(question % 5) - 2.0).collect();
    let student = |student: usize| {
        let paper: Vec<usize> = if student.is_multiple_of(2) { (0..20).collect() } else { (20..40).collect() };
        let ability = ability(&mut random);
        sit(&mut random, ability, &paper, &difficulties)
    };
    let tests: Vec<Vec<Outcome>> = (0..800).map(student).collect();
    let found = fitted(&tests, GUESS);
    let mean = |part: &[FittedQuestion]| part.iter().map(|question| question.logits).sum::<f64>() / part.len() as f64;
    assert!((mean(&found[..20]) - mean(&found[20..])).abs() < 0.3, "{} {}", mean(&found[..20]), mean(&found[20..]));
    let within = misses(&found, &difficulties).iter().filter(|(in_errors, _)| in_errors.abs() < 2.5).count();
    assert!(within >= 37, "{within}");
}

#[test]
fn what_everybody_and_what_nobody_solves_has_a_difficulty_with_a_large_error() {
    let mut random = StdRng::seed_from_u64(SEED);
    let difficulties = [0.0; 10];
    let paper: Vec<usize> = (0..10).collect();
    let student = |_| {
        let ability = ability(&mut random);
        let mut test = sit(&mut random, ability, &paper, &difficulties);
        (test[0].1, test[1].1) = (true, false);
        test
    };
    let tests: Vec<Vec<Outcome>> = (0..60).map(student).collect();
    let found = fitted(&tests, GUESS);
    assert!(found[0].logits < -3.0 && found[1].logits > 3.0, "{found:?}");
    assert!(found[..2].iter().all(|question| question.error > 0.9 && question.error <= 3.0), "{found:?}");
    assert!(found[2..].iter().all(|question| question.logits.abs() < 2.0 && question.error < 0.8), "{found:?}");
}

#[test]
fn the_order_of_the_tests_changes_nothing_that_is_told() {
    let mut random = StdRng::seed_from_u64(SEED);
    let difficulties: Vec<f64> = (0..10).map(f64::from).map(|question| question / 4.0 - 1.0).collect();
    let paper: Vec<usize> = (0..10).collect();
    let student = |_| {
        let ability = ability(&mut random);
        sit(&mut random, ability, &paper, &difficulties)
    };
    let mut tests: Vec<Vec<Outcome>> = (0..80).map(student).collect();
    let one = fitted(&tests, GUESS);
    tests.reverse();
    let other = fitted(&tests, GUESS);
    for (one, other) in one.iter().zip(&other) {
        assert!((one.logits - other.logits).abs() < 1e-9 && (one.error - other.error).abs() < 1e-9);
    }
}

/// The same answers say that a question is more difficult whose answer nobody can guess.
#[test]
fn a_number_is_not_guessed() {
    let (number, letter) = (Key::from(NumberKey::exact("0.5")), Key::from(Choice::A));
    assert_eq!([Some(&number), Some(&letter), None].map(guess_of), [0.0, GUESS, GUESS]);
    let mut random = StdRng::seed_from_u64(SEED);
    let difficulties = [0.0; 10];
    let paper: Vec<usize> = (0..10).collect();
    let student = |_| {
        let ability = ability(&mut random);
        sit(&mut random, ability, &paper, &difficulties)
    };
    let tests: Vec<Vec<Outcome>> = (0..200).map(student).collect();
    let answers = Arc::new(answers_of(&tests));
    let all = 0..answers.tests();
    let mut fit = RaschFit::begin(answers, all, |id| guess_of(Some(if id == "q000" { &number } else { &letter })));
    while !fit.is_done() {
        fit = fit.round();
    }
    let of_first = |fitted: &[FittedQuestion]| fitted.iter().find(|one| one.question_id == "q000").unwrap().logits;
    assert!(of_first(&fit.finish()) < of_first(&fitted(&tests, GUESS)) - 0.3);
}

#[derive(serde::Deserialize)]
struct Golden {
    girth: Vec<f64>,
    tests: Vec<String>,
}

/// The library fixes no guessing, and estimates each question by itself, so that the values are near each other and not
/// the same.
#[test]
fn the_values_of_girth_are_found_without_guessing() {
    let golden: Golden = serde_json::from_str(include_str!("../../../tests/golden/difficulty.json")).unwrap();
    let test = |line: &String| {
        let asked = line.chars().enumerate().filter(|(_, outcome)| *outcome != '-');
        asked.map(|(question, outcome)| (question, outcome == '1')).collect()
    };
    let found = fitted(&golden.tests.iter().map(test).collect::<Vec<_>>(), 0.0);
    assert_eq!((found.len(), golden.tests.len()), (golden.girth.len(), 400));
    for (found, girth) in found.iter().zip(&golden.girth) {
        assert!((found.logits - girth).abs() < 0.03, "{found:?} {girth}");
    }
}

fn question(number: usize, logits: f64, answers: u32) -> FittedQuestion {
    FittedQuestion { question_id: format!("q{number:03}"), logits, error: 0.25, answers }
}

/// The difficulty and the error of each, in thousandths.
fn told(fitted: Vec<FittedQuestion>, label: impl Fn(&str) -> Option<u8>) -> Vec<(String, i32, i32)> {
    let told = |(id, value): (String, MeasuredValue)| (id, value.difficulty_thousandths, value.error_thousandths);
    on_scale_of_labels(fitted, label).into_iter().map(told).collect()
}

#[test]
fn below_thirty_answers_and_without_a_label_there_is_silence() {
    let fitted = vec![question(1, 0.0, ANSWERS_MIN), question(2, 0.0, ANSWERS_MIN - 1), question(3, 0.0, 500)];
    let found = told(fitted, |id| (id != "q003").then_some(4));
    assert_eq!(found.iter().map(|(id, ..)| id.as_str()).collect::<Vec<_>>(), ["q001"]);
}

#[test]
fn one_question_alone_has_the_label_that_it_was_given() {
    let [(_, difficulty, error)] = told(vec![question(1, -1.7, 100)], |_| Some(4))[..] else { panic!("one") };
    assert_eq!((difficulty, error), (4_000, 250));
}

#[test]
fn questions_keep_the_level_and_the_spread_of_their_labels() {
    // Two logits for a label, with an error of a quarter in each.
    let label = |id: &str| id.strip_prefix('q').and_then(|id| id.parse::<u8>().ok()).map(|number| number % 5 + 1);
    let fitted = || (0..100).map(|number| question(number, 2.0 * (number % 5) as f64 + 7.0, 100)).collect::<Vec<_>>();
    let found = told(fitted(), label);
    for (id, difficulty, error) in &found {
        let expected = i32::from(label(id).unwrap()) * 1_000;
        assert!((difficulty - expected).abs() < 60 && (error - 125).abs() < 5, "{id} {difficulty} {error}");
    }
    // One that is labelled 4 and as difficult as those labelled 2 is told as 2 or so.
    let wrong = |id: &str| if id == "q001" { Some(4) } else { label(id) };
    let (_, difficulty, _) = &told(fitted(), wrong)[1];
    assert!((difficulty - 2_000).abs() < 80, "{difficulty}");
}

#[test]
fn what_lies_beyond_the_scale_is_its_end() {
    let fitted: Vec<FittedQuestion> =
        [-9.0, 0.0, 9.0].into_iter().zip(0..).map(|(logits, n)| question(n, logits, 99)).collect();
    let found = told(fitted, |_| Some(3));
    assert_eq!(found.iter().map(|(_, difficulty, _)| *difficulty).collect::<Vec<_>>(), [1_000, 3_000, 5_000]);
}

#[test]
fn a_school_year_begins_in_august_by_the_calendar_of_the_school() {
    let year = |moment: &str, zone: &str| SchoolYear::of(Moment::parse(moment).unwrap(), &Zone::parse(zone).unwrap()).0;
    assert_eq!(year("2026-07-31T16:59:59Z", "Asia/Ho_Chi_Minh"), 2025);
    assert_eq!(year("2026-07-31T17:00:00Z", "Asia/Ho_Chi_Minh"), 2026);
    assert_eq!(year("2026-07-31T17:00:00Z", "UTC"), 2025);
    assert_eq!(year("2027-01-05T09:00:00Z", "UTC"), 2026);
}
