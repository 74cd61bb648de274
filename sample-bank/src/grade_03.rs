//! Templates for grade 3: multiplication and division, fractions, area and perimeter, rounding, lengths of time.

use super::figures::{rectangle, rectangle_with_hole};
use super::wording::{
    any_of, counted, fractions, friend, gcd, grouped, kind, measures, name, numbers, redraw, same_for, texts,
};
use super::{Dice, QuestionDraft, QuestionTemplate};

pub(super) fn templates() -> Vec<QuestionTemplate> {
    vec![
        kind("Multiplication", "Facts to 9 × 9", 1, 8, product),
        kind("Division", "Facts to 81 ÷ 9", 1, 7, quotient),
        kind("Place value", "Rounding to tens", 1, 7, rounding),
        kind("Fractions", "Parts of a group", 2, 7, part_of_a_group),
        kind("Measurement", "Perimeter", 2, 8, perimeter),
        kind("Place value", "The value of a digit", 2, 7, value_of_a_digit),
        kind("Multiplication", "Multiples of ten", 3, 5, boxes_of_tens),
        kind("Measurement", "Area", 3, 6, area),
        kind("Fractions", "Comparing", 3, 6, comparing_fractions),
        kind("Subtraction", "Across a zero", 3, 6, across_a_zero),
        kind("Fractions", "Equal fractions", 4, 6, equal_fractions),
        kind("Time", "How long it lasts", 4, 6, how_long),
        kind("Multiplication", "Two products", 4, 6, two_products),
        kind("Data", "Picture graphs", 4, 5, picture_graph),
        kind("Measurement", "Area from perimeter", 5, 6, area_from_perimeter),
        kind("Division", "Remainders in real life", 5, 6, how_many_needed),
        kind("Measurement", "Area with a hole", 5, 6, area_with_a_hole),
        kind("Fractions", "Parts and the rest", 5, 6, parts_and_the_rest),
        kind("Problem solving", "Working backwards", 5, 6, number_thought_of),
    ]
}

/// Those for which a number is the natural answer.
pub(super) fn number_templates() -> Vec<QuestionTemplate> {
    vec![
        kind("Multiplication", "Facts to 9 × 9", 1, 2, product),
        kind("Division", "Facts to 81 ÷ 9", 1, 2, quotient),
        kind("Measurement", "Perimeter", 2, 2, perimeter),
        kind("Place value", "The value of a digit", 2, 2, value_of_a_digit),
        kind("Multiplication", "Multiples of ten", 3, 2, boxes_of_tens),
        kind("Measurement", "Area", 3, 1, area),
        kind("Subtraction", "Across a zero", 3, 1, across_a_zero),
        kind("Fractions", "Equal fractions", 4, 2, equal_fractions),
        kind("Multiplication", "Two products", 4, 1, two_products),
        kind("Data", "Picture graphs", 4, 1, picture_graph),
        kind("Division", "Remainders in real life", 5, 1, how_many_needed),
        kind("Measurement", "Area with a hole", 5, 1, area_with_a_hole),
        kind("Fractions", "Parts and the rest", 5, 1, parts_and_the_rest),
        kind("Problem solving", "Working backwards", 5, 1, number_thought_of),
    ]
}

fn product(dice: &mut Dice) -> QuestionDraft {
    let (first, second) = (dice.range(3, 9), dice.range(3, 9));
    let right = first * second;
    numbers(
        format!("What is {first} × {second}?"),
        right,
        &[right - first, right + second, first + second, right + first],
        format!(
            "{first} × {second} means {first} groups of {second}. {} × {second} = {}, and one \
                more {second} makes {right}.",
            first - 1,
            right - second
        ),
    )
    .or([grouped(right - second)])
}

fn quotient(dice: &mut Dice) -> QuestionDraft {
    let (divisor, right) = (dice.range(3, 9), dice.range(3, 9));
    let whole = divisor * right;
    numbers(
        format!("What is {whole} ÷ {divisor}?"),
        right,
        &[right + 1, right - 1, whole - divisor, right + 2],
        format!(
            "Ask what times {divisor} makes {whole}. Since {right} × {divisor} = {whole}, the \
                answer is {right}."
        ),
    )
}

