//! The answers of a question that asks for a number: `#3`, `#3:0.5`, `#1..5`, several with `=` before each, or short
//! answers that are all numbers.

use domain::exchange::foreign::{ForeignNumber, NumberOption, Refusal, between};
use domain::number::decimal;

use super::signs::literal;
use super::{Format, OPTIONS_READ_MAX, formatted_rich, weight};

/// Stands before the answers.
pub(super) const NUMBER: char = '#';
/// Stands between the ends of a range.
const RANGE: &str = "..";
/// Stands before a tolerance.
const TOLERANCE: char = ':';

/// Reads what stands behind the sign, if it is there; else short answers, if all of them are numbers.
pub(super) fn number(answers: &str, format: Format, notes: &mut Vec<String>) -> Result<Option<ForeignNumber>, Refusal> {
    match answers.strip_prefix(NUMBER) {
        Some(answers) => numerical(answers.trim(), format, notes).map(Some),
        None => short_answer(answers, format),
    }
}

fn numerical(answers: &str, format: Format, notes: &mut Vec<String>) -> Result<ForeignNumber, Refusal> {
    let (answers, wrong) = answers.split_once('~').unwrap_or((answers, ""));
    if !wrong.trim().is_empty() {
        notes.push("feedback to wrong answers is left out".to_owned());
    }
    let parts = answers.split('=').map(str::trim).filter(|part| !part.is_empty());
    let options = parts.take(OPTIONS_READ_MAX).map(|part| option(part, format));
    ForeignNumber::of(options.collect::<Result<_, _>>()?)
}

fn option(part: &str, format: Format) -> Result<NumberOption, Refusal> {
    let (fraction, rest) = weight(part).unwrap_or((100.0, part));
    let (value, feedback) = rest.split_once('#').unwrap_or((rest, ""));
    let value = literal(value.trim());
    let (text, tolerance) = if let Some((low, high)) = value.split_once(RANGE) {
        between(low.trim(), high.trim()).ok_or_else(|| Refusal::Other(format!("{value} is no range of numbers")))?
    } else {
        let (text, tolerance) = value.split_once(TOLERANCE).unwrap_or((value.as_str(), ""));
        (text.trim().to_owned(), tolerance.trim().to_owned())
    };
    Ok(NumberOption { text, tolerance, fraction, feedback: formatted_rich(feedback, format)? })
}

fn short_answer(answers: &str, format: Format) -> Result<Option<ForeignNumber>, Refusal> {
    let Some(answers) = answers.strip_prefix('=').filter(|rest| !rest.contains('~') && !rest.contains("->")) else {
        return Ok(None);
    };
    let parts = answers.split('=').map(str::trim).take(OPTIONS_READ_MAX);
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let text = |part: &&str| {
        literal(weight(part).map_or(*part, |(_, rest)| rest).split('#').next().unwrap_or_default().trim())
    };
    if parts.is_empty() || parts.iter().map(text).any(|text| decimal(&text).is_none()) {
        return Ok(None);
    }
    let options = parts.into_iter().map(|part| option(part, format));
    ForeignNumber::of(options.collect::<Result<_, _>>()?).map(Some)
}
