//! What grades 6 to 10 share: drafts from typical mistakes, and numbers and expressions as textbooks print them.

use super::wording::{gcd, grouped, texts};
use super::{Dice, QuestionDraft};

/// Right triangles with whole sides, the shorter leg first.
pub(super) const TRIPLES: [(i64, i64, i64); 7] =
    [(3, 4, 5), (5, 12, 13), (8, 15, 17), (7, 24, 25), (20, 21, 29), (9, 40, 41), (12, 35, 37)];

/// A draft whose options are the answer and the distinct mistakes, each formatted by `write`.
///
/// `write` must give equal values the same text, so that options which differ in text differ in value. It returns an
/// empty text for an impossible value, such as a negative length. When fewer than three mistakes are left, the bank
/// draws again.
pub(super) fn draft<T: Clone>(
    question: String,
    right: T,
    mistakes: &[T],
    write: impl Fn(T) -> String,
    explanation: String,
) -> QuestionDraft {
    let written = mistakes.iter().cloned().map(&write);
    let sensible = written.filter(|text| !text.is_empty());
    texts(question, write(right), sensible, explanation)
}

/// A positive or negative whole number, whose absolute value is from `low` to `high`.
pub(super) fn signed(dice: &mut Dice, low: i64, high: i64) -> i64 {
    dice.range(low, high) * *dice.pick(&[1, -1])
}

/// The quotient when it is a whole number, otherwise 0, for which `positive` returns an empty text.
pub(super) fn whole_quotient(dividend: i64, divisor: i64) -> i64 {
    if divisor != 0 && dividend % divisor == 0 { dividend / divisor } else { 0 }
}

/// `12` or `−12`, with commas between thousands.
pub(super) fn integer(value: i64) -> String {
    let sign = if value < 0 { "−" } else { "" };
    format!("{sign}{}", grouped(value.abs()))
}

/// `12` or `(−12)`: a negative number needs brackets after an operation sign.
pub(super) fn bracketed(value: i64) -> String {
    if value < 0 { format!("({})", integer(value)) } else { integer(value) }
}

/// The number itself, for answers that must be positive; otherwise empty.
pub(super) fn positive(value: i64) -> String {
    measure(value, "")
}

/// `12 cm²`, for quantities that must be positive; otherwise empty.
pub(super) fn measure(value: i64, unit: &str) -> String {
    if value <= 0 {
        String::new()
    } else if unit.is_empty() || unit == "°" || unit == "%" {
        format!("{}{unit}", integer(value))
    } else {
        format!("{} {unit}", integer(value))
    }
}

/// `$7.50` or `$7` from cents, for amounts that must be positive; otherwise empty.
pub(super) fn dollars(cents: i64) -> String {
    match (cents / 100, cents % 100) {
        _ if cents <= 0 => String::new(),
        (whole, 0) => format!("${}", grouped(whole)),
        (whole, rest) => format!("${}.{rest:02}", grouped(whole)),
    }
}

/// `−3/4` or `2`, in lowest terms; empty when the denominator is 0.
pub(super) fn fraction((above, below): (i64, i64)) -> String {
    let divisor = gcd(above, below).abs() * below.signum();
    if divisor == 0 {
        return String::new();
    }
    match below / divisor {
        1 => integer(above / divisor),
        rest => format!("{}/{rest}", integer(above / divisor)),
    }
}

/// `18/24 = 3/4`, or `3/5` alone when nothing cancels: the end of an explanation.
pub(super) fn simplifying(above: i64, below: i64) -> String {
    let simple = fraction((above, below));
    let plain = format!("{}/{below}", integer(above));
    if simple == plain { plain } else { format!("{plain} = {simple}") }
}

/// A fraction between 0 and 1; otherwise empty, since no student would choose it as a probability.
pub(super) fn probability((above, below): (i64, i64)) -> String {
    if 0 < above && above < below { fraction((above, below)) } else { String::new() }
}

/// `(3, −5)`.
pub(super) fn point((x, y): (i64, i64)) -> String {
    format!("({}, {})", integer(x), integer(y))
}

