//! Templates for grade 7: rational numbers, proportions, percentages, equations, angles, circles and chance.

use super::algebra::{
    bracketed, dollars, draft, fraction, integer, measure, plus, polynomial, positive, probability, signed,
    simplifying, times_pi, whole_quotient,
};
use super::figures::{Figure, Told, circle, spinner};
use super::wording::{friend, gcd, grouped, kind, name, redraw};
use super::{Dice, QuestionDraft, QuestionTemplate};

/// An adult, and a child of the same family.
const ADULTS: [(&str, &str); 4] =
    [("Mr. Diaz", "his son"), ("Ms. Okoye", "her daughter"), ("Mr. Novak", "his niece"), ("Ms. Tanaka", "her nephew")];

pub(super) fn templates() -> Vec<QuestionTemplate> {
    vec![
        kind("Rational numbers", "Multiplying and dividing integers", 1, 8, products),
        kind("Linear equations", "One step", 1, 7, one_step),
        kind("Angles", "Pairs of angles", 1, 7, angle_pair),
        kind("Proportional relationships", "Direct proportion", 2, 8, proportion),
        kind("Probability", "Complementary events", 2, 7, not_this_color),
        kind("Linear equations", "Two steps", 2, 7, two_steps),
        kind("Circles", "Circumference", 3, 4, circumference),
        kind("Circles", "Area", 3, 4, circle_area),
        kind("Rational numbers", "Adding fractions with signs", 3, 8, signed_fractions),
        kind("Angles", "Angles of a triangle", 3, 7, triangle_angles),
        kind("Linear equations", "Unknown on both sides", 4, 8, both_sides),
        kind("Percentages", "Finding the original amount", 4, 8, original_price),
        kind("Probability", "Two independent events", 4, 7, two_spins),
        kind("Proportional relationships", "Scale and speed", 5, 8, map_ride),
        kind("Circles", "Perimeter of composite figures", 5, 4, field_perimeter),
        kind("Circles", "Area of composite figures", 5, 4, field_area),
        kind("Linear equations", "Word problems", 5, 7, ages),
        kind("Probability", "Without replacement", 5, 7, two_taken),
    ]
}

/// Those for which a number is the natural answer.
pub(super) fn number_templates() -> Vec<QuestionTemplate> {
    vec![
        kind("Rational numbers", "Multiplying and dividing integers", 1, 2, products),
        kind("Angles", "Pairs of angles", 1, 2, angle_pair),
        kind("Proportional relationships", "Direct proportion", 2, 2, proportion),
        kind("Linear equations", "Two steps", 2, 2, two_steps),
        kind("Rational numbers", "Adding fractions with signs", 3, 2, signed_fractions),
        kind("Angles", "Angles of a triangle", 3, 2, triangle_angles),
        kind("Linear equations", "Unknown on both sides", 4, 2, both_sides),
        kind("Percentages", "Finding the original amount", 4, 2, original_price),
        kind("Proportional relationships", "Scale and speed", 5, 2, map_ride),
        kind("Linear equations", "Word problems", 5, 2, ages),
    ]
}

fn products(dice: &mut Dice) -> QuestionDraft {
    let (first_sign, second_sign) = *dice.pick(&[(-1, 1), (1, -1), (-1, -1)]);
    let (first, second) = (first_sign * dice.range(2, 12), second_sign * dice.range(2, 12));
    let product = first * second;
    let (left, right, sign) = *dice.pick(&[(first, product, '×'), (product, first, '÷')]);
    let rule =
        if left.signum() == second_sign { "the same signs give a positive" } else { "different signs give a negative" };
    let question = format!("What is {} {sign} {}?", integer(left), bracketed(second));
    let mistakes = [-right, left + second, left - second, second - left];
    let explanation =
        format!("{} {sign} {} = {}, and {rule} result: {}.", left.abs(), second.abs(), right.abs(), integer(right));
    draft(question, right, &mistakes, integer, explanation)
}

