//! Templates for grade 5: decimals, unlike denominators, volume, coordinates, order of operations and averages.

use super::figures::{Drawn, cuboid, plane};
use super::wording::{
    decimal, fraction, fractions, friend, gcd, grouped, kind, measures, money, name, numbers, redraw, same_for, shown,
    texts,
};
use super::{Dice, QuestionDraft, QuestionTemplate};

/// Fractions in lowest terms, as (numerator, denominator), with small denominators.
const SMALL_FRACTIONS: [(i64, i64); 13] =
    [(1, 2), (1, 3), (2, 3), (1, 4), (3, 4), (1, 5), (2, 5), (3, 5), (4, 5), (1, 6), (5, 6), (3, 8), (5, 8)];

/// Two denominators and their least common multiple.
const UNIT_FRACTIONS: [(i64, i64, i64); 8] =
    [(2, 3, 6), (2, 4, 4), (3, 4, 12), (2, 5, 10), (4, 6, 12), (3, 5, 15), (4, 5, 20), (3, 6, 6)];

/// A larger unit, a smaller one, and how many of the smaller make one of the larger.
const UNITS: [(&str, &str, i64); 4] = [
    ("meters", "centimeters", 100),
    ("kilometers", "meters", 1000),
    ("kilograms", "grams", 1000),
    ("liters", "milliliters", 1000),
];

pub(super) fn templates() -> Vec<QuestionTemplate> {
    vec![
        kind("Decimals", "Adding", 1, 7, decimal_sum),
        kind("Decimals", "Powers of ten", 1, 8, power_of_ten),
        kind("Order of operations", "Two operations", 1, 7, two_operations),
        kind("Volume", "Boxes", 2, 8, volume),
        kind("Coordinates", "Moving a point", 2, 7, moving_a_point),
        kind("Fractions", "Multiplying", 2, 7, fraction_product),
        kind("Measurement", "Changing decimal units", 3, 7, changing_units),
        kind("Fractions", "Adding unlike denominators", 3, 8, unlike_fractions),
        kind("Decimals", "Multiplying", 3, 8, decimal_product),
        kind("Fractions", "Subtracting mixed numbers", 4, 6, mixed_difference),
        kind("Order of operations", "Parentheses", 4, 6, parentheses),
        kind("Decimals", "Dividing", 4, 6, decimal_pieces),
        kind("Coordinates", "The fourth corner", 4, 5, fourth_corner),
        kind("Fractions", "A fraction of the rest", 5, 6, fraction_of_the_rest),
        kind("Volume", "Rising water", 5, 6, rising_water),
        kind("Money", "Unit prices", 5, 6, unit_price),
        kind("Fractions", "Finding the whole", 5, 6, finding_the_whole),
        kind("Data", "Averages", 5, 6, missing_number),
    ]
}

/// Those for which a number is the natural answer.
pub(super) fn number_templates() -> Vec<QuestionTemplate> {
    vec![
        kind("Decimals", "Adding", 1, 2, decimal_sum),
        kind("Decimals", "Powers of ten", 1, 1, power_of_ten),
        kind("Order of operations", "Two operations", 1, 1, two_operations),
        kind("Volume", "Boxes", 2, 2, volume),
        kind("Fractions", "Multiplying", 2, 2, fraction_product),
        kind("Measurement", "Changing decimal units", 3, 1, changing_units),
        kind("Fractions", "Adding unlike denominators", 3, 1, unlike_fractions),
        kind("Decimals", "Multiplying", 3, 2, decimal_product),
        kind("Fractions", "Subtracting mixed numbers", 4, 1, mixed_difference),
        kind("Order of operations", "Parentheses", 4, 2, parentheses),
        kind("Decimals", "Dividing", 4, 1, decimal_pieces),
        kind("Fractions", "A fraction of the rest", 5, 1, fraction_of_the_rest),
        kind("Volume", "Rising water", 5, 1, rising_water),
        kind("Fractions", "Finding the whole", 5, 1, finding_the_whole),
        kind("Data", "Averages", 5, 1, missing_number),
    ]
}

