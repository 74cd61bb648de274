//! Reads a number from what was typed.

use super::{Form, Language, Ratio, TYPED_CHARACTERS_MAX, ratio};
use crate::text::same::seen;

/// Fractions that have a character of their own.
const FRACTION_CHARACTERS: [(char, &str); 18] = [
    ('½', "1/2"),
    ('⅓', "1/3"),
    ('⅔', "2/3"),
    ('¼', "1/4"),
    ('¾', "3/4"),
    ('⅕', "1/5"),
    ('⅖', "2/5"),
    ('⅗', "3/5"),
    ('⅘', "4/5"),
    ('⅙', "1/6"),
    ('⅚', "5/6"),
    ('⅐', "1/7"),
    ('⅛', "1/8"),
    ('⅜', "3/8"),
    ('⅝', "5/8"),
    ('⅞', "7/8"),
    ('⅑', "1/9"),
    ('⅒', "1/10"),
];

/// What a typed text says: a number, and how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    is_negative: bool,
    magnitude: Magnitude,
    has_unit: bool,
    language: Language,
}

/// A number without its sign, as it was written. None of its parts has more digits than a typed text has characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Magnitude {
    /// Digits, and how many of them are decimals.
    Decimal { digits: i128, places: usize },
    /// The denominator is above 0.
    Fraction { numerator: i128, denominator: i128 },
    /// The fraction is less than 1.
    Mixed { whole: i128, numerator: i128, denominator: i128 },
}

impl Reading {
    /// Reads what was typed into a box with this unit behind it; `None` when it is no number.
    #[must_use]
    pub fn of(typed: &str, unit: &str, language: Language) -> Option<Self> {
        let (text, unit) = (plain(typed), plain(unit));
        let without_unit = text.strip_suffix(unit.as_str()).filter(|_| !unit.is_empty());
        let number = without_unit.unwrap_or(&text).trim_end();
        if number.bytes().filter(u8::is_ascii_digit).count() > TYPED_CHARACTERS_MAX {
            return None;
        }
        let without_minus = number.strip_prefix('-');
        let number = without_minus.or_else(|| number.strip_prefix('+')).unwrap_or(number).trim_start();
        let magnitude = match number.split_once('/') {
            Some((before, denominator)) => fraction(before.trim_end(), denominator.trim_start()),
            None => decimal(number, language),
        };
        let (is_negative, has_unit) = (without_minus.is_some(), without_unit.is_some());
        magnitude.map(|magnitude| Self { is_negative, magnitude, has_unit, language })
    }

    /// The number.
    #[must_use]
    pub fn value(self) -> Ratio {
        let (numerator, denominator) = match self.magnitude {
            Magnitude::Decimal { digits, places } => (digits, ratio::ten_to(places).unwrap_or(1)),
            Magnitude::Fraction { numerator, denominator } => (numerator, denominator),
            Magnitude::Mixed { whole, numerator, denominator } => (whole * denominator + numerator, denominator),
        };
        let numerator = if self.is_negative { -numerator } else { numerator };
        Ratio::new(numerator, denominator).unwrap_or(Ratio::whole(numerator))
    }

    /// How it is written.
    #[must_use]
    pub const fn form(self) -> Form {
        match self.magnitude {
            Magnitude::Decimal { .. } => Form::Decimal,
            Magnitude::Fraction { .. } => Form::Fraction,
            Magnitude::Mixed { .. } => Form::Mixed,
        }
    }

    /// Returns whether it is written as a whole number, without decimals and without a fraction.
    #[must_use]
    pub const fn is_whole(self) -> bool {
        matches!(self.magnitude, Magnitude::Decimal { places: 0, .. })
    }

    /// Returns whether the unit was typed behind it.
    #[must_use]
    pub const fn has_unit(self) -> bool {
        self.has_unit
    }

    /// The number in the form in which it was written, without digit groups and unit: `2 1/2`, `-0.5`, in Vietnamese
    /// `-0,5`.
    #[must_use]
    pub fn text(self) -> String {
        let sign = match self.language {
            Language::En => ".",
            Language::Vi => ",",
        };
        self.written(|numerator, denominator| format!("{numerator}/{denominator}"), " ", sign)
    }

