//! The figures of the bank: well formed, small, described, and with the numbers of their questions. Some questions have
//! their numbers from the figure alone, and its description tells them too.

use std::collections::BTreeSet;

use super::latex::plain;
use super::{SOLVERS, Solver, none_of, solved_from_figure, solved_from_text, whole_text};
use regex::Regex;
use sample_bank::{SampleQuestion, bank};

/// How many different figures there must be.
const FIGURES_MIN: usize = 80;
/// How many questions must be impossible to answer without their figure, and in how many grades.
const SEEN_MIN: usize = 30;
const GRADES_MIN: usize = 5;
/// The longest address of a figure, in bytes.
const ADDRESS_MAX: usize = 6_000;
const ADDRESS_START: &str = "data:image/svg+xml,";

fn figures() -> Vec<SampleQuestion> {
    SOLVERS.iter().flat_map(|(grade, _)| bank(*grade)).filter(|question| !question.image.is_empty()).collect()
}

fn solver(question: &SampleQuestion) -> Solver {
    SOLVERS.iter().find(|(grade, _)| *grade == question.grade).unwrap().1
}

/// Whether the text alone does not tell enough, so that the figure must be looked at.
fn is_seen(question: &SampleQuestion) -> bool {
    solved_from_text(solver(question), question).is_none()
}

/// The picture in an address.
pub fn svg(image: &str) -> String {
    let coded = image.strip_prefix(ADDRESS_START).unwrap().as_bytes();
    let (mut bytes, mut place) = (Vec::new(), 0);
    while place < coded.len() {
        let is_coded = coded[place] == b'%';
        let digits = || std::str::from_utf8(&coded[place + 1..place + 3]).unwrap();
        bytes.push(if is_coded { u8::from_str_radix(digits(), 16).unwrap() } else { coded[place] });
        place += if is_coded { 3 } else { 1 };
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn there_are_many_and_every_grade_has_some() {
    let figures = figures();
    let distinct: BTreeSet<&str> = figures.iter().map(|question| question.image.as_str()).collect();
    assert!(distinct.len() >= FIGURES_MIN, "{}", distinct.len());
    for (grade, _) in SOLVERS {
        assert!(figures.iter().filter(|question| question.grade == grade).count() >= 5, "grade {grade}");
    }
}

#[test]
fn a_figure_has_a_description_and_nothing_else_has() {
    for question in SOLVERS.iter().flat_map(|(grade, _)| bank(*grade)) {
        assert_eq!(question.image.is_empty(), question.image_description.is_empty(), "{}", question.id);
        let description = &question.image_description;
        let is_sentence = description.starts_with(char::is_uppercase) && description.ends_with('.');
        assert!(description.is_empty() || is_sentence, "{}: {description}", question.id);
        assert!(!description.contains(['$', '\\', '⟨']), "{}: {description}", question.id);
    }
}

#[test]
fn a_figure_is_a_small_picture_and_nothing_more() {
    for question in figures() {
        let image = &question.image;
        assert!(image.starts_with(ADDRESS_START) && image.len() <= ADDRESS_MAX, "{}: {}", question.id, image.len());
        assert!(image.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>#\"".contains(&byte)), "{image}");
        let svg = svg(&question.image);
        assert!(svg.starts_with("<svg xmlns='http://www.w3.org/2000/svg' width='320' height='"), "{svg}");
        for word in ["script", "href", " style", "<style", "url(", "@", "NaN", "inf"] {
            assert!(!svg.contains(word), "{}: {svg}", question.id);
        }
    }
}

#[test]
fn a_figure_is_well_formed_xml() {
    let part = Regex::new(r"^(?:<(/?)([a-z]+)((?: [a-zA-Z-]+='[^'<&]*')*)(/?)>|[^<>&]+)").unwrap();
    for question in figures() {
        let svg = svg(&question.image);
        let (mut open, mut rest) = (Vec::new(), svg.as_str());
        while !rest.is_empty() {
            let found = part.captures(rest).unwrap_or_else(|| panic!("{}: {rest}", question.id));
            match (found.get(1), found.get(2), found.get(4)) {
                (Some(closing), Some(name), _) if closing.as_str() == "/" => {
                    assert_eq!(open.pop(), Some(name.as_str()), "{}: {svg}", question.id);
                }
                (_, Some(name), Some(ending)) if ending.as_str().is_empty() => open.push(name.as_str()),
                _ => {}
            }
            rest = &rest[found[0].len()..];
        }
        assert!(open.is_empty(), "{}: {open:?}", question.id);
    }
}

#[test]
fn many_questions_need_their_figure_and_its_description_tells_what_it_shows() {
    let seen: Vec<SampleQuestion> = figures().into_iter().filter(is_seen).collect();
    let grades: BTreeSet<u8> = seen.iter().map(|question| question.grade).collect();
    assert!(seen.len() >= SEEN_MIN && grades.len() >= GRADES_MIN, "{} in the grades {grades:?}", seen.len());
    let is_told = |question: &&SampleQuestion| {
        let speaks_of_it = ["picture", "chart", "clock"].iter().any(|word| question.question.contains(word));
        speaks_of_it && solved_from_figure(solver(question), question) == Some(question.answer)
    };
    none_of(&seen.iter().filter(|question| !is_told(question)).map(whole_text).collect::<Vec<_>>());
}

/// The numbers of a text, without signs.
fn numbers(text: &str) -> BTreeSet<String> {
    let number = Regex::new(r"\d+(?:\.\d+)?").unwrap();
    number.find_iter(&text.replace(',', "")).map(|found| found.as_str().to_owned()).collect()
}

#[test]
fn a_figure_tells_what_the_question_tells() {
    let text = Regex::new(r"<text[^>]*>([^<]*)</text>").unwrap();
    let scale = Regex::new(r"<g class='scale'.*?</g>").unwrap();
    let mut failures = Vec::new();
    for question in figures() {
        let svg = svg(&question.image);
        let written =
            |part: &str| text.captures_iter(part).map(|found| found[1].to_owned()).collect::<Vec<_>>().join(" ");
        let marks = scale.find(&svg).map_or(String::new(), |found| written(found.as_str()));
        let labels = written(&scale.replace(&svg, ""));
        let told = numbers(&plain(&question.question).replace(", ", " "));
        let described = numbers(&question.image_description.replace(", ", " "));
        let known: BTreeSet<String> = told.union(&numbers(&marks)).cloned().collect();
        let drawn = numbers(&labels.replace(", ", " "));
        let is_whole = if is_seen(&question) {
            drawn.is_subset(&described)
        } else {
            drawn.is_subset(&told) && described.is_subset(&known)
        };
        if !is_whole {
            failures.push(format!("{labels} / {}: {}", question.image_description, whole_text(&question)));
        }
    }
    none_of(&failures);
}