fn one_step(dice: &mut Dice) -> QuestionDraft {
    let unknown = signed(dice, 2, 12);
    let number = dice.range(2, 15);
    let written = |value| format!("x = {}", integer(value));
    if dice.below(2) == 0 {
        let product = number * unknown;
        let question = format!("Solve {number}x = {}.", integer(product));
        let mistakes = [product - number, product * number, -unknown];
        let explanation =
            format!("Divide both sides by {number}: x = {} ÷ {number} = {}.", integer(product), integer(unknown));
        return draft(question, unknown, &mistakes, written, explanation);
    }
    let added = number * *dice.pick(&[1, -1]);
    let total = unknown + added;
    let question = format!("Solve x{} = {}.", plus(added), integer(total));
    let mistakes = [total + added, -unknown, -total - added];
    let explanation =
        format!("{} both sides: x = {}{} = {}.", undoing(added), integer(total), plus(-added), integer(unknown));
    draft(question, unknown, &mistakes, written, explanation)
}

/// The first words of the step that removes an added number from one side of an equation.
fn undoing(added: i64) -> String {
    if added > 0 { format!("Subtract {added} from") } else { format!("Add {} to", -added) }
}

fn angle_pair(dice: &mut Dice) -> QuestionDraft {
    let (shape, whole) = *dice.pick(&[("a straight line", 180), ("a right angle", 90), ("a full turn", 360)]);
    let known = dice.range(11, whole - 11);
    let right = whole - known;
    let question =
        format!("Two angles together make {shape}. One of them measures {known}°. How large is the other angle?");
    let mistakes = [(180 - known).abs(), (90 - known).abs(), known, 360 - known];
    let explanation =
        format!("The two angles add up to {whole}°, so the other one measures {whole}° − {known}° = {right}°.");
    draft(question, right, &mistakes, |value| measure(value, "°"), explanation)
}

fn proportion(dice: &mut Dice) -> QuestionDraft {
    let (first, second, rate) = (dice.range(3, 12), dice.range(4, 20), dice.range(2, 12));
    let (known, right) = (first * rate, if first == second { 0 } else { second * rate });
    let (question, each) = match dice.below(3) {
        0 => (
            format!(
                "y is directly proportional to x, and y = {known} when x = {first}. \
                 What is y when x = {second}?"
            ),
            "y is always the same number of times x",
        ),
        1 => (
            format!(
                "A machine fills {known} bottles in {first} seconds, always at the same speed. \
                 How many bottles does it fill in {second} seconds?"
            ),
            "Each second brings the same number of bottles",
        ),
        _ => (
            format!(
                "A wire that is {first} m long has a mass of {known} g. \
                 What is the mass, in grams, of {second} m of this wire?"
            ),
            "Each meter has the same mass",
        ),
    };
    let inverse = whole_quotient(known * first, second);
    let mistakes = [known + second - first, inverse, rate, known + second];
    let explanation = format!("{each}: {known} ÷ {first} = {rate}. So the answer is {rate} × {second} = {right}.");
    draft(question, right, &mistakes, positive, explanation)
}

fn not_this_color(dice: &mut Dice) -> QuestionDraft {
    let (thing, things) =
        *dice.pick(&[("marble", "marbles"), ("button", "buttons"), ("counter", "counters"), ("token", "tokens")]);
    let [red, blue, green] = [(); 3].map(|()| dice.range(2, 9));
    let others = blue + green;
    let all = red + others;
    let question = format!(
        "A bag contains {red} red, {blue} blue and {green} green {things}. One {thing} is taken at random. \
         What is the probability that it is not red?"
    );
    let mistakes = [(red, all), (red, others), (blue, all), (1, others), (2, 3)];
    let explanation = format!(
        "{blue} + {green} = {others} of the {all} {things} are not red, so the probability is {}.",
        simplifying(others, all)
    );
    draft(question, (others, all), &mistakes, probability, explanation)
}