/// `3, 5 and 8`.
pub(super) fn listed(values: &[i64]) -> String {
    let texts: Vec<String> = values.iter().copied().map(integer).collect();
    match texts.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// ` + 5` or ` − 5` to append to a term; empty for 0.
pub(super) fn plus(value: i64) -> String {
    match value {
        0 => String::new(),
        1.. => format!(" + {value}"),
        _ => format!(" − {}", value.abs()),
    }
}

/// The exponent as a superscript, such as `⁻¹²`.
pub(super) fn superscript(exponent: i64) -> String {
    raised(&integer(exponent))
}

/// An exponent such as `2x − 1` as superscripts: `²ˣ⁻¹`.
pub(super) fn raised(exponent: &str) -> String {
    let raise = |letter| match letter {
        'x' => Some('ˣ'),
        '+' => Some('⁺'),
        '−' => Some('⁻'),
        _ => "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(letter.to_digit(10)? as usize),
    };
    exponent.chars().filter_map(raise).collect()
}

/// A positive number as a subscript, such as the base of a logarithm.
pub(super) fn subscript(value: i64) -> String {
    let lower = |letter: char| "₀₁₂₃₄₅₆₇₈₉".chars().nth(letter.to_digit(10)? as usize);
    value.to_string().chars().filter_map(lower).collect()
}

/// A polynomial in x from its coefficients, the highest power first, such as `2x² − x + 3`.
pub(super) fn polynomial(coefficients: &[i64]) -> String {
    polynomial_in("x", coefficients)
}

/// The same in another letter than x.
pub(super) fn polynomial_in(letter: &str, coefficients: &[i64]) -> String {
    let powers = (0..coefficients.len() as i64).rev().map(|exponent| match exponent {
        0 => String::new(),
        1 => letter.to_owned(),
        _ => format!("{letter}{}", superscript(exponent)),
    });
    let terms: Vec<(i64, String)> = coefficients.iter().copied().zip(powers).collect();
    sum_of(&terms)
}

/// A sum of terms, each a coefficient and its letters, such as `3x − y + 2`; terms with 0 are left out.
pub(super) fn sum_of<Letters: AsRef<str>>(terms: &[(i64, Letters)]) -> String {
    let mut text = String::new();
    for (coefficient, letters) in terms.iter().filter(|(coefficient, _)| *coefficient != 0) {
        text += match (text.is_empty(), *coefficient < 0) {
            (true, true) => "−",
            (true, false) => "",
            (false, true) => " − ",
            (false, false) => " + ",
        };
        if coefficient.abs() != 1 || letters.as_ref().is_empty() {
            text += &coefficient.abs().to_string();
        }
        text += letters.as_ref();
    }
    if text.is_empty() { "0".to_owned() } else { text }
}

/// `4.7 × 10⁶` for 47 tenths and the exponent 6, or `6 × 10⁶`.
pub(super) fn scientific((tenths, exponent): (i64, i64)) -> String {
    let mantissa = match tenths % 10 {
        0 => (tenths / 10).to_string(),
        rest => format!("{}.{rest}", tenths / 10),
    };
    format!("{mantissa} × 10{}", superscript(exponent))
}

/// The largest whole number whose square is not above the value.
pub(super) fn floor_root(value: i64) -> i64 {
    (0..).take_while(|root| root * root <= value).last().unwrap_or(0)
}

/// The root of a whole number as a factor and what remains under the root sign: 72 gives (6, 2), since √72 = 6√2.
pub(super) fn simplest_root(radicand: i64) -> (i64, i64) {
    (1..=floor_root(radicand))
        .rev()
        .find(|root| radicand % (root * root) == 0)
        .map_or((0, 1), |root| (root, radicand / (root * root)))
}

/// `6√2` for (6, 2), with all squares taken out of the root; empty unless it is positive.
pub(super) fn surd((factor, radicand): (i64, i64)) -> String {
    let (root, rest) = simplest_root(radicand);
    match (factor * root, rest) {
        (..=0, _) => String::new(),
        (whole, 1) => integer(whole),
        (1, rest) => format!("√{rest}"),
        (whole, rest) => format!("{whole}√{rest}"),
    }
}

/// `49π cm²`; empty unless it is positive.
pub(super) fn times_pi(factor: i64, unit: &str) -> String {
    match factor {
        ..=0 => String::new(),
        1 => format!("π {unit}"),
        _ => format!("{}π {unit}", integer(factor)),
    }
}