fn decimal_sum(dice: &mut Dice) -> QuestionDraft {
    let (first, second) = (dice.range(11, 89), dice.range(105, 895));
    if first % 10 == 0 || second % 10 == 0 {
        return redraw();
    }
    let sum = 100 * first + 10 * second;
    let shift = *dice.pick(&[1000, -1000]);
    let parts = 10 * (first % 10 + second % 100);
    let apart = 1000 * (first / 10 + second / 100) + parts;
    let (shown, padded) = (decimal(100 * first), format!("{}0", decimal(100 * first)));
    let other = decimal(10 * second);
    measures(
        format!("What is {shown} + {other}?"),
        sum,
        &[10 * (first + second), apart, sum + shift, sum + 100],
        decimal,
        format!("Write both with two decimal places and line up the points: {padded} + {other} = {}.", decimal(sum)),
    )
}

fn power_of_ten(dice: &mut Dice) -> QuestionDraft {
    let number = dice.range(102, 989);
    if number % 10 == 0 {
        return redraw();
    }
    let (sign, power, moved, places) = *dice.pick(&[
        ("×", 10, 2_u32, "one place to the right"),
        ("×", 100, 3, "two places to the right"),
        ("×", 1000, 4, "three places to the right"),
        ("÷", 10, 0, "one place to the left"),
    ]);
    let shifted = |places: u32| number * 10_i64.pow(places);
    // The mistakes of multiplying only what stands before the point, or only what stands behind it.
    let (before, behind) = (1000 * (number / 100), 10 * (number % 100));
    let half = if sign == "×" { [before * power + behind, before + behind * power] } else { [0, 0] };
    let written = decimal(shifted(1));
    measures(
        format!("What is {written} {sign} {}?", grouped(power)),
        shifted(moved),
        &[shifted(moved + 1), shifted(moved.saturating_sub(1)), shifted(1), shifted(2), shifted(0)],
        decimal,
        format!(
            "Every digit changes its place value, so the decimal point moves {places}: {}.",
            decimal(shifted(moved))
        ),
    )
    .or(shown(&half, decimal))
    .or([decimal(shifted(moved + 2))])
    .closed()
}

fn two_operations(dice: &mut Dice) -> QuestionDraft {
    let (second, third) = (dice.range(3, 9), dice.range(3, 9));
    let product = second * third;
    let first = if dice.below(2) == 0 { dice.range(2, 20) } else { product + dice.range(2, 20) };
    let (sign, right, in_order) = if first > product {
        ("−", first - product, (first - second) * third)
    } else {
        ("+", first + product, (first + second) * third)
    };
    numbers(
        format!("What is {first} {sign} {second} × {third}?"),
        right,
        &[in_order, first + second + third, right + 10, right - 1],
        format!(
            "Multiply before you add or subtract: {second} × {third} = {product}. Then {first} \
                {sign} {product} = {right}."
        ),
    )
}

fn volume(dice: &mut Dice) -> QuestionDraft {
    let height = dice.range(2, 6);
    let width = height + dice.range(1, 4);
    let length = width + dice.range(1, 5);
    let (base, right) = (length * width, length * width * height);
    let story = &mut same_for(&[length, width, height]);
    let thing = *story.pick(&["gift box", "metal box", "jewelry box", "wooden block", "pencil box"]);
    let owner = name(story);
    measures(
        format!(
            "A {thing} is {length} cm long, {width} cm wide and {height} cm high. What is its \
                volume?"
        ),
        right,
        &[length + width + height, base, 2 * (base + length * height + width * height), 2 * right],
        |size| format!("{size} cubic cm"),
        format!(
            "One layer has {length} × {width} = {base} cubes of 1 cm. {height} layers make {base} \
                × {height} = {right} cubic cm."
        ),
    )
    .with(cuboid(length, width, height, "cm"))
    .seen(format!("{owner} has a {thing}, which the picture shows. What is its volume?"))
}

