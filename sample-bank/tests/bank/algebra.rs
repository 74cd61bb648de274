//! Reading expressions with letters, roots and π as real numbers, for the grades whose answers are not always
//! fractions.

use super::reading::{Rational, Reading};
use std::iter::Peekable;
use std::str::Chars;

/// Two numbers closer than this, relative to their size, are equal.
const TOLERANCE: f64 = 1e-9;

/// Values that letters take when two expressions are compared.
const TRIALS: [f64; 5] = [-2.5, -0.75, 0.4, 1.3, 3.6];

pub fn real(value: Rational) -> f64 {
    value.numerator() as f64 / value.denominator() as f64
}

pub fn is_close(first: f64, second: f64) -> bool {
    let size = first.abs().max(second.abs()).max(1.0);
    size.is_finite() && (first - second).abs() <= TOLERANCE * size
}

/// The value of an expression whose letters stand for the given numbers.
///
/// Knows `+ − × ÷ /`, products without a sign, powers as superscripts, `√`, `π` and parentheses.
pub fn evaluate(expression: &str, letters: &[(char, f64)]) -> Option<f64> {
    let mut parser = Parser { rest: expression.chars().peekable(), letters };
    let value = parser.sum()?;
    parser.skip_spaces();
    parser.rest.next().is_none().then_some(value)
}

/// The value of an option without its currency or unit, such as `49π cm²`, `$7.50` or `(20 + 6π) m`.
pub fn amount(option: &str) -> Option<f64> {
    let words = |text: &str| text.chars().next().is_some_and(char::is_alphabetic) && !text.starts_with('π');
    let end = option
        .match_indices(' ')
        .find(|(place, _)| words(&option[place + 1..]))
        .map_or(option.len(), |(place, _)| place);
    evaluate(option[..end].trim_start_matches('$').trim_end_matches(['°', '%']), &[])
}

/// The one option worth this much.
pub fn choose_amount(reading: &Reading<'_>, value: f64) -> Option<usize> {
    reading.choose(|option| amount(option).is_some_and(|amount| is_close(amount, value)))
}

/// Whether two expressions in one letter agree wherever they are tried.
pub fn agree(first: &str, second: &str, letter: char) -> bool {
    TRIALS.iter().all(|&trial| {
        let value = |text| evaluate(text, &[(letter, trial)]);
        matches!((value(first), value(second)), (Some(one), Some(other)) if is_close(one, other))
    })
}

/// Whether both sides of an equation are equal for these letters.
pub fn holds(equation: &str, letters: &[(char, f64)]) -> bool {
    let sides = equation.split_once('=').map(|(left, right)| (evaluate(left, letters), evaluate(right, letters)));
    matches!(sides, Some((Some(left), Some(right))) if is_close(left, right))
}

/// The coordinates in `(3, −5)`.
pub fn point(text: &str) -> Option<(f64, f64)> {
    let (x, y) = text.trim().strip_prefix('(')?.strip_suffix(')')?.split_once(',')?;
    Some((evaluate(x, &[])?, evaluate(y, &[])?))
}

/// All numbers in a text, with their minus signs where no space follows them.
pub fn numbers(text: &str) -> Vec<f64> {
    let parts = text.split(|letter: char| !letter.is_ascii_digit() && !"−.".contains(letter));
    parts.filter_map(|part| part.trim_end_matches('.').replace('−', "-").parse().ok()).collect()
}

struct Parser<'a> {
    rest: Peekable<Chars<'a>>,
    letters: &'a [(char, f64)],
}

impl Parser<'_> {
    fn sum(&mut self) -> Option<f64> {
        let mut total = self.product()?;
        loop {
            self.skip_spaces();
            if self.rest.next_if_eq(&'+').is_some() {
                total += self.product()?;
            } else if self.rest.next_if_eq(&'−').is_some() {
                total -= self.product()?;
            } else {
                return Some(total);
            }
        }
    }

    fn product(&mut self) -> Option<f64> {
        let mut total = self.factor()?;
        loop {
            self.skip_spaces();
            let begins_factor = |next: &char| next.is_alphanumeric() || "(√".contains(*next);
            if self.rest.next_if_eq(&'×').is_some() {
                total *= self.factor()?;
            } else if self.rest.next_if(|next| "÷/".contains(*next)).is_some() {
                total /= self.factor()?;
            } else if self.rest.peek().is_some_and(begins_factor) {
                total *= self.factor()?;
            } else {
                return Some(total);
            }
        }
    }

    fn factor(&mut self) -> Option<f64> {
        self.skip_spaces();
        if self.rest.next_if_eq(&'−').is_some() {
            return self.factor().map(|value| -value);
        }
        let base = self.atom()?;
        let is_negative = self.rest.next_if_eq(&'⁻').is_some();
        let mut exponent = None;
        while let Some(digit) = self.rest.peek().and_then(|next| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|known| known == *next))
        {
            self.rest.next();
            exponent = Some(10 * exponent.unwrap_or(0) + digit as i32);
        }
        Some(exponent.map_or(base, |exponent| base.powi(if is_negative { -exponent } else { exponent })))
    }

    fn atom(&mut self) -> Option<f64> {
        match self.rest.peek().copied()? {
            '(' => {
                self.rest.next();
                let value = self.sum()?;
                self.skip_spaces();
                self.rest.next_if_eq(&')').map(|_| value)
            }
            '√' => {
                self.rest.next();
                self.atom().map(f64::sqrt)
            }
            'π' => self.rest.next().map(|_| std::f64::consts::PI),
            digit if digit.is_ascii_digit() => self.decimal(),
            letter => {
                let value = self.letters.iter().find(|(known, _)| *known == letter)?.1;
                self.rest.next().map(|_| value)
            }
        }
    }

    fn decimal(&mut self) -> Option<f64> {
        let mut digits = String::new();
        loop {
            let mut ahead = self.rest.clone();
            match ahead.next() {
                Some(digit) if digit.is_ascii_digit() => digits.push(digit),
                Some('.') if ahead.peek().is_some_and(char::is_ascii_digit) => digits.push('.'),
                Some(',') if ahead.peek().is_some_and(char::is_ascii_digit) => {}
                _ => return digits.parse().ok(),
            }
            self.rest.next();
        }
    }

    fn skip_spaces(&mut self) {
        while self.rest.next_if_eq(&' ').is_some() {}
    }
}

#[test]
fn expressions_have_their_real_values() {
    let close = |text: &str, value: f64| evaluate(text, &[('x', 2.0)]).is_some_and(|found| is_close(found, value));
    assert!(close("−x² + 3(x − 5)", -13.0));
    assert!(close("2√3 × √3 ÷ 4", 1.5));
    assert!(close("4.5 × 10⁻³", 0.0045));
    assert!(close("(x + 1)(x − 4)", -6.0));
    assert!(amount("(20 + 6π) m").is_some_and(|value| is_close(value, 20.0 + 6.0 * std::f64::consts::PI)));
    assert_eq!(evaluate("2y", &[('x', 2.0)]), None);
}
