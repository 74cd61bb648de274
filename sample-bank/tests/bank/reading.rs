//! Reading questions and options as a careful student would: exact numbers, expressions, and the one right option.

use regex::{Captures, Regex};
use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::iter::Peekable;
use std::ops::{Add, Mul, Neg, Sub};
use std::str::Chars;

/// An exact fraction in lowest terms, its denominator above zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rational {
    numerator: i128,
    denominator: i128,
}

impl Rational {
    /// `None` when the denominator is 0.
    pub fn new(numerator: i128, denominator: i128) -> Option<Self> {
        (denominator != 0).then(|| Self::in_lowest_terms(numerator, denominator))
    }

    /// The denominator must not be 0.
    fn in_lowest_terms(numerator: i128, denominator: i128) -> Self {
        let (mut larger, mut smaller) = (numerator.abs(), denominator.abs());
        while smaller != 0 {
            (larger, smaller) = (smaller, larger % smaller);
        }
        let shared = larger * denominator.signum();
        Self { numerator: numerator / shared, denominator: denominator / shared }
    }

    pub fn whole(value: i128) -> Self {
        Self { numerator: value, denominator: 1 }
    }

    pub fn numerator(self) -> i128 {
        self.numerator
    }

    pub fn denominator(self) -> i128 {
        self.denominator
    }

    /// Division; `None` by zero.
    pub fn over(self, divisor: Self) -> Option<Self> {
        Self::new(self.numerator * divisor.denominator, self.denominator * divisor.numerator)
    }

    /// The value when it is a whole number.
    pub fn as_whole(self) -> Option<i128> {
        (self.denominator == 1).then_some(self.numerator)
    }

    /// A whole power; `None` for a negative power of zero.
    pub fn power(self, exponent: i128) -> Option<Self> {
        let product = (0..exponent.abs()).fold(Self::whole(1), |product, _| product * self);
        if exponent < 0 { Self::whole(1).over(product) } else { Some(product) }
    }
}

impl Add for Rational {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let numerator = self.numerator * other.denominator + other.numerator * self.denominator;
        Self::in_lowest_terms(numerator, self.denominator * other.denominator)
    }
}

impl Sub for Rational {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Rational {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self::in_lowest_terms(self.numerator * other.numerator, self.denominator * other.denominator)
    }
}

impl Neg for Rational {
    type Output = Self;
    fn neg(self) -> Self {
        Self { numerator: -self.numerator, ..self }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.numerator * other.denominator).cmp(&(other.numerator * self.denominator))
    }
}

/// A number as options write it: `12`, `1,200`, `3/4`, `1 3/4`, `½`, `0.75`, `−5`, `$3.50`, `45%` (45/100), `12 cm`,
/// `40°`.
///
/// After the number only `%`, `°`, `°C`, `¢`, or a space and words without digits may stand; `2x`, `7:30`, `3 r 1` are
/// `None`.
pub fn number(text: &str) -> Option<Rational> {
    let text = text.trim();
    let (negative, text) = match text.strip_prefix(['−', '-']) {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let text = text.strip_prefix(['$', '€', '£']).unwrap_or(text);
    let mut letters = text.chars().peekable();
    let value = unsigned(&mut letters)?;
    let unit: String = letters.collect();
    let value = match unit.as_str() {
        "%" => value.over(Rational::whole(100))?,
        "" | "°" | "°C" | "°F" | "¢" => value,
        _ if unit.starts_with(' ') && !unit.chars().any(|letter| letter.is_numeric() && !"²³".contains(letter)) => {
            value
        }
        _ => return None,
    };
    Some(if negative { -value } else { value })
}

/// A whole number written in digits, with or without commas and a minus sign.
pub fn whole(text: &str) -> Option<i128> {
    number(text)?.as_whole()
}

/// The index of the option that satisfies the condition, when exactly one does.
pub fn only_option(options: &[&str], is_right: impl Fn(&str) -> bool) -> Option<usize> {
    let mut right = options.iter().enumerate().filter(|(_, option)| is_right(option)).map(|(index, _)| index);
    match (right.next(), right.next()) {
        (Some(index), None) => Some(index),
        _ => None,
    }
}

/// The one option whose number is this value.
pub fn option_of_value(options: &[&str], value: Rational) -> Option<usize> {
    only_option(options, |option| number(option) == Some(value))
}

/// The one option whose number is this whole value.
pub fn option_of_whole(options: &[&str], value: i128) -> Option<usize> {
    option_of_value(options, Rational::whole(value))
}

/// The one option that reads exactly so.
pub fn option_of_text(options: &[&str], text: &str) -> Option<usize> {
    only_option(options, |option| option == text)
}

/// What a rule knows of a question that its pattern matched.
pub struct Reading<'a> {
    captures: Captures<'a>,
    pub options: &'a [&'a str],
}

