//! Vietnamese texts with holes, and how they are filled.

use super::pattern::hole_name;
use super::{CENT, DOLLAR, numerals};

/// What a number may be multiplied by, as it is written behind the name of its hole.
const FACTORS: [(&str, i64); 2] = [(":dollars", DOLLAR), (":cents", CENT)];

/// What fills a hole.
pub(super) enum Filled<'a> {
    /// A number as the English text has it.
    Number(&'a str),
    /// A text that is translated already.
    Text(String),
}

/// A Vietnamese text with holes.
pub(super) struct Sentence(Vec<Stretch>);

enum Stretch {
    Fixed(String),
    /// A hole with its place among the names, and what its number is multiplied by.
    Hole(usize, Option<i64>),
}

impl Sentence {
    /// Reads a text with holes of these names. Braces around anything else are part of the text.
    pub(super) fn read(vietnamese: &str, names: &[&str]) -> Self {
        let (mut stretches, mut fixed, mut rest) = (Vec::new(), String::new(), vietnamese);
        while let Some(letter) = rest.chars().next() {
            if let Some((hole, after)) = hole(rest, names) {
                stretches.push(Stretch::Fixed(std::mem::take(&mut fixed)));
                stretches.push(hole);
                rest = after;
            } else {
                fixed.push(letter);
                rest = rest.get(letter.len_utf8()..).unwrap_or_default();
            }
        }
        stretches.push(Stretch::Fixed(fixed));
        Self(stretches)
    }

    /// The text with its holes filled, in the order of the names; `None` when an amount of money can't be written.
    pub(super) fn with(&self, filled: &[Filled<'_>]) -> Option<String> {
        let stretches = self.0.iter().map(|stretch| match stretch {
            Stretch::Fixed(text) => Some(text.clone()),
            Stretch::Hole(place, factor) => match (filled.get(*place)?, factor) {
                (Filled::Text(text), _) => Some(text.clone()),
                (Filled::Number(number), None) => Some(numerals::number(number)),
                (Filled::Number(number), Some(factor)) => numerals::grouped_times(number, *factor),
            },
        });
        stretches.collect()
    }
}

/// The hole at the beginning of a text, and what follows.
fn hole<'a>(text: &'a str, names: &[&str]) -> Option<(Stretch, &'a str)> {
    let (name, rest) = hole_name(text.strip_prefix('{')?)?;
    let place = names.iter().position(|known| *known == name)?;
    let of_factor = FACTORS.into_iter().find_map(|(sign, factor)| Some((Some(factor), rest.strip_prefix(sign)?)));
    let (factor, rest) = of_factor.unwrap_or((None, rest));
    Some((Stretch::Hole(place, factor), rest.strip_prefix('}')?))
}
