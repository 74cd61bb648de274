//! A number as the answer to a question: the key, what students type, and which of it is right. The rules are in
//! `docs/decisions/0083-how-a-typed-number-is-read.md`. `tests/oracle/typed_numbers.py` is a second implementation of
//! them, and `tests/golden/numbers.json` binds that of the pages.

mod form;
mod ratio;
mod reading;

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

use super::question::normal_text;
use super::text;
pub use form::{Form, Forms};
pub use ratio::Ratio;
pub use reading::Reading;
pub(crate) use reading::plain;

/// The longest text that counts as an answer, in characters.
pub const TYPED_CHARACTERS_MAX: usize = 32;
/// The longest unit, in characters.
pub const UNIT_CHARACTERS_MAX: usize = 20;
/// How many digits a key or a tolerance may have before its decimal point, and how many after it.
pub const KEY_DIGITS_MAX: usize = 18;
/// The tolerance of a key that names none.
pub const NO_TOLERANCE: &str = "0";
/// The unit with which a per cent sign may be typed.
const PERCENT: &str = "%";

/// What a student has typed: 1 to 32 characters, no control characters, no white space around them.
// Cells and responses are cloned, so the text is shared.
#[derive(Clone, Debug, PartialEq, Eq, Hash, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 32)]
pub struct Typed(Arc<str>);

impl Typed {
    /// The text as an answer; `None` when it is empty, too long, or has control characters. It need not be a number.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let text = normal_text(text);
        let is_sound = (1..=TYPED_CHARACTERS_MAX).contains(&text.chars().count()) && !text::has_control(&text);
        is_sound.then(|| Self(text.into()))
    }

    /// What was typed.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Serialize for Typed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Typed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::new(&text).ok_or_else(|| serde::de::Error::custom("an answer has 1 to 32 characters"))
    }
}

/// By which language digit groups and decimal signs are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = NumberLanguage)]
pub enum Language {
    /// English: `1,234.5`.
    #[default]
    En,
    /// Vietnamese: `1.234,5`.
    Vi,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::En, Self::Vi];

    /// `en` or `vi`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Vi => "vi",
        }
    }

    /// Parses a language's name; `None` for any other text.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.name() == name)
    }

    /// The sign between groups of three digits.
    #[must_use]
    pub const fn group_sign(self) -> char {
        match self {
            Self::En => ',',
            Self::Vi => '.',
        }
    }
}

/// The right number, and what counts as it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumberKey {
    /// The number with a decimal point: `-?\d+(\.\d+)?`.
    pub answer: String,
    /// How far an answer may be from it; a decimal like it, not negative.
    pub tolerance: String,
    /// What stands behind the box; empty when nothing does.
    pub unit: String,
    /// The ways of writing that count.
    pub forms: Forms,
    /// How digit groups and decimal signs are read.
    pub language: Language,
}

/// What a question about a number has beside its key, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NumberTerms {
    /// As in [`NumberKey`]; `0` when absent.
    pub tolerance: String,
    /// As in [`NumberKey`]; empty when absent.
    pub unit: String,
    /// As in [`NumberKey`]; all of them when absent.
    pub forms: Forms,
    /// As in [`NumberKey`]; English when absent.
    pub language: Language,
}

impl Default for NumberTerms {
    fn default() -> Self {
        let (tolerance, unit) = (NO_TOLERANCE.to_owned(), String::new());
        Self { tolerance, unit, forms: Forms::ALL, language: Language::En }
    }
}

impl NumberKey {
    /// The key of an exact number without a unit, in any form.
    #[must_use]
    pub fn exact(answer: &str) -> Self {
        Self::of(answer.to_owned(), NumberTerms::default())
    }

    /// The key with these terms.
    #[must_use]
    pub fn of(answer: String, terms: NumberTerms) -> Self {
        let NumberTerms { tolerance, unit, forms, language } = terms;
        Self { answer, tolerance, unit, forms, language }
    }

    /// All of it but the number.
    #[must_use]
    pub fn terms(&self) -> NumberTerms {
        let Self { tolerance, unit, forms, language, .. } = self;
        NumberTerms { tolerance: tolerance.clone(), unit: unit.clone(), forms: *forms, language: *language }
    }

