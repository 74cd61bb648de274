//! Templates for grade 9: functions, sequences, factoring, inequalities, quadratics, radicals and coordinates.

use super::algebra::{
    bracketed, draft, floor_root, fraction, integer, plus, point, polynomial, positive, signed, simplest_root, sum_of,
    surd,
};
use super::figures::{Drawn, plane};
use super::wording::{gcd, kind, name, redraw};
use super::{Dice, QuestionDraft, QuestionTemplate};

pub(super) fn templates() -> Vec<QuestionTemplate> {
    vec![
        kind("Functions", "Function values", 1, 8, function_value),
        kind("Sequences", "Terms of arithmetic sequences", 1, 7, nth_term),
        kind("Factoring", "Expanding products", 1, 7, expanding),
        kind("Inequalities", "Linear inequalities", 2, 8, linear_inequality),
        kind("Radicals", "Simplifying square roots", 2, 7, simplifying_root),
        kind("Factoring", "Quadratic trinomials", 2, 7, trinomial),
        kind("Quadratic equations", "Solving by factoring", 3, 8, quadratic_equation),
        kind("Coordinate geometry", "Distance", 3, 8, distance),
        kind("Sequences", "Arithmetic sums", 3, 7, arithmetic_sum),
        kind("Functions", "Composite functions", 4, 8, composite),
        kind("Radicals", "Products with roots", 4, 8, root_product),
        kind("Coordinate geometry", "Perpendicular lines", 4, 7, perpendicular),
        kind("Quadratic equations", "Number of solutions", 5, 8, discriminant),
        kind("Quadratic equations", "Sums and products of solutions", 5, 8, sums_of_solutions),
        kind("Inequalities", "Quadratic inequalities", 5, 7, quadratic_inequality),
        kind("Sequences", "Sequences from two terms", 5, 7, sum_from_two_terms),
    ]
}

/// Those for which a number is the natural answer.
pub(super) fn number_templates() -> Vec<QuestionTemplate> {
    vec![
        kind("Functions", "Function values", 1, 2, function_value),
        kind("Sequences", "Terms of arithmetic sequences", 1, 2, nth_term),
        kind("Functions", "From value to argument", 2, 4, argument_of),
        kind("Coordinate geometry", "Distance", 3, 1, distance),
        kind("Sequences", "Arithmetic sums", 3, 3, arithmetic_sum),
        kind("Functions", "Values of composite functions", 4, 4, composite_value),
        kind("Quadratic equations", "Sums and products of solutions", 5, 1, sums_of_solutions),
        kind("Inequalities", "Quadratic inequalities", 5, 1, quadratic_inequality),
        kind("Sequences", "Sequences from two terms", 5, 2, sum_from_two_terms),
    ]
}

fn function_value(dice: &mut Dice) -> QuestionDraft {
    let (a, b, c) = (dice.range(1, 4), signed(dice, 1, 7), signed(dice, 1, 9));
    let x = -dice.range(2, 5);
    let (square, linear) = (a * x * x, b * x);
    let right = square + linear + c;
    let value = integer(x);
    let question = format!("If f(x) = {}, what is f({value})?", polynomial(&[a, b, c]));
    let mistakes = [-square + linear + c, square - linear + c, a * a * x * x + linear + c, -square - linear + c];
    let explanation = format!(
        "Put {value} in place of x. Since ({value})² = {}, this is {}{}{} = {}.",
        x * x,
        integer(square),
        plus(linear),
        plus(c),
        integer(right)
    );
    draft(question, right, &mistakes, integer, explanation)
}

fn argument_of(dice: &mut Dice) -> QuestionDraft {
    let (factor, constant, x) = (dice.range(2, 9), signed(dice, 1, 12), signed(dice, 2, 9));
    let product = factor * x;
    let value = product + constant;
    let (rule, shown) = (polynomial(&[factor, constant]), integer(value));
    let question = format!("If f(x) = {rule}, for which x is f(x) = {shown}?");
    let mistakes = [-x, product, x + 1, factor * value + constant];
    let step = if constant > 0 { format!("Subtract {constant} from") } else { format!("Add {} to", -constant) };
    let explanation = format!(
        "Solve {rule} = {shown}. {step} both sides: {} = {}. Then divide by {factor}: x = {}.",
        polynomial(&[factor, 0]),
        integer(product),
        integer(x)
    );
    draft(question, x, &mistakes, integer, explanation)
}

