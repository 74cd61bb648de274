//! Grade 4 read and answered again, with exact fractions and by trying numbers rather than by the generator's
//! arithmetic.

use super::reading::{Rational, Reading, Rule, number, solve_by, value_of};

const RULES: &[Rule] = &[
    (r"What is (\d+) ÷ (\d)\?", quotient_and_remainder),
    (r"What is ([\d/ +×]+)\?", |asked| asked.choose_value(value_of(asked.text(1))?)),
    (r"Round ([\d,]+) to the nearest hundred\.", |asked| {
        let distance = |hundred: &i128| ((hundred - asked.whole(1)).abs(), -hundred);
        asked.choose_whole((0..=100).map(|hundreds| hundreds * 100).min_by_key(distance)?)
    }),
    (r"Which of these numbers is a (multiple|factor) of (\d+): (.+)\?", |asked| {
        let known = asked.whole(2);
        let fits = |other: &i128| match asked.text(1) {
            "multiple" => (1..=100).any(|times| times * known == *other),
            _ => (1..=100).any(|times| times * *other == known),
        };
        only(asked, &asked.list(3).into_iter().filter(fits).collect::<Vec<_>>())
    }),
    (r"Which decimal is equal to (\d+/100)\?", |asked| asked.choose_value(asked.number(1))),
    (r"How many (\w+) are there in (\d+) (\w+)\?", |asked| {
        let ratio = in_smallest(asked.text(3))?.over(in_smallest(asked.text(1))?)?;
        asked.choose_value(asked.number(2) * ratio)
    }),
    (
        r"Two angles together make a (straight line|right angle)\. One of them is (\d+)°\. How large is the other\?",
        |asked| {
            let whole = if asked.text(1) == "right angle" { 90 } else { 180 };
            asked.choose_whole((1..whole).find(|other| other + asked.whole(2) == whole)?)
        },
    ),
    (r"Which of these numbers is the (greatest|smallest): (.+)\?", |asked| {
        let list: Option<Vec<Rational>> = asked.text(2).replace(" or ", ", ").split(", ").map(number).collect();
        let mut list = list?;
        list.sort();
        asked.choose_value(*if asked.text(1) == "greatest" { list.last()? } else { list.first()? })
    }),
    (r"\w+ buys (\d) \w+ for (\$[\d.]+) each and pays with (\$\d+)\. How much change does \w+ get\?", |asked| {
        asked.choose_value(asked.number(3) - asked.number(1) * asked.number(2))
    }),
    (r"One .+ needs (\d/\d) (\w+) of (\w+)\. How many (\w+)s of (\w+) do (\d) \w+ need\?", |asked| {
        let same = asked.text(2) == asked.text(4) && asked.text(3) == asked.text(5);
        let total = (0..asked.whole(6)).fold(Rational::whole(0), |total, _| total + asked.number(1));
        if same { asked.choose_value(total) } else { None }
    }),
    (r"Which of these numbers is a prime number: (.+)\?", |asked| {
        let prime = |number: &i128| (1..=*number).filter(|divisor| number % divisor == 0).count() == 2;
        only(asked, &asked.list(1).into_iter().filter(prime).collect::<Vec<_>>())
    }),
    (
        r"A rectangular .+ is (\d) times as long as it is wide\. Its perimeter is (\d+) meters\. What is its area\?",
        |asked| {
            let around = |width: i128| 2 * (width + width * asked.whole(1));
            let width = (1..1000).find(|width| around(*width) == asked.whole(2))?;
            asked.choose_whole(width * width * asked.whole(1))
        },
    ),
    (
        r"What is the smallest number greater than (\d+) that is a multiple of both (\d+) and (\d+)\?",
        smallest_common_multiple,
    ),
    (
        r"A .+? (\d+) \w+ with (\d+) \w+ each\. It \w+ (\d+) .+ the rest in \w+ of (\d)\. How many \w+ does it \w+\?",
        |asked| {
            let [first, second, kept, size] = [1, 2, 3, 4].map(|group| asked.text(group));
            asked.choose_value(value_of(&format!("({first} × {second} − {kept}) ÷ {size}"))?)
        },
    ),
    (
        r"A jug contains (\d) liters of juice\. \w+ fills (\d) glasses with (\d+) milliliters each\. How much juice is left in the jug\?",
        |asked| what_is_left(asked, "milliliters", 1000),
    ),
    (
        r"A rope is (\d) meters long\. \w+ cuts off (\d) pieces of (\d+) centimeters each\. How long is the rest of the rope\?",
        |asked| what_is_left(asked, "centimeters", 100),
    ),
    (
        r"Three angles together make a straight line\. The first is (\d+)°\. The second is (.+) the first\. How large is the third\?",
        |asked| {
            let second = match asked.text(2) {
                "twice as large as" => asked.whole(1) * 2,
                "three times as large as" => asked.whole(1) * 3,
                larger => asked.whole(1) + larger.strip_suffix("° larger than")?.parse::<i128>().ok()?,
            };
            asked.choose_whole((1..180).find(|third| third + second + asked.whole(1) == 180)?)
        },
    ),
];

pub fn solve(question: &str, options: &[&str]) -> Option<usize> {
    solve_by(RULES, question, options)
}

fn only(asked: &Reading<'_>, found: &[i128]) -> Option<usize> {
    match found {
        [right] => asked.choose_whole(*right),
        _ => None,
    }
}

fn quotient_and_remainder(asked: &Reading<'_>) -> Option<usize> {
    let divisor = asked.whole(2);
    asked.choose(|option| {
        let parts = option
            .split_once(" remainder ")
            .and_then(|(times, rest)| Some((times.parse::<i128>().ok()?, rest.parse::<i128>().ok()?)));
        parts.is_some_and(|(times, rest)| times * divisor + rest == asked.whole(1) && rest < divisor)
    })
}

/// How many grams, millimeters, milliliters or seconds a unit is.
fn in_smallest(unit: &str) -> Option<Rational> {
    let (above, below) = match unit {
        "seconds" | "grams" | "milliliters" => (1, 1),
        "centimeters" => (10, 1),
        "inches" => (254, 10),
        "feet" => (3048, 10),
        "meters" | "liters" | "kilograms" => (1000, 1),
        "kilometers" => (1_000_000, 1),
        "minutes" => (60, 1),
        "hours" => (3600, 1),
        "days" => (86_400, 1),
        _ => return None,
    };
    Rational::new(above, below)
}

fn smallest_common_multiple(asked: &Reading<'_>) -> Option<usize> {
    let fits = |tried: &i128| tried % asked.whole(2) == 0 && tried % asked.whole(3) == 0;
    asked.choose_whole((asked.whole(1) + 1..10_000).find(fits)?)
}

fn what_is_left(asked: &Reading<'_>, unit: &str, factor: i128) -> Option<usize> {
    let left = (0..asked.whole(2)).fold(asked.whole(1) * factor, |left, _| left - asked.whole(3));
    asked.choose(|option| option.ends_with(unit) && number(option) == Some(Rational::whole(left)))
}