    /// Returns whether each part is as this server writes it: what [`decimal`], [`tolerance`] and [`unit()`] give.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        decimal(&self.answer).as_ref() == Some(&self.answer)
            && tolerance(&self.tolerance).as_ref() == Some(&self.tolerance)
            && unit(&self.unit).as_ref() == Some(&self.unit)
    }

    /// Reads what was typed; `None` when it is no number.
    #[must_use]
    pub fn read(&self, typed: &str) -> Option<Reading> {
        Reading::of(typed, &self.unit, self.language)
    }

    /// Returns whether what was typed is right: a number in a form that counts, as near to the key as it must be.
    /// Nothing is rounded.
    #[must_use]
    pub fn is_right(&self, typed: &str) -> bool {
        let (Some(reading), Some((low, high))) = (self.read(typed), self.bounds()) else { return false };
        let is_near = |value: Ratio| low <= value && value <= high;
        let value = reading.value();
        // A whole number is a number in every form.
        let is_allowed = reading.is_whole() || self.forms.have(reading.form());
        is_allowed && (is_near(value) || reading.has_unit() && self.may_be_share() && is_near(value.hundredth()))
    }

    /// Whether the key may be a share of 1 whose unit says that it may be written as per cent: then `50 %` is 0.5 too.
    fn may_be_share(&self) -> bool {
        let (least, most) = (Ratio::whole(-1), Ratio::whole(1));
        reading::plain(&self.unit) == PERCENT
            && ratio::decimal_value(&self.answer).is_some_and(|key| least <= key && key <= most)
    }

    /// The least and the greatest number that are right; `None` when the key is no number.
    fn bounds(&self) -> Option<(Ratio, Ratio)> {
        ratio::bounds(&self.answer, &self.tolerance)
    }
}

/// By what typed numbers are counted: those that are written in different ways and have one value are one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TypedValue {
    /// A number.
    Number(Ratio),
    /// A text that is none, as readers see it.
    Text(String),
}

impl TypedValue {
    /// What was typed into a box with this unit behind it.
    #[must_use]
    pub fn of(typed: &str, unit: &str, language: Language) -> Self {
        let reading = Reading::of(typed, unit, language);
        reading.map_or_else(|| Self::Text(reading::plain(typed)), |reading| Self::Number(reading.value()))
    }
}

/// A key as this server writes it: `-?\d+(\.\d+)?` without needless zeros before it and at most 18 digits on each side
/// of the point. Minus signs, digits and decimal commas of other kinds are taken too; `None` for anything else, also
/// where a comma could stand between groups of digits.
#[must_use]
pub fn decimal(text: &str) -> Option<String> {
    let text = reading::plain(text);
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest.trim_start()),
        None => ("", text.strip_prefix('+').unwrap_or(&text).trim_start()),
    };
    let is_group = text.contains(',') && reading::is_grouped(text, ',');
    let (whole, decimals) = text.split_once(['.', ',']).unwrap_or((text, ""));
    let are_digits = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    let whole = whole.trim_start_matches('0');
    let are_few = whole.len() <= KEY_DIGITS_MAX && decimals.len() <= KEY_DIGITS_MAX;
    let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
    if is_group || !has_digit || !are_few || !are_digits(whole) || !are_digits(decimals) {
        return None;
    }
    let is_zero = whole.is_empty() && decimals.bytes().all(|byte| byte == b'0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let (sign, point) = (if is_zero { "" } else { sign }, if decimals.is_empty() { "" } else { "." });
    Some(format!("{sign}{whole}{point}{decimals}"))
}

/// Returns whether two decimals with a point have one value.
#[must_use]
pub fn has_value_of(one: &str, other: &str) -> bool {
    ratio::decimal_value(one).is_some_and(|value| ratio::decimal_value(other) == Some(value))
}

/// A tolerance as this server writes it: a [`decimal`] that is not negative.
#[must_use]
pub fn tolerance(text: &str) -> Option<String> {
    decimal(text).filter(|tolerance| !tolerance.starts_with('-'))
}

/// A unit as this server writes it, which may be empty; `None` when it is too long, has control characters, or begins
/// like the rest of a number: students may type it behind theirs.
#[must_use]
pub fn unit(text: &str) -> Option<String> {
    let unit = normal_text(text);
    let is_number = |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | ',' | '/' | '+' | '-');
    let is_sound = unit.chars().count() <= UNIT_CHARACTERS_MAX
        && !text::has_control(&unit)
        && !reading::plain(&unit).starts_with(is_number);
    is_sound.then_some(unit)
}

#[cfg(test)]
mod tests;