fn moving_a_point(dice: &mut Dice) -> QuestionDraft {
    let (across, up) = (dice.range(3, 9), dice.range(3, 9));
    let (step, rise) = (dice.range(2, 6), dice.range(2, 6));
    let (side, right, plus) = *dice.pick(&[("right", step, "+"), ("left", -step, "−")]);
    let (way, high, also_plus) = *dice.pick(&[("up", rise, "+"), ("down", -rise, "−")]);
    let (new_across, new_up) = (across + right, up + high);
    if new_across < 0 || new_up < 0 || step == rise {
        return redraw();
    }
    let swapped = (across + right.signum() * rise, up + high.signum() * step);
    let mistakes = [swapped, (new_up, new_across), (across - right, new_up), (new_across, up - high)];
    let wrong = mistakes.into_iter().filter(|(across, up)| *across >= 0 && *up >= 0).map(point);
    texts(
        format!(
            "A point is at {}. It moves {step} units {side} and {rise} units {way}. Where is it \
                now?",
            point((across, up))
        ),
        point((new_across, new_up)),
        wrong,
        format!(
            "Moving {side} changes the first number: {across} {plus} {step} = {new_across}. \
                Moving {way} changes the second: {up} {also_plus} {rise} = {new_up}."
        ),
    )
    .or([(across - right, up - high), (across, new_up), (new_across, up)]
        .into_iter()
        .filter(|(across, up)| *across >= 0 && *up >= 0)
        .map(point))
}

fn point((across, up): (i64, i64)) -> String {
    format!("({across}, {up})")
}

fn fraction_product(dice: &mut Dice) -> QuestionDraft {
    let ((above, below), (other_above, other_below)) = (*dice.pick(&SMALL_FRACTIONS), *dice.pick(&SMALL_FRACTIONS));
    let right = (above * other_above, below * other_below);
    if gcd(right.0, right.1) > 1 || below == other_below {
        return redraw();
    }
    fractions(
        format!("What is {above}/{below} × {other_above}/{other_below}?"),
        right,
        &[
            (above + other_above, below + other_below),
            (above * other_above, below + other_below),
            (above * other_below, below * other_above),
            (right.0 + 1, right.1),
        ],
        format!(
            "Multiply the numerators and the denominators: {above} × {other_above} = {} and \
                {below} × {other_below} = {}. The product is {}/{}.",
            right.0, right.1, right.0, right.1
        ),
    )
    .or([2 * right.1, right.1 + below, right.1 + other_below].map(|below| fraction(right.0, below)))
}

fn changing_units(dice: &mut Dice) -> QuestionDraft {
    let (large, small, factor) = *dice.pick(&UNITS);
    let tenths = dice.range(12, 98);
    if tenths % 10 == 0 {
        return redraw();
    }
    let right = tenths * factor / 10;
    let (shown, one) = (decimal(100 * tenths), large.trim_end_matches('s'));
    numbers(
        format!("How many {small} are there in {shown} {large}?"),
        right,
        &[10 * right, right / 10, tenths / 10 * factor + tenths % 10, 10 * tenths],
        format!(
            "There are {} {small} in 1 {one}, so multiply: {shown} × {} = {}.",
            grouped(factor),
            grouped(factor),
            grouped(right)
        ),
    )
}

fn unlike_fractions(dice: &mut Dice) -> QuestionDraft {
    let ((above, below), (other_above, other_below)) = (*dice.pick(&SMALL_FRACTIONS), *dice.pick(&SMALL_FRACTIONS));
    let shared = below * other_below / gcd(below, other_below);
    let (first, second) = (above * shared / below, other_above * shared / other_below);
    if below == other_below || shared > 24 && shared != 30 {
        return redraw();
    }
    let sum = first + second;
    fractions(
        format!("What is {above}/{below} + {other_above}/{other_below}?"),
        (sum, shared),
        &[
            (above + other_above, below + other_below),
            (above + other_above, shared),
            (above * other_above, below * other_below),
            (sum, 2 * shared),
            (sum + 1, shared),
        ],
        format!(
            "Use {shared} as the common denominator: {first}/{shared} + {second}/{shared} = \
                {sum}/{shared}{}.",
            simpler(sum, shared)
        ),
    )
    .or([sum + shared, sum + 2].map(|above| fraction(above, shared)))
}

