//! Templates for grade 4: larger products and quotients, factors, mixed numbers, first decimals, angles and units.

use super::figures::{AngleTotal, UNKNOWN, angles};
use super::wording::{
    any_of, decimal, fraction, fractions, gcd, grouped, kind, measures, money, name, numbers, redraw, same_for, shown,
    texts,
};
use super::{Dice, QuestionDraft, QuestionTemplate};

/// A larger unit, a smaller one, and how many of the smaller make one of the larger.
const UNITS: [(&str, &str, i64); 8] = [
    ("meters", "centimeters", 100),
    ("kilometers", "meters", 1000),
    ("kilograms", "grams", 1000),
    ("liters", "milliliters", 1000),
    ("hours", "minutes", 60),
    ("minutes", "seconds", 60),
    ("feet", "inches", 12),
    ("days", "hours", 24),
];

/// Composite numbers that look prime: odd, and not ending in 5.
const LOOK_PRIME: [i64; 12] = [27, 33, 39, 49, 51, 57, 63, 69, 77, 87, 91, 93];

/// What is made, its plural, the unit of its ingredient, and the ingredient.
const RECIPES: [(&str, &str, &str, &str); 4] = [
    ("bow", "bows", "meter", "ribbon"),
    ("batch of muffins", "batches", "cup", "milk"),
    ("jug of lemonade", "jugs", "liter", "water"),
    ("loaf of bread", "loaves", "kilogram", "flour"),
];

const COMMON_FRACTIONS: [(i64, i64); 8] = [(2, 3), (3, 4), (2, 5), (3, 5), (4, 5), (5, 6), (3, 8), (5, 8)];

/// Two times tables with a common multiple below 100.
const TABLES: [(i64, i64); 10] = [(4, 6), (6, 8), (6, 9), (8, 12), (4, 10), (6, 10), (9, 12), (5, 8), (4, 9), (5, 6)];

const PRIMES: [i64; 15] = [23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 97];

/// A product without carrying is easier than others, and so is what is missing to a right angle; units of time and of
/// the foot have other numbers than 10, 100 and 1,000.
pub(super) const BY_HAND: [(usize, u8); 7] = [(1, 1), (38, 3), (40, 3), (44, 3), (53, 2), (55, 2), (56, 2)];

pub(super) fn templates() -> Vec<QuestionTemplate> {
    vec![
        kind("Multiplication", "By a one-digit number", 2, 8, one_digit_product),
        kind("Place value", "Rounding to hundreds", 1, 7, rounding),
        kind("Fractions", "Adding like denominators", 1, 7, like_fractions),
        kind("Factors and multiples", "Multiples", 2, 4, multiple),
        kind("Factors and multiples", "Factors", 2, 4, factor),
        kind("Decimals", "Hundredths", 1, 7, hundredths),
        kind("Measurement", "Changing units", 2, 7, changing_units),
        kind("Division", "Remainders", 3, 8, remainder),
        kind("Geometry", "Two angles", 3, 7, two_angles),
        kind("Decimals", "Comparing", 3, 8, comparing_decimals),
        kind("Fractions", "Adding mixed numbers", 4, 6, mixed_numbers),
        kind("Money", "Price and change", 4, 6, price_and_change),
        kind("Fractions", "Fraction times whole number", 4, 5, fraction_times),
        kind("Factors and multiples", "Prime numbers", 4, 6, prime),
        kind("Geometry", "Sides from the perimeter", 5, 6, sides_from_perimeter),
        kind("Factors and multiples", "Common multiples", 5, 6, common_multiple),
        kind("Problem solving", "Three steps", 5, 6, packing),
        kind("Measurement", "Liters and milliliters", 5, 3, jug),
        kind("Measurement", "Meters and centimeters", 5, 3, rope),
        kind("Geometry", "Three angles", 5, 6, three_angles),
    ]
}

/// Those for which a number is the natural answer.
pub(super) fn number_templates() -> Vec<QuestionTemplate> {
    vec![
        kind("Multiplication", "By a one-digit number", 2, 2, one_digit_product),
        kind("Place value", "Rounding to hundreds", 1, 2, rounding),
        kind("Decimals", "Hundredths", 1, 2, hundredths),
        kind("Measurement", "Changing units", 2, 2, changing_units),
        kind("Geometry", "Two angles", 3, 4, two_angles),
        kind("Fractions", "Adding mixed numbers", 4, 1, mixed_numbers),
        kind("Money", "Price and change", 4, 1, price_and_change),
        kind("Fractions", "Fraction times whole number", 4, 2, fraction_times),
        kind("Geometry", "Sides from the perimeter", 5, 1, sides_from_perimeter),
        kind("Factors and multiples", "Common multiples", 5, 1, common_multiple),
        kind("Problem solving", "Three steps", 5, 1, packing),
        kind("Geometry", "Three angles", 5, 1, three_angles),
    ]
}

