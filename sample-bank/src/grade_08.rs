//! Templates for grade 8: powers, scientific notation, lines, systems, Pythagoras, transformations and volume.

use super::algebra::{
    TRIPLES, bracketed, dollars, draft, fraction, integer, measure, plus, point, polynomial, positive, scientific,
    signed, sum_of, superscript, surd, times_pi, whole_quotient,
};
use super::figures::{Drawn, Figure, RightTriangle, UNKNOWN, crossed_rectangle, cuboid_with_diagonal, plane};
use super::wording::{gcd, grouped, kind, redraw};
use super::{Dice, QuestionDraft, QuestionTemplate};

/// Boxes whose sides and space diagonal are whole numbers.
const BOXES: [(i64, i64, i64, i64); 7] =
    [(1, 2, 2, 3), (2, 3, 6, 7), (1, 4, 8, 9), (4, 4, 7, 9), (2, 6, 9, 11), (6, 6, 7, 11), (3, 4, 12, 13)];

pub(super) fn templates() -> Vec<QuestionTemplate> {
    vec![
        kind("Exponents", "Powers of the same base", 1, 8, same_base),
        kind("Linear functions", "Slope and intercept", 1, 7, slope_or_intercept),
        kind("Scientific notation", "Writing numbers", 1, 7, to_scientific),
        kind("Pythagorean theorem", "Sides of right triangles", 2, 8, right_triangle),
        kind("Transformations", "Translations", 2, 2, translation),
        kind("Transformations", "Reflections and rotations", 2, 5, reflection),
        kind("Linear functions", "Slope from two points", 2, 7, slope),
        kind("Systems of equations", "Solving by elimination", 3, 8, system),
        kind("Exponents", "Power of a product", 3, 8, power_of_product),
        kind("Volume", "Cylinders, cones and spheres", 3, 7, volume),
        kind("Linear functions", "Equation of a line", 4, 8, line),
        kind("Scientific notation", "Products", 4, 4, scientific_product),
        kind("Scientific notation", "Quotients", 4, 4, scientific_quotient),
        kind("Systems of equations", "Word problems", 4, 7, tickets),
        kind("Pythagorean theorem", "Space diagonals", 5, 4, longest_rod),
        kind("Pythagorean theorem", "Isosceles triangles", 5, 4, isosceles_area),
        kind("Transformations", "Sequences of transformations", 5, 8, several_moves),
        kind("Linear functions", "Triangles between lines", 5, 7, enclosed_area),
        kind("Volume", "Comparing solids", 5, 4, pouring),
        kind("Volume", "Filling solids", 5, 3, filling_cups),
    ]
}

/// Those for which a number is the natural answer.
pub(super) fn number_templates() -> Vec<QuestionTemplate> {
    vec![
        kind("Linear functions", "Slope and intercept", 1, 4, slope_or_intercept),
        kind("Pythagorean theorem", "Sides of right triangles", 2, 2, right_triangle),
        kind("Linear functions", "Slope from two points", 2, 2, slope),
        kind("Exponents", "Values of powers", 3, 4, power_value),
        kind("Systems of equations", "Word problems", 4, 4, tickets),
        kind("Pythagorean theorem", "Space diagonals", 5, 1, longest_rod),
        kind("Pythagorean theorem", "Isosceles triangles", 5, 1, isosceles_area),
        kind("Linear functions", "Triangles between lines", 5, 2, enclosed_area),
    ]
}

