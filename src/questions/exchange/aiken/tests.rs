//! Files of Aiken as their authors write them, good and bad.

use domain::exchange::QuestionRows;
use domain::exchange::foreign::Defaults;
use domain::grade::Grade;
use domain::question::{Difficulty, Question};

use super::*;

fn read_all(aiken: &str) -> (Vec<Question>, Vec<String>) {
    let defaults = Defaults { grade: Grade::new(5), topic: Some("T".to_owned()), difficulty: Difficulty::new(2) };
    let mut rows = QuestionRows::default();
    read(aiken, &mut |place, question| {
        rows.take_item(place, question.and_then(|question| question.draft(&defaults)));
        Ok(())
    })
    .unwrap();
    for row in rows.take_waiting() {
        rows.complete(row, None);
    }
    (std::mem::take(&mut rows.questions), rows.into_errors())
}

const GOOD: &str = "Good?\nA. 1\nB) 2\nC.\t3\nD. <b>4</b> for $5\nANSWER: B\n\n";

#[test]
fn questions_are_read_as_they_are_typed() {
    let (questions, errors) =
        read_all(&format!("{GOOD}Is \\(x\\) it?\r\n  A) a\r\nB) b\r\n\r\nC) c\r\nD) d\r\nANSWER:D"));
    assert_eq!(errors, Vec::<String>::new());
    let [first, second] = questions.as_slice() else { panic!("{questions:?}") };
    assert_eq!((first.question.as_str(), first.answer.letter_or_number()), ("Good?", "B"));
    assert_eq!(first.options, ["1", "2", "3", "<b>4</b> for \\$5"]);
    assert_eq!((second.question.as_str(), second.answer.letter_or_number()), ("Is $x$ it?", "D"));
    assert_eq!(read_all(GOOD).0.first().map(|one| one.id.clone()), Some(first.id.clone()));
}