fn one_digit_product(dice: &mut Dice) -> QuestionDraft {
    let (tens, ones, times) = (dice.range(1, 8), dice.range(2, 9), dice.range(3, 9));
    let (first, second) = (10 * tens * times, ones * times);
    let right = first + second;
    numbers(
        format!("What is {} × {times}?", 10 * tens + ones),
        right,
        &[first + second % 10, right - times, right + 10, right + times],
        format!(
            "Multiply the tens and the ones: {} × {times} = {first} and {ones} × {times} = \
                {second}. {first} + {second} = {right}.",
            10 * tens
        ),
    )
}

fn rounding(dice: &mut Dice) -> QuestionDraft {
    let number = 1000 * dice.range(1, 9) + 100 * dice.range(1, 8) + dice.range(11, 89);
    let (down, up) = (number / 100 * 100, number / 100 * 100 + 100);
    let rest = number - down;
    let (right, other) = if rest < 50 { (down, up) } else { (up, down) };
    let reason = if rest < 50 { "less than 50, so round down" } else { "50 or more, so round up" };
    numbers(
        format!("Round {} to the nearest hundred.", grouped(number)),
        right,
        &[other, (number + 5) / 10 * 10, (number + 500) / 1000 * 1000, right + 100],
        format!(
            "{} is between {} and {}. The last two digits make {rest}, which is {reason} to {}.",
            grouped(number),
            grouped(down),
            grouped(up),
            grouped(right)
        ),
    )
}

fn like_fractions(dice: &mut Dice) -> QuestionDraft {
    let below = *dice.pick(&[7, 9, 11, 13]);
    let first = dice.range(1, below - 2);
    let second = dice.range(1, below - 1 - first);
    let sum = first + second;
    if gcd(sum, below) > 1 {
        return redraw();
    }
    fractions(
        format!("What is {first}/{below} + {second}/{below}?"),
        (sum, below),
        &[(sum, 2 * below), ((first - second).abs(), below), (first * second, below * below), (1, below)],
        format!(
            "The parts have the same size, so add only the numerators: {first} + {second} = \
                {sum}. The denominator stays {below}: {sum}/{below}."
        ),
    )
    .or([(sum + 1, below), (below, sum)].map(|(above, below)| fraction(above, below)))
}

fn multiple(dice: &mut Dice) -> QuestionDraft {
    let (of, times) = (dice.range(6, 9), dice.range(4, 12));
    let right = of * times;
    let ending = |tens: i64| 10 * tens + of;
    let near = of * dice.range(5, 9) + dice.range(1, 5);
    let wrong = [ending(dice.range(2, 5)), ending(dice.range(6, 9)), near];
    if wrong.iter().any(|other| other % of == 0) {
        return redraw();
    }
    let list = listed(right, wrong);
    numbers(
        format!("Which of these numbers is a multiple of {of}: {list}?"),
        right,
        &wrong,
        format!(
            "{times} × {of} = {right}, so {right} is a multiple of {of}. Dividing any of the \
                others by {of} leaves a remainder."
        ),
    )
    .closed()
}

fn factor(dice: &mut Dice) -> QuestionDraft {
    let (right, times) = (dice.range(3, 9), dice.range(4, 12));
    let of = right * times;
    let others = [dice.range(3, 12), dice.range(3, 12)];
    if others.iter().any(|other| of % other == 0) {
        return redraw();
    }
    // Another one is larger than the right number, or smaller than most.
    let smallest = (2..of).find(|other| of % other != 0 && !others.contains(other));
    let another = if times % 2 == 0 { smallest } else { None };
    let [one, other] = others;
    let wrong = [one, other, another.unwrap_or(2 * of)];
    let list = listed(right, wrong);
    numbers(
        format!("Which of these numbers is a factor of {of}: {list}?"),
        right,
        &wrong,
        format!(
            "{right} × {times} = {of}, so {right} is a factor of {of}. {of} can't be divided by \
                any of the others without a remainder."
        ),
    )
    .closed()
}