fn same_base(dice: &mut Dice) -> QuestionDraft {
    let (base, first, second) = (dice.range(2, 9), dice.range(3, 12), dice.range(2, 9));
    let (sum, difference, product) = (first + second, first - second, first * second);
    if (first - 2) * (second - 2) == 4 || difference < 2 {
        return redraw();
    }
    let (sign, exponent, rule, slip) = *dice.pick(&[
        ('×', sum, "To multiply powers of the same base, add", (base * base, sum)),
        ('÷', difference, "To divide powers of the same base, subtract", (1, difference)),
    ]);
    let power = |(base, exponent): (i64, i64)| format!("{base}{}", superscript(exponent));
    let (left, right) = (power((base, first)), power((base, second)));
    let question = format!("Write {left} {sign} {right} as a single power.");
    let mistakes = [(base, product), slip, (base, difference), (base, sum)];
    let step = if sign == '×' { '+' } else { '−' };
    let explanation = format!(
        "{rule} the exponents: {first} {step} {second} = {exponent}, so the result is {}.",
        power((base, exponent))
    );
    let quotient = if first % second == 0 { first / second } else { product };
    draft(question, (base, exponent), &mistakes, power, explanation).or([
        (base * base, product),
        (base * base, difference),
        (base, quotient),
    ]
    .map(power))
}

fn power_value(dice: &mut Dice) -> QuestionDraft {
    let (base, first, second, rest) = (dice.range(2, 5), dice.range(3, 9), dice.range(2, 8), dice.range(2, 3));
    let third = first + second - rest;
    let [one, two, three] = [first, second, third].map(|exponent| format!("{base}{}", superscript(exponent)));
    let right = (0..rest).fold(1, |product, _| product * base);
    let question = format!("What is the value of {one} × {two} ÷ {three}?");
    let mistakes = [base * rest, right * base, rest, right + base];
    let explanation = format!(
        "Add the exponents of the product and subtract that of the divisor: {first} + {second} − {third} = {rest}. \
         So the value is {base}{} = {right}.",
        superscript(rest)
    );
    draft(question, right, &mistakes, positive, explanation)
}

fn slope_or_intercept(dice: &mut Dice) -> QuestionDraft {
    let [slope, intercept] = [(); 2].map(|()| signed(dice, 2, 12));
    let intercept = if slope.abs() == intercept.abs() { 1 } else { intercept };
    let line =
        if dice.below(2) == 0 { polynomial(&[slope, intercept]) } else { integer(intercept) + &plus(slope) + "x" };
    let (asked, right, other, place) = *dice
        .pick(&[("slope", slope, intercept, "multiplies x"), ("y-intercept", intercept, slope, "stands without x")]);
    let question = format!("What is the {asked} of the line y = {line}?");
    let mistakes = [other, -right, -other];
    let explanation =
        format!("In y = {line} the {asked} is the number that {place}, with its sign: {}.", integer(right));
    draft(question, right, &mistakes, integer, explanation)
}

fn to_scientific(dice: &mut Dice) -> QuestionDraft {
    let digits = 10 * dice.range(1, 9) + dice.range(1, 9);
    let zeros = u32::try_from(dice.range(2, 6)).unwrap_or(2);
    let is_large = dice.below(2) == 0;
    let (number, exponent, way, story) = if is_large {
        let number = grouped(digits * 10_i64.pow(zeros));
        (number, i64::from(zeros) + 1, "left", "A library lent")
    } else {
        let number = format!("0.{}{digits}", "0".repeat(zeros as usize - 1));
        (number, -i64::from(zeros), "right", "A grain of sand has a mass of")
    };
    let question = match (dice.below(2), is_large) {
        (0, _) => format!("Which is {number} in scientific notation?"),
        (_, true) => format!("{story} {number} books last year. Which is this number in scientific notation?"),
        _ => format!("{story} {number} g. Which is this number in scientific notation?"),
    };
    let right = (digits, exponent);
    let mistakes = [exponent - 1, exponent + 1, -exponent].map(|exponent| (digits, exponent));
    let explanation = format!(
        "Move the decimal point {} places to the {way} to get a number between 1 and 10: \
         {number} = {}.",
        exponent.abs(),
        scientific(right)
    );
    draft(question, right, &mistakes, scientific, explanation)
        .or([exponent - 2, exponent + 2].map(|exponent| scientific((digits, exponent))))
}

