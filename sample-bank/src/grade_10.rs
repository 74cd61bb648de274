//! Templates for grade 10: trigonometry, logarithms, vectors, circles, counting, quadratics and polynomials.

use super::algebra::{
    TRIPLES, bracketed, dollars, draft, fraction, integer, measure, plus, point, polynomial, positive, probability,
    raised, signed, simplifying, subscript, sum_of, surd, whole_quotient,
};
use super::figures::{self, RightTriangle};
use super::wording::{friend, kind, name, redraw};
use super::{Dice, QuestionDraft, QuestionTemplate};

pub(super) fn templates() -> Vec<QuestionTemplate> {
    vec![
        kind("Trigonometry", "Ratios in right triangles", 1, 8, ratio),
        kind("Exponents and logarithms", "Values of logarithms", 1, 7, logarithm),
        kind("Vectors", "Linear combinations", 1, 7, vectors),
        kind("Counting and probability", "Combinations", 2, 4, combination),
        kind("Counting and probability", "Permutations", 2, 4, permutation),
        kind("Quadratic functions", "Vertex of a parabola", 2, 7, vertex),
        kind("Polynomials", "Remainder theorem", 2, 7, remainder),
        kind("Exponents and logarithms", "Exponential equations", 3, 8, exponential_equation),
        kind("Trigonometry", "Exact values", 3, 8, exact_heights),
        kind("Circle geometry", "Chords", 3, 7, chord),
        kind("Exponents and logarithms", "Logarithmic equations", 4, 8, logarithmic_equation),
        kind("Circle geometry", "Tangents", 4, 8, tangents),
        kind("Counting and probability", "At least one", 4, 4, at_least_one),
        kind("Counting and probability", "Exactly so many", 4, 3, exactly_so_many),
        kind("Trigonometry", "Two angles of elevation", 5, 8, two_elevations),
        kind("Counting and probability", "Arrangements with conditions", 5, 4, digits),
        kind("Counting and probability", "Arrangements in a row", 5, 4, seats),
        kind("Quadratic functions", "Greatest area", 5, 3, greatest_area),
        kind("Quadratic functions", "Greatest income", 5, 4, best_price),
        kind("Polynomials", "Unknown coefficients", 5, 7, unknown_coefficients),
    ]
}

/// Those for which a number is the natural answer.
pub(super) fn number_templates() -> Vec<QuestionTemplate> {
    vec![
        kind("Trigonometry", "Ratios in right triangles", 1, 2, ratio),
        kind("Exponents and logarithms", "Values of logarithms", 1, 2, logarithm),
        kind("Counting and probability", "Combinations", 2, 1, combination),
        kind("Counting and probability", "Permutations", 2, 1, permutation),
        kind("Polynomials", "Remainder theorem", 2, 2, remainder),
        kind("Exponents and logarithms", "Exponential equations", 3, 1, exponential_equation),
        kind("Circle geometry", "Chords", 3, 3, chord),
        kind("Exponents and logarithms", "Logarithmic equations", 4, 2, logarithmic_equation),
        kind("Circle geometry", "Tangents", 4, 2, tangents),
        kind("Counting and probability", "Arrangements with conditions", 5, 1, digits),
        kind("Counting and probability", "Arrangements in a row", 5, 1, seats),
        kind("Quadratic functions", "Greatest area", 5, 1, greatest_area),
        kind("Polynomials", "Unknown coefficients", 5, 1, unknown_coefficients),
    ]
}

fn permutations(of: i64, chosen: i64) -> i64 {
    (of - chosen + 1..=of).product()
}

fn combinations(of: i64, chosen: i64) -> i64 {
    permutations(of, chosen) / permutations(chosen, chosen)
}