impl Reading<'_> {
    /// What a group of the pattern, from 1, captured; empty when it took no part.
    pub fn text(&self, group: usize) -> &str {
        self.captures.get(group).map_or("", |found| found.as_str())
    }

    /// The number that a group captured; 0 when it is none, which no rule's pattern lets happen.
    pub fn number(&self, group: usize) -> Rational {
        number(self.text(group)).unwrap_or(Rational::whole(0))
    }

    /// The whole number that a group captured; 0 when it is none.
    pub fn whole(&self, group: usize) -> i128 {
        whole(self.text(group)).unwrap_or(0)
    }

    /// All whole numbers in what a group captured, in order.
    pub fn list(&self, group: usize) -> Vec<i128> {
        self.text(group).split(|letter: char| !letter.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect()
    }

    pub fn choose_whole(&self, value: i128) -> Option<usize> {
        option_of_whole(self.options, value)
    }

    pub fn choose_value(&self, value: Rational) -> Option<usize> {
        option_of_value(self.options, value)
    }

    pub fn choose_text(&self, text: &str) -> Option<usize> {
        option_of_text(self.options, text)
    }

    pub fn choose(&self, is_right: impl Fn(&str) -> bool) -> Option<usize> {
        only_option(self.options, is_right)
    }
}

/// A pattern for a whole question, and how its right option is found.
pub type Rule = (&'static str, fn(&Reading<'_>) -> Option<usize>);

thread_local! {
    static PATTERNS: RefCell<HashMap<&'static str, Option<Regex>>> = RefCell::new(HashMap::new());
}

/// The answer of the first rule whose pattern matches the whole question.
pub fn solve_by(rules: &[Rule], question: &str, options: &[&str]) -> Option<usize> {
    PATTERNS.with_borrow_mut(|patterns| {
        rules.iter().find_map(|(pattern, answer)| {
            let regex = patterns.entry(pattern).or_insert_with(|| compiled(pattern)).as_ref()?;
            regex.captures(question).map(|captures| answer(&Reading { captures, options }))
        })
    })?
}

fn compiled(pattern: &str) -> Option<Regex> {
    let regex = Regex::new(&format!("^(?:{pattern})$"));
    assert!(regex.is_ok(), "not a pattern: {pattern}");
    regex.ok()
}

/// The value of an expression with `+ − × · ÷`, powers (`²`, `³`, `^`), parentheses and brackets, in the usual order.
///
/// `3/4` and `1 3/4` without spaces around the stroke are single numbers; a number before a parenthesis multiplies it.
pub fn value_of(expression: &str) -> Option<Rational> {
    let mut letters = expression.chars().peekable();
    let value = sum(&mut letters)?;
    skip_spaces(&mut letters);
    letters.next().is_none().then_some(value)
}

fn sum(letters: &mut Peekable<Chars<'_>>) -> Option<Rational> {
    let mut total = product(letters)?;
    loop {
        skip_spaces(letters);
        if letters.next_if_eq(&'+').is_some() {
            total = total + product(letters)?;
        } else if letters.next_if(|letter| "−-".contains(*letter)).is_some() {
            total = total - product(letters)?;
        } else {
            return Some(total);
        }
    }
}

fn product(letters: &mut Peekable<Chars<'_>>) -> Option<Rational> {
    let mut total = signed(letters)?;
    loop {
        skip_spaces(letters);
        if letters.next_if(|letter| "×*·".contains(*letter)).is_some() {
            total = total * signed(letters)?;
        } else if letters.next_if(|letter| "÷/".contains(*letter)).is_some() {
            total = total.over(signed(letters)?)?;
        } else if letters.peek().is_some_and(|letter| "([".contains(*letter)) {
            total = total * signed(letters)?;
        } else {
            return Some(total);
        }
    }
}

fn signed(letters: &mut Peekable<Chars<'_>>) -> Option<Rational> {
    skip_spaces(letters);
    if letters.next_if(|letter| "−-".contains(*letter)).is_some() {
        return signed(letters).map(Neg::neg);
    }
    let base = atom(letters)?;
    if letters.next_if_eq(&'^').is_some() {
        return base.power(signed(letters)?.as_whole()?);
    }
    let negative = letters.next_if_eq(&'⁻').is_some();
    let mut exponent = None;
    while let Some(digit) = letters.peek().and_then(|letter| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|known| known == *letter))
    {
        letters.next();
        exponent = Some(exponent.unwrap_or(0) * 10 + digit as i128);
    }
    match exponent {
        Some(exponent) => base.power(if negative { -exponent } else { exponent }),
        None => Some(base),
    }
}