fn right_triangle(dice: &mut Dice) -> QuestionDraft {
    let (a, b, c) = *dice.pick(&TRIPLES);
    let times = dice.range(1, if c < 20 { 5 } else { 2 });
    let (a, b, c) = (a * times, b * times, c * times);
    if dice.below(2) == 0 { hypotenuse(dice, a, b, c) } else { leg(dice, a, b, c) }
}

/// A length with a root in it; empty for a root that no student would believe.
fn believable_meters((factor, radicand): (i64, i64)) -> String {
    match radicand {
        500.. => String::new(),
        _ => format!("{} m", surd((factor, radicand))),
    }
}

fn meters(length: i64) -> String {
    format!("{length} m")
}

/// A right triangle with its level leg, its upright leg and its hypotenuse labeled.
fn triangle(legs: (i64, i64), labels: &[&str; 3]) -> Figure {
    RightTriangle { legs, labels: *labels, corners: [""; 3] }.figure()
}

fn hypotenuse(dice: &mut Dice, a: i64, b: i64, c: i64) -> QuestionDraft {
    let (question, figure) = match dice.below(2) {
        0 => (
            format!("The legs of a right triangle are {a} m and {b} m long. How long is its hypotenuse?"),
            triangle((b, a), &[&meters(b), &meters(a), UNKNOWN]),
        ),
        _ => (
            format!(
                "A rectangular park is {b} m long and {a} m wide. How long is a straight path from one \
                 corner to the opposite corner?"
            ),
            crossed_rectangle(b, a, "m"),
        ),
    };
    let mistakes = [(a + b, 1), (1, b * b - a * a), (b - a, 1), (c * c, 1)];
    let explanation = format!("{a}² + {b}² = {} = {c}², so the length is {c} m.", integer(c * c));
    draft(question, (c, 1), &mistakes, believable_meters, explanation).with(figure)
}

fn leg(dice: &mut Dice, a: i64, b: i64, c: i64) -> QuestionDraft {
    let (known, right) = *dice.pick(&[(a, b), (b, a)]);
    let question = match dice.below(2) {
        0 => format!(
            "A right triangle has a hypotenuse of {c} m and one leg of {known} m. \
             How long is the other leg?"
        ),
        _ => format!(
            "A straight cable {c} m long runs from the top of a vertical mast to a point on level \
             ground {known} m from its foot. How tall is the mast?"
        ),
    };
    let square = right * right;
    let mistakes = [(c - known, 1), (1, c * c + known * known), (c + known, 1), (square, 1)];
    let explanation = format!(
        "The missing side is a leg: {c}² − {known}² = {} = {right}², so its length is {right} m.",
        integer(square)
    );
    draft(question, (right, 1), &mistakes, believable_meters, explanation)
        .with(triangle((known, right), &[&meters(known), UNKNOWN, &meters(c)]))
}

fn translation(dice: &mut Dice) -> QuestionDraft {
    let [x, y] = [(); 2].map(|()| signed(dice, 2, 9));
    let (across, up) = (dice.range(2, 7), dice.range(2, 7));
    let right = (x - across, y + up);
    let question = format!(
        "Point P{} is moved {across} units to the left and {up} units up. \
         What are the coordinates of its image?",
        point((x, y))
    );
    let mistakes = [(x + across, y + up), (x - across, y - up), (x + up, y - across)];
    let explanation = format!("Left takes {across} from x and up adds {up} to y, which gives {}.", point(right));
    draft(question, right, &mistakes, point, explanation).or([point((x + across, y - up))])
}