fn ratio(dice: &mut Dice) -> QuestionDraft {
    let (short, long, hypotenuse) = *dice.pick(&TRIPLES);
    let times = dice.range(1, 3);
    let [short, long, c] = [short, long, hypotenuse].map(|side| times * side);
    let (a, b) = *dice.pick(&[(short, long), (long, short)]);
    let (asked, words, right) = *dice.pick(&[
        ("sin A", "opposite side divided by the hypotenuse", (a, c)),
        ("cos A", "adjacent side divided by the hypotenuse", (b, c)),
        ("tan A", "opposite side divided by the adjacent side", (a, b)),
    ]);
    let (above, below) = right;
    let question = format!(
        "In triangle ⟨ABC⟩ with a right angle at ⟨C⟩, ⟨BC = {a}⟩ cm, ⟨AC = {b}⟩ cm and ⟨AB = {c}⟩ cm. What is {asked}?"
    );
    let (mistakes, turned) = ([(b, c), (a, c), (b, a), (a, b)], [(c, a), (c, b)]);
    let explanation = format!(
        "Seen from ⟨A⟩, ⟨BC⟩ is the opposite side, ⟨AC⟩ the adjacent side and ⟨AB⟩ the hypotenuse. \
         {asked} is the {words}: {}.",
        simplifying(above, below)
    );
    let sides = [b, a, c].map(|side| measure(side, "cm"));
    let triangle =
        RightTriangle { legs: (b, a), labels: sides.each_ref().map(String::as_str), corners: ["C", "A", "B"] };
    draft(question, right, &mistakes, fraction, explanation).or(turned.map(fraction)).with(triangle.figure())
}

fn logarithm(dice: &mut Dice) -> QuestionDraft {
    let base = *dice.pick(&[2, 2, 3, 4, 5, 6, 7, 10]);
    let most = match base {
        2 => 8,
        3 | 10 => 5,
        _ => 3,
    };
    let exponent = dice.range(2, most);
    let power = power(base, exponent);
    let shown = integer(power);
    let log = format!("log{}", subscript(base));
    if dice.below(3) == 0 {
        let question = format!("What is {log} (1/{shown})?");
        let mistakes = [(exponent, 1), (1, exponent), (-1, exponent), (-power, base)];
        let explanation = format!(
            "The logarithm is the exponent that {base} needs. {shown} = {base}{}, so 1/{shown} = {base}{}.",
            raised(&integer(exponent)),
            raised(&integer(-exponent))
        );
        return draft(question, (-exponent, 1), &mistakes, fraction, explanation);
    }
    let question = format!("What is {log} {shown}?");
    let mistakes = [(power, base), (exponent + 1, 1), (exponent * base, 1), (exponent - 1, 1)];
    let explanation = format!(
        "The logarithm is the exponent that {base} needs to give {shown}: {base}{} = {shown}.",
        raised(&integer(exponent))
    );
    draft(question, (exponent, 1), &mistakes, fraction, explanation)
}

fn vectors(dice: &mut Dice) -> QuestionDraft {
    let [x, y, across, up] = [(); 4].map(|()| signed(dice, 1, 8));
    let factor = *dice.pick(&[2, 3, 4, -2, -3]);
    let sum = |first: i64, second: i64| (first * x + second * across, first * y + second * up);
    let right = sum(1, factor);
    let (end_x, end_y) = right;
    let question = format!(
        "Given the vectors u = {} and v = {}, what is {}?",
        point((x, y)),
        point((across, up)),
        sum_of(&[(1, "u"), (factor, "v")])
    );
    let mistakes = [sum(1, -factor), (end_x, y + up), sum(factor, 1), sum(1, factor.signum())];
    let explanation = format!(
        "Calculate with each coordinate: {} = {} and {} = {}.",
        worked(x, factor, across),
        integer(end_x),
        worked(y, factor, up),
        integer(end_y)
    );
    let (other_x, other_y) = sum(1, -factor);
    draft(question, right, &mistakes, point, explanation).or([(end_x, other_y), (other_x, end_y)].map(point))
}

/// `3 − 2 × (−5)`.
fn worked(start: i64, factor: i64, value: i64) -> String {
    let sign = if factor < 0 { '−' } else { '+' };
    format!("{} {sign} {} × {}", integer(start), factor.abs(), bracketed(value))
}

/// `8 × 7 × 6`: the product that counts ordered selections, written out.
fn falling(of: i64, chosen: i64) -> String {
    let factors: Vec<String> = (of - chosen + 1..=of).rev().map(integer).collect();
    factors.join(" × ")
}