fn two_steps(dice: &mut Dice) -> QuestionDraft {
    let (factor, unknown) = (dice.range(2, 9), dice.range(2, 9) * *dice.pick(&[1, 1, -1]));
    let added = signed(dice, 2, 15);
    let product = factor * unknown;
    let total = product + added;
    let is_whole = (total + added) % factor == 0;
    let slip = if is_whole { (total + added) / factor } else { product };
    let question = format!("Solve {} = {}.", polynomial(&[factor, added]), integer(total));
    let mistakes = [slip, product, product - factor, -unknown];
    let explanation = format!(
        "{} both sides: {factor}x = {}{} = {}. Then divide by {factor}: x = {}.",
        undoing(added),
        integer(total),
        plus(-added),
        integer(product),
        integer(unknown)
    );
    draft(question, unknown, &mistakes, |value| format!("x = {}", integer(value)), explanation)
}

/// A round thing with the radius or the diameter that its sentence gives.
fn drawn(unit: &str, radius: i64, is_radius: bool) -> Figure {
    if is_radius { circle(Told::Radius, radius, unit) } else { circle(Told::Diameter, 2 * radius, unit) }
}

/// The first sentence about a round thing, its unit, its radius, and whether the sentence gives the radius.
fn round_thing(dice: &mut Dice) -> (String, &'static str, i64, bool) {
    let (thing, unit) =
        *dice.pick(&[("cake", "cm"), ("pond", "m"), ("wall clock", "cm"), ("flower bed", "m"), ("drum skin", "cm")]);
    let (radius, is_radius) = (dice.range(3, 15), dice.below(2) == 0);
    let told = if is_radius { format!("radius of {radius}") } else { format!("diameter of {}", 2 * radius) };
    let start = format!("A circular {thing} has a {told} {unit}.");
    (start, unit, radius, is_radius)
}

fn circumference(dice: &mut Dice) -> QuestionDraft {
    let (start, unit, radius, is_radius) = round_thing(dice);
    let right = 2 * radius;
    let slip = if is_radius { radius } else { 2 * right };
    let question = format!("{start} What is its circumference, in terms of π?");
    let mistakes = [slip, radius * radius, 4 * radius, radius];
    let explanation =
        format!("The circumference is π times the diameter, and the diameter is {right} {unit}: {right}π {unit}.");
    let length = |factor| times_pi(factor, unit);
    draft(question, right, &mistakes, length, explanation).or([length(8 * radius)]).with(drawn(unit, radius, is_radius))
}

fn circle_area(dice: &mut Dice) -> QuestionDraft {
    let (start, unit, radius, is_radius) = round_thing(dice);
    let right = radius * radius;
    let question = format!("{start} What is its area, in terms of π?");
    let mistakes = [4 * right, 2 * radius, 2 * right, radius];
    let explanation = format!(
        "The area is πr², and the radius r is {radius} {unit}: \
         π × {radius} × {radius} = {right}π {unit}²."
    );
    let square = |factor| times_pi(factor, &format!("{unit}²"));
    draft(question, right, &mistakes, square, explanation).or([square(8 * right)]).with(drawn(unit, radius, is_radius))
}

fn signed_fractions(dice: &mut Dice) -> QuestionDraft {
    let (b, d) = (dice.range(2, 9), dice.range(2, 9));
    let (a, c) = (dice.range(1, b - 1), dice.range(1, d - 1));
    let (first, second) = (fraction((-a, b)), fraction((c, d)));
    let is_proper = gcd(a, b) == 1 && gcd(c, d) == 1 && b != d;
    let sign = *dice.pick(&[1, -1]);
    let below = b / gcd(b, d) * d;
    let (left, right) = (-a * below / b, sign * c * below / d);
    let above = left + right;
    let question = format!("What is {first} {} {second}?", if sign > 0 { '+' } else { '−' });
    let mistakes = [(-a + sign * c, b + d), (left - right, below), (-above, below), (sign * a * c, b * d)];
    let explanation = format!(
        "With the common denominator {below} the numerators give {}{} = {}, so the answer is {}.",
        integer(left),
        plus(right),
        integer(above),
        simplifying(above, below)
    );
    draft(question, (above, if is_proper { below } else { 0 }), &mistakes, fraction, explanation)
}