fn reflection(dice: &mut Dice) -> QuestionDraft {
    let [x, y] = [(); 2].map(|()| signed(dice, 2, 9));
    if x.abs() == y.abs() {
        return redraw();
    }
    let (how, right, rule) = *dice.pick(&[
        ("reflected across the x-axis", (x, -y), "keeps x and changes the sign of y"),
        ("reflected across the y-axis", (-x, y), "keeps y and changes the sign of x"),
        ("rotated 180° about the origin", (-x, -y), "changes the signs of x and y"),
        ("reflected across the line y = x", (y, x), "exchanges x and y"),
    ]);
    let start = point((x, y));
    let question = format!("Point P{start} is {how}. What are the coordinates of its image?");
    let mistakes = [(-x, y), (x, -y), (-x, -y), (y, x)];
    let end = point(right);
    let explanation = format!("A point that is {how} {rule}: {start} becomes {end}.");
    draft(question, right, &mistakes, point, explanation)
}

fn slope(dice: &mut Dice) -> QuestionDraft {
    let [x, y] = [(); 2].map(|()| dice.range(-6, 6));
    let (run, rise) = (dice.range(1, 8), signed(dice, 1, 9));
    let (end_x, end_y) = (x + run, y + rise);
    let question = format!("What is the slope of the line through {} and {}?", point((x, y)), point((end_x, end_y)));
    let mistakes = [(run, rise), (-rise, run), (y + end_y, x + end_x), (-run, rise)];
    let explanation = format!(
        "From the first point to the second, y changes by {} and x by {run}. The slope is the change in y \
         divided by the change in x: {}.",
        integer(rise),
        fraction((rise, run))
    );
    draft(question, (rise, run), &mistakes, fraction, explanation).with(plane(&[(x, y), (end_x, end_y)], Drawn::Line))
}

fn system(dice: &mut Dice) -> QuestionDraft {
    let (x, y) = (dice.range(-5, 8), dice.range(-5, 8));
    let [a, d] = [(); 2].map(|()| dice.range(1, 5));
    let [b, e] = [(); 2].map(|()| signed(dice, 1, 5));
    let shared = gcd(b.abs(), e.abs());
    let (times, other) = (e.abs() / shared, b.abs() / shared);
    let (sign, step) = if b * e > 0 { (-1, "Subtract") } else { (1, "Add") };
    let factor = times * a + sign * other * d;
    if factor.abs() < 2 || x == y || x * y == 0 {
        return redraw();
    }
    let equation = |across: i64, up: i64| {
        let left = sum_of(&[(across, "x"), (up, "y")]);
        format!("{left} = {}", integer(across * x + up * y))
    };
    let question = format!("Solve the system: {} and {}.", equation(a, b), equation(d, e));
    let mistakes = [(x + b, y - a), (x + e, y - d), (y, x), (-x, -y)];
    let written = |(x, y): (i64, i64)| format!("x = {}, y = {}", integer(x), integer(y));
    let explanation = format!(
        "{}{step} the equations, so that y drops out: {} = {}. So x = {}, and putting this into the \
         first equation gives y = {}.",
        scaling(times, other),
        polynomial(&[factor, 0]),
        integer(factor * x),
        integer(x),
        integer(y)
    );
    draft(question, (x, y), &mistakes, written, explanation).or([(x, -y), (-x, y)].map(written))
}

/// The step that makes the coefficients of y in two equations equal; empty when they are already.
fn scaling(first: i64, second: i64) -> String {
    match (first, second) {
        (1, 1) => String::new(),
        (1, _) => format!("Multiply the second equation by {second}. "),
        (_, 1) => format!("Multiply the first equation by {first}. "),
        _ => format!("Multiply the first equation by {first} and the second by {second}. "),
    }
}