fn combination(dice: &mut Dice) -> QuestionDraft {
    let (all, few) = (dice.range(5, 12), dice.range(2, 4));
    let (ordered, repeats, right) = (permutations(all, few), permutations(few, few), combinations(all, few));
    let question = match dice.below(3) {
        0 => format!("A team of {few} is chosen from {all} students. How many different teams are possible?"),
        1 => format!(
            "A pizzeria offers {all} toppings. In how many ways can you choose {few} different \
             toppings?"
        ),
        _ => format!(
            "There are {all} books on a reading list, and you must read any {few} of them. \
             How many different choices are there?"
        ),
    };
    let mistakes = [ordered, all * few, combinations(all, few - 1), all + few];
    let explanation = format!(
        "The order does not matter, so divide by the {repeats} orders of each choice: \
         {} ÷ {repeats} = {right}.",
        falling(all, few)
    );
    draft(question, right, &mistakes, positive, explanation)
}

fn permutation(dice: &mut Dice) -> QuestionDraft {
    let (all, few) = (dice.range(5, 12), dice.range(2, 4));
    let right = permutations(all, few);
    let question = match dice.below(2) {
        0 => format!(
            "A code consists of {few} different letters, chosen from {all} letters. \
             How many codes are possible?"
        ),
        _ => format!(
            "{all} runners are in a race. In how many ways can the first {few} places be filled, \
             if no two finish together?"
        ),
    };
    let mistakes = [combinations(all, few), all * few, power(all, few), permutations(all, few - 1)];
    let explanation = format!(
        "The order matters and nothing is used twice, so there is one choice fewer each time: \
         {} = {}.",
        falling(all, few),
        integer(right)
    );
    draft(question, right, &mistakes, positive, explanation).or([positive(permutations(all, few + 1))])
}

fn power(base: i64, exponent: i64) -> i64 {
    (0..exponent).fold(1, |product, _| product * base)
}

fn vertex(dice: &mut Dice) -> QuestionDraft {
    let (x, y) = (signed(dice, 1, 7), signed(dice, 1, 12));
    let constant = x * x + y;
    let question = format!("What is the vertex of the parabola y = {}?", polynomial(&[1, -2 * x, constant]));
    let mistakes = [(-x, y), (x, constant), (-2 * x, constant), (x, -y)];
    let explanation = format!(
        "Complete the square: y = ({})²{}. The square is 0 when x = {}, so the vertex is {}.",
        polynomial(&[1, -x]),
        plus(y),
        integer(x),
        point((x, y))
    );
    draft(question, (x, y), &mistakes, point, explanation).or([(-x, -y), (-x, constant)].map(point))
}

fn remainder(dice: &mut Dice) -> QuestionDraft {
    let (a, b, c) = (signed(dice, 1, 5), signed(dice, 1, 6), signed(dice, 1, 9));
    let root = *dice.pick(&[1, 2, 3, -1, -2, -3]);
    let value = |x: i64| x * x * x + a * x * x + b * x + c;
    let question =
        format!("What is the remainder when {} is divided by {}?", polynomial(&[1, a, b, c]), polynomial(&[1, -root]));
    let mistakes = [value(-root), c, -value(root), value(root) - c];
    let explanation = format!(
        "The remainder is the value at x = {}: {}{}{}{} = {}.",
        integer(root),
        integer(root * root * root),
        plus(a * root * root),
        plus(b * root),
        plus(c),
        integer(value(root))
    );
    draft(question, value(root), &mistakes, integer, explanation)
}

fn exponential_equation(dice: &mut Dice) -> QuestionDraft {
    let (base, first, second) =
        *dice.pick(&[(2, 3, 2), (2, 3, 1), (2, 4, 3), (2, 2, 1), (2, 5, 2), (3, 2, 1), (3, 3, 2), (5, 2, 1)]);
    let (p, q) = (dice.range(-3, 4), dice.range(-2, 7));
    let [left, right] = [(first, p), (second, q)]
        .map(|(exponent, added)| format!("{}{}", power(base, exponent), raised(&polynomial(&[1, added]))));
    let (above, below) = (second * q - first * p, first - second);
    let question = format!("Solve the equation {left} = {right}.");
    let (undistributed, half) = (q - p, second * q - p);
    let mistakes = [undistributed, second * q + first * p, -above, half].map(|top| (top, below));
    let explanation = format!(
        "Write both sides as powers of {base} and compare the exponents: {} = {}. So x = {}.",
        scaled(first, p),
        scaled(second, q),
        fraction((above, below))
    );
    let shown = |value| format!("x = {}", fraction(value));
    draft(question, (above, below), &mistakes, shown, explanation)
}