fn rounding(dice: &mut Dice) -> QuestionDraft {
    let number = 100 * dice.range(1, 9) + 10 * dice.range(1, 8) + dice.range(1, 9);
    let ones = number % 10;
    let (down, up) = (number - ones, number - ones + 10);
    let (right, other) = if ones < 5 { (down, up) } else { (up, down) };
    let reason = if ones < 5 { "less than 5, so round down" } else { "5 or more, so round up" };
    numbers(
        format!("Round {number} to the nearest ten."),
        right,
        &[other, (number + 50) / 100 * 100, right + 10, right - 10],
        format!(
            "{number} is between {down} and {up}. The ones digit is {ones}, which is {reason} to \
                {right}."
        ),
    )
}

fn part_of_a_group(dice: &mut Dice) -> QuestionDraft {
    let all = *dice.pick(&[7, 8, 9, 10, 11, 12, 14, 15]);
    let some = dice.range(2, all - 2);
    let rest = all - some;
    let story = &mut same_for(&[all, some]);
    let (things, color, other) = *story.pick(&[
        ("marbles", "red", "blue"),
        ("balloons", "green", "white"),
        ("flowers", "yellow", "pink"),
        ("buttons", "black", "gray"),
    ]);
    if gcd(rest, all) > 1 {
        return redraw();
    }
    fractions(
        format!(
            "There are {all} {things}. {some} of them are {color} and the rest are {other}. What \
                fraction of the {things} are {other}?"
        ),
        (rest, all),
        &[(some, all), (some.min(rest), some.max(rest)), (1, rest), (rest, all + some)],
        format!(
            "{all} − {some} = {rest} {things} are {other}. That is {rest} out of {all}, or \
                {rest}/{all}."
        ),
    )
}

fn perimeter(dice: &mut Dice) -> QuestionDraft {
    let width = dice.range(3, 15);
    let length = width + dice.range(1, 9);
    let story = &mut same_for(&[length, width]);
    let place = *story.pick(&["garden", "playground", "field", "swimming pool", "patio"]);
    let right = 2 * (length + width);
    measures(
        format!(
            "A rectangular {place} is {length} meters long and {width} meters wide. What is its \
                perimeter?"
        ),
        right,
        &[length + width, length * width, right - width, right + length],
        |meters| format!("{meters} meters"),
        format!(
            "The perimeter is the way all around: {length} + {width} + {length} + {width} = \
                {right} meters."
        ),
    )
    .with(rectangle(length, width, "m"))
}

fn value_of_a_digit(dice: &mut Dice) -> QuestionDraft {
    let digits = [dice.range(1, 9), dice.range(1, 9), dice.range(1, 9), dice.range(1, 9)];
    let repeated =
        digits.iter().enumerate().any(|(index, digit)| digits.iter().take(index).any(|other| other == digit));
    if repeated {
        return redraw();
    }
    let number = digits.iter().fold(0, |number, digit| 10 * number + digit);
    let (place, size) = *dice.pick(&[("thousands", 1000), ("hundreds", 100), ("tens", 10)]);
    let digit = number / size % 10;
    let written = grouped(number);
    numbers(
        format!("In the number {written}, what is the value of the digit {digit}?"),
        digit * size,
        &[digit, digit * 10, digit * 100, digit * 1000],
        format!(
            "In {written} the {digit} stands in the {place} place. {digit} × {} = {}.",
            grouped(size),
            grouped(digit * size)
        ),
    )
    .closed()
}

fn boxes_of_tens(dice: &mut Dice) -> QuestionDraft {
    let (count, tens) = (dice.range(2, 9), dice.range(2, 9));
    let each = 10 * tens;
    let story = &mut same_for(&[count, tens]);
    let (holder, things) = *story.pick(&[
        ("boxes", "pencils"),
        ("crates", "oranges"),
        ("bags", "beads"),
        ("packets", "seeds"),
        ("shelves", "books"),
    ]);
    let right = count * each;
    numbers(
        format!(
            "There are {count} {holder} with {each} {things} each. How many {things} are there \
                altogether?"
        ),
        right,
        &[count * tens, count + each, 100 * count * tens, right + each],
        format!("{each} is {tens} tens. {count} × {tens} tens = {} tens, which is {right}.", count * tens),
    )
    .or([grouped(right - each)])
}

