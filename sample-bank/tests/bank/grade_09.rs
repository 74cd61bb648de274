//! Answers to the sample questions of grade 9, found from their text.

use super::algebra::{agree, amount, choose_amount, evaluate, holds, is_close, numbers, point, real};
use super::reading::{Reading, Rule, solve_by};

const RULES: &[Rule] = &[
    (r"If f\(x\) = (.+), what is f\((.+)\)\?", |reading| {
        let x = evaluate(reading.text(2), &[])?;
        choose_amount(reading, evaluate(reading.text(1), &[('x', x)])?)
    }),
    (r"If f\(x\) = (.+), for which x is f\(x\) = (.+)\?", |reading| {
        let value = evaluate(reading.text(2), &[])?;
        let at = |x| evaluate(reading.text(1), &[('x', x)]);
        reading.choose(|option| amount(option).and_then(at).is_some_and(|found| is_close(found, value)))
    }),
    (r"Let f\(x\) = (.+) and g\(x\) = (.+)\. What is f\(g\((.+)\)\)\?", |reading| {
        let x = evaluate(reading.text(3), &[])?;
        let inside = evaluate(reading.text(2), &[('x', x)])?;
        choose_amount(reading, evaluate(reading.text(1), &[('x', inside)])?)
    }),
    (r"What is the (\d+)th term of the arithmetic sequence (.+), …\?", |reading| {
        let terms = continued(&numbers(reading.text(2)), reading.whole(1));
        choose_amount(reading, *terms.last()?)
    }),
    (r"(?:Expand|Which is the factored form of) (.+)[.?]", |reading| {
        reading.choose(|option| agree(option, reading.text(1), 'x'))
    }),
    (r"Solve the inequality (.+) ([<>≤≥]) (.+)\.", |reading| {
        reading.choose(|option| {
            (-400..=400).map(|step| f64::from(step) / 4.0).all(|x| {
                let left = evaluate(reading.text(1), &[('x', x)]).unwrap_or(f64::NAN);
                let right = evaluate(reading.text(3), &[]).unwrap_or(f64::NAN);
                compares(left, reading.text(2), right) == is_true(option, 'x', x)
            })
        })
    }),
    (r"Simplify (√\d+)\.", |reading| choose_amount(reading, evaluate(reading.text(1), &[])?)),
    (r"Solve the equation (.+)\.", |reading| {
        let roots = |option: &str| {
            option.split(" or ").map(|part| part.trim_start_matches("x = ").to_owned()).collect::<Vec<_>>()
        };
        reading.choose(|option| {
            roots(option).iter().all(|root| holds(reading.text(1), &[('x', amount(root).unwrap_or(f64::NAN))]))
        })
    }),
    (r"What is the distance between the points (.+) and (.+)\?", |reading| {
        let ((x, y), (end_x, end_y)) = (point(reading.text(1))?, point(reading.text(2))?);
        choose_amount(reading, (end_x - x).hypot(end_y - y))
    }),
    (r"What is the sum of the first (\d+) terms of the arithmetic sequence (.+), …\?", |reading| {
        choose_amount(reading, continued(&numbers(reading.text(2)), reading.whole(1)).iter().sum())
    }),
    (r"A theater has (\d+) rows .* The first row has (\d+) seats, and each .* has (\d+) seats more .*", |reading| {
        growing_sum(reading, reading.whole(1), 2, 3)
    }),
    (
        r"On the first day .* runs (\d+) minutes, .* day (\d+) minutes more .* run in (\d+) days altogether\?",
        |reading| growing_sum(reading, reading.whole(3), 1, 2),
    ),
    (r"Let f\(x\) = (.+) and g\(x\) = (.+)\. Which expression equals f\(g\(x\)\)\?", |reading| {
        let inside = reading.text(1).replace('x', &format!("({})", reading.text(2)));
        reading.choose(|option| agree(option, &inside, 'x'))
    }),
    (r"Multiply and simplify: (.+)\.", |reading| choose_amount(reading, evaluate(reading.text(1), &[])?)),
    (r"Which line is perpendicular to the line (.+) and passes through the point (.+)\?", |reading| {
        let (x, y) = point(reading.text(2))?;
        let (across, up) = normal(reading.text(1))?;
        reading.choose(|option| {
            let meets_at_right_angle = normal(option).is_some_and(|(a, b)| is_close(a * across + b * up, 0.0));
            meets_at_right_angle && holds(option, &[('x', x), ('y', y)])
        })
    }),
    (r"For which values of k does the equation (.+) = 0 have (.+)\?", |reading| {
        let constant = |x: f64| evaluate(reading.text(1), &[('x', x), ('k', 0.0)]);
        let (c, a) = (constant(0.0)?, constant(1.0)? - constant(0.0)?);
        reading.choose(|option| {
            (-2000..=2000).map(|step| f64::from(step) / 2.0).all(|k| {
                // Completing the square: the lowest value of the left side shows how often it is 0.
                let lowest = c - k * k / (4.0 * a);
                let fits = match reading.text(2) {
                    "no real solution" => lowest > 0.0,
                    "exactly one real solution" => lowest == 0.0,
                    _ => lowest < 0.0,
                };
                fits == is_true(option, 'k', k)
            })
        })
    }),
    (r"The equation (.+) = 0 has the solutions p and q\. What is the value of (.+)\?", |reading| {
        let value = |x: f64| evaluate(reading.text(1), &[('x', x)]);
        let (c, sum) = (value(0.0)?, 1.0 + value(0.0)? - value(1.0)?);
        let middle = sum / 2.0;
        let apart = (middle * middle - c).sqrt();
        choose_amount(reading, evaluate(reading.text(2), &[('p', middle + apart), ('q', middle - apart)])?)
    }),
    (r"How many integers x satisfy the inequality (.+) ([<≤]) (.+)\?", |reading| {
        let at = |group, x| evaluate(reading.text(group), &[('x', f64::from(x))]).unwrap_or(f64::NAN);
        let count = (-100..100).filter(|&x| compares(at(1, x), reading.text(2), at(3, x))).count();
        choose_amount(reading, count as f64)
    }),
    (
        r"In an arithmetic sequence the (\d+)\w\w term is (\S+) and the (\d+)\w\w term is (\S+)\. What is the sum of the first (\d+) terms\?",
        |reading| {
            let [early, value, late, other, count] = [1, 2, 3, 4, 5].map(|group| real(reading.number(group)));
            let term = |place: f64| value + (place - early) * (other - value) / (late - early);
            choose_amount(reading, (1..=count as i32).map(|place| term(f64::from(place))).sum())
        },
    ),
];

