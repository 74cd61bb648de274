//! What corrected keys make of a test, compared with a second implementation on random tests and corrections.

use std::collections::BTreeSet;
use std::sync::Arc;

use domain::correction::{
    AnswerSet, Correction, CorrectionKind, CorrectionScope, GradeScope, TestPlace, grade, regrade,
};
use domain::grade::Grade;
use domain::number::NumberKey;
use domain::question::{self, Choice, Difficulty, KeyedQuestion, OptionsDigest, Selected};
use domain::scoring::{self, Response, TestResult};
use domain::time::moment::Moment;
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::hall::oracle;

const TESTS: usize = 4_000;
const QUESTIONS_MAX: usize = 6;
const CORRECTIONS_MAX: usize = 7;
const SEED: u64 = 0x000C_044E_C7ED;
/// What keys and corrections of numbers name.
const NUMBERS: [&str; 4] = ["0.5", "0.25", "2", "-1"];
/// What is typed for them.
const TYPED: [&str; 8] = ["1/2", "0.50", "0.25", "2/8", "2", "-1", "0.3", "B"];

/// A test with the corrections of its school, of which some are reverted and some are about others.
struct RandomTest {
    place: TestPlace,
    responses: Vec<Response>,
    corrections: Vec<(Correction, bool)>,
}

fn few(random: &mut StdRng) -> Uuid {
    Uuid::from_u128(random.random_range(1..4))
}

fn moment(random: &mut StdRng) -> Moment {
    Moment::from_milliseconds(random.random_range(0..10))
}

/// One of three lists of options, or nothing known of them.
fn options(random: &mut StdRng) -> Option<OptionsDigest> {
    random.random_ratio(3, 4).then(|| OptionsDigest::from_number(random.random_range(1..4)))
}

fn choice(random: &mut StdRng) -> Choice {
    *Choice::ALL.choose(random).unwrap()
}

/// Whether a question asks for a number.
const fn is_number(question: usize) -> bool {
    question % 3 == 2
}

fn key(random: &mut StdRng, question: usize) -> question::Key {
    if !is_number(question) {
        return choice(random).into();
    }
    let tolerance = ["0", "0.1"].choose(random).copied().unwrap().to_owned();
    NumberKey { tolerance, ..NumberKey::exact(NUMBERS.choose(random).unwrap()) }.into()
}

fn selected(random: &mut StdRng, question: usize) -> Selected {
    if is_number(question) { Selected::parse(TYPED.choose(random).unwrap()).unwrap() } else { choice(random).into() }
}

fn scope(random: &mut StdRng) -> CorrectionScope {
    match random.random_range(0..3) {
        0 => CorrectionScope::Sitting(few(random)),
        1 => CorrectionScope::Template(few(random)),
        _ => {
            let templates = random.random_ratio(1, 2).then(|| (0..2).map(|_| few(random)).collect::<BTreeSet<_>>());
            let grade = Grade::new(random.random_range(5..7)).unwrap();
            CorrectionScope::Grade(GradeScope { grade, from: moment(random), until: moment(random), templates })
        }
    }
}

fn correction(random: &mut StdRng, number: i64) -> Correction {
    use CorrectionKind::{All, Also, Drop, Key};
    let kind = *[Key, Also, All, Drop].choose(random).unwrap();
    let question = random.random_range(0..QUESTIONS_MAX);
    // Some name letters of a question about a number, or numbers of one with options.
    let are_numbers = is_number(question) != random.random_ratio(1, 8);
    let mut names = if are_numbers { NUMBERS } else { Choice::ALL.map(Choice::letter) };
    names.shuffle(random);
    let count = match kind {
        Key => 1,
        Also => random.random_range(1..4),
        All | Drop => 0,
    };
    Correction {
        number,
        question_id: format!("q{question}").into(),
        kind,
        options: AnswerSet::of_texts(names[..count].iter().copied()).unwrap(),
        of_options: options(random),
        nobody_loses: random.random_ratio(2, 3),
        scope: scope(random),
    }
}

impl RandomTest {
    fn new(random: &mut StdRng) -> Self {
        let place = TestPlace {
            sitting_id: random.random_ratio(3, 4).then(|| few(random)),
            template_id: random.random_ratio(3, 4).then(|| few(random)),
            grade: Grade::new(random.random_range(5..7)).unwrap(),
            started_at: moment(random),
            is_live: true,
        };
        let mut ids: Vec<usize> = (0..QUESTIONS_MAX).collect();
        ids.shuffle(random);
        ids.truncate(random.random_range(1..=QUESTIONS_MAX));
        let response = |id: usize| {
            let question = KeyedQuestion {
                id: format!("q{id}").into(),
                topic: format!("T{}", id % 3).into(),
                difficulty: Difficulty::new(random.random_range(1..6)).unwrap(),
                answer: key(random, id),
                options: options(random),
                version: None,
                order: None,
            };
            let selected = random.random_ratio(5, 6).then(|| selected(random, id));
            Response { question: Arc::new(question), selected, time_taken: None }
        };
        let responses = ids.into_iter().map(response).collect();
        let count = random.random_range(0..=CORRECTIONS_MAX);
        let made = |number| (correction(random, number), random.random_ratio(1, 5));
        let corrections = (1..).take(count).map(made).collect();
        Self { place, responses, corrections }
    }

