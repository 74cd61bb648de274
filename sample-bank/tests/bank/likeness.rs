//! No two questions of the bank ask the same: not in the same words with another name, not with the same numbers and
//! answer, and not with the same options.

use std::collections::BTreeMap;

use regex::Regex;
use sample_bank::{bank, number_bank};

use super::latex::plain;
use super::{SOLVERS, none_of};

const NAMES: &str = "Mia|Noah|Ava|Omar|Priya|Kai|Lena|Ruby|Yusuf|Hana|Ben|Zoe|Leo|Ines|Sam|Tariq|Nora|Max|Aisha|Finn";

/// What identifies a question, and its id.
type Entry = (String, String);

/// What a question says, in lower case and without the names of children.
fn normalized(text: &str) -> String {
    let name = Regex::new(&format!(r"\b(?:{NAMES})\b")).unwrap();
    name.replace_all(text, "somebody").to_lowercase()
}

/// The numbers of a text with the signs right before them, sorted.
fn numbers(text: &str) -> Vec<String> {
    let number = Regex::new(r"−?\d+(?:[,./:]\d+)*").unwrap();
    let mut found: Vec<String> = number.find_iter(text).map(|found| found.as_str().to_owned()).collect();
    found.sort();
    found
}

/// The ids of entries that another one repeats.
fn repeated(entries: Vec<Entry>) -> Vec<String> {
    let mut known: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (entry, id) in entries {
        known.entry(entry).or_default().push(id);
    }
    known
        .into_iter()
        .filter(|(_, ids)| ids.len() > 1)
        .map(|(entry, ids)| format!("{}: {entry}", ids.join(", ")))
        .collect()
}

#[test]
fn no_text_is_that_of_another_question_with_another_name() {
    let choices = SOLVERS.iter().flat_map(|(grade, _)| bank(*grade));
    let choices = choices.map(|one| (one.question + " " + &one.image_description, one.id));
    let numbers = SOLVERS.iter().flat_map(|(grade, _)| number_bank(*grade));
    let numbers = numbers.map(|one| (one.question + " " + &one.image_description, one.id));
    none_of(&repeated(choices.chain(numbers).map(|(text, id)| (normalized(&plain(&text)), id)).collect()));
}

#[test]
fn no_question_has_the_numbers_and_the_answer_of_another_one_of_its_kind() {
    let entries = SOLVERS.iter().flat_map(|(grade, _)| bank(*grade)).map(|one| {
        let told = numbers(&format!("{} {}", plain(&one.question), one.image_description));
        let right = plain(&one.options["ABCD".find(one.answer).unwrap()]);
        (format!("grade {}, {}, {}: {told:?} {right}", one.grade, one.topic, one.subtopic), one.id)
    });
    none_of(&repeated(entries.collect()));
}

#[test]
fn no_question_has_the_options_and_the_answer_of_another_one() {
    let entries = SOLVERS.iter().flat_map(|(grade, _)| bank(*grade)).map(|one| {
        let right = one.options["ABCD".find(one.answer).unwrap()].clone();
        let mut options = one.options;
        options.sort();
        (format!("grade {}: {options:?} {right}", one.grade), one.id)
    });
    none_of(&repeated(entries.collect()));
}

#[test]
fn a_repeated_question_is_found() {
    assert_eq!(normalized("Has Mia 3 pens?"), normalized("has Ben 3 pens?"));
    assert_eq!(numbers("From −4 to 1,200 at 9:05, 1/2."), ["1,200", "1/2", "9:05", "−4"]);
    let entries = [("same", "g1-001"), ("other", "g1-002"), ("same", "g1-003")];
    let entries = entries.map(|(entry, id)| (entry.to_owned(), id.to_owned()));
    assert_eq!(repeated(entries.to_vec()), ["g1-001, g1-003: same"]);
}
