//! Answers to the sample questions of grade 7, found from their text.

use super::algebra::{choose_amount, holds, is_close, real};
use super::reading::{Rational, Reading, Rule, solve_by, value_of};
use std::f64::consts::PI;

const RULES: &[Rule] = &[
    (r"What is ([^a-z]+)\?", |reading| reading.choose_value(value_of(reading.text(1))?)),
    (r"Solve (.+)\.", |reading| {
        reading.choose(|option| {
            let unknown = option.strip_prefix("x = ").and_then(value_of);
            unknown.is_some_and(|value| holds(reading.text(1), &[('x', real(value))]))
        })
    }),
    (r"Two angles together make (.+)\. One of them measures (\d+)°\. .*", |reading| {
        let whole = match reading.text(1) {
            "a straight line" => 180,
            "a right angle" => 90,
            "a full turn" => 360,
            _ => return None,
        };
        reading
            .choose(|option| value_of(option.trim_end_matches('°')) == Some(Rational::whole(whole) - reading.number(2)))
    }),
    (r"y is .* to x, and y = (\d+) when x = (\d+)\. What is y when x = (\d+)\?", proportion),
    (r"A machine fills (\d+) bottles in (\d+) seconds, .* fill in (\d+) seconds\?", proportion),
    (r"A wire that is (\d+) m long has a mass of (\d+) g\. What is the mass, in grams, of (\d+) m .*", |reading| {
        reading.choose_value((reading.number(2) * reading.number(3)).over(reading.number(1))?)
    }),
    (r"A bag contains (\d+) red, (\d+) blue and (\d+) green .* that it is not red\?", |reading| {
        let all = reading.number(1) + reading.number(2) + reading.number(3);
        reading.choose_value(Rational::whole(1) - reading.number(1).over(all)?)
    }),
    (
        r"A circular .* has a (radius|diameter) of (\d+) c?m\. What is its (circumference|area), in terms of π\?",
        |reading| {
            let size = real(reading.number(2));
            let radius = if reading.text(1) == "radius" { size } else { size / 2.0 };
            choose_amount(reading, if reading.text(3) == "area" { PI * radius * radius } else { 2.0 * PI * radius })
        },
    ),
    (
        r"The angles of a triangle are in the ratio (\d+) : (\d+) : (\d+)\. How large is the (largest|smallest) angle\?",
        |reading| {
            let parts = [1, 2, 3].map(|group| reading.whole(group));
            let part = if reading.text(4) == "largest" { parts.iter().max()? } else { parts.iter().min()? };
            reading.choose_value(Rational::new(180 * part, parts.iter().sum())?)
        },
    ),
    (r"After a discount of (\d+)% .* costs \$([\d.]+)\. .*", |reading| original(reading, 100 - reading.whole(1))),
    (r"With a sales tax of (\d+)% .* costs \$([\d.]+)\. .*", |reading| original(reading, 100 + reading.whole(1))),
    (
        r"A spinner .* numbered 1 to (\d+)\. It is spun twice\. .* first number is (.+) and the second number is (.+)\?",
        |reading| {
            let numbers = 1..=reading.whole(1);
            let pairs = numbers.clone().flat_map(|first| numbers.clone().map(move |second| (first, second)));
            let fits = |event: &str, number: i128| match event.rsplit_once(' ') {
                Some(("greater than", limit)) => limit.parse().is_ok_and(|limit: i128| number > limit),
                Some(("less than", limit)) => limit.parse().is_ok_and(|limit: i128| number < limit),
                _ => (number % 2 == 0) == (event == "even"),
            };
            let all = pairs.clone().count();
            let good =
                pairs.filter(|&(first, second)| fits(reading.text(2), first) && fits(reading.text(3), second)).count();
            reading.choose_value(Rational::new(good as i128, all as i128)?)
        },
    ),
    (r"On a map with the scale 1 : ([\d,]+), .* are (\d+) cm apart\. .* at (\d+) km/h\. .*", |reading| {
        let kilometers = real(reading.number(1)) * real(reading.number(2)) / 100_000.0;
        choose_amount(reading, kilometers / real(reading.number(3)) * 60.0)
    }),
    (
        r"A sports field is a rectangle (\d+) m long and (\d+) m wide .* the (perimeter|area) of the whole .*",
        |reading| {
            let (length, width) = (real(reading.number(1)), real(reading.number(2)));
            let is_area = reading.text(3) == "area";
            let ends = if is_area { PI * (width / 2.0).powi(2) } else { PI * width };
            let unit = if is_area { " m²" } else { " m" };
            reading.options.iter().all(|option| option.ends_with(unit)).then_some(())?;
            choose_amount(reading, ends + if is_area { length * width } else { 2.0 * length })
        },
    ),
    (
        r"(.+) is (\w+)(?: times)? as old as (.+)\. In (\d+) years .* will be (\w+)(?: times)? as old as .*\. How old is (.+) now\?",
        |reading| {
            let times = |group| {
                if reading.text(group) == "twice" { 2 } else { reading.whole(group) }
            };
            let fits = |age: &i128| times(2) * age + reading.whole(4) == times(5) * (age + reading.whole(4));
            let age = (1..100).find(fits)?;
            reading.choose_whole(if reading.text(6) == reading.text(1) { times(2) * age } else { age })
        },
    ),
    (r"A box holds (\d+) red and (\d+) blue .* without putting the first one back\. .* that (.+)\?", |reading| {
        let (red, all) = (reading.whole(1), reading.whole(1) + reading.whole(2));
        let pairs = (0..all).flat_map(|first| (0..all).map(move |second| (first, second)));
        let pairs = pairs.filter(|(first, second)| first != second).map(|(first, second)| (first < red, second < red));
        let fits = |&(first, second): &(bool, bool)| match reading.text(3) {
            "both are red" => first && second,
            "they have the same color" => first == second,
            _ => first != second,
        };
        let (all, good) = (pairs.clone().count(), pairs.filter(fits).count());
        reading.choose_value(Rational::new(good as i128, all as i128)?)
    }),
];

pub fn solve(question: &str, options: &[&str]) -> Option<usize> {
    solve_by(RULES, question, options)
}

fn proportion(reading: &Reading<'_>) -> Option<usize> {
    let rate = real(reading.number(1)) / real(reading.number(2));
    reading.choose(|option| value_of(option).is_some_and(|value| is_close(real(value), rate * real(reading.number(3)))))
}

fn original(reading: &Reading<'_>, percent: i128) -> Option<usize> {
    reading.choose_value((reading.number(2) * Rational::whole(100)).over(Rational::whole(percent))?)
}
