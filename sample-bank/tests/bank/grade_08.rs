//! Answers to the sample questions of grade 8, found from their text.

use super::algebra::{agree, amount, choose_amount, evaluate, holds, is_close, numbers, point, real};
use super::reading::{Reading, Rule, solve_by};
use std::f64::consts::PI;

const RULES: &[Rule] = &[
    (r"Write (.+) as a single power\.", |reading| choose_ratio(reading, evaluate(reading.text(1), &[])?)),
    (r"What is the value of (.+)\?", |reading| choose_ratio(reading, evaluate(reading.text(1), &[])?)),
    (r"What is the (slope|y-intercept) of the line y = (.+)\?", |reading| {
        let height = |x| evaluate(reading.text(2), &[('x', x)]);
        let value = if reading.text(1) == "slope" { height(1.0)? - height(0.0)? } else { height(0.0)? };
        choose_amount(reading, value)
    }),
    (
        r"(?:.* of |.* lent |Which is )([\d.,]+)( g| books last year)?(?:\. Which is this number)? in scientific notation\?",
        |reading| choose_ratio(reading, evaluate(reading.text(1), &[])?),
    ),
    (r"What is (\(.+\)) in scientific notation\?", |reading| choose_ratio(reading, evaluate(reading.text(1), &[])?)),
    (r"The legs of a right triangle are (\d+) m and (\d+) m long\. How long is its hypotenuse\?", hypotenuse),
    (r"A rectangular park is (\d+) m long and (\d+) m wide\. How long is a straight path from one .*", hypotenuse),
    (r"A right triangle has a hypotenuse of (\d+) m and one leg of (\d+) m\. How long is the other leg\?", leg),
    (r"A straight cable (\d+) m long runs from the top of a vertical mast .* (\d+) m from its foot\. .*", leg),
    (r"Point P(\([^)]+\)) is (.+)\. (?:What are the coordinates of its image|Where does it end)\?", |reading| {
        let steps =
            reading.text(2).split(", ").map(|step| step.trim_start_matches("then ").trim_start_matches("and finally "));
        let end = steps.fold(point(reading.text(1)), |place, step| moved(place?, step))?;
        reading.choose(|option| point(option) == Some(end))
    }),
    (r"What is the slope of the line through (.+) and (.+)\?", |reading| {
        let ((x, y), (to_x, to_y)) = (point(reading.text(1))?, point(reading.text(2))?);
        reading.choose(|option| amount(option).is_some_and(|slope| is_close(y + slope * (to_x - x), to_y)))
    }),
    (r"Solve the system: (.+) and (.+)\.", |reading| {
        reading.choose(|option| {
            let Ok([x, y]) = <[f64; 2]>::try_from(numbers(option)) else { return false };
            [1, 2].iter().all(|group| holds(reading.text(*group), &[('x', x), ('y', y)]))
        })
    }),
    (r"Simplify \((−?\d+)(\w)(\S)\)(\S)\.", |reading| {
        let power = format!("({}{}{})", reading.text(1), reading.text(2), reading.text(3));
        let times = "⁰¹²³⁴⁵".chars().position(|digit| reading.text(4).starts_with(digit))?;
        let (product, letter) = (vec![power.as_str(); times].join(" × "), reading.text(2).chars().next()?);
        reading.choose(|option| agree(option, &product, letter))
    }),
    (
        r"A \w+ (\w+) has a radius of (\d+) cm(?: and a height of (\d+) cm)?\. What is its volume, in terms of π\?",
        |reading| {
            let [radius, height] = [2, 3].map(|group| real(reading.number(group)));
            let volume = match reading.text(1) {
                "cylinder" => PI * radius * radius * height,
                "cone" => PI * radius * radius * height / 3.0,
                "sphere" => 4.0 * PI * radius * radius * radius / 3.0,
                _ => return None,
            };
            choose_amount(reading, volume)
        },
    ),
    (r"Which equation describes the line through (.+) and (.+)\?", |reading| {
        let (start, end) = (point(reading.text(1))?, point(reading.text(2))?);
        reading.choose(|option| [start, end].iter().all(|&(x, y)| holds(option, &[('x', x), ('y', y)])))
    }),
    (
        r"At a .+, (\d+) adults and (\d+) children pay \$(\d+), while (\d+) adults and (\d+) children pay \$(\d+)\. How much does (.+) ticket cost\?",
        |reading| {
            let [a, b, first, c, d, second] = [1, 2, 3, 4, 5, 6].map(|group| reading.whole(group));
            let mut pairs = (1..100).flat_map(|adult| (1..100).map(move |child| (adult, child)));
            let (adult, child) =
                pairs.find(|(adult, child)| a * adult + b * child == first && c * adult + d * child == second)?;
            reading.choose_whole(if reading.text(7) == "an adult" { adult } else { child })
        },
    ),
    (r"A closed box is (\d+) cm long, (\d+) cm wide and (\d+) cm high inside\. .* rod .*", |reading| {
        let [length, width, height] = [1, 2, 3].map(|group| real(reading.number(group)));
        choose_amount(reading, length.hypot(width).hypot(height))
    }),
    (r"An isosceles triangle has two sides of (\d+) cm and a third side of (\d+) cm\. What is its area\?", |reading| {
        let (side, base) = (real(reading.number(1)), real(reading.number(2)));
        let half = side + base / 2.0;
        choose_amount(reading, (half * (half - side) * (half - side) * (half - base)).sqrt())
    }),
    (r"The lines y = (.+) and y = (.+) and the y-axis enclose a triangle\. .*", |reading| {
        let gap = |x: f64| Some(evaluate(reading.text(1), &[('x', x)])? - evaluate(reading.text(2), &[('x', x)])?);
        let meeting = gap(0.0)? / (gap(0.0)? - gap(1.0)?);
        choose_amount(reading, (gap(0.0)? * meeting / 2.0).abs())
    }),
    (
        r"A cone with a radius of (\d+) cm and a height of (\d+) cm is full .* cylinder with a radius of (\d+) cm\. .*",
        |reading| {
            let [radius, height, wide] = [1, 2, 3].map(|group| real(reading.number(group)));
            reading.choose(|option| {
                amount(option).is_some_and(|level| is_close(wide * wide * level * 3.0, radius * radius * height))
            })
        },
    ),
    (
        r"A cylinder with a radius of (\d+) cm and a height of (\d+) cm is full .* cups with a radius of (\d+) cm and a height of (\d+) cm .*",
        |reading| {
            let [wide, tall, radius, height] = [1, 2, 3, 4].map(|group| real(reading.number(group)));
            reading.choose(|option| {
                amount(option).is_some_and(|cups| is_close(cups * radius * radius * height, 3.0 * wide * wide * tall))
            })
        },
    ),
];