/// All four options in order of size, so that the order gives no hint.
fn listed(right: i64, wrong: [i64; 3]) -> String {
    let mut list = [&wrong[..], &[right]].concat();
    list.sort_unstable();
    let list: Vec<String> = list.iter().map(i64::to_string).collect();
    any_of(&list)
}

fn hundredths(dice: &mut Dice) -> QuestionDraft {
    let number = dice.range(2, 98);
    if number % 10 == 0 {
        return redraw();
    }
    let right = decimal(10 * number);
    let (tens, ones) = (number / 10, number % 10);
    measures(
        format!("Which decimal is equal to {number}/100?"),
        10 * number,
        &[100 * number, number, 1000 * number],
        decimal,
        format!(
            "{number}/100 means {number} hundredths. Hundredths are the second place after the \
                decimal point, so it is {right}."
        ),
    )
    .or(shown(&[100 * tens + ones, 100 * ones + 10 * tens, 10 * tens, 1000 + 10 * number], decimal))
    .closed()
}

fn changing_units(dice: &mut Dice) -> QuestionDraft {
    let (large, small, factor) = *dice.pick(&UNITS);
    let count = dice.range(3, 12);
    let right = count * factor;
    let one = large.trim_end_matches('s').replace("feet", "foot");
    numbers(
        format!("How many {small} are there in {count} {large}?"),
        right,
        &[100 * count, 10 * count, count + factor, 1000 * count],
        format!(
            "There are {} {small} in 1 {one}, so multiply: {count} × {} = {}.",
            grouped(factor),
            grouped(factor),
            grouped(right)
        ),
    )
    .or(shown(&[10 * right, right / 10], grouped))
}

fn remainder(dice: &mut Dice) -> QuestionDraft {
    let (divisor, times) = (dice.range(4, 9), dice.range(11, 24));
    let rest = dice.range(1, divisor - 1);
    let whole = divisor * times + rest;
    let show = |(times, rest): (i64, i64)| format!("{times} remainder {rest}");
    texts(
        format!("What is {whole} ÷ {divisor}?"),
        show((times, rest)),
        [(times - 1, rest + divisor), (times, divisor - rest), (times + 1, rest), (times - 1, rest)].map(show),
        format!(
            "{times} × {divisor} = {}, and {whole} − {} = {rest} is left over. The remainder must \
                be less than {divisor}.",
            whole - rest,
            whole - rest
        ),
    )
    .or([(times + 1, divisor - rest), (times - 1, divisor - rest), (times + 10, rest)].map(show))
}

fn two_angles(dice: &mut Dice) -> QuestionDraft {
    let (shape, whole, total) =
        *dice.pick(&[("straight line", 180, AngleTotal::Straight), ("right angle", 90, AngleTotal::Right)]);
    let known = dice.range(11, whole - 11);
    let right = whole - known;
    if known == right || known == 90 {
        return redraw();
    }
    measures(
        format!("Two angles together make a {shape}. One of them is {known}°. How large is the other?"),
        right,
        &[(270 - whole - known).abs(), known, right + 10, right - 10],
        |degrees| format!("{degrees}°"),
        format!(
            "A {shape} measures {whole}°. The other angle is what is left: {whole}° − {known}° = \
                {right}°."
        ),
    )
    .with(angles(total, &[(known, format!("{known}°").as_str()), (right, UNKNOWN)]))
}

fn comparing_decimals(dice: &mut Dice) -> QuestionDraft {
    let tenths = dice.range(3, 8);
    let list = [
        100 * dice.range(1, tenths - 1) + 10 * dice.range(1, 9),
        100 * tenths,
        100 * dice.range(0, 1) + 10 * dice.range(2, 9),
        100 * dice.range(tenths - 1, tenths) + 10 * dice.range(1, 9),
    ];
    let (word, right) = *dice.pick(&[("greatest", list.iter().max()), ("smallest", list.iter().min())]);
    let right = right.copied().unwrap_or(0);
    let others: Vec<i64> = list.into_iter().filter(|number| *number != right).collect();
    measures(
        format!("Which of these numbers is the {word}: {}?", any_of(&list.map(decimal))),
        right,
        &others,
        decimal,
        format!(
            "Compare the tenths first, then the hundredths; the number of digits does not matter. \
                The {word} is {}.",
            decimal(right)
        ),
    )
    .closed()
}