fn atom(letters: &mut Peekable<Chars<'_>>) -> Option<Rational> {
    match letters.next_if(|letter| "([".contains(*letter)) {
        Some(opening) => {
            let value = sum(letters)?;
            skip_spaces(letters);
            let closing = if opening == '(' { ')' } else { ']' };
            letters.next_if_eq(&closing).map(|_| value)
        }
        None => unsigned(letters),
    }
}

/// A number without a sign: whole, decimal, fraction or mixed.
fn unsigned(letters: &mut Peekable<Chars<'_>>) -> Option<Rational> {
    let simple = [('½', 1, 2), ('⅓', 1, 3), ('⅔', 2, 3), ('¼', 1, 4), ('¾', 3, 4), ('⅕', 1, 5), ('⅛', 1, 8)];
    let sign_of = |letter: char| simple.iter().find(|(known, ..)| *known == letter);
    if let Some((_, above, below)) = letters.peek().and_then(|letter| sign_of(*letter)) {
        letters.next();
        return Rational::new(*above, *below);
    }
    let first = decimal(letters)?;
    if let Some((_, above, below)) = letters.peek().and_then(|letter| sign_of(*letter)) {
        letters.next();
        return Some(first + Rational::new(*above, *below)?);
    }
    let mut ahead = letters.clone();
    if ahead.next_if_eq(&'/').is_some()
        && let Some(below) = decimal(&mut ahead)
    {
        *letters = ahead;
        return first.over(below);
    }
    let mut ahead = letters.clone();
    if ahead.next_if_eq(&' ').is_some()
        && let Some(above) = decimal(&mut ahead)
        && ahead.next_if_eq(&'/').is_some()
        && let Some(below) = decimal(&mut ahead)
    {
        *letters = ahead;
        return Some(first + above.over(below)?);
    }
    Some(first)
}

/// Digits, with commas between thousands and a decimal point where a digit follows.
fn decimal(letters: &mut Peekable<Chars<'_>>) -> Option<Rational> {
    let (mut digits, mut scale, mut point, mut any) = (0_i128, 1_i128, false, false);
    loop {
        if let Some(digit) = letters.peek().and_then(|letter| letter.to_digit(10)) {
            letters.next();
            digits = digits * 10 + i128::from(digit);
            scale *= if point { 10 } else { 1 };
            any = true;
            continue;
        }
        let mut ahead = letters.clone();
        let mark = ahead.next();
        let digit_follows = ahead.peek().is_some_and(char::is_ascii_digit);
        match mark {
            Some('.') if !point && digit_follows => point = true,
            Some(',') if any && !point && digit_follows => {}
            _ => break,
        }
        letters.next();
    }
    if any { Rational::new(digits, scale) } else { None }
}

fn skip_spaces(letters: &mut Peekable<Chars<'_>>) {
    while letters.next_if_eq(&' ').is_some() {}
}

#[test]
fn numbers_read_as_they_are_written() {
    let read = |text: &str| number(text).map(|value| (value.numerator, value.denominator));
    assert_eq!(read("1,200"), Some((1200, 1)));
    assert_eq!(read("1 3/4"), Some((7, 4)));
    assert_eq!(read("2½ cups"), Some((5, 2)));
    assert_eq!(read("−$3.50"), Some((-7, 2)));
    assert_eq!(read("45%"), Some((9, 20)));
    assert_eq!(read("12 cm²"), Some((12, 1)));
    assert_eq!([read("2x"), read("7:30"), read("3 r 1"), read("x = 2"), read("")], [None; 5]);
}

#[test]
fn expressions_follow_the_order_of_operations() {
    let whole = |text: &str| value_of(text).and_then(Rational::as_whole);
    assert_eq!(whole("3 + 4 × 5"), Some(23));
    assert_eq!(whole("(3 + 4) × 5 − 2³"), Some(27));
    assert_eq!(whole("20 − 6 − 4"), Some(10));
    assert_eq!(whole("6 ÷ 1/2"), Some(12));
    assert_eq!(whole("2(3 + 1) − −1"), Some(9));
    assert_eq!(value_of("1 1/2 + 0.25"), Rational::new(7, 4));
    assert_eq!([whole("3 +"), whole("(3"), whole("4 4"), whole("1 ÷ 0")], [None; 4]);
}