fn nth_term(dice: &mut Dice) -> QuestionDraft {
    let (first, step) = (dice.range(-9, 20), signed(dice, 2, 9));
    let place = *dice.pick(&[10, 12, 15, 20, 25, 30, 40, 50]);
    let start: Vec<String> = (0..4).map(|index| integer(first + index * step)).collect();
    let right = first + (place - 1) * step;
    let question = format!("What is the {place}th term of the arithmetic sequence {}, …?", start.join(", "));
    let mistakes = [first + place * step, first + (place - 2) * step, place * step, right + 2 * step];
    let explanation = format!(
        "The terms change by {} each time, and from the 1st term to the {place}th there are {} steps: \
         {} + {} × {} = {}.",
        integer(step),
        place - 1,
        integer(first),
        place - 1,
        bracketed(step),
        integer(right)
    );
    draft(question, right, &mistakes, integer, explanation)
}

fn expanding(dice: &mut Dice) -> QuestionDraft {
    let (p, q) = (signed(dice, 1, 9), signed(dice, 2, 9));
    if p.abs() == q.abs() {
        return redraw();
    }
    let [left, right] = [p, q].map(|number| polynomial(&[1, number]));
    let question = format!("Expand ({left})({right}).");
    let mistakes = [[1, 0, p * q], [1, -p - q, p * q], [1, p + q, -p * q], [1, p * q, p + q]];
    let explanation = format!(
        "Multiply each term of the first factor by each term of the second: {}. Together this is {}.",
        sum_of(&[(1, "x²"), (q, "x"), (p, "x"), (p * q, "")]),
        polynomial(&[1, p + q, p * q])
    );
    let written = |coefficients: [i64; 3]| polynomial(&coefficients);
    draft(question, [1, p + q, p * q], &mistakes, written, explanation).or([
        [1, -p - q, -p * q],
        [1, p - q, p * q],
        [1, p - q, -p * q],
        [1, q - p, p * q],
    ]
    .map(written))
}

fn linear_inequality(dice: &mut Dice) -> QuestionDraft {
    let (factor, bound, constant) = (signed(dice, 2, 8), signed(dice, 1, 9), signed(dice, 1, 12));
    let (sign, turned) = *dice.pick(&[('<', '>'), ('>', '<'), ('≤', '≥'), ('≥', '≤')]);
    let total = factor * bound + constant;
    let left = if factor < 0 { integer(constant) + &plus(factor) + "x" } else { polynomial(&[factor, constant]) };
    let end = if factor < 0 { turned } else { sign };
    let other = if factor < 0 { sign } else { turned };
    let note = if factor < 0 { ", which turns the inequality sign around" } else { "" };
    let question = format!("Solve the inequality {left} {sign} {}.", integer(total));
    let mistakes = [(other, bound), (end, -bound), (other, -bound)];
    let explanation = format!(
        "{} both sides: {} {sign} {}. Then divide by {}{note}: x {end} {}.",
        if constant > 0 { format!("Subtract {constant} from") } else { format!("Add {} to", -constant) },
        polynomial(&[factor, 0]),
        integer(factor * bound),
        integer(factor),
        integer(bound)
    );
    let written = |(sign, bound): (char, i64)| format!("x {sign} {}", integer(bound));
    draft(question, (end, bound), &mistakes, written, explanation).or([
        (end, bound + 1),
        (other, bound + 1),
        (end, bound - 1),
        (other, bound - 1),
    ]
    .map(written))
}