fn power_of_product(dice: &mut Dice) -> QuestionDraft {
    let letter = *dice.pick(&["x", "a", "y", "n"]);
    let (size, inner, outer) = (dice.range(2, 5), dice.range(2, 7), dice.range(2, 4));
    let factor = size * *dice.pick(&[1, 1, -1]);
    let power = u32::try_from(outer).map_or(1, |outer| factor.pow(outer));
    let monomial = |(factor, exponent): (i64, i64)| sum_of(&[(factor, format!("{letter}{}", superscript(exponent)))]);
    let (base, exponent) = (monomial((factor, inner)), inner * outer);
    let question = format!("Simplify ({base}){}.", superscript(outer));
    // Coefficients have no commas, so that of a slip stays short.
    let near = if power.abs() < 500 { 2 * power } else { power / factor };
    let mistakes = [(factor * outer, exponent), (power, inner + outer), (factor, exponent), (near, exponent)];
    let explanation = format!(
        "Raise each factor to the power {outer}: {}{} = {} and ({letter}{}){} = {letter}{}.",
        bracketed(factor),
        superscript(outer),
        integer(power),
        superscript(inner),
        superscript(outer),
        superscript(exponent)
    );
    draft(question, (power, exponent), &mistakes, monomial, explanation).or([
        (factor * outer, inner + outer),
        (near, inner + outer),
        (factor, inner + outer),
    ]
    .map(monomial))
}

fn volume(dice: &mut Dice) -> QuestionDraft {
    let (radius, height) = (dice.range(2, 9), dice.range(3, 15));
    let (ball_radius, full) = (3 * dice.range(1, 4), radius * radius * height);
    let cube = ball_radius * ball_radius * ball_radius;
    let both = format!("a radius of {radius} cm and a height of {height} cm");
    let third = whole_quotient(full, 3);
    let (solid, size, formula, right, mistakes) = match dice.below(3) {
        0 => {
            let mistakes = [2 * radius * height, 4 * full, radius * height];
            let formula = format!("πr²h = π × {radius}² × {height}");
            ("cylinder", both, formula, full, mistakes)
        }
        1 => {
            let mistakes = [full, whole_quotient(radius * height, 3), 4 * third];
            let formula = format!("πr²h ÷ 3 = π × {radius}² × {height} ÷ 3");
            ("cone", both, formula, third, mistakes)
        }
        _ => {
            let size = format!("a radius of {ball_radius} cm");
            let formula = format!("4πr³ ÷ 3 = 4 × π × {ball_radius}³ ÷ 3");
            let mistakes = [4 * ball_radius * ball_radius, 4 * cube, cube];
            ("sphere", size, formula, 4 * cube / 3, mistakes)
        }
    };
    let material = dice.pick(&["glass", "wooden", "metal", "wax"]);
    let question = format!("A {material} {solid} has {size}. What is its volume, in terms of π?");
    let cubic = |factor| times_pi(factor, "cm³");
    let explanation = format!("The volume of a {solid} is {formula} = {}.", cubic(right));
    draft(question, right, &mistakes, cubic, explanation)
}

fn line(dice: &mut Dice) -> QuestionDraft {
    let (slope, intercept) = (signed(dice, 2, 5), dice.range(-9, 9));
    let (x, run) = (dice.range(-4, 4), dice.range(2, 6));
    let [start, end] = [x, x + run].map(|x| (x, slope * x + intercept));
    let (_, y) = start;
    if x * (x + run) * intercept == 0 {
        return redraw();
    }
    let question = format!("Which equation describes the line through {} and {}?", point(start), point(end));
    let mistakes = [(-slope, y + slope * x), (slope, y + slope * x), (slope, y), (slope, -intercept)];
    let explanation = format!(
        "The slope is {} ÷ {run} = {}. Putting {} into y = {} + b gives b = {}.",
        integer(slope * run),
        integer(slope),
        point(start),
        polynomial(&[slope, 0]),
        integer(intercept)
    );
    let written = |(slope, intercept): (i64, i64)| format!("y = {}", polynomial(&[slope, intercept]));
    draft(question, (slope, intercept), &mistakes, written, explanation).or([
        (-slope, intercept),
        (-slope, -intercept),
        (-slope, y),
    ]
    .map(written))
}

/// Two factors whose product has two digits, and two exponents.
fn factors(dice: &mut Dice) -> Option<(i64, i64, i64, i64)> {
    let (first, second) = (dice.range(2, 9), dice.range(3, 9));
    let [m, n] = [(); 2].map(|()| dice.range(3, 9) * *dice.pick(&[1, 1, -1]));
    let product = first * second;
    (product > 10 && product % 10 != 0 && m != n).then_some((first, second, m, n))
}