fn area(dice: &mut Dice) -> QuestionDraft {
    let width = dice.range(3, 8);
    let length = width + dice.range(1, 6);
    let story = &mut same_for(&[length, width]);
    let place = *story.pick(&["floor", "poster", "field", "stage", "rug"]);
    let unit = if place == "poster" { "feet" } else { "meters" };
    let right = length * width;
    measures(
        format!(
            "A rectangular {place} is {length} {unit} long and {width} {unit} wide. What is its \
                area?"
        ),
        right,
        &[2 * (length + width), length + width, right - width, right + length],
        |size| format!("{size} square {unit}"),
        format!(
            "Think of {width} rows with {length} squares in each row: {width} × {length} = \
                {right} square {unit}."
        ),
    )
}

fn comparing_fractions(dice: &mut Dice) -> QuestionDraft {
    let above = dice.range(1, 4);
    let list = [(); 4].map(|()| dice.range(above + 1, 12));
    let (word, right, reason) = match (dice.below(2), list.iter().max(), list.iter().min()) {
        (0, _, Some(fewest)) => ("greatest", *fewest, "fewer parts mean larger parts"),
        (_, Some(most), _) => ("smallest", *most, "more parts mean smaller parts"),
        _ => return redraw(),
    };
    let show = |below: i64| format!("{above}/{below}");
    let repeats = list.iter().enumerate().any(|(index, below)| list.iter().take(index).any(|other| other == below));
    if repeats {
        return redraw();
    }
    texts(
        format!("Which of these fractions is the {word}: {}?", any_of(&list.map(show))),
        show(right),
        list.map(show),
        format!("All four have {} on top, and {reason}. So the {word} is {}.", above, show(right)),
    )
    .closed()
}

fn across_a_zero(dice: &mut Dice) -> QuestionDraft {
    let (hundreds, ones) = (dice.range(4, 8), dice.range(1, 6));
    let (less_hundreds, less_tens, less_ones) =
        (dice.range(1, hundreds - 2), dice.range(2, 8), dice.range(ones + 1, 9));
    let (whole, taken) = (100 * hundreds + ones, 100 * less_hundreds + 10 * less_tens + less_ones);
    let (left, name) = (whole - taken, name(dice));
    numbers(
        missing_part(dice.below(3), name, whole, taken),
        left,
        &[100 * (hundreds - less_hundreds) + 10 * less_tens + less_ones - ones, left + 100, left + 10, left - 10],
        format!(
            "Subtract: {whole} − {taken}. The tens are 0, so break a hundred into 10 tens and one \
                of the tens into 10 ones. That leaves {left}, and {left} + {taken} = {whole}."
        ),
    )
}

fn missing_part(story: usize, name: &str, whole: i64, taken: i64) -> String {
    match story {
        0 => format!(
            "{name} reads a book with {whole} pages and has finished {taken} of them. How many \
                pages are left?"
        ),
        1 => format!(
            "{name}'s school has {whole} students, and {taken} of them come by bus. How many do \
                not come by bus?"
        ),
        _ => format!(
            "{name} needs {whole} points to win a game and has {taken} points so far. How many \
                more points are needed?"
        ),
    }
}

fn equal_fractions(dice: &mut Dice) -> QuestionDraft {
    let (above, below) = *dice.pick(&[(1, 2), (1, 3), (2, 3), (1, 4), (3, 4), (2, 5), (3, 5), (4, 5), (5, 6), (3, 8)]);
    let times = dice.range(3, 6);
    let (new_above, new_below) = (above * times, below * times);
    let (question, right, mistake) = if dice.below(2) == 0 {
        (format!("{above}/{below} = □/{new_below}"), new_above, above + new_below - below)
    } else {
        (format!("{above}/{below} = {new_above}/□"), new_below, below + new_above - above)
    };
    numbers(
        format!("What number makes the fractions equal? {question}"),
        right,
        &[mistake, times, right + times, right + 1],
        format!(
            "Multiply top and bottom by the same number, here {times}: {above} × {times} = \
                {new_above} and {below} × {times} = {new_below}."
        ),
    )
}

