//! Questions in Aiken, which people type as they would on paper: the question in a line, the options below, and the
//! letter of the right one.

use domain::exchange::foreign::{ForeignOption, ForeignQuestion, Refusal};
use domain::exchange::place::ItemPlace;

use super::foreign_file::EachQuestion;
use super::format_fault::FormatFault;
use super::html::plain_to_rich;

/// Begins the line that ends a question.
const ANSWER: &str = "ANSWER:";

/// A question that is being read.
#[derive(Default)]
struct Draft<'a> {
    line: u32,
    text: &'a str,
    options: Vec<(char, &'a str)>,
    /// A line that is neither the question nor an option.
    stray: Option<u32>,
}

/// Returns whether a text has lines as only Aiken has them.
pub fn is_aiken(text: &str) -> bool {
    text.lines().any(|line| option(line.trim()).is_some()) && text.lines().any(|line| line.trim().starts_with(ANSWER))
}

/// Reads the questions of a file, one after the other.
pub fn read(text: &str, each: EachQuestion<'_>) -> Result<(), FormatFault> {
    let (mut draft, mut number) = (Draft::default(), 0);
    let mut end = |draft: &mut Draft<'_>, answer: Option<&str>| {
        let Draft { line, text, options, stray } = std::mem::take(draft);
        number += 1;
        let place = ItemPlace { number, file: None, line: Some(line), name: String::new() };
        each(place.clone(), question(place, text, &options, stray, answer))
    };
    for (number, line) in (1_u32..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if draft.line == 0 {
            draft.line = number;
        }
        if let Some(answer) = line.strip_prefix(ANSWER) {
            end(&mut draft, Some(answer.trim()))?;
        } else if let Some(option) = option(line) {
            draft.options.push(option);
        } else if draft.text.is_empty() {
            draft.text = line;
        } else if draft.options.is_empty() {
            draft.stray = draft.stray.or(Some(number));
        } else {
            end(&mut draft, None)?;
            draft = Draft { line: number, text: line, ..Draft::default() };
        }
    }
    if draft.line > 0 { end(&mut draft, None) } else { Ok(()) }
}

/// The letter and the text of an option.
fn option(line: &str) -> Option<(char, &str)> {
    let mut characters = line.chars();
    let letter = characters.next().filter(char::is_ascii_uppercase)?;
    let rest = characters.as_str().strip_prefix([')', '.'])?;
    rest.starts_with([' ', '\t']).then(|| (letter, rest.trim()))
}

fn question(
    place: ItemPlace,
    text: &str,
    options: &[(char, &str)],
    stray: Option<u32>,
    answer: Option<&str>,
) -> Result<ForeignQuestion, Refusal> {
    let refused = |reason: String| -> Result<ForeignQuestion, Refusal> { Err(Refusal::Other(reason)) };
    if let Some(line) = stray {
        return refused(format!(
            "line {line} is neither an option, such as \"A. text\" or \"A) text\", nor ANSWER: the question itself must be one line"
        ));
    }
    let Some(answer) = answer else { return refused(format!("no line {ANSWER} follows it")) };
    if let Some((_, (letter, _))) = ('A'..='Z').zip(options).find(|(expected, (letter, _))| expected != letter) {
        return refused(format!("its options are not A, B, C, D in their order: {letter}"));
    }
    let mut letters = answer.chars();
    let right = letters.next().filter(|letter| letters.as_str().is_empty() && letter.is_ascii_uppercase());
    let Some(right) = right else { return refused(format!("{ANSWER} must be followed by one letter")) };
    if !options.iter().any(|(letter, _)| *letter == right) {
        return refused(format!("{ANSWER} {right} names no option"));
    }
    let option = |(letter, text): &(char, &str)| -> Result<ForeignOption, Refusal> {
        let fraction = if *letter == right { 100.0 } else { 0.0 };
        Ok(ForeignOption { text: plain_to_rich(text)?, fraction, ..ForeignOption::default() })
    };
    Ok(ForeignQuestion {
        text: plain_to_rich(text)?,
        options: options.iter().map(option).collect::<Result<_, _>>()?,
        keeps_order: false,
        place,
        ..ForeignQuestion::default()
    })
}

#[cfg(test)]
mod tests;
