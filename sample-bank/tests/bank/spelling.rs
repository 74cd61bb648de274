//! The bank has one spelling, that of the United States.

use regex::Regex;
use sample_bank::{bank, number_bank};

use super::{SOLVERS, none_of};

/// Beginnings of words as they are spelled elsewhere.
const ELSEWHERE: &str = "theatre|centre|metre|litre|centimetre|kilometre|millimetre|millilitre|colour|neighbour|favour|\
    labell|travell|modell|grey|jewell|programme|practis|organis|recognis|maths|mould|plough|tyre|cheque|sceptic|aeroplane|\
    licence|defence|catalogue|rucksack|sweets|aubergine|anticlockwise";

#[test]
fn every_text_is_spelled_as_in_the_united_states() {
    let elsewhere = Regex::new(&format!(r"(?i)\b(?:{ELSEWHERE})")).unwrap();
    let choices = SOLVERS.iter().flat_map(|(grade, _)| bank(*grade)).map(|one| {
        let texts = [&one.topic, &one.subtopic, &one.question, &one.explanation, &one.image_description];
        let texts = texts.map(String::as_str);
        (one.id.clone(), texts.join(" ") + " " + &one.options.join(" "))
    });
    let numbers = SOLVERS.iter().flat_map(|(grade, _)| number_bank(*grade)).map(|one| {
        let texts = [&one.topic, &one.subtopic, &one.question, &one.explanation, &one.image_description, &one.unit];
        let texts = texts.map(String::as_str);
        (one.id.clone(), texts.join(" "))
    });
    let found = choices.chain(numbers).filter(|(_, text)| elsewhere.is_match(text));
    none_of(&found.map(|(id, text)| format!("{id}: {text}")).collect::<Vec<_>>());
    assert!(elsewhere.is_match("A Theatre") && !elsewhere.is_match("a theater, a meter, a gram and a paragraph"));
}