fn mixed_numbers(dice: &mut Dice) -> QuestionDraft {
    let below = *dice.pick(&[5, 7, 8, 9]);
    let (first, second) = (dice.range(2, below - 1), dice.range(2, below - 1));
    let (whole, other_whole) = (dice.range(1, 5), dice.range(1, 4));
    let (parts, wholes) = (first + second, whole + other_whole);
    if parts <= below || gcd(parts, below) > 1 || gcd(first, below) > 1 || gcd(second, below) > 1 {
        return redraw();
    }
    let right = (wholes * below + parts, below);
    fractions(
        format!("What is {whole} {first}/{below} + {other_whole} {second}/{below}?"),
        right,
        &[(right.0 - below, below), (2 * wholes * below + parts, 2 * below), (right.0 + below, below)],
        format!(
            "The wholes make {wholes}. The fractions make {parts}/{below}, which is {}. Together \
                that is {}.",
            fraction(parts, below),
            fraction(right.0, below)
        ),
    )
}

fn price_and_change(dice: &mut Dice) -> QuestionDraft {
    let (count, price) = (dice.range(3, 5), 5 * dice.range(25, 65));
    let cost = count * price;
    let paid = if cost < 1000 { 1000 } else { 2000 };
    let change = paid - cost;
    let story = &mut same_for(&[count, price]);
    let (name, things) = (name(story), *story.pick(&["notebooks", "sandwiches", "tickets", "magazines", "plants"]));
    measures(
        format!(
            "{name} buys {count} {things} for {} each and pays with ${}. How much change does \
                {name} get?",
            money(price),
            paid / 100
        ),
        change,
        &[paid - price, cost, change + 100, change + 10],
        money,
        format!(
            "The {things} cost {count} × {} = {}. The change is ${}.00 − {} = {}.",
            money(price),
            money(cost),
            paid / 100,
            money(cost),
            money(change)
        ),
    )
}

fn fraction_times(dice: &mut Dice) -> QuestionDraft {
    let (above, below) = *dice.pick(&COMMON_FRACTIONS);
    let count = dice.range(3, 9);
    let all = count * above;
    if all % below == 0 {
        return redraw();
    }
    let story = &mut same_for(&[count, above, below]);
    let (each, many, unit, stuff) = *story.pick(&RECIPES);
    fractions(
        format!(
            "One {each} needs {above}/{below} {unit} of {stuff}. How many {unit}s of {stuff} do \
                {count} {many} need?"
        ),
        (all, below),
        &[(count * below + above, below), (all + below, below), (all - above, below), (all, below + 1)],
        format!(
            "Multiply the numerator: {count} × {above}/{below} = {all}/{below}, which is {}.",
            fraction(all, below)
        ),
    )
}

fn prime(dice: &mut Dice) -> QuestionDraft {
    let right = *dice.pick(&PRIMES);
    let wrong = [(); 3].map(|()| *dice.pick(&LOOK_PRIME));
    let list = listed(right, wrong);
    let [one, two, three] = wrong.map(|number| {
        let factor = (2..number).find(|factor| number % factor == 0).unwrap_or(1);
        format!("{number} = {factor} × {}", number / factor)
    });
    numbers(
        format!("Which of these numbers is a prime number: {list}?"),
        right,
        &wrong,
        format!(
            "A prime number has only two factors, 1 and itself. {right} is prime, but {one}, \
                {two} and {three}."
        ),
    )
    .closed()
}

fn sides_from_perimeter(dice: &mut Dice) -> QuestionDraft {
    let (times, width) = (dice.range(2, 5), dice.range(3, 12));
    let length = times * width;
    let (around, right) = (2 * (length + width), length * width);
    let thing = *same_for(&[times, width]).pick(&["garden", "field", "parking lot", "schoolyard"]);
    let square = if around % 4 == 0 { around / 4 * around / 4 } else { 0 };
    measures(
        format!(
            "A rectangular {thing} is {times} times as long as it is wide. Its perimeter is \
                {around} meters. What is its area?"
        ),
        right,
        &[4 * right, square, length, around * times, width * width],
        |size| format!("{} square meters", grouped(size)),
        format!(
            "All around there are {} widths, so the width is {around} ÷ {} = {width} meters and \
                the length is {times} × {width} = {length} meters. The area is {length} × {width} \
                = {} square meters.",
            2 * times + 2,
            2 * times + 2,
            grouped(right)
        ),
    )
}