fn how_long(dice: &mut Dice) -> QuestionDraft {
    let event = *dice.pick(&["movie", "train trip", "concert", "baseball game", "school play"]);
    let (hour, hours) = (dice.range(1, 8), dice.range(2, 3));
    let (minute, end_minute) = (5 * dice.range(5, 11), 5 * dice.range(1, 9));
    if end_minute >= minute {
        return redraw();
    }
    let right = 60 * hours + end_minute - minute;
    let (start, end) = (format!("{hour}:{minute:02}"), format!("{}:{end_minute:02}", hour + hours));
    measures(
        format!("A {event} starts at {start} and ends at {end}. How long does it last?"),
        right,
        &[60 * hours + minute - end_minute, right + 60, right + 10, right - 10],
        duration,
        format!(
            "From {start} to {}:{minute:02} is {}. From there to {end} is {} minutes more: {}.",
            hour + hours - 1,
            counted(hours - 1, "hour"),
            60 + end_minute - minute,
            duration(right)
        ),
    )
    .or([right + 70, right + 50, right - 60, right - 50].into_iter().filter(|other| *other >= 60).map(duration))
}

/// The duration as text, such as `1 hour 35 minutes` or `2 hours`.
fn duration(minutes: i64) -> String {
    match minutes % 60 {
        0 => counted(minutes / 60, "hour"),
        rest => format!("{} {rest} minutes", counted(minutes / 60, "hour")),
    }
}

fn two_products(dice: &mut Dice) -> QuestionDraft {
    let (things, some, more) = *dice.pick(&[
        ("balloons", "red", "blue"),
        ("pens", "black", "green"),
        ("stickers", "star", "animal"),
        ("cupcakes", "lemon", "vanilla"),
    ]);
    let (packs, each, name) = (dice.range(3, 8), dice.range(3, 9), name(dice));
    let (other_packs, other_each) = (dice.range(2, 7), dice.range(4, 9));
    let (first, second) = (packs * each, other_packs * other_each);
    let all = first + second;
    numbers(
        format!(
            "{name} buys {packs} packs of {each} {some} {things} and {other_packs} packs of \
                {other_each} {more} {things}. How many {things} does {name} buy altogether?"
        ),
        all,
        &[
            packs + each + other_packs + other_each,
            packs * other_each + other_packs * each,
            (packs + other_packs) * (each + other_each),
            all + each,
        ],
        format!(
            "There are {packs} × {each} = {first} {some} {things} and {other_packs} × \
                {other_each} = {second} {more} ones. {first} + {second} = {all}."
        ),
    )
}

fn picture_graph(dice: &mut Dice) -> QuestionDraft {
    let (things, did) = *dice.pick(&[
        ("books", "read"),
        ("goals", "score"),
        ("shells", "find"),
        ("trees", "plant"),
        ("pictures", "draw"),
    ]);
    let (each, name, friend) = (*dice.pick(&[2, 3, 4, 5, 10]), name(dice), friend(dice));
    let fewer = dice.range(2, 5);
    let more = fewer + dice.range(2, 4);
    let row = |count: i64| "★".repeat(usize::try_from(count).unwrap_or(0));
    let difference = more - fewer;
    numbers(
        format!(
            "In a picture graph, each ★ stands for {each} {things}. {name}: {}. {friend}: {}. How \
                many more {things} did {name} {did} than {friend}?",
            row(more),
            row(fewer)
        ),
        difference * each,
        &[difference, (more + fewer) * each, more * each, fewer * each],
        format!(
            "{name} has {more} stars and {friend} has {fewer}, so {name} has {difference} more. \
                Each star stands for {each}: {difference} × {each} = {}.",
            difference * each
        ),
    )
}

fn area_from_perimeter(dice: &mut Dice) -> QuestionDraft {
    let width = dice.range(3, 9);
    let length = width + dice.range(1, 5);
    let story = &mut same_for(&[length, width]);
    let thing = *story.pick(&["photo", "card", "tray", "picture frame", "place mat"]);
    let (around, right) = (2 * (length + width), length * width);
    measures(
        format!(
            "The perimeter of a rectangular {thing} is {around} cm. The {thing} is {length} cm \
                long. What is its area?"
        ),
        right,
        &[2 * right, length * (length + width), around, right + length],
        |size| format!("{size} square cm"),
        format!(
            "Length and width together are half of {around}, which is {}. So the width is {} − \
                {length} = {width} cm, and the area is {length} × {width} = {right} square cm.",
            length + width,
            length + width
        ),
    )
}

fn how_many_needed(dice: &mut Dice) -> QuestionDraft {
    let (each, full) = (dice.range(3, 9), dice.range(4, 9));
    let rest = dice.range(1, each - 1);
    let all = each * full + rest;
    let (question, holder) = filling(dice.below(4), all, each);
    numbers(
        question,
        full + 1,
        &[full, full + 2, full + rest, rest],
        format!(
            "{all} ÷ {each} = {full} remainder {rest}. One more {holder} is needed for the last \
                {rest}, so {full} + 1 = {}.",
            full + 1
        ),
    )
}

