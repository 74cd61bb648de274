//! The sample bank, checked question by question: its shape, and each answer worked out again from the text alone.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that is not as it should be"
)]

mod algebra;
mod figures;
mod grade_01;
mod grade_02;
mod grade_03;
mod grade_04;
mod grade_05;
mod grade_06;
mod grade_07;
mod grade_08;
mod grade_09;
mod grade_10;
mod guesses;
mod latex;
mod likeness;
mod numbers;
mod reading;
mod spelling;
mod vietnamese;

use std::collections::{BTreeMap, BTreeSet};

use sample_bank::{SampleQuestion, bank};

/// Questions of each difficulty in a grade; written out here again, so that a change of `COUNTS` is noticed.
const PER_DIFFICULTY: [usize; 5] = [22, 22, 23, 23, 30];

/// The fewest topics that a grade may have.
const TOPICS_MIN: usize = 5;

/// How often each letter is the answer in a grade, so that no letter is a better guess.
const PER_LETTER: usize = 30;

/// The shortest length of an explanation that can still explain something.
const EXPLANATION_MIN: usize = 20;

/// Works out the index of the right option from a question's text and options.
type Solver = fn(&str, &[&str]) -> Option<usize>;

const SOLVERS: [(u8, Solver); 10] = [
    (1, grade_01::solve),
    (2, grade_02::solve),
    (3, grade_03::solve),
    (4, grade_04::solve),
    (5, grade_05::solve),
    (6, grade_06::solve),
    (7, grade_07::solve),
    (8, grade_08::solve),
    (9, grade_09::solve),
    (10, grade_10::solve),
];

#[test]
fn every_claimed_answer_is_what_the_text_asks_for() {
    let mut failures = Vec::new();
    for (grade, solve) in SOLVERS {
        for question in bank(grade) {
            let letter = solved(solve, &question);
            if letter != Some(question.answer) {
                failures.push(format!("solved as {letter:?}: {}", whole_text(&question)));
            }
        }
    }
    none_of(&failures);
}

#[test]
fn each_grade_has_the_promised_number_of_each_difficulty() {
    for (grade, _) in SOLVERS {
        let mut counts = [0; 5];
        for question in bank(grade) {
            assert_eq!(question.grade, grade, "{}", question.id);
            counts[usize::from(question.difficulty) - 1] += 1;
        }
        assert_eq!(counts, PER_DIFFICULTY, "grade {grade}");
        assert_eq!(counts.iter().sum::<usize>(), 120, "grade {grade}");
    }
}

#[test]
fn ids_and_texts_are_distinct() {
    for (grade, _) in SOLVERS {
        let questions = bank(grade);
        let ids: Vec<&str> = questions.iter().map(|question| question.id.as_str()).collect();
        let expected: Vec<String> = (1..=120).map(|number| format!("g{grade}-{number:03}")).collect();
        assert_eq!(ids, expected);
        let texts: BTreeSet<&str> = questions.iter().map(|question| question.question.as_str()).collect();
        assert_eq!(texts.len(), questions.len(), "grade {grade}");
    }
}

#[test]
fn every_question_is_well_formed() {
    let mut failures = Vec::new();
    for question in SOLVERS.iter().flat_map(|(grade, _)| bank(*grade)) {
        for fault in faults(&question) {
            failures.push(format!("{fault}: {}", whole_text(&question)));
        }
    }
    none_of(&failures);
}

#[test]
fn topics_are_many_and_answers_are_spread() {
    for (grade, _) in SOLVERS {
        let questions = bank(grade);
        let topics: BTreeSet<&str> = questions.iter().map(|question| question.topic.as_str()).collect();
        assert!(topics.len() >= TOPICS_MIN, "grade {grade}: {topics:?}");
        let mut letters: BTreeMap<char, usize> = BTreeMap::new();
        for question in &questions {
            *letters.entry(question.answer).or_default() += 1;
        }
        assert_eq!(
            letters,
            "ABCD".chars().map(|letter| (letter, PER_LETTER)).collect::<BTreeMap<_, _>>(),
            "grade {grade}"
        );
    }
}

#[test]
fn the_bank_is_the_same_at_every_call() {
    for (grade, _) in SOLVERS {
        let whole = || -> Vec<String> {
            let questions = bank(grade).into_iter();
            questions.map(|question| whole_text(&question) + &question.image + &question.image_description).collect()
        };
        assert_eq!(whole(), whole());
    }
}

#[test]
fn other_grades_have_no_bank() {
    assert!(bank(0).is_empty() && bank(11).is_empty());
}

/// What is wrong with a question's form; empty when nothing is.
fn faults(question: &SampleQuestion) -> Vec<&'static str> {
    let options = &question.options;
    let distinct: BTreeSet<&str> = options.iter().map(|option| option.trim()).collect();
    let values: Vec<_> = options.iter().filter_map(|option| reading::number(&latex::plain(option))).collect();
    let equal_values =
        values.iter().enumerate().any(|(index, value)| values.iter().take(index).any(|other| other == value));
    let words = [&question.question, &question.explanation];
    let checks = [
        (question.question.trim().is_empty(), "no question"),
        (distinct.len() < 4 || distinct.contains(""), "options not distinct, or empty"),
        (equal_values, "two options of equal value"),
        (!('A'..='D').contains(&question.answer), "answer is not a letter from A to D"),
        (question.explanation.chars().count() < EXPLANATION_MIN, "explanation too short"),
        (question.explanation == question.question, "explanation repeats the question"),
        (question.topic.is_empty() || question.subtopic.is_empty(), "no topic or subtopic"),
        (words.iter().any(|text| text.contains("  ") || text.trim() != text.as_str()), "stray spaces"),
    ];
    checks.into_iter().filter(|(wrong, _)| *wrong).map(|(_, fault)| fault).collect()
}

/// The letter that the rules find from the text of a question alone.
fn solved_from_text(solve: Solver, question: &SampleQuestion) -> Option<char> {
    solved_from(solve, &latex::plain(&question.question), question)
}

/// The letter that the rules find from the text of a question and what its figure shows.
fn solved_from_figure(solve: Solver, question: &SampleQuestion) -> Option<char> {
    let whole = format!("{} {}", latex::plain(&question.question), question.image_description);
    solved_from(solve, &whole, question)
}

fn solved_from(solve: Solver, asked: &str, question: &SampleQuestion) -> Option<char> {
    let options = question.options.each_ref().map(|option| latex::plain(option));
    solve(asked, &options.each_ref().map(String::as_str)).and_then(letter_at)
}

/// The letter that the rules find from the text, or with the figure where the text does not tell enough.
fn solved(solve: Solver, question: &SampleQuestion) -> Option<char> {
    solved_from_text(solve, question).or_else(|| solved_from_figure(solve, question))
}

fn letter_at(index: usize) -> Option<char> {
    "ABCD".chars().nth(index)
}

fn whole_text(question: &SampleQuestion) -> String {
    let SampleQuestion { id, topic, subtopic, difficulty, question, options, answer, explanation, .. } = question;
    format!("{id} [{topic} / {subtopic} / {difficulty}] {question} {options:?} {answer} — {explanation}")
}

fn none_of(failures: &[String]) {
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}