/// `, which is 1 1/6` when a fraction can be written more simply, otherwise empty.
fn simpler(above: i64, below: i64) -> String {
    let simple = fraction(above, below);
    if simple == format!("{above}/{below}") { String::new() } else { format!(", which is {simple}") }
}

fn decimal_product(dice: &mut Dice) -> QuestionDraft {
    let (first, second) = (dice.range(2, 9), dice.range(3, 39));
    if second % 10 == 0 {
        return redraw();
    }
    let product = first * second;
    measures(
        format!("What is {} × {}?", decimal(100 * first), decimal(100 * second)),
        10 * product,
        &[100 * product, product, 100 * (first + second), 1000 * product],
        decimal,
        format!(
            "{first} × {second} = {product}. Tenths times tenths are hundredths, so the product \
                is {product} hundredths, which is {}.",
            decimal(10 * product)
        ),
    )
}

fn mixed_difference(dice: &mut Dice) -> QuestionDraft {
    let ((above, below), (other_above, other_below)) = (*dice.pick(&SMALL_FRACTIONS), *dice.pick(&SMALL_FRACTIONS));
    let shared = below * other_below / gcd(below, other_below);
    let (first, second) = (above * shared / below, other_above * shared / other_below);
    if below == other_below || first >= second || shared > 24 {
        return redraw();
    }
    let other_whole = dice.range(1, 4);
    let whole = other_whole + dice.range(2, 4);
    let wholes = whole - other_whole;
    let right = wholes * shared + first - second;
    fractions(
        format!("What is {whole} {above}/{below} − {other_whole} {other_above}/{other_below}?"),
        (right, shared),
        &[
            (wholes * shared + second - first, shared),
            (right + shared, shared),
            ((wholes - 1) * shared + second - first, shared),
            (right - 1, shared),
        ],
        format!(
            "Write both with {shared} as denominator: {whole} {first}/{shared} − {other_whole} \
                {second}/{shared}. Break one whole: {} {}/{shared} − {other_whole} \
                {second}/{shared} = {}.",
            whole - 1,
            first + shared,
            fraction(right, shared)
        ),
    )
}

fn parentheses(dice: &mut Dice) -> QuestionDraft {
    let (first, second, times) = (dice.range(2, 5), dice.range(2, 6), dice.range(3, 9));
    let (share, last) = (first * dice.range(1, 3), dice.range(2, 9));
    let sum = first + second;
    let whole = share * sum;
    let product = share * times;
    let right = product - last;
    numbers(
        format!("What is {whole} ÷ ({first} + {second}) × {times} − {last}?"),
        right,
        &[whole / first + second * times - last, share * (times - last), right + 2 * last, whole / first + second],
        format!(
            "Parentheses first: {first} + {second} = {sum}. Then from left to right: {whole} ÷ \
                {sum} = {share} and {share} × {times} = {product}. Last, {product} − {last} = \
                {right}."
        ),
    )
}

fn decimal_pieces(dice: &mut Dice) -> QuestionDraft {
    let (part, count) = (dice.range(2, 9), dice.range(6, 29));
    let (all, each) = (decimal(100 * part * count), decimal(100 * part));
    if part * count % 10 == 0 {
        return redraw();
    }
    let question = match same_for(&[part, count]).below(3) {
        0 => format!(
            "A rope {all} meters long is cut into pieces of {each} meters. How many pieces are \
                there?"
        ),
        1 => format!(
            "A cook fills {all} liters of soup into bowls of {each} liters. How many bowls can be \
                filled?"
        ),
        _ => format!(
            "A shop packs {all} kilograms of nuts into bags of {each} kilograms. How many bags \
                does it fill?"
        ),
    };
    numbers(
        question,
        count,
        &[10 * count, count - 1, count + 1, part * count],
        format!(
            "Divide {all} by {each}. Multiply both by 10 to get whole numbers: {} ÷ {part} = \
                {count}.",
            part * count
        ),
    )
}