fn simplifying_root(dice: &mut Dice) -> QuestionDraft {
    let (root, rest) = (dice.range(2, 9), *dice.pick(&[2, 3, 5, 6, 7, 10, 11]));
    let (square, number) = (root * root, root * root * rest);
    let half = if number % 2 == 0 { number / 2 } else { 0 };
    let question = format!("Simplify √{number}.");
    let mistakes = [(square, rest), (rest, root), (half, 1), (root * rest, 1)];
    let explanation = format!(
        "The largest square number that divides {number} is {square}: √{number} = √{square} × √{rest} = {root}√{rest}."
    );
    draft(question, (root, rest), &mistakes, surd, explanation).or([
        (1, root * rest),
        (1, root + rest),
        (root, root),
        (1, rest),
    ]
    .map(surd))
}

fn trinomial(dice: &mut Dice) -> QuestionDraft {
    let (p, q) = (signed(dice, 1, 9), signed(dice, 2, 9));
    if p.abs() == q.abs() {
        return redraw();
    }
    let question = format!("Which is the factored form of {}?", polynomial(&[1, p + q, p * q]));
    let mistakes = [(-p, -q), (-p, q), (p, -q)];
    let explanation = format!(
        "Look for two numbers whose product is {} and whose sum is {}: they are {} and {}.",
        integer(p * q),
        integer(p + q),
        integer(p),
        integer(q)
    );
    // Other factors of the last number, and not the same ones in another order.
    let (fewer, more) = if q % 2 == 0 && q.abs() != 2 * p.abs() { (2 * p, q / 2) } else { (1, p * q) };
    let written = |(p, q): (i64, i64)| format!("({})({})", polynomial(&[1, p]), polynomial(&[1, q]));
    draft(question, (p, q), &mistakes, written, explanation)
        .or([(fewer, more), (-fewer, -more), (fewer, -more)].map(written))
}

/// `x = −3 or x = 8`, the smaller first.
fn solutions((first, second): (i64, i64)) -> String {
    format!("x = {} or x = {}", integer(first.min(second)), integer(first.max(second)))
}

fn quadratic_equation(dice: &mut Dice) -> QuestionDraft {
    let (first, second) = (signed(dice, 1, 9), signed(dice, 2, 12));
    if first.abs() == second.abs() {
        return redraw();
    }
    let (sum, product) = (first + second, first * second);
    let equation = match dice.below(2) {
        0 => format!("x² = {}", polynomial(&[sum, -product])),
        _ => format!("{} = {}", polynomial(&[1, -sum, 0]), integer(-product)),
    };
    let question = format!("Solve the equation {equation}.");
    let mistakes = [(-first, -second), (-first, second), (first, -second)];
    let explanation = format!(
        "Bring everything to one side and factor: {} = ({})({}) = 0. A product is 0 when one of its factors is 0.",
        polynomial(&[1, -sum, product]),
        polynomial(&[1, -first]),
        polynomial(&[1, -second])
    );
    draft(question, (first, second), &mistakes, solutions, explanation)
}

fn distance(dice: &mut Dice) -> QuestionDraft {
    let [x, y, end_x, end_y] = [(); 4].map(|()| dice.range(-9, 9));
    let (across, up) = ((end_x - x).abs(), (end_y - y).abs());
    let (square, sums) = (across * across + up * up, (x + end_x).pow(2) + (y + end_y).pow(2));
    if across * up == 0 {
        return redraw();
    }
    let question = format!("What is the distance between the points {} and {}?", point((x, y)), point((end_x, end_y)));
    let mistakes = [(across + up, 1), (1, sums), (1, (across * across - up * up).abs()), (1, across + up)];
    let explanation = format!(
        "The coordinates differ by {across} and {up}, so the distance is √({across}² + {up}²) = √{square}{}.",
        if simplest_root(square).0 > 1 { format!(" = {}", surd((1, square))) } else { String::new() }
    );
    draft(question, (1, square), &mistakes, surd, explanation)
        .or([(1, 2 * square), (1, across * across + up)].map(surd))
        .with(plane(&[(x, y), (end_x, end_y)], Drawn::Segment))
}