fn common_multiple(dice: &mut Dice) -> QuestionDraft {
    let (first, second) = *dice.pick(&TABLES);
    let bound = 5 * dice.range(6, 18);
    let both = first * second / gcd(first, second);
    let after = |step: i64| (bound / step + 1) * step;
    let right = after(both);
    numbers(
        format!(
            "What is the smallest number greater than {bound} that is a multiple of both {first} \
                and {second}?"
        ),
        right,
        &[after(second), after(first), right + both, right - both, first * second],
        format!(
            "The smallest number in both tables is {both}, so the common multiples are {both}, \
                {}, {} and so on. The first one greater than {bound} is {right}.",
            2 * both,
            3 * both
        ),
    )
    .or(shown(&[right - first, right + first, right - second, right + second], grouped))
}

fn packing(dice: &mut Dice) -> QuestionDraft {
    let (size, trays) = (dice.range(4, 9), dice.range(11, 19));
    let (each, kept) = (size * dice.range(2, 4), size * dice.range(3, 9));
    let all = trays * each;
    let rest = all - kept;
    let right = rest / size;
    let question = match same_for(&[size, trays, each]).below(3) {
        0 => format!(
            "A bakery bakes {trays} trays with {each} rolls each. It keeps {kept} rolls for its \
                café and packs the rest in bags of {size}. How many bags does it fill?"
        ),
        1 => format!(
            "A farm has {trays} boxes with {each} apples each. It sells {kept} apples at the \
                market and packs the rest in bags of {size}. How many bags does it fill?"
        ),
        _ => format!(
            "A school orders {trays} packs with {each} pencils each. It puts {kept} pencils in a \
                cupboard and packs the rest in sets of {size}. How many sets does it make?"
        ),
    };
    numbers(
        question,
        right,
        &[all / size, rest, (all + kept) / size, right + 10],
        format!(
            "Multiply: {trays} × {each} = {all}. Subtract: {all} − {kept} = {rest}. Divide: \
                {rest} ÷ {size} = {right}."
        ),
    )
}

fn jug(dice: &mut Dice) -> QuestionDraft {
    let (large, count, part) = (dice.range(2, 5), dice.range(3, 8), 50 * dice.range(3, 7));
    let name = name(&mut same_for(&[large, count, part]));
    let question = format!(
        "A jug contains {large} liters of juice. {name} fills {count} glasses with {part} \
            milliliters each. How much juice is left in the jug?"
    );
    what_is_left(question, (1000 * large, count, part), "milliliters")
}

fn rope(dice: &mut Dice) -> QuestionDraft {
    let (large, count, part) = (dice.range(2, 5), dice.range(3, 8), dice.range(13, 75));
    let name = name(&mut same_for(&[large, count, part]));
    let question = format!(
        "A rope is {large} meters long. {name} cuts off {count} pieces of {part} centimeters \
            each. How long is the rest of the rope?"
    );
    what_is_left(question, (100 * large, count, part), "centimeters")
}

fn what_is_left(question: String, (whole, count, part): (i64, i64, i64), unit: &str) -> QuestionDraft {
    let used = count * part;
    let left = whole - used;
    if left < 40 {
        return redraw();
    }
    measures(
        question,
        left,
        &[used, whole - part, left + 100, left - 10],
        |size| format!("{} {unit}", grouped(size)),
        format!(
            "At first there are {} {unit}. {count} × {part} = {} {unit} are taken, and {} − {} = \
                {}.",
            grouped(whole),
            grouped(used),
            grouped(whole),
            grouped(used),
            grouped(left)
        ),
    )
}

fn three_angles(dice: &mut Dice) -> QuestionDraft {
    let first = dice.range(14, 48);
    let (words, times, more) = *dice.pick(&[
        ("twice as large as the first", 2, 0),
        ("three times as large as the first", 3, 0),
        ("20° larger than the first", 1, 20),
        ("35° larger than the first", 1, 35),
    ]);
    let second = times * first + more;
    let right = 180 - first - second;
    if right < 10 || right == first || right == second {
        return redraw();
    }
    measures(
        format!(
            "Three angles together make a straight line. The first is {first}°. The second is \
                {words}. How large is the third?"
        ),
        right,
        &[180 - second, first + second, 180 - first - more.max(times), right + 20, right + 10],
        |degrees| format!("{degrees}°"),
        format!(
            "The second angle is {second}°. A straight line measures 180°, so the third angle is \
                180° − {first}° − {second}° = {right}°."
        ),
    )
    .with(angles(AngleTotal::Straight, &[(first, format!("{first}°").as_str()), (second, ""), (right, UNKNOWN)]))
}
