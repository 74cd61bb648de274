//! Grade 5 read and answered again, with exact fractions and by trying numbers rather than by the generator's
//! arithmetic.

use super::reading::{Rational, Reading, Rule, number, solve_by, value_of};

const RULES: &[Rule] = &[
    (r"What is ([\d/., +−×÷()]+)\?", |asked| asked.choose_value(value_of(asked.text(1))?)),
    (r"A .+ is (\d+) cm long, (\d+) cm wide and (\d+) cm high\. What is its volume\?", volume),
    (
        r"\w+ has a .+, which the picture shows\. What is its volume\? A box\. Its length is labeled (\d+) cm, its width (\d+) cm, and its height (\d+) cm\.",
        volume,
    ),
    (
        r"A point is at (\(.+\))\. It moves (\d) units? (right|left) and (\d) units? (up|down)\. Where is it now\?",
        |asked| {
            let (mut across, mut up) = point(asked.text(1))?;
            (0..asked.whole(2)).for_each(|_| across += if asked.text(3) == "right" { 1 } else { -1 });
            (0..asked.whole(4)).for_each(|_| up += if asked.text(5) == "up" { 1 } else { -1 });
            asked.choose(|option| point(option) == Some((across, up)))
        },
    ),
    (r"How many (\w+) are there in ([\d.]+) (\w+)\?", |asked| {
        let factor = match (asked.text(3), asked.text(1)) {
            ("meters", "centimeters") => 100,
            ("kilometers", "meters") | ("kilograms", "grams") | ("liters", "milliliters") => 1000,
            _ => return None,
        };
        asked.choose_whole((1..100_000).find(|small| Rational::new(*small, factor) == Some(asked.number(2)))?)
    }),
    (
        r"A (?:rope|cook fills|shop packs) ([\d.]+) .+? of ([\d.]+) \w+\. How many \w+ (?:are there|can be filled|does it fill)\?",
        |asked| {
            let fits = |count: &i128| asked.number(2) * Rational::whole(*count) == asked.number(1);
            asked.choose_whole((1..1000).find(fits)?)
        },
    ),
    (
        r"Three corners of a rectangle are at (\(.+?\)), (\(.+?\)) and (\(.+?\))\. Its sides are horizontal and vertical\. Where is the fourth corner\?",
        fourth_corner,
    ),
    (r".+? (\d+) .+?\. (\d/\d) of .+\. .+, (1/\d) of what remains .+\. How many \w+ are left\?", |asked| {
        let first = asked.number(1) - asked.number(1) * asked.number(2);
        asked.choose_value(first - first * asked.number(3))
    }),
    (
        r"A fish tank has a base of (\d+) cm by (\d+) cm\. The water in it is (\d+) cm deep\. Then (\d) liters of water are poured in, and nothing spills\. How deep is the water now\? \(1 liter = 1,000 cubic cm\)",
        |asked| {
            let base = asked.number(1) * asked.number(2);
            let content = base * asked.number(3) + asked.number(4) * Rational::whole(1000);
            asked.choose_value(content.over(base)?)
        },
    ),
    (
        r"(\d) \w+ cost (\$[\d.]+)\. \w+ buys (\d) of them at the same price each and pays with (\$\d+)\. How much change does \w+ get\?",
        |asked| {
            let each = asked.number(2).over(asked.number(1))?;
            asked.choose_value(asked.number(4) - each * asked.number(3))
        },
    ),
    (
        r"\w+ got some money as a gift\. \w+ spent (1/\d) of the gift on a book and (1/\d) of the gift on a game\. Then (\$\d+) was left\. How much money was the gift\?",
        |asked| {
            let left = |gift: i128| (Rational::whole(1) - asked.number(1) - asked.number(2)) * Rational::whole(gift);
            asked.choose_whole((1..1000).find(|gift| left(*gift) == asked.number(3))?)
        },
    ),
    (
        r"Over 4 days, \w+ \w+ an average \(mean\) of (\d+) (\w+) a day\. On the first three days \w+ \w+ (\d+), (\d+) and (\d+) \w+\. How many (\w+) did \w+ \w+ on the fourth day\?",
        |asked| {
            let known: i128 = [3, 4, 5].map(|group| asked.whole(group)).iter().sum();
            let fits = |fourth: &i128| Rational::new(known + fourth, 4) == Some(asked.number(1));
            asked.choose_whole((0..1000).find(fits)?)
        },
    ),
];

pub fn solve(question: &str, options: &[&str]) -> Option<usize> {
    solve_by(RULES, question, options)
}

/// The cubes of 1 cm in a box, layer by layer.
fn volume(asked: &Reading<'_>) -> Option<usize> {
    let [length, width, height] = [1, 2, 3].map(|side| asked.whole(side));
    let layer: i128 = (0..width).map(|_| length).sum();
    asked.choose_whole((0..height).map(|_| layer).sum())
}

/// The two numbers of a point such as `(3, 5)`.
fn point(text: &str) -> Option<(i128, i128)> {
    let (across, up) = text.strip_prefix('(')?.strip_suffix(')')?.split_once(", ")?;
    Some((number(across)?.as_whole()?, number(up)?.as_whole()?))
}

/// Corners of an upright rectangle use each of two first and two second numbers twice.
fn fourth_corner(asked: &Reading<'_>) -> Option<usize> {
    let corners: Option<Vec<(i128, i128)>> = [1, 2, 3].into_iter().map(|group| point(asked.text(group))).collect();
    let corners = corners?;
    let is_rectangle = |fourth: (i128, i128)| {
        let all: Vec<(i128, i128)> = corners.iter().copied().chain([fourth]).collect();
        let twice = |value: (i128, i128)| {
            let firsts = all.iter().filter(|corner| corner.0 == value.0).count();
            let seconds = all.iter().filter(|corner| corner.1 == value.1).count();
            firsts == 2 && seconds == 2
        };
        all.iter().all(|corner| twice(*corner)) && !corners.contains(&fourth)
    };
    asked.choose(|option| point(option).is_some_and(is_rectangle))
}