#[test]
fn each_fault_refuses_its_question_alone() {
    let stray = |line: u32| {
        format!(
            "line {line} is neither an option, such as \"A. text\" or \"A) text\", nor ANSWER: the question itself must be one line"
        )
    };
    let options = "A. 1\nB. 2\nC. 3\nD. 4\n";
    let one_letter = || "ANSWER: must be followed by one letter".to_owned();
    let order = |letter: char| format!("its options are not A, B, C, D in their order: {letter}");
    let too_long = || "its text is too long or nested too deeply".to_owned();
    let alphabet: String = ('A'..='Z').map(|letter| format!("{letter}. {letter}{letter}\n")).collect();
    let cases = [
        (format!("Q\n{options}ANSWER: AA"), one_letter()),
        (format!("Q\n{options}ANSWER: A B"), one_letter()),
        (format!("Q\n{options}ANSWER: A."), one_letter()),
        (format!("Q\n{options}ANSWER: (A)"), one_letter()),
        (format!("Q\n{options}ANSWER: 1"), one_letter()),
        (format!("Q\n{options}ANSWER: \u{c1}"), one_letter()),
        (format!("Q\n{options}ANSWER: \u{ff21}"), one_letter()),
        ("ANSWER:".to_owned(), one_letter()),
        (format!("Q\n{options}ANSWER: Z"), "ANSWER: Z names no option".to_owned()),
        ("ANSWER: A".to_owned(), "ANSWER: A names no option".to_owned()),
        ("Q\nB. 2\nC. 3\nD. 4\nA. 1\nANSWER: A".to_owned(), order('B')),
        ("Q\nA. 1\nB. 2\nC. 3\nE. 4\nANSWER: A".to_owned(), order('E')),
        ("Q\nA. 1\nB. 2\nD. 3\nD. 4\nANSWER: A".to_owned(), order('D')),
        ("Q\nA. 1\nB. 2\nANSWER: A".to_owned(), "it has 2 options, but 4 are needed (or the tag options:2)".to_owned()),
        ("Q\nA. 1\nANSWER: A".to_owned(), "it has 1 options, but 4 are needed".to_owned()),
        (format!("Q\n{alphabet}ANSWER: A"), "it has 26 options, but 4 are needed".to_owned()),
        ("Q\nA.\nB. 2\nC. 3\nD. 4\nANSWER: B".to_owned(), stray(9)),
        ("Q\nA- 1\nB- 2\nANSWER: A".to_owned(), stray(9)),
        ("Q\nA: 1\nB: 2\nANSWER: A".to_owned(), stray(9)),
        ("Q\nA 1\nB 2\nANSWER: A".to_owned(), stray(9)),
        ("Q\n(A) 1\n(B) 2\nANSWER: A".to_owned(), stray(9)),
        ("Q\n1. 1\n2. 2\nANSWER: A".to_owned(), stray(9)),
        ("Q\n\u{c1}. 1\n\u{c2}. 2\nANSWER: A".to_owned(), stray(9)),
        ("Q\nA. 1\nB. 2\nC. 2\nD. 4\nANSWER: A".to_owned(), "optionB and optionC are equal".to_owned()),
        ("Q\nA. 1\nB. 2\nC. 3\nD. \u{ff11}\nANSWER: A".to_owned(), "optionA and optionD are equal".to_owned()),
        ("Q\nA. 1\u{7}\nB. 2\nC. 3\nD. 4\nANSWER: A".to_owned(), "optionA has control characters".to_owned()),
        ("Q\nA. 1\nB. 2\nC. 3\0\nD. 4\nANSWER: A".to_owned(), "optionC has control characters".to_owned()),
        (
            format!("Q\nA. 1\nB. 2\nC. 3\nD. {}\nANSWER: A", "x".repeat(40_000)),
            "optionD is longer than 32767 characters".to_owned(),
        ),
        (format!("{}\n{options}ANSWER: A", "x".repeat(140_000)), too_long()),
        (format!("Q\nA. {}\nB. 2\nC. 3\nD. 4\nANSWER: A", "x".repeat(140_000)), too_long()),
        (format!("Q\n{options}ANSWER: E"), "ANSWER: E names no option".to_owned()),
        (format!("Q\n{options}ANSWER: AB"), "ANSWER: must be followed by one letter".to_owned()),
        (format!("Q\n{options}ANSWER: b"), "ANSWER: must be followed by one letter".to_owned()),
        (format!("Q\n{options}ANSWER:"), "ANSWER: must be followed by one letter".to_owned()),
        (format!("Q\n{options}ANSWER: A, B"), "ANSWER: must be followed by one letter".to_owned()),
        (format!("Q\n{options}"), "no line ANSWER: follows it".to_owned()),
        (format!("Q\nmore\n{options}ANSWER: A"), stray(9)),
        ("Q\na. 1\nb. 2\nANSWER: A".to_owned(), stray(9)),
        ("Q\nA.1\nB.2\nANSWER: A".to_owned(), stray(9)),
        (
            "Q\nA. 1\nC. 2\nB. 3\nD. 4\nANSWER: A".to_owned(),
            "its options are not A, B, C, D in their order: C".to_owned(),
        ),
        (
            "Q\nA. 1\nA. 2\nB. 3\nC. 4\nANSWER: A".to_owned(),
            "its options are not A, B, C, D in their order: A".to_owned(),
        ),
        (
            "Q\nA. 1\nB. 2\nC. 3\nANSWER: A".to_owned(),
            "it has 3 options, but 4 are needed (or the tag options:3)".to_owned(),
        ),
        (format!("Q\n{options}E. 5\nANSWER: A"), "it has 5 options, but 4 are needed".to_owned()),
        ("Q\nANSWER: A".to_owned(), "ANSWER: A names no option".to_owned()),
        (format!("{options}ANSWER: A"), "question required".to_owned()),
        ("Q\nA. 1\nB. 1\nC. 3\nD. 4\nANSWER: A".to_owned(), "optionA and optionB are equal".to_owned()),
        (format!("Q\u{7}\n{options}ANSWER: A"), "question has control characters".to_owned()),
        (format!("{}\n{options}ANSWER: A", "x".repeat(40_000)), "question is longer than 32767 characters".to_owned()),
        ("Good?\nA. 1\nB. 2\nC. 3\nD. <b>4</b> for $5\nANSWER: A".to_owned(), String::new()),
    ];
    assert!(cases.len() >= 40, "{}", cases.len());
    for (aiken, expected) in cases {
        let (questions, errors) = read_all(&format!("{GOOD}{aiken}\n\nLast?\n{options}ANSWER: D"));
        if expected.is_empty() {
            let first = questions.first().unwrap();
            assert_eq!(errors, [format!("Line 8: id {} stands in line 1 already", first.id)]);
            continue;
        }
        assert_eq!(errors, [format!("Line 8: {expected}")], "{}", aiken.chars().take(100).collect::<String>());
        assert_eq!(questions.iter().map(|one| one.question.as_str()).collect::<Vec<_>>(), ["Good?", "Last?"]);
    }
}

#[test]
fn what_would_do_harm_elsewhere_is_a_text() {
    let (questions, errors) = read_all(
        "<script>alert(1)</script> &xxe; ../../etc/passwd\nA. <img src=x onerror=alert(1)>\nB. 2\nC. 3\nD. 4\nANSWER: B",
    );
    assert_eq!(errors, Vec::<String>::new());
    assert_eq!(questions[0].question, "<script>alert(1)</script> &xxe; ../../etc/passwd");
    assert_eq!((questions[0].options[0].as_str(), questions[0].image.as_str()), ("<img src=x onerror=alert(1)>", ""));
}

#[test]
fn a_file_that_is_cut_off_says_so() {
    let (questions, errors) = read_all(&format!("{GOOD}Q\nA. 1\nB."));
    assert_eq!(
        (questions.len(), errors),
        (1, ["Line 8", "Line 10"].map(|line| format!("{line}: no line ANSWER: follows it")).to_vec())
    );
}

#[test]
fn aiken_is_told_from_other_texts() {
    assert!(is_aiken(GOOD));
    for text in ["", "ANSWER: A", "A. first\nB. second", "question,optionA\nA,B"] {
        assert!(!is_aiken(text), "{text}");
    }
}
