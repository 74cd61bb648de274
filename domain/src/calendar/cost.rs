//! The cost of an event: a free text, from which the numbers are picked out so that clients can compare and sort them.

mod reading;

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

use self::reading::{CostPart, CostReading};
use super::values;

/// Characters of a cost. A line of prices is far shorter, and every page of events repeats it.
pub const COST_CHARACTERS_MAX: usize = 200;
/// Texts of a cost that comes as a list: more prices than one event has.
pub const COSTS_MAX: usize = 20;
/// Stands between the lowest and the highest price.
const RANGE: &str = " – ";

/// A cost as stored and shown. The default is no cost.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// `cost`: `$10`, `$10 – $20`, `Free`, or a text without numbers as it was sent.
    pub text: String,
    /// `currency_symbol`; empty if there is none, if prices differ in it, or if they form a range such as `$10 - $20`.
    pub symbol: String,
    /// `currency_position`.
    pub position: SymbolPosition,
    /// `values`: each number once, in ascending order. A text without numbers is represented by its slug.
    pub values: Vec<String>,
}

/// Where a currency's symbol stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SymbolPosition {
    /// No symbol.
    #[default]
    #[serde(rename = "")]
    None,
    /// As in `$10`.
    #[serde(rename = "prefix")]
    Prefix,
    /// As in `10 €`.
    #[serde(rename = "postfix")]
    Postfix,
}

impl Cost {
    /// Reads a text, a number, null, or a list of texts and numbers. `None` is anything else or too long, and the
    /// caller answers `rest_invalid_param`.
    #[must_use]
    pub fn read(value: &Value) -> Option<Self> {
        let texts = match value {
            Value::Array(items) if items.len() <= COSTS_MAX => items.iter().map(text).collect::<Option<Vec<_>>>()?,
            Value::Array(_) => return None,
            single => vec![text(single)?],
        };
        Some(Self::of(&texts))
    }

    fn of(texts: &[String]) -> Self {
        let sent: Vec<&str> = texts.iter().map(String::as_str).filter(|text| !matches!(*text, "" | "0")).collect();
        let read: Vec<CostReading> = sent.iter().map(|text| CostReading::of(text)).collect();
        let is_listed = read.iter().all(|reading| reading.is_listed);
        let has_more = read.iter().any(|reading| reading.has_more);
        let (parts, symbol, position) = with_one_currency(read.into_iter().flat_map(|reading| reading.parts).collect());
        let is_single = parts.len() == 1;
        let parts = sorted(parts);
        let text = match (parts.as_slice(), sent.as_slice()) {
            ([], _) => String::new(),
            ([only], [text]) if has_more && !only.is_nothing() => (*text).to_owned(),
            ([only], _) => only.display(),
            ([least, .., most], _) => format!("{}{RANGE}{}", least.display(), most.display()),
        };
        let values = parts.into_iter().map(|part| part.value).collect();
        if is_single || is_listed {
            Self { text, symbol, position, values }
        } else {
            Self { text, values, ..Self::default() }
        }
    }
}

/// A number as a cost writes it: without a fraction if it is whole.
#[must_use]
pub fn number_text(number: &Number) -> String {
    number
        .as_f64()
        .filter(|number| number.fract() == 0.0)
        .map_or_else(|| number.to_string(), |number| format!("{number:.0}"))
}

/// One item of a cost as text; `None` if it is neither text, number nor null, or too long.
fn text(value: &Value) -> Option<String> {
    let text = match value {
        Value::Null => String::new(),
        Value::Number(number) => number_text(number),
        Value::String(text) if text.chars().count() <= COST_CHARACTERS_MAX => values::plain(text),
        Value::String(_) | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    (text.chars().count() <= COST_CHARACTERS_MAX).then_some(text)
}

/// Gives the symbol that some parts have to the numbers that have none, if those parts agree on it and on its position.
/// Returns the parts, the symbol (empty if there is none or they disagree) and its position.
fn with_one_currency(mut parts: Vec<CostPart>) -> (Vec<CostPart>, String, SymbolPosition) {
    let mut marked = parts.iter().filter(|part| part.position != SymbolPosition::None);
    let Some((symbol, position)) = marked.next().map(|part| (part.symbol.clone(), part.position)) else {
        return (parts, String::new(), SymbolPosition::None);
    };
    if !marked.all(|part| part.symbol == symbol && part.position == position) {
        return (parts, String::new(), SymbolPosition::None);
    }
    for part in parts.iter_mut().filter(|part| part.is_number) {
        (part.symbol, part.position) = (symbol.clone(), position);
    }
    (parts, symbol, position)
}

/// Texts first, then numbers in ascending order, each once.
fn sorted(mut parts: Vec<CostPart>) -> Vec<CostPart> {
    parts.sort_by(CostPart::compare);
    parts.dedup_by(|later, earlier| earlier.compare(later) == Ordering::Equal);
    parts
}

#[cfg(test)]
mod tests;