/// `3(x + 2)` or `x + 2`.
fn scaled(factor: i64, added: i64) -> String {
    match (factor, added) {
        (1, _) | (_, 0) => polynomial(&[factor, factor * added]),
        _ => format!("{factor}({})", polynomial(&[1, added])),
    }
}

fn exact_heights(dice: &mut Dice) -> QuestionDraft {
    let (angle, sine, cosine) = *dice.pick(&[(30, 1, 3), (45, 2, 2), (60, 3, 1)]);
    let half = dice.range(2, 15);
    let (long, ground) = (2 * half, format!("an angle of {angle}° with the level ground"));
    let ladder = format!("A ladder {long} m long leans against a vertical wall and makes {ground}.");
    let (question, ratio, under) = match dice.below(3) {
        0 => (format!("{ladder} How far up the wall does it reach?"), "sin", sine),
        1 => (format!("{ladder} How far is its foot from the wall?"), "cos", cosine),
        _ => {
            let kite = format!("A kite flies on a straight string {long} m long, which makes {ground}.");
            (format!("{kite} How high above the end of the string is the kite?"), "sin", sine)
        }
    };
    let value = match under {
        1 => "1/2",
        2 => "√2/2",
        _ => "√3/2",
    };
    let meters = |value| format!("{} m", surd(value));
    let mistakes = [(half, 1), (half, 3), (half, 2), (long, 3)];
    let explanation =
        format!("The distance is {long} × {ratio} {angle}° = {long} × {value} = {}.", meters((half, under)));
    // A quarter of the length that is no whole number would be one that nobody gets.
    let quarter = whole_quotient(half, 2);
    let spare = [(long, 2), (long, 1), (quarter, 3), (quarter, 2)].into_iter().filter(|(factor, _)| *factor > 0);
    draft(question, (half, under), &mistakes, meters, explanation).or(spare.map(meters))
}

fn chord(dice: &mut Dice) -> QuestionDraft {
    let (short, long, radius) = *dice.pick(&TRIPLES);
    let times = dice.range(1, 3);
    let [short, long, radius] = [short, long, radius].map(|side| times * side);
    let (half, apart) = *dice.pick(&[(short, long), (long, short)]);
    let whole = 2 * half;
    let start = format!("A chord of a circle with a radius of {radius} cm is");
    let (question, right, told, mistakes, found) = match dice.below(3) {
        0 => (
            format!("{start} {whole} cm long. How far is the chord from the center?"),
            apart,
            [Some(whole), None, Some(radius)],
            [radius - half, 2 * apart, half, whole - radius],
            format!("the distance is {apart} cm"),
        ),
        1 => (
            format!("{start} {apart} cm away from the center. How long is the chord?"),
            whole,
            [None, Some(apart), Some(radius)],
            [half, 2 * (radius - apart), radius - apart, radius + apart],
            format!("half the chord is {half} cm long, and the whole chord {whole} cm"),
        ),
        _ => (
            format!(
                "A chord that is {whole} cm long is {apart} cm away from the center of its circle. \
                 What is the radius of the circle?"
            ),
            radius,
            [Some(whole), Some(apart), None],
            [half + apart, whole, 2 * radius, whole - apart],
            format!("the radius is {radius} cm"),
        ),
    };
    let centimeters = |value| measure(value, "cm");
    let explanation = format!(
        "The radius to an end of the chord, half the chord and the distance from the center form a \
         right triangle: {half}² + {apart}² = {radius}². So {found}."
    );
    draft(question, right, &mistakes, centimeters, explanation).with(figures::chord((apart, radius), told))
}

