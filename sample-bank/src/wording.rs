//! Wording and small arithmetic for the lower grades, so that a template is little more than its sentence.

use super::{Dice, QuestionDraft, QuestionTemplate};

const NAMES: [&str; 12] = ["Mia", "Noah", "Ava", "Omar", "Priya", "Kai", "Lena", "Ruby", "Yusuf", "Hana", "Ben", "Zoe"];

/// Names that are not in `NAMES`, so that two children in a question never have the same name.
const FRIENDS: [&str; 8] = ["Leo", "Ines", "Sam", "Tariq", "Nora", "Max", "Aisha", "Finn"];

/// A template as one line of a grade's table.
pub(super) fn kind(
    topic: &'static str,
    subtopic: &'static str,
    difficulty: u8,
    count: usize,
    draw: fn(&mut Dice) -> QuestionDraft,
) -> QuestionTemplate {
    QuestionTemplate { topic, subtopic, difficulty, count, draw }
}

/// A child's name.
pub(super) fn name(dice: &mut Dice) -> &'static str {
    dice.pick::<&str>(&NAMES)
}

/// Another child's name, never one that `name` can return.
pub(super) fn friend(dice: &mut Dice) -> &'static str {
    dice.pick::<&str>(&FRIENDS)
}

/// Dice seeded by the numbers of a question, for choosing its names and things.
///
/// Equal numbers then make equal texts, which `bank()` refuses, so no question is repeated in other words.
pub(super) fn same_for(numbers: &[i64]) -> Dice {
    let mixed = numbers.iter().fold(7, |mixed: u64, number| mixed.wrapping_mul(1009) ^ number.unsigned_abs());
    Dice::seeded(mixed)
}

/// A question with whole numbers as options.
pub(super) fn numbers(question: String, right: i64, mistakes: &[i64], explanation: String) -> QuestionDraft {
    measures(question, right, mistakes, grouped, explanation)
}

/// A question whose options are whole numbers in a format such as money, a measure or a decimal.
///
/// `show` must not round, so that different numbers stay different options. Mistakes below 1 are left out as absurd.
pub(super) fn measures(
    question: String,
    right: i64,
    mistakes: &[i64],
    show: impl Fn(i64) -> String,
    explanation: String,
) -> QuestionDraft {
    let wrong = mistakes.iter().filter(|mistake| **mistake > 0).map(|mistake| show(*mistake));
    texts(question, show(right), wrong, explanation)
}

/// The numbers that are above 0, in a format.
pub(super) fn shown(numbers: &[i64], show: impl Fn(i64) -> String) -> Vec<String> {
    numbers.iter().copied().filter(|number| *number > 0).map(show).collect()
}

/// A question whose options are fractions, given as (numerator, denominator) and shown in lowest terms.
pub(super) fn fractions(
    question: String,
    right: (i64, i64),
    mistakes: &[(i64, i64)],
    explanation: String,
) -> QuestionDraft {
    let sensible = mistakes.iter().filter(|(above, below)| *above > 0 && *below > 0);
    let wrong = sensible.map(|(above, below)| fraction(*above, *below));
    texts(question, fraction(right.0, right.1), wrong, explanation)
}

/// A question with all mistakes that differ from the right option and from each other.
///
/// When there are fewer than three, `bank()` draws again.
pub(super) fn texts(
    question: String,
    right: String,
    mistakes: impl IntoIterator<Item = String>,
    explanation: String,
) -> QuestionDraft {
    let mut kept: Vec<String> = Vec::new();
    for mistake in mistakes {
        if mistake != right && !kept.contains(&mistake) {
            kept.push(mistake);
        }
    }
    QuestionDraft {
        question,
        right,
        wrong: kept,
        spare: Vec::new(),
        is_closed: false,
        explanation,
        figure: None,
        seen: None,
    }
}

/// A draft that `bank()` refuses, so that it draws again: for numbers that do not suit the question.
pub(super) fn redraw() -> QuestionDraft {
    texts(String::new(), String::new(), [], String::new())
}

/// `12,000`.
pub(super) fn grouped(number: i64) -> String {
    if number < 1000 {
        return number.to_string();
    }
    format!("{},{:03}", grouped(number / 1000), number % 1000)
}

/// `$3.50` from 350.
pub(super) fn money(cents: i64) -> String {
    format!("${}.{:02}", grouped(cents / 100), cents % 100)
}

/// `2.05` from 2050, without zeros at the end.
pub(super) fn decimal(thousandths: i64) -> String {
    let part = format!("{:03}", thousandths % 1000);
    match part.trim_end_matches('0') {
        "" => grouped(thousandths / 1000),
        part => format!("{}.{part}", grouped(thousandths / 1000)),
    }
}

/// The fraction in lowest terms, as a mixed number when above 1: `3/4`, `1 3/4`, `2`.
pub(super) fn fraction(above: i64, below: i64) -> String {
    let shared = gcd(above, below).max(1);
    let (above, below) = (above / shared, below / shared);
    match (above / below.max(1), above % below.max(1)) {
        (whole, 0) => whole.to_string(),
        (0, rest) => format!("{rest}/{below}"),
        (whole, rest) => format!("{whole} {rest}/{below}"),
    }
}

/// The time on a clock with twelve hours, such as `9:05`, from minutes since midnight.
pub(super) fn clock(minutes: i64) -> String {
    format!("{}:{:02}", (minutes / 60 + 11) % 12 + 1, minutes % 60)
}

pub(super) fn gcd(first: i64, second: i64) -> i64 {
    if second == 0 { first } else { gcd(second, first % second) }
}

/// `1 hour` or `2 hours`, for words whose plural only takes an s.
pub(super) fn counted(number: i64, singular: &str) -> String {
    if number == 1 { format!("1 {singular}") } else { format!("{} {singular}s", grouped(number)) }
}

/// The numbers of a list in a sentence: `3, 8, 5 or 9`.
pub(super) fn any_of(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_as_children_read_them() {
        assert_eq!([grouped(7), grouped(1050), grouped(1_000_000)], ["7", "1,050", "1,000,000"]);
        assert_eq!([money(5), money(350), money(2000)], ["$0.05", "$3.50", "$20.00"]);
        assert_eq!([decimal(70), decimal(2050), decimal(3000)], ["0.07", "2.05", "3"]);
        assert_eq!([fraction(6, 8), fraction(7, 4), fraction(8, 4)], ["3/4", "1 3/4", "2"]);
        assert_eq!([clock(545), clock(725), clock(780)], ["9:05", "12:05", "1:00"]);
        assert_eq!([counted(1, "hour"), counted(2, "hour")], ["1 hour", "2 hours"]);
    }

    #[test]
    fn mistakes_are_distinct_and_sensible() {
        let draft = numbers(String::new(), 5, &[6, 5, -1, 6, 7], String::new());
        assert_eq!(draft.wrong, ["6", "7"]);
        assert!(!draft.is_sound());
    }
}
