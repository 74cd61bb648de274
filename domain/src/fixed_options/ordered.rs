//! Numbers in ascending or descending order, with the units that options have.

use crate::number;
use crate::text::same::seen;

/// Commands of formulas that say nothing about the number, with what stands for them.
const COMMANDS: [(&str, &str); 13] = [
    ("\\$", "¤"),
    ("\\%", "%"),
    ("\\dfrac", "\\frac"),
    ("\\tfrac", "\\frac"),
    ("\\cfrac", "\\frac"),
    ("\\text", ""),
    ("\\mathrm", ""),
    ("\\,", " "),
    ("\\;", " "),
    ("\\ ", " "),
    ("~", " "),
    ("{,}", ","),
    // Of formulas, once a price is another sign.
    ("$", ""),
];
/// What stands before a price.
const CURRENCIES: [char; 5] = ['¤', '€', '£', '¥', '₫'];

/// Returns whether all options are numbers of one unit, each above the one before it or each below it.
pub(super) fn are_in_order(options: &[String]) -> bool {
    let Some(numbers) = options.iter().map(|option| Measured::read(option)).collect::<Option<Vec<_>>>() else {
        return false;
    };
    let pairs = || numbers.iter().zip(numbers.iter().skip(1));
    pairs().all(|(one, next)| one.unit == next.unit)
        && (pairs().all(|(one, next)| one.value < next.value) || pairs().all(|(one, next)| one.value > next.value))
}

/// A number with the unit beside it.
struct Measured {
    value: f64,
    unit: String,
}

impl Measured {
    /// Reads a whole number, a decimal one with a comma or a point, a fraction or a mixed number, also as a formula,
    /// with a currency before it or a unit behind it.
    fn read(option: &str) -> Option<Self> {
        let option = COMMANDS.iter().fold(seen(option), |text, (command, plain)| text.replace(command, plain));
        let option = number::plain(&option);
        let option = option.trim_end_matches('.');
        let (sign, rest) = without_sign(option);
        let currency = rest.strip_prefix(CURRENCIES).map(str::trim_start);
        let before = if currency.is_some() { rest.chars().next() } else { None };
        let (sign, rest) = currency.map_or((sign, rest), |rest| {
            let (behind, rest) = without_sign(rest);
            (sign * behind, rest)
        });
        let (value, behind) = magnitude(rest)?;
        let unit = before.into_iter().chain(behind.chars().filter(|letter| !" {}".contains(*letter))).collect();
        value.is_finite().then_some(Self { value: sign * value, unit })
    }
}

fn without_sign(text: &str) -> (f64, &str) {
    text.strip_prefix('-').map_or((1.0, text), |rest| (-1.0, rest.trim_start()))
}

/// The number at the beginning of a text, and what is behind it.
fn magnitude(text: &str) -> Option<(f64, &str)> {
    if let Some(fraction) = text.strip_prefix("\\frac") {
        return quotient(fraction);
    }
    let (number, rest) = split_number(text);
    let value = decimal(&number)?;
    let rest = rest.trim_start();
    if let Some(fraction) = rest.strip_prefix("\\frac") {
        let (part, unit) = quotient(fraction)?;
        return Some((value + part, unit));
    }
    if let Some((below, unit)) = rest.strip_prefix('/').map(str::trim_start).and_then(divisor) {
        return Some((value / below, unit));
    }
    // The rest of a mixed number.
    let (above, fraction) = split_digits(rest);
    match fraction.trim_start().strip_prefix('/').map(str::trim_start).and_then(divisor) {
        Some((below, unit)) => Some((value + decimal(above)? / below, unit)),
        None => Some((value, rest)),
    }
}

/// The value of a fraction whose two parts are in braces, and what is behind it.
fn quotient(text: &str) -> Option<(f64, &str)> {
    let (above, rest) = text.trim_start().strip_prefix('{')?.split_once('}')?;
    let (below, rest) = rest.trim_start().strip_prefix('{')?.split_once('}')?;
    let (sign, above) = without_sign(above.trim());
    Some((sign * decimal(above)? / decimal(below.trim())?, rest))
}

/// The number below a stroke; none if a unit stands there, as in `5 km/h`.
fn divisor(text: &str) -> Option<(f64, &str)> {
    let (digits, unit) = split_digits(text);
    decimal(digits).map(|below| (below, unit))
}

fn split_digits(text: &str) -> (&str, &str) {
    text.split_at(text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len()))
}

/// The digits, points and commas at the beginning, also in groups of three with blanks between them, and the rest.
fn split_number(text: &str) -> (String, &str) {
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.' && letter != ',');
    let (first, mut rest) = text.split_at(end.unwrap_or(text.len()));
    let mut number = first.to_owned();
    while let Some((group, after)) = rest.strip_prefix(' ').map(split_digits)
        && group.len() == 3
        && !after.trim_start().starts_with('/')
    {
        number.push_str(group);
        rest = after;
    }
    (number, rest)
}

/// A number without a sign. A sign between groups of three digits is no decimal one, unless a zero stands before it.
fn decimal(text: &str) -> Option<f64> {
    let groups: Vec<&str> = text.split(['.', ',']).collect();
    let is_grouped = groups.first().is_some_and(|first| (1..=3).contains(&first.len()) && *first != "0")
        && groups.iter().skip(1).all(|group| group.len() == 3);
    let plain = if is_grouped { groups.concat() } else { text.replace(',', ".") };
    let is_number = plain.starts_with(|letter: char| letter.is_ascii_digit());
    plain.parse().ok().filter(|number: &f64| is_number && number.is_finite())
}