    /// The same for a formula: `2\frac{1}{2}`.
    #[must_use]
    pub fn latex(self) -> String {
        // Without the braces, a comma in a formula has a space behind it.
        let sign = match self.language {
            Language::En => ".",
            Language::Vi => "{,}",
        };
        self.written(|numerator, denominator| format!(r"\frac{{{numerator}}}{{{denominator}}}"), "", sign)
    }

    fn written(self, fraction: impl Fn(i128, i128) -> String, between: &str, sign: &str) -> String {
        let minus = if self.is_negative { "-" } else { "" };
        match self.magnitude {
            Magnitude::Decimal { digits, places: 0 } => format!("{minus}{digits}"),
            Magnitude::Decimal { digits, places } => {
                let digits = format!("{digits:0width$}", width = places + 1);
                let (whole, decimals) = digits.split_at(digits.len() - places);
                format!("{minus}{whole}{sign}{decimals}")
            }
            Magnitude::Fraction { numerator, denominator } => format!("{minus}{}", fraction(numerator, denominator)),
            Magnitude::Mixed { whole, numerator, denominator } => {
                format!("{minus}{whole}{between}{}", fraction(numerator, denominator))
            }
        }
    }
}

/// A text in the characters of a plain keyboard: digits, minus signs and blanks of one kind, no invisible characters,
/// and fractions with a stroke.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in seen(text).chars() {
        let fraction = FRACTION_CHARACTERS.iter().find(|(character, _)| *character == letter);
        match (letter, fraction) {
            (_, Some((_, fraction))) => plain.extend([" ", *fraction, " "]),
            ('\u{2044}' | '\u{2215}', None) => plain.push('/'),
            // Other texts keep them: they look different there.
            ('\u{2014}' | '\u{207B}' | '\u{2796}', None) => plain.push('-'),
            (letter, None) => plain.push(letter),
        }
    }
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `1/2`, or `2 1/2`. Neither has digit groups: `2 100/3` could be either.
fn fraction(before: &str, denominator: &str) -> Option<Magnitude> {
    let denominator = digits(denominator).filter(|denominator| *denominator > 0)?;
    let Some((whole, numerator)) = before.split_once(' ') else {
        return Some(Magnitude::Fraction { numerator: digits(before)?, denominator });
    };
    let (whole, numerator) = (digits(whole)?, digits(numerator)?);
    (numerator < denominator).then_some(Magnitude::Mixed { whole, numerator, denominator })
}

/// A number with decimals or without, by the rules of the language only where it could be read in two ways.
fn decimal(text: &str, language: Language) -> Option<Magnitude> {
    let Some((before, after)) = text.rsplit_once(['.', ',']) else { return joined(text, ' ', "") };
    let sign = if text.as_bytes().get(before.len()) == Some(&b'.') { '.' } else { ',' };
    let other = if sign == '.' { ',' } else { '.' };
    let is_language_group = sign == language.group_sign() && is_grouped(text, sign);
    if before.contains(sign) || is_language_group {
        return is_grouped(text, sign).then(|| joined(text, sign, "")).flatten();
    }
    if before.contains(other) {
        return is_grouped(before, other).then(|| joined(before, other, after)).flatten();
    }
    match (before, after) {
        ("", "") => None,
        ("", after) => joined("0", ' ', after),
        (before, after) => joined(before, ' ', after),
    }
}

/// The whole part, which may have groups with this sign between them, and its decimals.
fn joined(whole: &str, sign: char, decimals: &str) -> Option<Magnitude> {
    if whole.contains(sign) && !is_grouped(whole, sign) {
        return None;
    }
    let digits = digits(&format!("{}{decimals}", whole.replace(sign, "")))?;
    Some(Magnitude::Decimal { digits, places: decimals.len() })
}

/// Returns whether it is groups of three digits with this sign between them, the first of which may be shorter and does
/// not begin with 0.
pub(super) fn is_grouped(text: &str, sign: char) -> bool {
    let mut groups = text.split(sign);
    let first = groups.next().unwrap_or_default();
    let mut rest = groups.peekable();
    let are_digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    (1..=3).contains(&first.len())
        && are_digits(first)
        && !first.starts_with('0')
        && rest.peek().is_some()
        && rest.all(|group| group.len() == 3 && are_digits(group))
}

fn digits(text: &str) -> Option<i128> {
    let are_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    are_digits.then(|| text.parse().ok()).flatten()
}