fn scientific_product(dice: &mut Dice) -> QuestionDraft {
    let Some((first, second, m, n)) = factors(dice) else {
        return redraw();
    };
    let (product, sum) = (first * second, m + n);
    let [left, right] = [(10 * first, m), (10 * second, n)].map(scientific);
    let question = format!("What is ({left}) × ({right}) in scientific notation?");
    let mistakes = [sum, m * n + 1, sum - 1].map(|exponent| (product, exponent));
    let explanation = format!(
        "Multiply the numbers and add the exponents: {first} × {second} = {product} and {} + {} = {}. \
         Since {product} = {}, the exponent grows by 1.",
        integer(m),
        bracketed(n),
        integer(sum),
        scientific((product, 1))
    );
    draft(question, (product, sum + 1), &mistakes, scientific, explanation)
        .or([sum + 2, sum + 3, m * n].map(|exponent| scientific((product, exponent))))
}

fn scientific_quotient(dice: &mut Dice) -> QuestionDraft {
    let Some((quotient, divisor, m, n)) = factors(dice) else {
        return redraw();
    };
    let (dividend, difference) = (quotient * divisor, m - n);
    let [left, right] = [(dividend, m), (10 * divisor, n)].map(scientific);
    let question = format!("What is ({left}) ÷ ({right}) in scientific notation?");
    let mistakes = [difference, m + n - 1, difference + 1].map(|exponent| (10 * quotient, exponent));
    let explanation = format!(
        "Divide the numbers and subtract the exponents: {}.{} ÷ {divisor} = 0.{quotient} and \
         {} − {} = {}. Since 0.{quotient} = {}, the exponent shrinks by 1.",
        dividend / 10,
        dividend % 10,
        integer(m),
        bracketed(n),
        integer(difference),
        scientific((10 * quotient, -1))
    );
    draft(question, (10 * quotient, difference - 1), &mistakes, scientific, explanation).or([
        difference - 2,
        difference - 3,
    ]
    .map(|exponent| scientific((10 * quotient, exponent))))
}

fn tickets(dice: &mut Dice) -> QuestionDraft {
    let (place, adult, child) =
        (*dice.pick(&["museum", "zoo", "cinema", "water park"]), dice.range(8, 24), dice.range(3, 14));
    let (a, b) = (dice.range(1, 5), dice.range(2, 6));
    let (c, d) = (dice.range(1, 5), dice.range(2, 6));
    let (first, second) = (a * adult + b * child, c * adult + d * child);
    if a * d == b * c || adult <= child || a == 1 || c == 1 {
        return redraw();
    }
    let (who, right, other) = *dice.pick(&[("an adult ticket", adult, child), ("a child ticket", child, adult)]);
    let mistakes = [other, adult + child, (first - second).abs(), whole_quotient(first, a + b), right + 2];
    let question = format!(
        "At a {place}, {a} adults and {b} children pay ${first}, while {c} adults and {d} children pay ${second}. \
         How much does {who} cost?"
    );
    let explanation = format!(
        "With ⟨a⟩ for an adult and c for a child: {a}a + {b}c = {first} and {c}a + {d}c = {second}. \
         The solution of this system is a = {adult} and c = {child}, so {who} costs ${right}."
    );
    draft(question, 100 * right, &mistakes.map(|price| 100 * price), dollars, explanation)
}