pub fn solve(question: &str, options: &[&str]) -> Option<usize> {
    solve_by(RULES, question, options)
}

/// The one option whose quotient with the value is 1, for numbers too large or small for a difference to tell.
fn choose_ratio(reading: &Reading<'_>, value: f64) -> Option<usize> {
    reading.choose(|option| amount(option).is_some_and(|found| is_close(found / value, 1.0)))
}

fn hypotenuse(reading: &Reading<'_>) -> Option<usize> {
    choose_amount(reading, real(reading.number(1)).hypot(real(reading.number(2))))
}

fn leg(reading: &Reading<'_>) -> Option<usize> {
    let (longest, known) = (real(reading.number(1)), real(reading.number(2)));
    reading.choose(|option| amount(option).is_some_and(|leg| is_close(leg.hypot(known), longest)))
}

/// Where a point lies after one step described in words.
fn moved((x, y): (f64, f64), step: &str) -> Option<(f64, f64)> {
    let turned = |degrees: f64| {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        ((x * cosine - y * sine).round(), (x * sine + y * cosine).round())
    };
    match (step, numbers(step).as_slice()) {
        ("reflected across the x-axis", _) => Some((x, -y)),
        ("reflected across the y-axis", _) => Some((-x, y)),
        ("reflected across the line y = x", _) => Some((y, x)),
        ("rotated 180° about the origin", _) => Some(turned(180.0)),
        ("rotated 90° counterclockwise about the origin", _) => Some(turned(90.0)),
        ("rotated 90° clockwise about the origin", _) => Some(turned(-90.0)),
        (_, [across, up]) if step.contains("left") => Some((x - across, y + up)),
        (_, [across, up]) if step.contains("right") => Some((x + across, y + up)),
        _ => None,
    }
}
