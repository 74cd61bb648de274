//! Grade 3 read and answered again, by trying numbers and counting rather than by the generator's arithmetic.

use super::reading::{Rational, Reading, Rule, number, option_of_whole, solve_by, value_of};

const RULES: &[Rule] = &[
    (r"What is (\d+ [×÷] \d+)\?", |asked| asked.choose_value(value_of(asked.text(1))?)),
    (r"Round (\d+) to the nearest ten\.", |asked| {
        let distance = |ten: &i128| ((ten - asked.whole(1)).abs(), -ten);
        asked.choose_whole((0..=100).map(|tens| tens * 10).min_by_key(distance)?)
    }),
    (
        r"There are (\d+) (\w+)\. (\d+) of them are \w+ and the rest are (\w+)\. What fraction of the \w+ are (\w+)\?",
        |asked| {
            let rest = Rational::whole(1) - Rational::new(asked.whole(3), asked.whole(1))?;
            if asked.text(4) == asked.text(5) { asked.choose_value(rest) } else { None }
        },
    ),
    (r"A rectangular .+ is (\d+) \w+ long and (\d+) \w+ wide\. What is its perimeter\?", |asked| {
        asked.choose_whole([1, 2, 1, 2].into_iter().map(|side| asked.whole(side)).sum())
    }),
    (r"In the number ([\d,]+), what is the value of the digit (\d)\?", |asked| {
        let digits = asked.text(1).replace(',', "");
        let (before, after) = digits.split_once(asked.text(2))?;
        let repeated = before.contains(asked.text(2)) || after.contains(asked.text(2));
        let value: i128 = format!("{}{}", asked.text(2), "0".repeat(after.len())).parse().ok()?;
        if repeated { None } else { asked.choose_whole(value) }
    }),
    (r"There are (\d) \w+ with (\d+) \w+ each\. How many \w+ are there altogether\?", |asked| {
        asked.choose_whole((0..asked.whole(1)).map(|_| asked.whole(2)).sum())
    }),
    (r"A rectangular \w+ is (\d+) (\w+) long and (\d+) (\w+) wide\. What is its area\?", |asked| {
        let squares = (0..asked.whole(1)).flat_map(|_| 0..asked.whole(3)).count() as i128;
        let unit = format!("square {}", asked.text(2));
        asked.choose(|option| option.ends_with(&unit) && number(option) == Some(Rational::whole(squares)))
    }),
    (r"Which of these fractions is the (greatest|smallest): (.+)\?", extreme_fraction),
    (r".+ a book with (\d+) pages and has finished (\d+) of them\. How many pages are left\?", missing_part),
    (r".+ school has (\d+) students, and (\d+) of them come by bus\. How many do not come by bus\?", missing_part),
    (
        r".+ needs (\d+) points to win a game and has (\d+) points so far\. How many more points are needed\?",
        missing_part,
    ),
    (r"What number makes the fractions equal\? (\d+/\d+) = (□|\d+)/(□|\d+)", |asked| {
        let equals = |tried: &i128| {
            let [above, below] = [2, 3].map(|side| if asked.text(side) == "□" { *tried } else { asked.whole(side) });
            Rational::new(above, below) == Some(asked.number(1))
        };
        asked.choose_whole((1..200).find(equals)?)
    }),
    (r"A .+ starts at (\d+):(\d\d) and ends at (\d+):(\d\d)\. How long does it last\?", |asked| {
        let minutes = (asked.whole(3) * 60 + asked.whole(4)) - (asked.whole(1) * 60 + asked.whole(2));
        asked.choose(|option| duration(option) == Some(minutes))
    }),
    (r"\w+ buys (\d) packs of (\d) .+ and (\d) packs of (\d) .+\. How many \w+ does \w+ buy altogether\?", |asked| {
        let sum = format!("{} × {} + {} × {}", asked.text(1), asked.text(2), asked.text(3), asked.text(4));
        asked.choose_value(value_of(&sum)?)
    }),
    (
        r"In a picture graph, each ★ stands for (\d+) \w+\. (\w+): (★+)\. (\w+): (★+)\. How many more \w+ did (\w+) \w+ than (\w+)\?",
        |asked| {
            let value = |row: usize| asked.text(row).chars().map(|_| asked.whole(1)).sum::<i128>();
            let in_order = asked.text(2) == asked.text(6) && asked.text(4) == asked.text(7);
            if in_order { asked.choose_whole(value(3) - value(5)) } else { None }
        },
    ),
    (r"The perimeter of a rectangular .+ is (\d+) cm\. The .+ is (\d+) cm long\. What is its area\?", |asked| {
        let width =
            (1..asked.whole(1)).find(|width| width + width + asked.whole(2) + asked.whole(2) == asked.whole(1))?;
        asked.choose_whole(width * asked.whole(2))
    }),
    (
        r"(?:\w+ \w+ \w+ )?(\d+) .+\. Each .+ (\d) \w+\. How many \w+ are needed for all (?:of them|the \w+)\?",
        |asked| {
            let enough = |holders: &i128| holders * asked.whole(2) >= asked.whole(1);
            asked.choose_whole((1..100).find(enough)?)
        },
    ),
    (
        r"A rectangular .+ is (\d+) meters long and (\d+) meters wide\. It has a square .+ with sides of (\d+) meters\. What is the area of the \w+ without the .+\?",
        area_without_square,
    ),
    (
        r"The picture shows \w+'s rectangular .+ with a square .+\. What is the area of the \w+ without the .+\? A rectangle whose sides are labeled (\d+) m and (\d+) m\. A square inside it is left out; its side is labeled (\d+) m\.",
        area_without_square,
    ),
    (
        r"There are (\d+) (\w+) in a \w+\. (1/\d) of them are red, (1/\d) of them are blue, and the rest are green\. How many \w+ are green\?",
        |asked| {
            let share = Rational::whole(1) - asked.number(3) - asked.number(4);
            asked.choose_value(asked.number(1) * share)
        },
    ),
    (
        r"I think of a number\. I multiply it by (\d) and then (add|subtract) (\d)\. The result is (\d+)\. What is my number\?",
        |asked| {
            let end = |start: i128| {
                start * asked.whole(1) + if asked.text(2) == "add" { asked.whole(3) } else { -asked.whole(3) }
            };
            asked.choose_whole((0..100).find(|start| end(*start) == asked.whole(4))?)
        },
    ),
];