fn fourth_corner(dice: &mut Dice) -> QuestionDraft {
    let (left, low) = (dice.range(1, 6), dice.range(1, 6));
    let (right, high) = (left + dice.range(2, 7), low + dice.range(2, 7));
    let (corners, missing) = match dice.below(3) {
        0 => ([(left, low), (right, low), (right, high)], (left, high)),
        1 => ([(left, low), (left, high), (right, high)], (right, low)),
        _ => ([(left, low), (right, low), (left, high)], (right, high)),
    };
    let [first, second, third] = corners.map(point);
    texts(
        format!(
            "Three corners of a rectangle are at {first}, {second} and {third}. Its sides are \
                horizontal and vertical. Where is the fourth corner?"
        ),
        point(missing),
        [(missing.1, missing.0), (right - left, high - low), (missing.0, high - low), (right - left, missing.1)]
            .map(point),
        format!(
            "Every corner shares its first number with one corner and its second with another. \
                The first numbers are {left} and {right}, the second {low} and {high}; only {} is \
                not used yet.",
            point(missing)
        ),
    )
    .or([(1, 0), (0, 1), (1, 1), (-1, 0)].map(|(across, up)| point((missing.0 + across, missing.1 + up))))
    .with(plane(&corners, Drawn::Points))
}

fn fraction_of_the_rest(dice: &mut Dice) -> QuestionDraft {
    let (above, below) = *dice.pick(&[(1, 3), (2, 3), (1, 4), (3, 4), (2, 5), (3, 5), (1, 6)]);
    let part = *dice.pick(&[2, 3, 4, 5]);
    let whole = below * part * dice.range(2, 60 / (below * part) + 2);
    let used = whole * above / below;
    let rest = whole - used;
    if rest % part != 0 {
        return redraw();
    }
    let (second, left) = (rest / part, rest - rest / part);
    let question = match same_for(&[whole, above, part]).below(3) {
        0 => format!(
            "A tank contains {whole} liters of water. {above}/{below} of the water is used on \
                Monday. On Tuesday, 1/{part} of what remains is used. How many liters are left?"
        ),
        1 => format!(
            "A baker makes {whole} rolls. {above}/{below} of them are sold in the morning. In the \
                afternoon, 1/{part} of what remains is sold. How many rolls are left?"
        ),
        _ => format!(
            "A book has {whole} pages. {above}/{below} of them are read in the first week. In the \
                second week, 1/{part} of what remains is read. How many pages are left?"
        ),
    };
    numbers(
        question,
        left,
        &[whole - used - whole / part, rest, second, used + second],
        format!(
            "First {above}/{below} of {whole} is {used}, so {whole} − {used} = {rest} remain. \
                Then 1/{part} of {rest} is {second}, so {rest} − {second} = {left} are left."
        ),
    )
}

fn rising_water(dice: &mut Dice) -> QuestionDraft {
    let (length, width) = *dice.pick(&[(25, 20), (25, 16), (25, 10), (40, 25), (50, 20), (50, 40)]);
    let (depth, liters) = (dice.range(6, 15), 2 * dice.range(1, 4));
    let base = length * width;
    let rise = 1000 * liters / base;
    let right = depth + rise;
    measures(
        format!(
            "A fish tank has a base of {length} cm by {width} cm. The water in it is {depth} cm \
                deep. Then {liters} liters of water are poured in, and nothing spills. How deep \
                is the water now? (1 liter = 1,000 cubic cm)"
        ),
        right,
        &[depth + liters, rise, depth + 10 * liters, (depth - rise).abs(), right + liters],
        |size| format!("{size} cm"),
        format!(
            "{liters} liters are {} cubic cm. Each centimeter of depth takes {length} × {width} = \
                {} cubic cm, so the water rises {} ÷ {} = {rise} cm, to {depth} + {rise} = \
                {right} cm.",
            grouped(1000 * liters),
            grouped(base),
            grouped(1000 * liters),
            grouped(base)
        ),
    )
}

