//! Measured difficulties, compared with a second implementation on random tests.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use domain::correction::{AnswerSet, CorrectionKind};
use domain::item_statistics::ItemResponse;
use domain::measured_difficulty::{FittedQuestion, LiveAnswers, RaschFit, SchoolYear, guess_of, on_scale_of_labels};
use domain::number::NumberKey;
use domain::question::{self, Choice, Selected};
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use crate::hall::oracle;

const SEED: u64 = 0x00D1_FF1C;
const TESTS: usize = 60;
const QUESTIONS: usize = 8;
/// How near the two are, in logits or labels: both stop when a difficulty moves less than a part of it.
const WITHIN: f64 = 0.002;

/// One line of a test.
struct Line {
    question_id: String,
    selected: Option<Choice>,
    key: question::Key,
    correction: Option<CorrectionKind>,
    is_correct: bool,
}

/// The tests of a grade, some of them twice, with keys that were edited and questions without a label.
struct Group {
    guess: f64,
    tests: Vec<(u128, Vec<Line>)>,
    keys: HashMap<String, question::Key>,
    labels: HashMap<String, u8>,
}

/// The key of a question today, or the one that it had before. Some ask for numbers.
fn key(question: usize, is_former: bool) -> question::Key {
    match (question % 3, is_former) {
        (2, false) => NumberKey::exact("0.5").into(),
        (2, true) => NumberKey { tolerance: "0.1".to_owned(), ..NumberKey::exact("0.5") }.into(),
        (_, false) => Choice::A.into(),
        (_, true) => Choice::C.into(),
    }
}

fn line(random: &mut StdRng, question: usize, ability: f64) -> Line {
    use CorrectionKind::{All, Also, Drop, Key};
    let difficulty = question as f64 / 2.0 - 2.0;
    // One is solved by everybody, and one by nobody.
    let is_solved = match question {
        0 => true,
        1 => false,
        _ => random.random_bool(0.25 + 0.75 / (1.0 + (difficulty - ability).exp())),
    };
    let is_open = random.random_ratio(1, 12);
    let selected = (!is_open).then_some(if is_solved { Choice::A } else { Choice::B });
    Line {
        question_id: format!("q{question}"),
        selected,
        key: key(question, random.random_ratio(1, 20)),
        correction: random.random_ratio(1, 10).then(|| *[Key, Also, All, Drop].choose(random).unwrap()),
        is_correct: is_solved && !is_open,
    }
}

impl Group {
    fn new(random: &mut StdRng, guess: f64) -> Self {
        let test = |number: usize| {
            let ability: f64 = (0..12).map(|_| random.random_range(-0.5..0.5)).sum();
            let mut paper: Vec<usize> = (0..QUESTIONS).collect();
            paper.shuffle(random);
            paper.truncate(random.random_range(5..=QUESTIONS));
            let lines = paper.into_iter().map(|question| line(random, question, ability)).collect();
            // The last ones have the ids of the first.
            ((number % (TESTS - 5)) as u128, lines)
        };
        let tests = (0..TESTS).map(test).collect();
        let keys = (0..QUESTIONS - 1).map(|question| (format!("q{question}"), key(question, false))).collect();
        let labels = (0..QUESTIONS - 1).map(|question| (format!("q{question}"), (question % 5 + 1) as u8)).collect();
        Self { guess, tests, keys, labels }
    }

    fn question(&self) -> Value {
        let line = |line: &Line| {
            json!({
                "questionId": line.question_id, "selected": line.selected, "key": line.key,
                "correction": line.correction, "isCorrect": line.is_correct,
            })
        };
        let test = |(id, lines): &(u128, Vec<Line>)| json!({ "id": id.to_string(), "lines": lines.iter().map(line).collect::<Vec<_>>() });
        let numbers: Vec<&String> =
            self.keys.iter().filter(|(_, key)| key.number().is_some()).map(|(id, _)| id).collect();
        json!({
            "guess": self.guess, "numbers": numbers, "keys": self.keys, "labels": self.labels,
            "tests": self.tests.iter().map(test).collect::<Vec<_>>(),
        })
    }

    fn fitted(&self) -> Vec<FittedQuestion> {
        let mut answers = LiveAnswers::default();
        for (id, lines) in &self.tests {
            let response = |line: &'_ Line| ItemResponse {
                question_id: Cow::Owned(line.question_id.clone()),
                points: 1,
                selected: line.selected.map(Selected::from),
                key: Some(line.key.clone()),
                is_correct: line.is_correct,
                time_taken_seconds: None,
                correction: line.correction,
                also_right: AnswerSet::default(),
            };
            let responses: Vec<ItemResponse<'_>> = lines.iter().map(response).collect();
            assert!(answers.add(*id, SchoolYear(2025), &responses, |id| self.keys.get(id)));
        }
        let answers = Arc::new(answers);
        let all = 0..answers.tests();
        let mut fit = RaschFit::begin(answers, all, |id| guess_of(self.keys.get(id)).min(self.guess));
        while !fit.is_done() {
            fit = fit.round();
        }
        fit.finish()
    }
}

fn by_id(list: &Value) -> HashMap<&str, &Value> {
    list.as_array().unwrap().iter().map(|one| (one["questionId"].as_str().unwrap(), one)).collect()
}

#[track_caller]
fn assert_near(found: f64, expected: &Value, what: &str) {
    let expected = expected.as_f64().unwrap();
    assert!((found - expected).abs() < WITHIN, "{what}: {found} {expected}");
}

#[test]
fn a_second_implementation_measures_the_same() {
    let mut random = StdRng::seed_from_u64(SEED);
    let groups: Vec<Group> = [0.25, 0.25, 0.0].into_iter().map(|guess| Group::new(&mut random, guess)).collect();
    let questions: Vec<Value> = groups.iter().map(Group::question).collect();
    let expected = oracle::ask("difficulty.py", &questions);
    assert_eq!(expected.len(), groups.len());
    for (group, expected) in groups.iter().zip(&expected) {
        let fitted = group.fitted();
        let others = by_id(&expected["fitted"]);
        assert_eq!((fitted.len(), others.len()), (QUESTIONS, QUESTIONS));
        for found in &fitted {
            let other = others[found.question_id.as_str()];
            assert_eq!(json!(found.answers), other["answers"], "{found:?}");
            assert_near(found.logits, &other["logits"], &found.question_id);
            assert_near(found.error, &other["error"], &found.question_id);
        }
        let measured = on_scale_of_labels(fitted, |id| group.labels.get(id).copied());
        let others = by_id(&expected["measured"]);
        // Some have enough answers, and one has no label.
        assert!(measured.len() == others.len() && (3..QUESTIONS).contains(&measured.len()), "{}", measured.len());
        for (id, value) in measured {
            let other = others[id.as_str()];
            assert_near(f64::from(value.difficulty_thousandths) / 1_000.0, &other["difficulty"], &id);
            assert_near(f64::from(value.error_thousandths) / 1_000.0, &other["error"], &id);
        }
    }
}