fn triangle_angles(dice: &mut Dice) -> QuestionDraft {
    let total = *dice.pick(&[6, 9, 10, 12, 15, 18, 20]);
    let (small, middle) = (dice.range(1, total / 3), dice.range(2, total / 2));
    let large = total - small - middle;
    let is_sorted = small < middle && middle < large && gcd(gcd(small, middle), large) == 1;
    let one = 180 / total;
    let (word, part, other) = *dice.pick(&[("largest", large, middle), ("smallest", small, middle)]);
    let right = if is_sorted { one * part } else { 0 };
    let question = format!(
        "The angles of a triangle are in the ratio {small} : {middle} : {large}. How large is the {word} angle?"
    );
    let mistakes = [one * other, 2 * right, one, whole_quotient(180, part), 60];
    let explanation = format!(
        "The angles add up to 180° and the ratio has {total} parts, so one part is 180° ÷ {total} = {one}°. \
         The {word} angle is {part} × {one}° = {right}°."
    );
    draft(
        question,
        right,
        &mistakes,
        |value| {
            if value < 180 { measure(value, "°") } else { String::new() }
        },
        explanation,
    )
}

fn both_sides(dice: &mut Dice) -> QuestionDraft {
    let unknown = signed(dice, 2, 9);
    let (outer, less) = (dice.range(3, 9), dice.range(2, 8));
    let inner = signed(dice, 1, 9);
    let (opened, difference) = (outer * inner, outer - less);
    let constant = difference * unknown + opened;
    let mistakes = [constant - inner, constant + opened, -constant - opened];
    let is_whole = difference > 1 && mistakes.iter().all(|mistake| mistake % difference == 0);
    if !is_whole {
        return redraw();
    }
    let (opened_side, right_side) = (polynomial(&[outer, opened]), polynomial(&[less, constant]));
    let collected = polynomial(&[difference, 0]);
    let rest = constant - opened;
    let question = format!("Solve {outer}({}) = {right_side}.", polynomial(&[1, inner]));
    let explanation = format!(
        "Multiply out: {opened_side} = {right_side}. Collect the terms: {collected} = {}, so x = {}.",
        integer(rest),
        integer(unknown)
    );
    draft(
        question,
        unknown,
        &[mistakes.map(|mistake| mistake / difference).as_slice(), &[-unknown]].concat(),
        |value| format!("x = {}", integer(value)),
        explanation,
    )
}

fn original_price(dice: &mut Dice) -> QuestionDraft {
    let thing = dice.pick(&["coat", "keyboard", "backpack", "necklace"]);
    let price = 20 * dice.range(2, 20);
    let (cut, tax) = (5 * dice.range(2, 8), 5 * dice.range(1, 5));
    let change = if dice.below(2) == 0 { -cut } else { tax };
    let question = if change < 0 {
        format!("After a discount of {cut}% a {thing} costs")
    } else {
        format!("With a sales tax of {tax}% included, a {thing} costs")
    };
    let now = price * (100 + change);
    let mistakes =
        [now * (100 - change) / 100, now - 100 * change, now * (100 + change) / 100, now * change.abs() / 100];
    let before = if change < 0 { "before the discount" } else { "without the tax" };
    let paid = dollars(now);
    let question = format!("{question} {paid}. What was its price {before}?");
    let explanation = format!(
        "{paid} is {}% of the price {before}, so that price was {paid} ÷ {} × 100 = ${price}.",
        100 + change,
        100 + change
    );
    draft(question, 100 * price, &mistakes, dollars, explanation)
}