    fn question(&self) -> Value {
        let number = |options: Option<OptionsDigest>| options.map(OptionsDigest::number);
        let question = |response: &Response| {
            let KeyedQuestion { id, difficulty, answer, options, .. } = &*response.question;
            json!({
                "id": id, "difficulty": difficulty.number(), "options": number(*options),
                "answer": answer.letter_or_number(), "selected": response.selected,
                "tolerance": answer.number().map_or("0", |number| number.tolerance.as_str()),
            })
        };
        let correction = |(correction, is_reverted): &(Correction, bool)| {
            let scope = match &correction.scope {
                CorrectionScope::Sitting(id) => json!({ "sitting": id }),
                CorrectionScope::Template(id) => json!({ "template": id }),
                CorrectionScope::Grade(scope) => json!({
                    "grade": scope.grade.number(), "from": scope.from.milliseconds(),
                    "until": scope.until.milliseconds(), "templates": scope.templates,
                }),
            };
            json!({
                "number": correction.number, "questionId": correction.question_id, "kind": correction.kind,
                "options": correction.options.texts(),
                "ofOptions": number(correction.of_options), "nobodyLoses": correction.nobody_loses,
                "scope": scope, "reverted": is_reverted,
            })
        };
        json!({
            "sitting": self.place.sitting_id, "template": self.place.template_id,
            "grade": self.place.grade.number(), "startedAt": self.place.started_at.milliseconds(),
            "questions": self.responses.iter().map(question).collect::<Vec<_>>(),
            // In another order: only their numbers say which is the later.
            "corrections": self.corrections.iter().rev().map(correction).collect::<Vec<_>>(),
        })
    }

    fn holding(&self) -> Vec<&Correction> {
        let holding = self.corrections.iter().filter(|(_, is_reverted)| !is_reverted).map(|(correction, _)| correction);
        holding.filter(|correction| correction.scope.covers(&self.place)).collect()
    }

    fn result(&self) -> TestResult {
        grade(&self.responses, &self.holding(), 60)
    }
}

fn told(result: &TestResult) -> Value {
    let line = |line: &scoring::AnswerLine| {
        json!({
            "questionId": line.question_id, "correct": line.correct, "isCorrect": line.is_correct,
            "correction": line.correction, "alsoCorrect": line.also_correct,
        })
    };
    json!({
        "score": result.score, "correctAnswers": result.correct_answers, "totalQuestions": result.total_questions,
        "answers": result.answers.iter().map(line).collect::<Vec<_>>(),
    })
}

#[test]
fn a_second_implementation_agrees_on_thousands_of_tests() {
    let mut random = StdRng::seed_from_u64(SEED);
    let tests: Vec<RandomTest> = (0..TESTS).map(|_| RandomTest::new(&mut random)).collect();
    let questions: Vec<Value> = tests.iter().map(RandomTest::question).collect();
    let expected = oracle::ask("corrections.py", &questions);
    assert_eq!(expected.len(), TESTS);
    let (mut corrected, mut kept) = (0, 0);
    for ((test, question), expected) in tests.iter().zip(&questions).zip(&expected) {
        let result = test.result();
        assert_eq!(&told(&result), expected, "{question:#}");
        let lines = |result: &TestResult| result.answers.iter().filter(|line| line.correction.is_some()).count();
        corrected += usize::from(lines(&result) > 0);
        let unfair: Vec<Correction> =
            test.holding().into_iter().map(|one| Correction { nobody_loses: false, ..one.clone() }).collect();
        let unfair = grade(&test.responses, &unfair.iter().collect::<Vec<_>>(), 60);
        kept += usize::from(unfair != result);
        // The same from any of the results that the test has had.
        let keys: Vec<Arc<KeyedQuestion>> = test.responses.iter().map(|one| Arc::clone(&one.question)).collect();
        let bare = scoring::grade(&test.responses, 60);
        for before in [&bare, &unfair, &result] {
            let after = regrade(before, &keys, &test.holding()).unwrap_or_else(|| before.clone());
            assert_eq!(after, result, "{question:#}");
        }
    }
    // Many are corrected, and nobody's loss is prevented in some: it is compared and not only absent twice.
    assert!(corrected > TESTS / 10 && kept > TESTS / 100, "{corrected} {kept}");
}
