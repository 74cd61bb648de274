//! The questions that are answered with a number, checked as the choices are: the same rules find each answer from the
//! text alone.

use std::collections::{BTreeMap, BTreeSet};

use regex::Regex;
use sample_bank::{NumberQuestion, bank, number_bank};

use super::{EXPLANATION_MIN, SOLVERS, Solver, TOPICS_MIN, latex, none_of};

/// Questions of each difficulty in a grade; written out here again, so that a change of `NUMBER_COUNTS` is noticed.
const PER_DIFFICULTY: [usize; 5] = [4; 5];

fn numbers() -> impl Iterator<Item = (Solver, NumberQuestion)> {
    SOLVERS.into_iter().flat_map(|(grade, solve)| number_bank(grade).into_iter().map(move |question| (solve, question)))
}

fn whole_text(question: &NumberQuestion) -> String {
    let NumberQuestion { id, topic, subtopic, difficulty, question, answer, unit, forms, explanation, .. } = question;
    format!("{id} [{topic} / {subtopic} / {difficulty}] {question} {answer} {unit} {forms:?} — {explanation}")
}

/// A number with its unit as options write it.
fn option(number: &str, unit: &str) -> String {
    let number = number.replace('-', "−");
    let space = if unit.is_empty() || unit == "°" { "" } else { " " };
    format!("{number}{space}{unit}")
}

/// Whether the rule for the question finds the key among numbers that go on after its last digit.
fn is_solved(solve: Solver, question: &NumberQuestion) -> bool {
    let asked = latex::plain(&question.question);
    let more = if question.answer.contains('.') { ["", "1", "2", "3"] } else { ["", "1", "2", ".5"] };
    ["", "x = "].into_iter().any(|before| {
        let options =
            more.map(|more| format!("{before}{}", option(&format!("{}{more}", question.answer), &question.unit)));
        solve(&asked, &options.each_ref().map(String::as_str)) == Some(0)
    })
}

#[test]
fn every_claimed_answer_is_what_the_text_asks_for() {
    let wrong = numbers().filter(|(solve, question)| !is_solved(*solve, question));
    none_of(&wrong.map(|(_, question)| whole_text(&question)).collect::<Vec<_>>());
}

#[test]
fn a_wrong_answer_is_found_out() {
    let solved: Vec<String> = numbers()
        .filter_map(|(solve, question)| {
            let wrong = NumberQuestion { answer: format!("{}7", question.answer), ..question };
            is_solved(solve, &wrong).then(|| whole_text(&wrong))
        })
        .collect();
    none_of(&solved);
}

#[test]
fn each_grade_has_the_promised_number_of_each_difficulty() {
    for (grade, _) in SOLVERS {
        let mut counts = [0; 5];
        for question in number_bank(grade) {
            assert_eq!(question.grade, grade, "{}", question.id);
            counts[usize::from(question.difficulty) - 1] += 1;
        }
        assert_eq!(counts, PER_DIFFICULTY, "grade {grade}");
    }
}

#[test]
fn ids_go_on_after_the_choices_and_texts_are_distinct() {
    for (grade, _) in SOLVERS {
        let questions = number_bank(grade);
        let ids: Vec<&str> = questions.iter().map(|question| question.id.as_str()).collect();
        let expected: Vec<String> = (121..=140).map(|number| format!("g{grade}-{number:03}")).collect();
        assert_eq!(ids, expected);
        let choices = bank(grade);
        let mut texts: BTreeSet<&str> = choices.iter().map(|choice| choice.question.as_str()).collect();
        texts.extend(questions.iter().map(|question| question.question.as_str()));
        assert_eq!(texts.len(), choices.len() + questions.len(), "grade {grade}");
    }
}

#[test]
fn topics_are_many_and_those_of_the_choices() {
    for (grade, _) in SOLVERS {
        let of_choices: BTreeSet<String> = bank(grade).into_iter().map(|choice| choice.topic).collect();
        let topics: BTreeSet<String> = number_bank(grade).into_iter().map(|question| question.topic).collect();
        assert!(topics.len() >= TOPICS_MIN - 1, "grade {grade}: {topics:?}");
        assert!(topics.is_subset(&of_choices), "grade {grade}: {topics:?}");
    }
}

/// What is wrong with a question's form; empty when nothing is.
fn faults(question: &NumberQuestion) -> Vec<&'static str> {
    let decimal = Regex::new(r"^-?(0|[1-9]\d*)(\.\d*[1-9])?$").unwrap();
    let words = [&question.question, &question.explanation];
    let forms: BTreeSet<&str> = question.forms.iter().copied().collect();
    let known = BTreeSet::from(["decimal", "fraction", "mixed"]);
    let plain = latex::plain(&question.question);
    let answers_itself = plain.contains('÷') && !plain.contains('/') && forms.contains("fraction");
    let asks_for_unit = !question.unit.is_empty() && question.question.contains(&format!("How many {}", question.unit));
    let checks = [
        (question.question.trim().is_empty(), "no question"),
        (!decimal.is_match(&question.answer) || question.answer == "-0", "the answer is no plain decimal"),
        (question.answer.len() > 12, "the answer is long to type"),
        (question.unit.chars().count() > 20, "the unit is too long"),
        (asks_for_unit, "the unit stands there twice"),
        (!forms.contains("decimal") || !forms.is_subset(&known), "forms that nobody knows"),
        (answers_itself, "the question answers itself"),
        (question.explanation.chars().count() < EXPLANATION_MIN, "explanation too short"),
        (question.question.contains("Which of these"), "it asks for a choice"),
        (words.iter().any(|text| text.contains("  ") || text.trim() != text.as_str()), "stray spaces"),
        (words.iter().any(|text| !latex::is_set(text)), "mathematics that is no LaTeX"),
        (question.image.is_empty() != question.image_description.is_empty(), "a picture without a description"),
    ];
    checks.into_iter().filter(|(wrong, _)| *wrong).map(|(_, fault)| fault).collect()
}

#[test]
fn every_question_is_well_formed() {
    let found = numbers().flat_map(|(_, question)| {
        faults(&question)
            .into_iter()
            .map(move |fault| format!("{fault}: {}", whole_text(&question)))
            .collect::<Vec<_>>()
    });
    none_of(&found.collect::<Vec<_>>());
}

#[test]
fn keys_are_of_all_kinds() {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, question) in numbers() {
        let NumberQuestion { answer, unit, forms, .. } = question;
        for (is_so, kind) in [
            (answer.starts_with('-'), "below zero"),
            (answer.contains('.'), "with a point"),
            (!unit.is_empty(), "with a unit"),
            (forms.len() == 1, "one way of writing"),
        ] {
            *kinds.entry(kind).or_default() += usize::from(is_so);
        }
    }
    assert!(kinds.len() == 4 && kinds.values().all(|count| *count >= 8), "{kinds:?}");
}

#[test]
fn the_bank_is_the_same_at_every_call() {
    for (grade, _) in SOLVERS {
        let whole = || number_bank(grade).iter().map(|one| whole_text(one) + &one.image).collect::<Vec<_>>();
        assert_eq!(whole(), whole());
    }
}

#[test]
fn other_grades_have_no_numbers() {
    assert!(number_bank(0).is_empty() && number_bank(11).is_empty());
}