fn arithmetic_sum(dice: &mut Dice) -> QuestionDraft {
    let (first, step, count) = (dice.range(2, 20), dice.range(2, 6), dice.range(8, 30));
    let last = first + (count - 1) * step;
    let right = count * (first + last) / 2;
    let person = name(dice);
    let question = match dice.below(3) {
        0 => {
            let start = [0, 1, 2, 3].map(|index| integer(first + index * step));
            format!("What is the sum of the first {count} terms of the arithmetic sequence {}, …?", start.join(", "))
        }
        1 => format!(
            "A theater has {count} rows of seats. The first row has {first} seats, and each row behind it has {step} seats \
             more than the row in front of it. How many seats does the theater have?"
        ),
        _ => format!(
            "On the first day of a training plan {person} runs {first} minutes, and on every later day {step} minutes more \
             than the day before. How many minutes does {person} run in {count} days altogether?"
        ),
    };
    let (slip, mistakes) = (count * step / 2, [2 * right, right + count * step / 2, last, right - last]);
    let explanation = format!(
        "The last of the {count} numbers is {first} + {} × {step} = {last}. The sum is {count} times the mean of \
         the first and the last: {count} × ({first} + {last}) ÷ 2 = {}.",
        count - 1,
        integer(right)
    );
    draft(question, right, &mistakes, positive, explanation).or([right - slip, right + last].map(positive))
}

fn composite(dice: &mut Dice) -> QuestionDraft {
    let (b, c) = (signed(dice, 1, 7), signed(dice, 1, 6));
    let right = [1, 2 * c + b, c * c + b * c];
    let bracket = format!("({})", polynomial(&[1, c]));
    let question = format!(
        "Let f(x) = {} and g(x) = {}. Which expression equals f(g(x))?",
        polynomial(&[1, b, 0]),
        polynomial(&[1, c])
    );
    let mistakes = [[1, b, c], [1, b, c * c + b * c], [1, 2 * c + b, c * c], [1, b + c, b * c]];
    let explanation = format!(
        "Put g(x) in place of x in ⟨f⟩: {} = {} = {}.",
        sum_of(&[(1, format!("{bracket}²")), (b, bracket)]),
        sum_of(&[(1, "x²"), (2 * c, "x"), (c * c, ""), (b, "x"), (b * c, "")]),
        polynomial(&right)
    );
    let written = |coefficients: [i64; 3]| polynomial(&coefficients);
    draft(question, right, &mistakes, written, explanation).or([[1, b, c * c], [1, b + c, c * c + b * c]].map(written))
}

fn composite_value(dice: &mut Dice) -> QuestionDraft {
    let (b, c, x) = (signed(dice, 1, 7), signed(dice, 1, 6), signed(dice, 1, 6));
    let inner = x + c;
    if inner == 0 {
        return redraw();
    }
    let right = inner * inner + b * inner;
    let question = format!(
        "Let f(x) = {} and g(x) = {}. What is f(g({}))?",
        polynomial(&[1, b, 0]),
        polynomial(&[1, c]),
        integer(x)
    );
    let mistakes = [x * x + b * x + c, inner * inner + b * x, (x * x + b * x) * inner, right + 1];
    let explanation = format!(
        "First g({}) = {}{} = {}. Then f({}) = {}²{} = {}.",
        integer(x),
        integer(x),
        plus(c),
        integer(inner),
        integer(inner),
        bracketed(inner),
        plus(b * inner),
        integer(right)
    );
    draft(question, right, &mistakes, integer, explanation)
}

fn root_product(dice: &mut Dice) -> QuestionDraft {
    let (a, b, under) = (signed(dice, 1, 7), dice.range(1, 7), *dice.pick(&[2, 3, 5, 6, 7]));
    let root = format!("√{under}");
    let with_root = |(plain, factor): (i64, i64)| sum_of(&[(plain, ""), (factor, root.as_str())]);
    let (left, right) = (with_root((a, 1)), with_root((b, -1)));
    let product = a * b;
    if a.abs() == b || product == under {
        return redraw();
    }
    let question = format!("Multiply and simplify: ({left})({right}).");
    let mistakes = [(product + under, b - a), (product - under, b + a), (product - under, a - b), (product - under, 0)];
    let explanation = format!(
        "Multiply each term by each, where √{under} × √{under} = {under}: {} = {}.",
        sum_of(&[(product, ""), (-a, root.as_str()), (b, root.as_str()), (-under, "")]),
        with_root((product - under, b - a))
    );
    draft(question, (product - under, b - a), &mistakes, with_root, explanation).or([
        (product + under, b + a),
        (product + under, a - b),
        (product, b - a),
    ]
    .map(with_root))
}