fn unit_price(dice: &mut Dice) -> QuestionDraft {
    let (count, price, more) = (dice.range(3, 6), 5 * dice.range(9, 29), dice.range(7, 9));
    let (cost, total) = (count * price, more * price);
    let paid = if total < 1000 { 1000 } else { 2000 };
    let change = paid - total;
    let story = &mut same_for(&[count, price, more]);
    let (name, things) = (name(story), *story.pick(&["pens", "muffins", "postcards", "oranges", "stickers"]));
    measures(
        format!(
            "{count} {things} cost {}. {name} buys {more} of them at the same price each and pays \
                with ${}. How much change does {name} get?",
            money(cost),
            paid / 100
        ),
        change,
        &[total, paid - cost, change + price, change - price],
        money,
        format!(
            "One costs {} ÷ {count} = {}. Then {more} cost {more} × {} = {}. The change is ${}.00 \
                − {} = {}.",
            money(cost),
            money(price),
            money(price),
            money(total),
            paid / 100,
            money(total),
            money(change)
        ),
    )
}

fn finding_the_whole(dice: &mut Dice) -> QuestionDraft {
    let (first, second, shared) = *dice.pick(&UNIT_FRACTIONS);
    let whole = shared * dice.range(2, 8);
    let (spent, other) = (whole / first, whole / second);
    let left = whole - spent - other;
    let parts = shared - shared / first - shared / second;
    let name = friend(&mut same_for(&[whole, first, second]));
    let one = left / parts;
    let step = if parts == 1 { String::new() } else { format!(" 1/{shared} is {left} ÷ {parts} = {one}.") };
    measures(
        format!(
            "{name} got some money as a gift. {name} spent 1/{first} of the gift on a book and \
                1/{second} of the gift on a game. Then ${left} was left. How much money was the \
                gift?"
        ),
        whole,
        &[spent + other, left * first, left * second, whole + left],
        |dollars| format!("${dollars}"),
        format!(
            "1/{first} and 1/{second} together are {}/{shared}, so ${left} is {parts}/{shared} of \
                the gift.{step} The whole gift is {shared} × {one} = {whole} dollars.",
            shared - parts
        ),
    )
}

fn missing_number(dice: &mut Dice) -> QuestionDraft {
    let mean = dice.range(9, 24);
    let list = [(); 3].map(|()| mean + dice.range(-6, 6));
    let sum: i64 = list.iter().sum();
    let right = 4 * mean - sum;
    let [first, second, third] = list;
    if right < 1 || right == mean {
        return redraw();
    }
    let story = &mut same_for(&[mean, first, second, third]);
    let name = name(story);
    let (what, did, does) = *story.pick(&[
        ("points", "scored", "score"),
        ("miles", "rode", "ride"),
        ("laps", "ran", "run"),
        ("pages", "read", "read"),
    ]);
    numbers(
        format!(
            "Over 4 days, {name} {did} an average (mean) of {mean} {what} a day. On the first three days {name} {did} \
             {first}, {second} and {third} {what}. How many {what} did {name} {does} on the fourth day?"
        ),
        right,
        &[mean, sum / 3, 3 * mean - sum, right + 4, 4 * mean],
        format!(
            "4 days with an average of {mean} make 4 × {mean} = {} in all. The first three make \
                {sum}, so the fourth is {} − {sum} = {right}.",
            4 * mean,
            4 * mean
        ),
    )
}
