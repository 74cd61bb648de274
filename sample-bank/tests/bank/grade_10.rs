//! Answers to the sample questions of grade 10, found from their text.

use super::algebra::{amount, choose_amount, evaluate, holds, is_close, numbers, point, real};
use super::reading::{Rational, Rule, solve_by};

const RULES: &[Rule] = &[
    (
        r"In triangle ABC with a right angle at C, BC = (\d+) cm, AC = (\d+) cm and AB = (\d+) cm\. What is (\w+) A\?",
        |reading| {
            let [opposite, adjacent, hypotenuse] = [1, 2, 3].map(|group| real(reading.number(group)));
            let angle = opposite.atan2(adjacent);
            is_close(opposite.hypot(adjacent), hypotenuse).then_some(())?;
            choose_amount(
                reading,
                match reading.text(4) {
                    "sin" => angle.sin(),
                    "cos" => angle.cos(),
                    _ => angle.tan(),
                },
            )
        },
    ),
    (r"What is log([₀-₉]+) (.+)\?", |reading| {
        let base = lowered(reading.text(1));
        let number = evaluate(reading.text(2), &[])?;
        reading.choose(|option| amount(option).is_some_and(|exponent| is_close(base.powf(exponent) / number, 1.0)))
    }),
    (r"Given the vectors u = (\(.+\)) and v = (\(.+\)), what is (.+)\?", |reading| {
        let ((x, y), (across, up)) = (point(reading.text(1))?, point(reading.text(2))?);
        let end = [(x, across), (y, up)].map(|(u, v)| evaluate(reading.text(3), &[('u', u), ('v', v)]));
        reading.choose(|option| point(option).is_some_and(|(x, y)| [Some(x), Some(y)] == end))
    }),
    (r"A team of (\d+) is chosen from (\d+) students\. .*", |reading| {
        reading.choose_whole(subsets(reading.whole(2), reading.whole(1)))
    }),
    (r"A pizzeria offers (\d+) toppings\. .* choose (\d+) different toppings\?", |reading| {
        reading.choose_whole(subsets(reading.whole(1), reading.whole(2)))
    }),
    (r"There are (\d+) books .* any (\d+) of them\. .*", |reading| {
        reading.choose_whole(subsets(reading.whole(1), reading.whole(2)))
    }),
    (r"A code consists of (\d+) different letters, chosen from (\d+) letters\. .*", |reading| {
        reading.choose_whole(ordered(reading.whole(2), reading.whole(1)))
    }),
    (r"(\d+) runners are in a race\. .* the first (\d+) places .*", |reading| {
        reading.choose_whole(ordered(reading.whole(1), reading.whole(2)))
    }),
    (r"What is the vertex of the parabola y = (.+)\?", |reading| {
        let height = |x| evaluate(reading.text(1), &[('x', x)]);
        let is_vertex = |x: f64, y: f64| height(x) == Some(y) && height(x - 1.0) == height(x + 1.0);
        reading.choose(|option| point(option).is_some_and(|(x, y)| is_vertex(x, y)))
    }),
    (r"What is the remainder when (.+) is divided by x ([+−]) (\d+)\?", |reading| {
        let root = if reading.text(2) == "+" { -real(reading.number(3)) } else { real(reading.number(3)) };
        choose_amount(reading, evaluate(reading.text(1), &[('x', root)])?)
    }),
    (r"Solve the equation (\d+)([^ ]+) = (\d+)([^ ]+)\.", |reading| {
        reading.choose(|option| {
            let Some(x) = option.strip_prefix("x = ").and_then(amount) else { return false };
            let side = |base, exponent| {
                Some(real(reading.number(base)).ln() * evaluate(&from_raised(reading.text(exponent)), &[('x', x)])?)
            };
            matches!((side(1, 2), side(3, 4)), (Some(left), Some(right)) if is_close(left, right))
        })
    }),
    (r"A ladder (\d+) m long .* angle of (\d+)° with the level ground\. How far (up|is).*", |reading| {
        let (long, angle) = (real(reading.number(1)), real(reading.number(2)).to_radians());
        choose_amount(reading, long * if reading.text(3) == "up" { angle.sin() } else { angle.cos() })
    }),
    (r"A kite flies on a straight string (\d+) m long, .* angle of (\d+)° .* How high .*", |reading| {
        choose_amount(reading, real(reading.number(1)) * real(reading.number(2)).to_radians().sin())
    }),
    (r"A chord of a circle with a radius of (\d+) cm is (\d+) cm long\. How far .*", |reading| {
        let (radius, half) = (real(reading.number(1)), real(reading.number(2)) / 2.0);
        reading.choose(|option| amount(option).is_some_and(|apart| is_close(apart.hypot(half), radius)))
    }),
    (r"A chord of a circle with a radius of (\d+) cm is (\d+) cm away from the center\. How long .*", |reading| {
        let (radius, apart) = (real(reading.number(1)), real(reading.number(2)));
        reading.choose(|option| amount(option).is_some_and(|whole| is_close(apart.hypot(whole / 2.0), radius)))
    }),
    (r"A chord that is (\d+) cm long is (\d+) cm away from the center .* radius of the circle\?", |reading| {
        choose_amount(reading, (real(reading.number(1)) / 2.0).hypot(real(reading.number(2))))
    }),
    (r"Solve the equation log([₀-₉]+) x \+ log([₀-₉]+) \((.+)\) = (\d+)\.", |reading| {
        (reading.text(1) == reading.text(2)).then_some(())?;
        let total = real(reading.number(4));
        let is_solution = |x: f64| {
            let other = evaluate(reading.text(3), &[('x', x)]).unwrap_or(f64::NAN);
            x > 0.0 && other > 0.0 && is_close((x.ln() + other.ln()) / lowered(reading.text(1)).ln(), total)
        };
        reading.choose(|option| {
            option.split(" or ").all(|part| part.strip_prefix("x = ").and_then(amount).is_some_and(is_solution))
        })
    }),
    (
        r"Point P lies (\d+) cm from the center O of a circle with a radius of (\d+) cm\. .* What is the (area|perimeter) .*",
        |reading| {
            let (apart, radius) = (real(reading.number(1)), real(reading.number(2)));
            let tangent = (apart * apart - radius * radius).sqrt();
            choose_amount(reading, if reading.text(3) == "area" { radius * tangent } else { 2.0 * (radius + tangent) })
        },
    ),
    (
        r"From a group of (\d+) .+ and (\d+) .+, (\d+) people are chosen at random\. What is the probability that (at least one|exactly \d) of the .*",
        |reading| {
            let (first, all, few) = (reading.whole(1), reading.whole(1) + reading.whole(2), reading.whole(3));
            let choices = (0_u32..1 << all).filter(|choice| i128::from(choice.count_ones()) == few);
            let ours = choices.map(|choice| i128::from((choice & ((1 << first) - 1)).count_ones()));
            let fits = |count: &i128| match reading.text(4).strip_prefix("exactly ") {
                Some(wanted) => wanted.parse() == Ok(*count),
                None => *count > 0,
            };
            let (all, good) = (ours.clone().count(), ours.filter(fits).count());
            reading.choose_value(Rational::new(good as i128, all as i128)?)
        },
    ),
    (
        r"From a point on level ground .* elevation of (\d+)°\. From a point (\d+) m closer to it, .* is (\d+)°\. How tall is it\?",
        |reading| {
            let [far, closer, near] = [1, 2, 3].map(|group| real(reading.number(group)));
            let away = |height: f64, angle: f64| height / angle.to_radians().tan();
            reading.choose(|option| {
                amount(option).is_some_and(|height| is_close(away(height, far) - away(height, near), closer))
            })
        },
    ),
    (
        r"How many (\d)-digit numbers that are (.+) can be formed from the digits 0 to (\d), if no digit is used twice\? .*",
        |reading| {
            let (length, most) = (reading.whole(1) as u32, reading.whole(3));
            let numbers = 10_i128.pow(length - 1)..10_i128.pow(length);
            let fits = |number: &i128| match reading.text(2) {
                "even" => number % 2 == 0,
                "odd" => number % 2 == 1,
                "divisible by 5" => number % 5 == 0,
                _ => false,
            };
            let digits = |number: i128| (0..length).map(move |place| number / 10_i128.pow(place) % 10);
            let is_allowed = |number: &i128| {
                let used = digits(*number).fold(0_u32, |used, digit| used | 1 << digit);
                used.count_ones() == length && digits(*number).all(|digit| digit <= most)
            };
            reading.choose_whole(numbers.filter(fits).filter(is_allowed).count() as i128)
        },
    ),
    (
        r"(\w+), (\w+) and (\d+) friends sit in a row of (\d+) chairs\. .* so that (\w+) and (\w+) (do not )?sit next to each other\?",
        |reading| {
            (reading.text(1) == reading.text(5) && reading.text(2) == reading.text(6)).then_some(())?;
            let chairs = reading.whole(4);
            (reading.whole(3) + 2 == chairs).then_some(())?;
            let places = (0..chairs).flat_map(|first| (0..chairs).map(move |second| (first, second)));
            let wants_apart = !reading.text(7).is_empty();
            let good =
                places.filter(|(first, second)| first != second && ((first - second).abs() > 1) == wants_apart).count();
            reading.choose_whole(good as i128 * ordered(chairs - 2, chairs - 2))
        },
    ),
    (r"A farmer fences .* river with (\d+) m of fence\. .*", |reading| {
        let fence = reading.whole(1);
        reading.choose_whole((1..fence).map(|side| side * (fence - 2 * side)).max()?)
    }),
    (
        r"A .+ sells (\d+) tickets a day at \$(\d+) each\. .* it sells (\d+) fewer tickets\. Which price brings in the most money\?",
        |reading| {
            let [sold, price, fewer] = [1, 2, 3].map(|group| reading.whole(group));
            let income = |rise: &i128| (price + rise) * (sold - fewer * rise);
            reading.choose_whole(price + (0..sold).max_by_key(income)?)
        },
    ),
    (
        r"The polynomial P\(x\) = (.+) has the factor x ([+−] \d+) and leaves the remainder (\S+) when it is divided by x ([+−] \d+)\. What is (.+)\?",
        |reading| {
            let zero = |group| numbers(&reading.text(group).replace(' ', "")).first().map(|number| -number);
            let (root, other) = (zero(2)?, zero(4)?);
            let fits = |a: f64, b: f64| {
                let is =
                    |x, value: &str| holds(&format!("{} = {value}", reading.text(1)), &[('x', x), ('a', a), ('b', b)]);
                is(root, "0") && is(other, reading.text(3))
            };
            let mut pairs = (-30..=30).flat_map(|a| (-30..=30).map(move |b| (f64::from(a), f64::from(b))));
            let (a, b) = pairs.find(|&(a, b)| fits(a, b))?;
            choose_amount(reading, evaluate(reading.text(5), &[('a', a), ('b', b)])?)
        },
    ),
];

pub fn solve(question: &str, options: &[&str]) -> Option<usize> {
    solve_by(RULES, question, options)
}

/// How many subsets of this size there are, counted one by one.
fn subsets(of: i128, size: i128) -> i128 {
    (0_u32..1 << of).filter(|choice| i128::from(choice.count_ones()) == size).count() as i128
}

/// How many rows of this length can be made of different things.
fn ordered(of: i128, length: i128) -> i128 {
    if length == 0 { 1 } else { of * ordered(of - 1, length - 1) }
}

/// The number written in subscripts.
fn lowered(text: &str) -> f64 {
    text.chars()
        .filter_map(|letter| "₀₁₂₃₄₅₆₇₈₉".chars().position(|digit| digit == letter))
        .fold(0.0, |value, digit| 10.0 * value + digit as f64)
}

/// An exponent written in superscripts as an ordinary expression.
fn from_raised(text: &str) -> String {
    let plain = "0123456789x+−";
    let place = |letter: char| "⁰¹²³⁴⁵⁶⁷⁸⁹ˣ⁺⁻".chars().position(|raised| raised == letter);
    text.chars().filter_map(|letter| plain.chars().nth(place(letter)?)).collect()
}