/// The equation `ax + by = c` of a line, where a is above 0.
fn standard_form((a, b, c): (i64, i64, i64)) -> String {
    let sign = a.signum();
    format!("{} = {}", sum_of(&[(sign * a, "x"), (sign * b, "y")]), integer(sign * c))
}

fn perpendicular(dice: &mut Dice) -> QuestionDraft {
    let (a, b) = (dice.range(1, 5), signed(dice, 2, 5));
    let (x, y, other) = (signed(dice, 1, 6), signed(dice, 1, 6), signed(dice, 1, 12));
    let through = |a: i64, b: i64| (a, b, a * x + b * y);
    let right = through(b, -a);
    let (_, _, constant) = right;
    if a == b.abs() || gcd(a, b.abs()) > 1 || constant == 0 || a * x + b * y == other {
        return redraw();
    }
    let question = format!(
        "Which line is perpendicular to the line {} and passes through the point {}?",
        standard_form((a, b, other)),
        point((x, y))
    );
    let mistakes = [through(a, b), through(b, a), (b, -a, -constant), through(a, -b)];
    let explanation = format!(
        "The slope of the given line is {}, so a perpendicular line has the slope {}, as every line {} = c has. \
         Putting in {} gives {}.",
        fraction((-a, b)),
        fraction((b, a)),
        sum_of(&[(b.abs(), "x"), (-a * b.signum(), "y")]),
        point((x, y)),
        standard_form(right)
    );
    draft(question, right, &mistakes, standard_form, explanation)
}

fn discriminant(dice: &mut Dice) -> QuestionDraft {
    let (a, root) = (*dice.pick(&[1, 1, 4, 9]), dice.range(1, 9));
    let c = root * root;
    let bound = 2 * floor_root(a) * root;
    let between = |bound: i64| format!("−{0} < k < {0}", integer(bound));
    let outside = |bound: i64| format!("k < −{0} or k > {0}", integer(bound));
    let exactly = |bound: i64| format!("k = −{0} or k = {0}", integer(bound));
    let square = bound * bound;
    let shown = integer(square);
    let (asked, (words, sign), right, mistakes, spare) = match dice.below(3) {
        0 => (
            "no real solution",
            ("less than 0", '<'),
            between(bound),
            [outside(bound), format!("k < {bound}"), between(square)],
            [outside(square), exactly(bound)],
        ),
        1 => (
            "exactly one real solution",
            ("equal to 0", '='),
            exactly(bound),
            [format!("k = {bound}"), exactly(square), between(bound)],
            [between(square), outside(bound)],
        ),
        _ => (
            "two different real solutions",
            ("greater than 0", '>'),
            outside(bound),
            [between(bound), format!("k > {bound}"), outside(square)],
            [between(square), exactly(bound)],
        ),
    };
    let equation = sum_of(&[(a, "x²"), (1, "kx"), (c, "")]);
    let question = format!("For which values of k does the equation {equation} = 0 have {asked}?");
    let explanation = format!(
        "For {asked} the discriminant k² − 4 × {a} × {c} = k² − {shown} must be {words}. \
         So k² {sign} {shown}, which means {right}."
    );
    draft(question, right, &mistakes, |values| values, explanation).or(spare)
}