pub fn solve(question: &str, options: &[&str]) -> Option<usize> {
    solve_by(RULES, question, options)
}

fn missing_part(asked: &Reading<'_>) -> Option<usize> {
    let part = (0..1000).find(|part| part + asked.whole(2) == asked.whole(1))?;
    option_of_whole(asked.options, part)
}

/// The squares of a rectangle that are not in a square in its corner, counted one by one.
fn area_without_square(asked: &Reading<'_>) -> Option<usize> {
    let (length, width, side) = (asked.whole(1), asked.whole(2), asked.whole(3));
    let squares = (0..length).flat_map(|row| (0..width).map(move |column| (row, column)));
    asked.choose_whole(squares.filter(|(row, column)| *row >= side || *column >= side).count() as i128)
}

fn extreme_fraction(asked: &Reading<'_>) -> Option<usize> {
    let list: Option<Vec<Rational>> = asked.text(2).replace(" or ", ", ").split(", ").map(number).collect();
    let list = list?;
    let extreme = if asked.text(1) == "greatest" { list.iter().max() } else { list.iter().min() };
    asked.choose_value(*extreme?)
}

/// Minutes in `1 hour 35 minutes` or `2 hours`.
fn duration(text: &str) -> Option<i128> {
    let words: Vec<&str> = text.split(' ').collect();
    words.chunks(2).try_fold(0, |minutes, pair| match pair {
        [count, "hour" | "hours"] => Some(minutes + count.parse::<i128>().ok()? * 60),
        [count, "minute" | "minutes"] => Some(minutes + count.parse::<i128>().ok()?),
        _ => None,
    })
}