fn logarithmic_equation(dice: &mut Dice) -> QuestionDraft {
    let base: i64 = *dice.pick(&[2, 2, 3, 3, 5, 10]);
    let (low, gap) = (dice.range(0, 3), dice.range(1, 3));
    let (small, large) = (power(base, low), power(base, low + gap));
    let total = 2 * low + gap;
    let apart = large - small;
    let (added, right, false_root) = *dice.pick(&[(-apart, large, -small), (apart, small, -large)]);
    if large > 1000 {
        return redraw();
    }
    let log = format!("log{}", subscript(base));
    let both = format!("x = {} or x = {}", integer(false_root), integer(right));
    let single = |value: i64| format!("x = {}", integer(value));
    let sum_slip = format!("x = {}", fraction((power(base, total) - added, 2)));
    let question = format!("Solve the equation {log} x + {log} ({}) = {total}.", polynomial(&[1, added]));
    let mistakes = [both, single(false_root), sum_slip, single(power(base, total))];
    let explanation = format!(
        "Together this is {log} (x({})) = {total}, so {} = {} with the solutions {} and {}. Only {} keeps both \
         logarithms defined.",
        polynomial(&[1, added]),
        polynomial(&[1, added, 0]),
        integer(power(base, total)),
        integer(false_root),
        integer(right),
        integer(right)
    );
    let turned = format!("x = {} or x = {}", integer(-right), integer(-false_root));
    draft(question, single(right), &mistakes, |text| text, explanation).or([
        turned,
        single(-right),
        single(-false_root),
    ])
}

fn tangents(dice: &mut Dice) -> QuestionDraft {
    let (short, long, apart) = *dice.pick(&TRIPLES);
    let times = dice.range(1, 4);
    let [short, long, apart] = [short, long, apart].map(|side| times * side);
    let (radius, tangent) = *dice.pick(&[(short, long), (long, short)]);
    let (around, area) = (2 * (radius + tangent), radius * tangent);
    let (asked, right, mistakes, unit, working) = if dice.below(2) == 0 {
        let mistakes = [2 * (radius + apart), radius + tangent + apart, around + apart];
        let working = format!("The perimeter is 2 × ({radius} + {tangent})");
        ("perimeter", around, mistakes, "cm", working)
    } else {
        let mistakes = [radius * apart, 2 * area, whole_quotient(area, 2)];
        let working = format!("The area is that of two right triangles: {radius} × {tangent}");
        ("area", area, mistakes, "cm²", working)
    };
    let question = format!(
        "Point ⟨P⟩ lies {apart} cm from the center ⟨O⟩ of a circle with a radius of {radius} cm. The two \
         tangents from ⟨P⟩ touch the circle at ⟨A⟩ and ⟨B⟩. What is the {asked} of the quadrilateral ⟨OAPB⟩?"
    );
    let shown = |value| measure(value, unit);
    let explanation = format!(
        "Each tangent meets its radius at a right angle, so ⟨PA = √({apart}² − {radius}²) = {tangent}⟩ \
         cm. {working} = {}.",
        shown(right)
    );
    draft(question, right, &mistakes, shown, explanation).with(figures::tangents(radius, apart))
}

/// Two kinds of people, how many there are of each and how many are chosen, and a sentence that says so.
fn mixed_group(dice: &mut Dice) -> (&'static str, &'static str, [i64; 3], String) {
    let (ours, others) = *dice.pick(&[("seniors", "juniors"), ("singers", "dancers"), ("chess players", "swimmers")]);
    let sizes @ [first, second, few] = [(3, 6), (3, 6), (2, 3)].map(|(low, high)| dice.range(low, high));
    let start = format!("From a group of {first} {ours} and {second} {others}, {few} people are chosen at random.");
    (ours, others, sizes, start)
}

fn at_least_one(dice: &mut Dice) -> QuestionDraft {
    let (ours, others, [first, second, few], start) = mixed_group(dice);
    let all = first + second;
    let (ways, none, only) = (combinations(all, few), combinations(second, few), combinations(first, few));
    let good = ways - none;
    let question = format!("{start} What is the probability that at least one of the {ours} is chosen?");
    let with_return = (power(all, few) - power(second, few), power(all, few));
    let mistakes = [(none, ways), (only, ways), (first, all), with_return];
    let explanation = format!(
        "Out of {ways} possible choices, the number of those with only {others} is {none}. The other {good} fit, so the \
         probability is {}.",
        simplifying(good, ways)
    );
    draft(question, (good, ways), &mistakes, probability, explanation)
        .or([(good + 1, ways), (ways - 1, ways)].map(probability))
}