fn two_spins(dice: &mut Dice) -> QuestionDraft {
    let sectors = dice.range(4, 12);
    let limit = dice.range(2, sectors - 2);
    let events = [
        ("even".to_owned(), sectors / 2),
        ("odd".to_owned(), sectors - sectors / 2),
        (format!("greater than {limit}"), sectors - limit),
        (format!("less than {limit}"), limit - 1),
    ];
    let (first, ways) = dice.pick(&events).clone();
    let (second, other_ways) = dice.pick(&events).clone();
    let ways = if first == second { 0 } else { ways };
    let (both, all) = (ways * other_ways, sectors * sectors);
    let question = format!(
        "A spinner has {sectors} equal sectors numbered 1 to {sectors}. It is spun twice. \
         What is the probability that the first number is {first} and the second number is {second}?"
    );
    let mistakes = [
        (ways + other_ways, sectors),
        (ways + other_ways, 2 * sectors),
        (ways, sectors),
        (other_ways, sectors),
        (1, 4),
    ];
    let explanation = format!(
        "The first happens with probability {ways}/{sectors} and the second with {other_ways}/{sectors}. \
         The spins are independent, so multiply: {}.",
        simplifying(both, all)
    );
    let (fewer, fewer_others) = (ways - 1, other_ways - 1);
    draft(question, (both, all), &mistakes, probability, explanation)
        .or([(fewer * other_ways, all), (ways * fewer_others, all), (fewer * fewer_others, all)].map(probability))
        .with(spinner(sectors))
}

fn map_ride(dice: &mut Dice) -> QuestionDraft {
    let cyclist = name(dice);
    let scale = *dice.pick(&[20_000, 25_000, 50_000, 100_000, 200_000]);
    let (apart, speed) = (dice.range(3, 24), *dice.pick(&[10, 12, 15, 16, 18, 20, 24]));
    let meters = scale * apart / 100;
    let right = whole_quotient(60 * meters, 1000 * speed);
    let question = format!(
        "On a map with the scale 1 : {}, two villages on a straight road are {apart} cm apart. \
         {cyclist} cycles from one to the other at {speed} km/h. How many minutes does the ride take?",
        grouped(scale)
    );
    let hours_as_hundredths = whole_quotient(meters, 10 * speed);
    let inverse = whole_quotient(60_000 * speed, meters);
    let product = whole_quotient(meters * speed, 1000);
    let mistakes = [hours_as_hundredths, 10 * right, inverse, product];
    let (hourly, road) = (grouped(1000 * speed), grouped(meters));
    let explanation = format!(
        "{apart} cm on the map are {apart} × {} cm = {road} m on the road. At {speed} km/h, which \
         is {hourly} m in an hour, that takes {road} ÷ {hourly} × 60 = {right} minutes.",
        grouped(scale)
    );
    draft(question, right, &mistakes, positive, explanation)
}

/// A field with semicircular ends: its description, its length and its width.
fn sports_field(dice: &mut Dice) -> (String, i64, i64) {
    let (width, longer) = (2 * dice.range(5, 30), 5 * dice.range(2, 12));
    let length = width + longer;
    let start = format!(
        "A sports field is a rectangle {length} m long and {width} m wide with a semicircle added \
         on each of its two shorter sides."
    );
    (start, length, width)
}

fn field_perimeter(dice: &mut Dice) -> QuestionDraft {
    let (start, length, width) = sports_field(dice);
    let straight = 2 * length;
    let question = format!("{start} What is the perimeter of the whole field, in terms of π?");
    let around = straight + 2 * width;
    let mistakes = [(around, width), (straight, 2 * width), (straight, width / 2)];
    let meters = |(plain, circles)| format!("({plain} + {circles}π) m");
    let explanation = format!(
        "The edge consists of two sides of {length} m and two semicircles, which make one circle \
         with a diameter of {width} m: 2 × {length} + {width}π = ({straight} + {width}π) m."
    );
    draft(question, (straight, width), &mistakes, meters, explanation).or([
        (around, 2 * width),
        (around, width / 2),
        (length + width, width),
    ]
    .map(meters))
}