pub fn solve(question: &str, options: &[&str]) -> Option<usize> {
    solve_by(RULES, question, options)
}

/// The first terms of the arithmetic sequence that begins with these; none without two of them.
fn continued(start: &[f64], count: i128) -> Vec<f64> {
    match start {
        [first, second, ..] => (0..count).map(|index| first + (second - first) * index as f64).collect(),
        _ => Vec::new(),
    }
}

fn growing_sum(reading: &Reading<'_>, count: i128, first: usize, step: usize) -> Option<usize> {
    let (first, step) = (reading.whole(first), reading.whole(step));
    reading.choose_whole((0..count).map(|index| first + index * step).sum())
}

/// The coefficients of x and y on the left side of a line's equation.
fn normal(line: &str) -> Option<(f64, f64)> {
    let left = line.split_once(" = ")?.0;
    let value = |x, y| evaluate(left, &[('x', x), ('y', y)]);
    Some((value(1.0, 0.0)?, value(0.0, 1.0)?))
}

fn compares(left: f64, sign: &str, right: f64) -> bool {
    match sign {
        "<" => left < right,
        ">" => left > right,
        "≤" => left <= right,
        "≥" => left >= right,
        "=" => left == right,
        _ => false,
    }
}

/// Whether a statement such as `−3 < k < 3` or `k = 1 or k > 4` is true of a number.
fn is_true(statement: &str, letter: char, number: f64) -> bool {
    statement.split(" or ").any(|part| {
        let words: Vec<&str> = part.split(' ').collect();
        let value = |text| evaluate(text, &[(letter, number)]).unwrap_or(f64::NAN);
        words
            .windows(3)
            .step_by(2)
            .all(|triple| matches!(triple, [left, sign, right] if compares(value(left), sign, value(right))))
    })
}