fn exactly_so_many(dice: &mut Dice) -> QuestionDraft {
    let (ours, others, [first, second, few], start) = mixed_group(dice);
    let (all, wanted) = (first + second, few - 1);
    let (ways, some) = (combinations(all, few), combinations(first, wanted));
    let good = some * second;
    let verb = if wanted == 1 { "is" } else { "are" };
    let question = format!("{start} What is the probability that exactly {wanted} of the {ours} {verb} chosen?");
    let with_return = (few * power(first, wanted) * second, power(all, few));
    let one_order = (permutations(first, wanted) * second, permutations(all, few));
    let mistakes = [with_return, (some, ways), one_order, (wanted, few)];
    let explanation = format!(
        "There are {ways} possible choices. {some} × {second} = {good} of them contain {wanted} of \
         the {ours} and one of the {others}, so the probability is {}.",
        simplifying(good, ways)
    );
    draft(question, (good, ways), &mistakes, probability, explanation)
}

fn two_elevations(dice: &mut Dice) -> QuestionDraft {
    let half = dice.range(2, 40);
    let closer = 2 * half;
    let thing = dice.pick(&["a tower", "a lighthouse", "a radio mast", "a cliff"]);
    let (far, near, distances, right) = *dice.pick(&[
        (30, 60, "h√3 and h/√3", (0, half)),
        (30, 45, "h√3 and h", (half, half)),
        (45, 60, "h and h/√3", (3 * half, half)),
    ]);
    let meters = |(plain, factor): (i64, i64)| match plain {
        0 => format!("{} m", sum_of(&[(factor, "√3")])),
        _ => format!("({}) m", sum_of(&[(plain, ""), (factor, "√3")])),
    };
    let question = format!(
        "From a point on level ground the top of {thing} is seen at an angle of elevation of {far}°. \
         From a point {closer} m closer to it, the angle of elevation is {near}°. How tall is it?"
    );
    let mistakes = [(0, closer), (0, half), (half, half), (3 * half, half)];
    let explanation = format!(
        "If it is h meters tall, the two points are {distances} meters away from its foot. \
         Their difference is {closer}, which gives h = {}.",
        meters(right)
    );
    draft(question, right, &mistakes, meters, explanation)
        .or([(half, closer), (closer, half), (0, 3 * half)].map(meters))
}

fn digits(dice: &mut Dice) -> QuestionDraft {
    let (most, length) = (dice.range(5, 9), dice.range(3, 5));
    let start = permutations(most, length - 1);
    let rest = (most - 1) * permutations(most - 1, length - 2);
    // The others are chosen as if 0 were not among them.
    let without_zero = (most - 1) * permutations(most - 2, length - 2);
    let (even, odd) = (most / 2, (most + 1) / 2);
    let shown_start = falling(most, length - 1);
    let shown_rest = format!("{} × {}", most - 1, falling(most - 1, length - 2));
    let (asked, right, mistakes, spare, cases) = match dice.below(3) {
        0 => (
            "even",
            start + even * rest,
            [(even + 1) * start, even * rest, most * start],
            [(even + 1) * rest, start + even * without_zero, start + (even - 1) * rest],
            format!("{shown_start} end in 0 and {even} × {shown_rest} in another even digit"),
        ),
        1 => (
            "odd",
            odd * rest,
            [odd * start, most * start, start + odd * rest],
            [even * rest, odd * without_zero, (odd - 1) * rest],
            format!("{odd} × {shown_rest} end in an odd digit"),
        ),
        _ => (
            "divisible by 5",
            start + rest,
            [2 * start, rest, most * start],
            [2 * rest, start + without_zero, 2 * without_zero],
            format!("{shown_start} end in 0 and {shown_rest} in 5"),
        ),
    };
    let question = format!(
        "How many {length}-digit numbers that are {asked} can be formed from the digits 0 to {most}, if no digit is used twice? \
         (A number does not begin with 0.)"
    );
    let explanation = format!(
        "Choose the last digit first, then the first digit, which must not be 0, then the others: {cases}. \
         That makes {}.",
        integer(right)
    );
    draft(question, right, &mistakes, positive, explanation).or(spare.map(positive))
}

