//! What an option is worth, read from its text, so that the options of all templates can be compared by size.

use std::f64::consts::PI;
use std::iter::Peekable;
use std::str::Chars;

const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/// Values that differ by less than this part of them are equal.
const EQUAL: f64 = 1e-9;

type Letters<'a> = Peekable<Chars<'a>>;

/// Whether two values are one, but for the last digits of a root.
pub(super) fn are_equal(one: f64, other: f64) -> bool {
    (one - other).abs() <= EQUAL * one.abs().max(other.abs())
}

/// The value of `1 3/4`, `$3.50`, `x = −2`, `(20 + 6π) m`, `1.8 × 10⁻⁵`, `5:15` or `half past 2`; `None` for what has
/// no size, such as a point, an expression with a letter, or two solutions.
pub(super) fn value(option: &str) -> Option<f64> {
    let text = option.strip_prefix("x = ").unwrap_or(option);
    if let Some((times, rest)) = text.split_once(" remainder ") {
        return Some(times.parse::<f64>().ok()? + rest.parse::<f64>().ok()? / 100.0);
    }
    time(text).or_else(|| amount(text))
}

/// Minutes in `5:15` and in `2 hours 30 minutes`, and hours in `half past 2`.
fn time(text: &str) -> Option<f64> {
    if let Some(hour) = text.strip_prefix("half past ") {
        return hour.parse::<f64>().ok().map(|hour| hour + 0.5);
    }
    if let Some((hour, minute)) = text.split_once(':') {
        return Some(60.0 * hour.parse::<f64>().ok()? + minute.parse::<f64>().ok()?);
    }
    let (hours, rest) = text.split_once(" hour")?;
    let minutes = rest.trim_start_matches('s').trim_end_matches(" minutes").trim_start();
    let minutes = if minutes.is_empty() { 0.0 } else { minutes.parse::<f64>().ok()? };
    Some(60.0 * hours.parse::<f64>().ok()? + minutes)
}

/// The value of a number or of a sum without letters, and perhaps a unit behind it.
fn amount(text: &str) -> Option<f64> {
    let mut letters = text.strip_prefix('$').unwrap_or(text).chars().peekable();
    let value = sum(&mut letters)?;
    let unit: String = letters.collect();
    let is_unit = matches!(unit.as_str(), "" | "°" | "%")
        || unit.starts_with(' ') && !unit.contains(|letter: char| letter.is_ascii_digit() || "=<>(".contains(letter));
    is_unit.then_some(value)
}

fn sum(letters: &mut Letters<'_>) -> Option<f64> {
    let mut total = product(letters)?;
    loop {
        if skips(letters, " + ") {
            total += product(letters)?;
        } else if skips(letters, " − ") {
            total -= product(letters)?;
        } else {
            return Some(total);
        }
    }
}

fn product(letters: &mut Letters<'_>) -> Option<f64> {
    let mut total = factor(letters)?;
    while skips(letters, " × ") {
        total *= factor(letters)?;
    }
    Some(total)
}

/// A number with a root or π right behind it, or without.
fn factor(letters: &mut Letters<'_>) -> Option<f64> {
    if letters.next_if_eq(&'−').is_some() {
        return factor(letters).map(|value| -value);
    }
    let mut total = power(letters)?;
    while letters.peek().is_some_and(|next| "√π".contains(*next)) {
        total *= power(letters)?;
    }
    Some(total)
}

fn power(letters: &mut Letters<'_>) -> Option<f64> {
    let base = atom(letters)?;
    let sign = if letters.next_if_eq(&'⁻').is_some() { -1 } else { 1 };
    let mut exponent = None;
    while let Some(digit) = letters.peek().and_then(|next| RAISED.chars().position(|known| known == *next)) {
        letters.next();
        exponent = Some(10 * exponent.unwrap_or(0) + i32::try_from(digit).ok()?);
    }
    Some(exponent.map_or(base, |exponent| base.powi(sign * exponent)))
}

fn atom(letters: &mut Letters<'_>) -> Option<f64> {
    match letters.peek().copied()? {
        '(' => {
            letters.next();
            let value = sum(letters)?;
            letters.next_if_eq(&')').map(|_| value)
        }
        '√' => {
            letters.next();
            atom(letters).map(f64::sqrt)
        }
        'π' => letters.next().map(|_| PI),
        _ => number(letters),
    }
}

/// A whole number, a decimal, a fraction or a mixed number.
fn number(letters: &mut Letters<'_>) -> Option<f64> {
    let first = decimal(letters)?;
    if letters.next_if_eq(&'/').is_some() {
        return Some(first / decimal(letters)?);
    }
    let mut ahead = letters.clone();
    if ahead.next() == Some(' ')
        && let Some(above) = decimal(&mut ahead)
        && ahead.next() == Some('/')
        && let Some(below) = decimal(&mut ahead)
    {
        *letters = ahead;
        return Some(first + above / below);
    }
    Some(first)
}

/// Digits, with commas between thousands and a decimal point where a digit follows.
fn decimal(letters: &mut Letters<'_>) -> Option<f64> {
    let mut digits = String::new();
    loop {
        let mut ahead = letters.clone();
        let next = ahead.next();
        let digit_follows = !digits.is_empty() && ahead.peek().is_some_and(char::is_ascii_digit);
        match next {
            Some(digit) if digit.is_ascii_digit() => digits.push(digit),
            Some('.') if digit_follows => digits.push('.'),
            Some(',') if digit_follows => {}
            _ => return digits.parse().ok(),
        }
        letters.next();
    }
}

/// Whether this sign comes next; it is passed then.
fn skips(letters: &mut Letters<'_>, sign: &str) -> bool {
    let mut ahead = letters.clone();
    let is_there = sign.chars().all(|letter| ahead.next() == Some(letter));
    if is_there {
        *letters = ahead;
    }
    is_there
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_a_size() {
        for (text, size) in [
            ("1,200", 1200.0),
            ("1 3/4", 1.75),
            ("−7/2", -3.5),
            ("$3.50", 3.5),
            ("x = −2", -2.0),
            ("24 square meters", 24.0),
            ("57°", 57.0),
            ("8√4 m", 16.0),
            ("π m", PI),
            ("(20 + 6π) m²", 20.0 + 6.0 * PI),
            ("1.5 × 10⁻²", 0.015),
            ("2¹⁰", 1024.0),
            ("5:15", 315.0),
            ("half past 2", 2.5),
            ("3 o'clock", 3.0),
            ("1 hour 5 minutes", 65.0),
            ("2 hours", 120.0),
            ("13 remainder 4", 13.04),
        ] {
            assert!(value(text).is_some_and(|found| are_equal(found, size)), "{text}: {:?}", value(text));
        }
    }

    #[test]
    fn what_has_no_size_has_none() {
        for text in ["(3, −5)", "2x + 3", "x = 1 or x = 2", "257, 527, 572", "x > −8", "−4 < k < 4", ""] {
            assert_eq!(value(text), None, "{text}");
        }
    }
}