fn longest_rod(dice: &mut Dice) -> QuestionDraft {
    let (a, b, c, d) = *dice.pick(&BOXES);
    let times = 5 * dice.range(1, 4);
    let [a, b, c, diagonal] = [a, b, c, d].map(|side| times * side);
    let square = integer(diagonal * diagonal);
    let question = format!(
        "A closed box is {c} cm long, {b} cm wide and {a} cm high inside. \
         How long is the longest straight thin rod that fits in it?"
    );
    let mistakes = [(1, b * b + c * c), (a + b + c, 1), (1, a * a + c * c), (c, 1)];
    let explanation = format!(
        "The rod lies along the space diagonal. By the Pythagorean theorem, used twice, the square of its length is \
         {c}² + {b}² + {a}² = {square}, and √{square} = {diagonal} cm."
    );
    let centimeters = |value| format!("{} cm", surd(value));
    draft(question, (diagonal, 1), &mistakes, centimeters, explanation).with(cuboid_with_diagonal(c, b, a, "cm"))
}

fn isosceles_area(dice: &mut Dice) -> QuestionDraft {
    let (a, b, c) = *dice.pick(&TRIPLES);
    let times = dice.range(1, 4);
    let (half, height) = *dice.pick(&[(a * times, b * times), (b * times, a * times)]);
    let (side, base, right) = (c * times, 2 * half, half * height);
    let question = format!(
        "An isosceles triangle has two sides of {side} cm and a third side of {base} cm. \
         What is its area?"
    );
    let mistakes = [half * side, 2 * right, base * side, base + 2 * side];
    let explanation = format!(
        "The height splits the third side into two parts of {half} cm: \
         √({side}² − {half}²) = {height} cm. The area is {base} × {height} ÷ 2 = {} cm².",
        integer(right)
    );
    draft(question, right, &mistakes, |area| measure(area, "cm²"), explanation)
}

/// A reflection (in the y-axis when true, else in the x-axis), a turn (counterclockwise when true) or a shift.
#[derive(Clone, Copy)]
enum Move {
    Reflection(bool),
    Turn(bool),
    Shift(i64, i64),
}

impl Move {
    fn apply(self, (x, y): (i64, i64)) -> (i64, i64) {
        match self {
            Self::Reflection(true) => (-x, y),
            Self::Reflection(false) => (x, -y),
            Self::Turn(true) => (-y, x),
            Self::Turn(false) => (y, -x),
            Self::Shift(across, up) => (x + across, y + up),
        }
    }

    fn words(self) -> String {
        match self {
            Self::Reflection(true) => "reflected across the y-axis".to_owned(),
            Self::Reflection(false) => "reflected across the x-axis".to_owned(),
            Self::Turn(true) => "rotated 90° counterclockwise about the origin".to_owned(),
            Self::Turn(false) => "rotated 90° clockwise about the origin".to_owned(),
            Self::Shift(across, up) => {
                format!("moved {across} units to the right and {up} units up")
            }
        }
    }

    /// The same kind of move in the wrong direction, as a student might confuse it.
    fn confused(self) -> Self {
        match self {
            Self::Reflection(in_y) => Self::Reflection(!in_y),
            Self::Turn(left) => Self::Turn(!left),
            Self::Shift(across, up) => Self::Shift(up, across),
        }
    }
}

fn several_moves(dice: &mut Dice) -> QuestionDraft {
    let (x, y) = (dice.range(1, 8), signed(dice, 1, 8));
    let [reflection, turn] = [Move::Reflection, Move::Turn].map(|kind| kind(dice.below(2) == 0));
    let shift = Move::Shift(dice.range(2, 6), dice.range(2, 6));
    let [first, second, third] = *dice.pick(&[
        [reflection, turn, shift],
        [reflection, shift, turn],
        [turn, shift, reflection],
        [shift, turn, reflection],
        [shift, reflection, turn],
    ]);
    let after = |moves: [Move; 3]| moves.iter().fold((x, y), |place, step| step.apply(place));
    let middle = first.apply((x, y));
    let later = second.apply(middle);
    let question = format!(
        "Point P{} is {}, then {}, and finally {}. Where does it end?",
        point((x, y)),
        first.words(),
        second.words(),
        third.words()
    );
    let mistakes = [
        after([first.confused(), second, third]),
        after([first, second.confused(), third]),
        after([first, second, third.confused()]),
        after([third, second, first]),
    ];
    let explanation = format!(
        "Follow the coordinates step by step: {} → {} → {} → {}.",
        point((x, y)),
        point(middle),
        point(later),
        point(third.apply(later))
    );
    let (end_x, end_y) = third.apply(later);
    draft(question, (end_x, end_y), &mistakes, point, explanation).or([
        (end_x, -end_y),
        (-end_x, end_y),
        (-end_x, -end_y),
        (end_y, end_x),
    ]
    .map(point))
}