fn seats(dice: &mut Dice) -> QuestionDraft {
    let (first, second, all) = (name(dice), friend(dice), dice.range(5, 8));
    let (every, block) = (permutations(all, all), permutations(all - 1, all - 1));
    let (beside, apart) = (2 * block, every - 2 * block);
    let numbers = [beside, apart, block, every / 2, every - block];
    let [shown_block, shown_beside, shown_every] = [block, beside, every].map(integer);
    let (condition, right, ending) = if dice.below(2) == 0 {
        ("sit next to each other", beside, String::new())
    } else {
        let left = integer(apart);
        let ending = format!(" Take these from all {shown_every} orders: {left}.");
        ("do not sit next to each other", apart, ending)
    };
    let question = format!(
        "{first}, {second} and {} friends sit in a row of {all} chairs. In how many ways can they \
         sit so that {first} and {second} {condition}?",
        all - 2
    );
    let explanation = format!(
        "Count the two as one block: {} things have {shown_block} orders, and the two can change \
         places, so they are neighbors in 2 × {shown_block} = {shown_beside} ways.{ending}",
        all - 1
    );
    draft(question, right, &numbers, positive, explanation)
}

fn greatest_area(dice: &mut Dice) -> QuestionDraft {
    let fence = 12 * dice.range(2, 16);
    let square = fence * fence;
    let area = square / 8;
    let question = format!(
        "A farmer fences a rectangular field along a straight river with {fence} m of fence. The side at the river \
         needs no fence. What is the greatest possible area?"
    );
    let mistakes = [square / 16, square / 4, square / 9];
    let explanation = format!(
        "With two sides of x meters the area is x({fence} − 2x). It is 0 for x = 0 and x = {}, so it is greatest \
         halfway, at x = {}: {} × {} = {}.",
        fence / 2,
        fence / 4,
        fence / 4,
        fence / 2,
        measure(area, "m²")
    );
    let written = |value| measure(value, "m²");
    draft(question, area, &mistakes, written, explanation).or([square / 6, square / 12].map(written))
}

fn best_price(dice: &mut Dice) -> QuestionDraft {
    let place = dice.pick(&["cinema", "museum", "boat tour", "theater"]);
    let (half, rise, fewer) = (dice.range(3, 10), dice.range(2, 9), *dice.pick(&[4, 5, 8, 10, 12, 20]));
    let price = 2 * half;
    let (best, most) = (price + rise, price + 2 * rise);
    let sold = fewer * most;
    let question = format!(
        "A {place} sells {sold} tickets a day at ${price} each. For every $1 that the price rises, it sells {fewer} \
         fewer tickets. Which price brings in the most money?"
    );
    let explanation = format!(
        "After a rise of x dollars the income is ({price} + x)({sold} − {fewer}x). It is 0 for x = −{price} and \
         x = {most}, and greatest halfway, at x = {rise}: the price is ${best}."
    );
    draft(question, 100 * best, &[rise, most, half + rise].map(|value| 100 * value), dollars, explanation)
        .or([dollars(100 * price)])
}

fn unknown_coefficients(dice: &mut Dice) -> QuestionDraft {
    let (a, b) = (signed(dice, 1, 7), signed(dice, 1, 9));
    let (root, other) = (*dice.pick(&[1, -1, 2, -2]), *dice.pick(&[1, -1, 2, -2, 3]));
    let value = |x: i64| x * x * x + a * x * x + b * x;
    let constant = -value(root);
    let rest = value(other) + constant;
    if root == other || constant == 0 || rest == 0 || a == b {
        return redraw();
    }
    let (asked, right) = *dice.pick(&[("a", a), ("b", b), ("a + b", a + b)]);
    let question = format!(
        "The polynomial P(x) = x³ + ax² + bx{} has the factor {} and leaves the remainder {} when it is divided by {}. \
         What is {asked}?",
        plus(constant),
        polynomial(&[1, -root]),
        integer(rest),
        polynomial(&[1, -other])
    );
    let mistakes = [a, b, -right, a + b, a - b];
    let explanation = format!(
        "P({}) = 0 and P({}) = {} give {} = {} and {} = {}. The solution is a = {} and b = {}.",
        integer(root),
        integer(other),
        integer(rest),
        sum_of(&[(root * root, "a"), (root, "b")]),
        integer(-constant - root * root * root),
        sum_of(&[(other * other, "a"), (other, "b")]),
        integer(rest - constant - other * other * other),
        integer(a),
        integer(b)
    );
    draft(question, right, &mistakes, integer, explanation)
}