fn field_area(dice: &mut Dice) -> QuestionDraft {
    let (start, length, width) = sports_field(dice);
    let (inside, radius) = (length * width, width / 2);
    let round = radius * radius;
    let question = format!("{start} What is the area of the whole field, in terms of π?");
    let mistakes = [(inside, 4 * round), (inside, 2 * round), (inside, width)];
    let square = |(plain, circles)| format!("({} + {}π) m²", integer(plain), integer(circles));
    let explanation = format!(
        "The rectangle has {length} × {width} = {} m². The two semicircles make one circle \
         with a radius of {radius} m, so {round}π m² is added.",
        integer(inside)
    );
    let around = 2 * (length + width);
    draft(question, (inside, round), &mistakes, square, explanation)
        .or([(around, round), (around, 4 * round)].map(square))
}

fn ages(dice: &mut Dice) -> QuestionDraft {
    let (adult, child) = *dice.pick(&ADULTS);
    let (age, later, gap) = (dice.range(3, 16), dice.range(2, 4), dice.range(2, 5));
    let years = whole_quotient(age * gap, later - 1);
    let now = later + gap;
    let parent = now * age;
    let slip = whole_quotient(years * later, gap);
    let times = |number| match number {
        2 => "twice".to_owned(),
        _ => format!("{number} times"),
    };
    let (who, right, mistakes) = if dice.below(2) == 0 {
        (child, age, [age + years, slip, years, now * later])
    } else {
        let mistakes = [parent + years, now * slip, parent - age, age];
        (adult, parent, mistakes)
    };
    let is_likely = (2..21).contains(&years) && (20..46).contains(&(parent - age));
    let question = format!(
        "{adult} is {} as old as {child}. In {years} years {adult} will be {} as old as {child}. \
         How old is {who} now?",
        times(now),
        times(later)
    );
    let explanation = format!(
        "If the younger one is x, then {now}x + {years} = {later}(x + {years}), so {} = {} and x = {age}. \
         The older one is {now} × {age} = {parent}.",
        polynomial(&[gap, 0]),
        years * (later - 1)
    );
    if !is_likely {
        return redraw();
    }
    draft(question, right, &mistakes, positive, explanation)
}

fn two_taken(dice: &mut Dice) -> QuestionDraft {
    let things = dice.pick(&["pens", "socks", "marbles", "ribbons", "beads"]);
    let (red, blue, person) = (dice.range(2, 8), dice.range(2, 8), friend(dice));
    let (all, mixed) = (red + blue, 2 * red * blue);
    let (pairs, red_pairs, blue_pairs) = (all * (all - 1), red * (red - 1), blue * (blue - 1));
    let (event, ways, returned, drawn) = match dice.below(3) {
        0 => ("both are red", red_pairs, red * red, "red"),
        1 => {
            let returned = red * red + blue * blue;
            ("they have the same color", red_pairs + blue_pairs, returned, "red or two blue")
        }
        _ => ("they have different colors", mixed, mixed, "one of each color"),
    };
    let drawn = drawn.replace("red", "two red");
    let question = format!(
        "A box holds {red} red and {blue} blue {things}. {person} takes two of them at random, \
         without putting the first one back. What is the probability that {event}?"
    );
    let square = all * all;
    let mistakes = [(returned, square), (pairs - ways, pairs), (ways, 2 * pairs), (ways, square)];
    let explanation = format!(
        "There are {all} × {} = {pairs} equally likely ways to take a first and then a second, and \
         {ways} of them give {drawn}. The probability is {}.",
        all - 1,
        simplifying(ways, pairs)
    );
    draft(question, (ways, pairs), &mistakes, probability, explanation)
}
