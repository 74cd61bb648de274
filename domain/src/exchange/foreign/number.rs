//! The right number of a question of another system: one of several answers that give points, or a range.

use super::{FRACTION_SLACK, Refusal, Rich, shown_fraction};
use crate::number::{Language, TypedValue, decimal};

/// The most decimals that a bound of a range may have: the middle has one more.
const PLACES_MAX: usize = 17;

/// The number that is right, as texts that become the fields of a question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForeignNumber {
    /// The number.
    pub answer: String,
    /// How far an answer may be from it; empty for not at all.
    pub tolerance: String,
    /// What stands behind the box; empty if the file does not say it.
    pub unit: String,
    /// What is said to those who were right.
    pub feedback: Rich,
}

/// An answer that a system knows to such a question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NumberOption {
    /// The number, or another text that matches what is typed.
    pub text: String,
    /// How far an answer may be from it; empty for not at all.
    pub tolerance: String,
    /// How many per cent of the points it gives; 100 is right.
    pub fraction: f64,
    /// What is said to those who gave it.
    pub feedback: Rich,
}

impl ForeignNumber {
    /// The only right one of several answers. Several ways to write one number are one answer.
    ///
    /// # Errors
    /// When none is right, several are, or the right one gives only some of the points.
    pub fn of(options: Vec<NumberOption>) -> Result<Self, Refusal> {
        let mut giving = options.into_iter().filter(|option| option.fraction > 0.0);
        let first = giving.next().ok_or(Refusal::NoRight)?;
        if (first.fraction - 100.0).abs() >= FRACTION_SLACK {
            return Err(Refusal::PartlyRight(shown_fraction(first.fraction)));
        }
        let is_same = |other: &NumberOption| {
            (other.fraction - 100.0).abs() < FRACTION_SLACK
                && other.tolerance == first.tolerance
                && is_same_number(&first.text, &other.text)
        };
        let others = giving.filter(|other| !is_same(other)).count();
        if others > 0 {
            return Err(Refusal::SeveralRight(others + 1));
        }
        let NumberOption { text, tolerance, feedback, .. } = first;
        Ok(Self { answer: text, tolerance, unit: String::new(), feedback })
    }
}

/// Returns whether two texts write one number. As in [`decimal`], a decimal comma is one where it can be no other.
#[must_use]
pub fn is_same_number(one: &str, other: &str) -> bool {
    TypedValue::of(one, "", Language::En) == TypedValue::of(other, "", Language::En)
}

/// The middle of a range, and how far its ends are from it; `None` if an end is no number, or the range has none.
#[must_use]
pub fn between(low: &str, high: &str) -> Option<(String, String)> {
    let (low, high) = (decimal(low)?, decimal(high)?);
    let places = [&low, &high].map(|text| text.split_once('.').map_or(0, |(_, decimals)| decimals.len()));
    let places = places.into_iter().max().filter(|places| *places <= PLACES_MAX)? + 1;
    let (low, high) = (scaled(&low, places)?, scaled(&high, places)?);
    // Both ends have a zero at their end, so that halves are whole.
    (low <= high).then(|| (shown(low.midpoint(high), places), shown((high - low) / 2, places)))
}

/// The number as so many parts of one as fit in these decimals.
fn scaled(text: &str, places: usize) -> Option<i128> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    format!("{whole}{decimals:0<places$}").parse().ok()
}

fn shown(parts: i128, places: usize) -> String {
    let sign = if parts < 0 { "-" } else { "" };
    let digits = format!("{:0width$}", parts.unsigned_abs(), width = places + 1);
    let (whole, decimals) = digits.split_at(digits.len() - places);
    let decimals = decimals.trim_end_matches('0');
    let point = if decimals.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{decimals}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_a_middle() {
        for (low, high, middle, apart) in [
            ("1", "5", "3", "2"),
            ("1", "2", "1.5", "0.5"),
            ("0.25", "0.5", "0.375", "0.125"),
            ("-0.5", "0.5", "0", "0.5"),
            ("-3", "-1", "-2", "1"),
            ("-0.3", "-0.1", "-0.2", "0.1"),
            ("2", "2", "2", "0"),
            ("1.50", "2.5", "2", "0.5"),
        ] {
            assert_eq!(between(low, high), Some((middle.to_owned(), apart.to_owned())), "{low}..{high}");
        }
        for (low, high) in [("5", "1"), ("a", "1"), ("1", ""), ("0.123456789012345678", "1")] {
            assert_eq!(between(low, high), None, "{low}..{high}");
        }
    }

    fn option(text: &str, fraction: f64) -> NumberOption {
        NumberOption { text: text.to_owned(), fraction, ..NumberOption::default() }
    }

    #[test]
    fn one_answer_is_right() {
        let found =
            ForeignNumber::of(vec![option("7", 0.0), option("0.5", 100.0), option(".50", 100.0), option("*", 0.0)]);
        assert_eq!(found.unwrap().answer, "0.5");
        assert_eq!(ForeignNumber::of(vec![option("7", 0.0)]), Err(Refusal::NoRight));
        assert_eq!(ForeignNumber::of(vec![option("7", 50.0)]), Err(Refusal::PartlyRight("50".to_owned())));
        assert_eq!(ForeignNumber::of(vec![option("7", 100.0), option("8", 50.0)]), Err(Refusal::SeveralRight(2)));
        let wide = NumberOption { tolerance: "1".to_owned(), ..option("7", 100.0) };
        assert_eq!(ForeignNumber::of(vec![option("7", 100.0), wide]), Err(Refusal::SeveralRight(2)));
    }
}