fn enclosed_area(dice: &mut Dice) -> QuestionDraft {
    let [first, second] = [(); 2].map(|()| signed(dice, 1, 5));
    let (x, y) = (dice.range(-8, 8), dice.range(-9, 9));
    let [low, high] = [first, second].map(|slope| y - slope * x);
    let (base, width) = ((low - high).abs(), x.abs());
    if x == 0 || first == second || low * high == 0 || low.abs() > 30 || high.abs() > 30 {
        return redraw();
    }
    let right = whole_quotient(base * width, 2);
    let question = format!(
        "The lines y = {} and y = {} and the y-axis enclose a triangle. What is its area in square units?",
        polynomial(&[first, low]),
        polynomial(&[second, high])
    );
    let mistakes = [
        2 * right,
        whole_quotient(base * y.abs(), 2),
        whole_quotient((low + high).abs() * width, 2),
        base + width,
        base,
    ];
    let explanation = format!(
        "The lines meet at {} and cross the y-axis at {} and {}. So the side on the y-axis is {base} long, the \
         height on it is {width}, and the area is {base} × {width} ÷ 2 = {right}.",
        point((x, y)),
        integer(low),
        integer(high)
    );
    draft(question, right, &mistakes, positive, explanation)
}

fn pouring(dice: &mut Dice) -> QuestionDraft {
    let (radius, height, wide) = (3 * dice.range(1, 4), 3 * dice.range(2, 12), dice.range(2, 10));
    let (third, base) = (radius * radius * height / 3, wide * wide);
    let level = whole_quotient(third, base);
    let question = format!(
        "A cone with a radius of {radius} cm and a height of {height} cm is full of water. The water is poured \
         into an empty cylinder with a radius of {wide} cm. How high does it stand there, in centimeters?"
    );
    let expected = if radius == wide || level > 40 { 0 } else { level };
    let mistakes = [3 * level, whole_quotient(radius * height, 3 * wide), height / 3, 2 * level];
    let shown = integer(third);
    let explanation = format!(
        "The cone holds π × {radius}² × {height} ÷ 3 = {shown}π cm³. Each centimeter of the cylinder holds \
         π × {wide}² = {base}π cm³, so the water stands {shown} ÷ {base} = {level} cm high."
    );
    draft(question, expected, &mistakes, positive, explanation)
}

fn filling_cups(dice: &mut Dice) -> QuestionDraft {
    let (radius, height) = (dice.range(2, 5), 3 * dice.range(2, 5));
    let (wide, tall) = (dice.range(4, 12), dice.range(8, 30));
    let (cup, jug) = (radius * radius * height / 3, wide * wide * tall);
    let cups = whole_quotient(jug, cup);
    let question = format!(
        "A cylinder with a radius of {wide} cm and a height of {tall} cm is full of water. How many cone-shaped \
         cups with a radius of {radius} cm and a height of {height} cm can be filled from it?"
    );
    let mistakes =
        [whole_quotient(cups, 3), whole_quotient(3 * wide * tall, radius * height), 3 * cups, whole_quotient(cups, 2)];
    let shown = integer(jug);
    let explanation = format!(
        "The cylinder holds π × {wide}² × {tall} = {shown}π cm³ and each cup π × {radius}² × {height} ÷ 3 = {cup}π \
         cm³, so the water fills {shown} ÷ {cup} = {cups} cups."
    );
    draft(question, if wide > radius { cups } else { 0 }, &mistakes, positive, explanation)
}