fn sums_of_solutions(dice: &mut Dice) -> QuestionDraft {
    let (sum, product) = (signed(dice, 3, 12), signed(dice, 1, 9));
    let rest = sum * sum - 4 * product;
    if rest <= 0 || floor_root(rest).pow(2) == rest {
        return redraw();
    }
    let square = sum * sum;
    let whole = |value: i64| (value, 1);
    let (shown_sum, shown_product) = (bracketed(sum), bracketed(product));
    let (asked, right, mistakes, identity) = match dice.below(4) {
        0 => (
            "p² + q²",
            whole(square - 2 * product),
            [square, square + 2 * product, square - product].map(whole),
            format!("(p + q)² − 2pq = {shown_sum}² − 2 × {shown_product}"),
        ),
        1 => (
            "(p − q)²",
            whole(rest),
            [square - 2 * product, square + 4 * product, square].map(whole),
            format!("(p + q)² − 4pq = {shown_sum}² − 4 × {shown_product}"),
        ),
        2 => (
            "1/p + 1/q",
            (sum, product),
            [(product, sum), (1, sum), (-sum, product)],
            format!("(p + q)/(pq) = {} ÷ {shown_product}", integer(sum)),
        ),
        _ => (
            "p²q + pq²",
            whole(sum * product),
            [-sum * product, sum * product * product, square * product].map(whole),
            format!("pq(p + q) = {} × {shown_sum}", integer(product)),
        ),
    };
    let question = format!(
        "The equation {} = 0 has the solutions p and q. What is the value of {asked}?",
        polynomial(&[1, -sum, product])
    );
    let explanation = format!(
        "From the coefficients p + q = {} and pq = {}. So {asked} = {identity} = {}.",
        integer(sum),
        integer(product),
        fraction(right)
    );
    draft(question, right, &mistakes, fraction, explanation)
}

fn quadratic_inequality(dice: &mut Dice) -> QuestionDraft {
    let (low, high) = (-dice.range(1, 9), dice.range(2, 12));
    let (sum, product) = (low + high, low * high);
    if sum == 0 {
        return redraw();
    }
    let (sign, right, other) =
        *dice.pick(&[('≤', high - low + 1, high - low - 1), ('<', high - low - 1, high - low + 1)]);
    let positives = if sign == '<' { high - 1 } else { high };
    let kept = if sign == '<' { "without" } else { "with" };
    let question = format!("How many integers x satisfy the inequality x² {sign} {}?", polynomial(&[sum, -product]));
    let mistakes = [high - low, other, positives, right + 2];
    let explanation = format!(
        "Bring everything to one side: ({})({}) {sign} 0. This holds between {} and {high}, {kept} these two \
         numbers, so there are {right} integers.",
        polynomial(&[1, -low]),
        polynomial(&[1, -high]),
        integer(low)
    );
    draft(question, right, &mistakes, positive, explanation)
}

fn sum_from_two_terms(dice: &mut Dice) -> QuestionDraft {
    let (first, step) = (dice.range(-8, 12), signed(dice, 2, 6));
    let (early, gap) = (dice.range(3, 5), dice.range(3, 7));
    let late = early + gap;
    let count = *dice.pick(&[10, 12, 15, 16, 20]);
    let term = |place: i64| first + (place - 1) * step;
    let sum = |start: i64| count * (2 * start + (count - 1) * step) / 2;
    let right = sum(first);
    let question = format!(
        "In an arithmetic sequence the {} term is {} and the {} term is {}. What is the sum of the first {count} terms?",
        ordinal(early),
        integer(term(early)),
        ordinal(late),
        integer(term(late))
    );
    let mistakes = [sum(first - step), sum(term(early)), 2 * right, term(count)];
    let explanation = format!(
        "The common difference is ({} − {}) ÷ {gap} = {}, so the first term is {} and the {count}th is {}. \
         The sum is {count} × ({}{}) ÷ 2 = {}.",
        integer(term(late)),
        bracketed(term(early)),
        integer(step),
        integer(first),
        integer(term(count)),
        integer(first),
        plus(term(count)),
        integer(right)
    );
    draft(question, right, &mistakes, integer, explanation)
}

/// `3rd` or `4th`, for places from the third on.
fn ordinal(place: i64) -> String {
    if place == 3 { "3rd".to_owned() } else { format!("{place}th") }
}