/// A story about filling containers, and the word for one container.
fn filling(story: usize, all: i64, each: i64) -> (String, &'static str) {
    match story {
        0 => (
            format!(
                "{all} children go on a trip. Each car can take {each} children. How many cars \
                    are needed for all of them?"
            ),
            "car",
        ),
        1 => (
            format!(
                "A farmer puts {all} eggs into boxes. Each box holds {each} eggs. How many boxes \
                    are needed for all the eggs?"
            ),
            "box",
        ),
        2 => (
            format!(
                "{all} campers sleep in tents. Each tent has room for {each} campers. How many \
                    tents are needed for all of them?"
            ),
            "tent",
        ),
        _ => (
            format!(
                "A baker carries {all} rolls on trays. Each tray holds {each} rolls. How many \
                    trays are needed for all the rolls?"
            ),
            "tray",
        ),
    }
}

fn area_with_a_hole(dice: &mut Dice) -> QuestionDraft {
    let (place, hole, rest) = *dice.pick(&[
        ("garden", "pond", "the garden without the pond"),
        ("yard", "flower bed", "the yard without the flower bed"),
        ("floor", "rug", "the floor without the rug"),
        ("courtyard", "fountain", "the courtyard without the fountain"),
    ]);
    let (length, width, side) = (dice.range(8, 12), dice.range(5, 7), dice.range(2, 4));
    let owner = name(&mut same_for(&[length, width, side]));
    let (all, gone) = (length * width, side * side);
    let right = all - gone;
    measures(
        format!(
            "A rectangular {place} is {length} meters long and {width} meters wide. It has a \
                square {hole} with sides of {side} meters. What is the area of {rest}?"
        ),
        right,
        &[all - 4 * side, all, all + gone, 2 * (length + width) - 4 * side, all - side],
        |size| format!("{size} square meters"),
        format!(
            "The whole {place}: {length} × {width} = {all}. The {hole}: {side} × {side} = {gone}. \
                Without it, {all} − {gone} = {right} square meters are left."
        ),
    )
    .with(rectangle_with_hole(length, width, side, "m"))
    .seen(format!("The picture shows {owner}'s rectangular {place} with a square {hole}. What is the area of {rest}?"))
}

fn parts_and_the_rest(dice: &mut Dice) -> QuestionDraft {
    let (first, second, shared) =
        *dice.pick(&[(2, 3, 6), (2, 4, 4), (3, 4, 12), (2, 5, 10), (3, 6, 6), (4, 6, 12), (3, 5, 15), (4, 5, 20)]);
    let all = shared * dice.range(2, 40 / shared);
    let story = &mut same_for(&[all, first, second]);
    let (things, holder) =
        *story.pick(&[("beads", "box"), ("marbles", "bag"), ("balloons", "pack"), ("counters", "jar")]);
    let (red, blue) = (all / first, all / second);
    let right = all - red - blue;
    numbers(
        format!(
            "There are {all} {things} in a {holder}. 1/{first} of them are red, 1/{second} of \
                them are blue, and the rest are green. How many {things} are green?"
        ),
        right,
        &[red + blue, all - red, all - blue, all - first - second],
        format!(
            "Red: {all} ÷ {first} = {red}. Blue: {all} ÷ {second} = {blue}. Green are the rest: \
                {all} − {red} − {blue} = {right}."
        ),
    )
}

fn number_thought_of(dice: &mut Dice) -> QuestionDraft {
    let (right, times, added) = (dice.range(3, 9), dice.range(3, 9), dice.range(2, 9));
    let (word, sign) = *dice.pick(&[("add", 1), ("subtract", -1)]);
    let result = right * times + sign * added;
    let undo = if sign > 0 { "−" } else { "+" };
    let before = right * times;
    numbers(
        format!(
            "I think of a number. I multiply it by {times} and then {word} {added}. The result is \
                {result}. What is my number?"
        ),
        right,
        &[before, result - sign * added - times, right + 1, right - 1],
        format!(
            "Undo the steps from the last one: {result} {undo} {added} = {before}, then {before} \
                ÷ {times} = {right}."
        ),
    )
}
