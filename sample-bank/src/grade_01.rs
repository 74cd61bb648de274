//! Templates for grade 1: counting, sums and differences within 20, tens and ones, shapes, whole and half hours.

use super::figures::{clock, equal_steps};
use super::wording::{any_of, counted, friend, grouped, kind, measures, name, numbers, redraw, same_for, shown};
use super::{Dice, QuestionDraft, QuestionTemplate};

/// Counting on by fives is easier than by tens from any number, a double is known by heart, a second step that does not
/// cross ten is easier, and hours and a half are harder to add than whole ones.
pub(super) const BY_HAND: [(usize, u8); 10] =
    [(56, 3), (60, 2), (62, 2), (63, 2), (64, 2), (67, 2), (87, 5), (90, 5), (91, 4), (96, 4)];

pub(super) fn templates() -> Vec<QuestionTemplate> {
    vec![
        kind("Counting", "The next number", 1, 6, number_after),
        kind("Counting", "How many objects", 1, 5, how_many),
        kind("Addition", "Sums to 10", 1, 6, sum_to_ten),
        kind("Subtraction", "Within 10", 1, 5, difference_within_ten),
        kind("Comparing numbers", "Greatest and smallest", 2, 6, greatest_or_smallest),
        kind("Place value", "Tens and ones", 2, 6, tens_and_ones),
        kind("Addition", "Word problems to 20", 2, 5, altogether),
        kind("Time", "Whole hours", 3, 5, whole_hours),
        kind("Subtraction", "Word problems to 20", 3, 8, how_many_left),
        kind("Addition", "Missing numbers", 4, 7, missing_addend),
        kind("Patterns", "Skip counting", 3, 8, skip_counting),
        kind("Comparing numbers", "How many more", 4, 6, how_many_more),
        kind("Place value", "Adding tens", 3, 6, adding_tens),
        kind("Shapes", "Counting sides", 4, 6, counting_sides),
        kind("Time", "Half hours", 4, 5, half_hours),
        kind("Problem solving", "Two steps", 5, 6, two_steps),
        kind("Problem solving", "Working backwards", 5, 6, working_backwards),
        kind("Addition", "Both sides equal", 5, 6, both_sides_equal),
        kind("Place value", "Number riddles", 5, 6, number_riddle),
        kind("Problem solving", "Places in a line", 5, 6, places_in_a_line),
    ]
}

/// Those for which a number is the natural answer.
pub(super) fn number_templates() -> Vec<QuestionTemplate> {
    vec![
        kind("Addition", "Sums to 10", 1, 2, sum_to_ten),
        kind("Subtraction", "Within 10", 1, 2, difference_within_ten),
        kind("Place value", "Tens and ones", 2, 2, tens_and_ones),
        kind("Addition", "Word problems to 20", 2, 2, altogether),
        kind("Addition", "Missing numbers", 4, 2, missing_addend),
        kind("Patterns", "Skip counting", 3, 2, skip_counting),
        kind("Comparing numbers", "How many more", 4, 2, how_many_more),
        kind("Place value", "Adding tens", 3, 2, adding_tens),
        kind("Problem solving", "Two steps", 5, 1, two_steps),
        kind("Problem solving", "Working backwards", 5, 1, working_backwards),
        kind("Addition", "Both sides equal", 5, 1, both_sides_equal),
        kind("Problem solving", "Places in a line", 5, 1, places_in_a_line),
    ]
}

fn number_after(dice: &mut Dice) -> QuestionDraft {
    let number = dice.range(12, 98);
    let next = number + 1;
    numbers(
        format!("What number comes just after {number}?"),
        next,
        &[number - 1, number + 2, number + 10],
        format!("Count one more than {number}: after {number} comes {next}."),
    )
}

fn how_many(dice: &mut Dice) -> QuestionDraft {
    let (things, mark) =
        *dice.pick(&[("stars", "★"), ("dots", "●"), ("triangles", "▲"), ("squares", "■"), ("hearts", "♥")]);
    let count = dice.range(6, 15);
    let row = vec![mark; usize::try_from(count).unwrap_or(0)].join(" ");
    numbers(
        format!("Count the {things}: {row}. How many {things} are there?"),
        count,
        &[count - 1, count + 1, count + 2],
        format!(
            "Point to each one as you count: 1, 2, 3, and so on. The last number you say is \
                {count}."
        ),
    )
}

fn sum_to_ten(dice: &mut Dice) -> QuestionDraft {
    let first = dice.range(1, 8);
    let second = dice.range(1, 10 - first);
    let sum = first + second;
    numbers(
        format!("What is {first} + {second}?"),
        sum,
        &[sum - 1, (first - second).abs(), sum + 1, sum + 2],
        format!("Start at {first} and count on {second} more. You land on {sum}."),
    )
}

fn difference_within_ten(dice: &mut Dice) -> QuestionDraft {
    let whole = dice.range(4, 10);
    let taken = dice.range(1, whole - 1);
    let left = whole - taken;
    numbers(
        format!("What is {whole} − {taken}?"),
        left,
        &[left + 1, whole + taken, left - 1, left + 2],
        format!(
            "Start at {whole} and count back {taken}. You land on {left}, and {left} + {taken} = \
                {whole}."
        ),
    )
}

fn greatest_or_smallest(dice: &mut Dice) -> QuestionDraft {
    let (tens, ones) = (dice.range(2, 9), dice.range(1, 9));
    let list = [10 * tens + ones, 10 * tens + dice.range(0, 9), 10 * ones + tens, dice.range(11, 99)];
    let (word, right) = *dice.pick(&[("greatest", list.iter().max()), ("smallest", list.iter().min())]);
    let right = right.copied().unwrap_or(0);
    let others: Vec<i64> = list.into_iter().filter(|number| *number != right).collect();
    let shown = any_of(&list.map(|number| number.to_string()));
    numbers(
        format!("Which of these numbers is the {word}: {shown}?"),
        right,
        &others,
        format!(
            "Look at the tens first, and at the ones when the tens are the same. The {word} \
                number is {right}."
        ),
    )
    .closed()
}

fn tens_and_ones(dice: &mut Dice) -> QuestionDraft {
    let (tens, ones) = (dice.range(2, 9), dice.range(2, 9));
    let number = 10 * tens + ones;
    numbers(
        format!("What number has {tens} tens and {ones} ones?"),
        number,
        &[10 * ones + tens, tens + ones, 10 * tens, number + 10],
        format!("{tens} tens make {}, and {ones} ones more make {number}.", 10 * tens),
    )
}

fn altogether(dice: &mut Dice) -> QuestionDraft {
    let (first, second) = (dice.range(6, 9), dice.range(5, 9));
    let sum = first + second;
    let story = &mut same_for(&[first, second]);
    let (some, more, all) = *story.pick(&[
        ("red apples", "green apples", "apples"),
        ("toy cars", "toy trucks", "toys"),
        ("blue pens", "black pens", "pens"),
        ("big shells", "small shells", "shells"),
        ("animal stickers", "star stickers", "stickers"),
    ]);
    let name = name(story);
    numbers(
        format!(
            "{name} has {first} {some} and {second} {more}. How many {all} does {name} have \
                altogether?"
        ),
        sum,
        &[sum - 1, (first - second).abs(), sum + 1, sum - 10],
        format!(
            "Altogether means add. Make a ten first: {first} + {} = 10, and {} more make {sum}, \
                so {first} + {second} = {sum}.",
            10 - first,
            sum - 10
        ),
    )
}

fn whole_hours(dice: &mut Dice) -> QuestionDraft {
    let (start, hours) = (dice.range(1, 8), dice.range(2, 4));
    let end = start + hours;
    let story = &mut same_for(&[start, hours]);
    let activity = *story.pick(&["paint", "read", "play outside", "build a sandcastle", "bake"]);
    let name = name(story);
    measures(
        format!(
            "{name} starts to {activity} at {start} o'clock and stops {hours} hours later. At \
                what time does {name} stop?"
        ),
        end,
        &[end - 1, end + 1, start - hours, hours],
        o_clock,
        format!("Count on {hours} hours from {start} o'clock. The clock then shows {end} o'clock."),
    )
    .or([end + 2, end - 2, start].map(o_clock))
}

/// A whole hour on a clock with twelve hours.
fn o_clock(hour: i64) -> String {
    format!("{} o'clock", (hour + 11) % 12 + 1)
}

fn how_many_left(dice: &mut Dice) -> QuestionDraft {
    let (things, place, went) = *dice.pick(&[
        ("birds", "on the fence", "flew away"),
        ("cookies", "on the plate", "were eaten"),
        ("children", "in the pool", "went home"),
        ("balloons", "at the party", "popped"),
        ("frogs", "by the pond", "jumped into the water"),
        ("cars", "in the parking lot", "drove away"),
    ]);
    let whole = dice.range(11, 17);
    let gone = dice.range(whole - 9, 9);
    let left = whole - gone;
    numbers(
        format!(
            "There were {whole} {things} {place}. Then {gone} of them {went}. How many {things} \
                were left?"
        ),
        left,
        &[left + 1, whole + gone, 20 + gone - whole, left - 1, left + 2],
        format!("Take away: {whole} − {gone} = {left}. Check by adding: {left} + {gone} = {whole}."),
    )
}

fn missing_addend(dice: &mut Dice) -> QuestionDraft {
    let known = dice.range(3, 9);
    let missing = dice.range(11 - known, 9);
    let sum = known + missing;
    numbers(
        format!("What number goes in the box? {known} + □ = {sum}"),
        missing,
        &[known + sum, missing + 1, missing - 1, sum],
        format!(
            "Count on from {known} until you reach {sum}: that is {missing} steps, so {known} + \
                {missing} = {sum}."
        ),
    )
}

fn skip_counting(dice: &mut Dice) -> QuestionDraft {
    let step = *dice.pick(&[2, 5, 10]);
    let start = if step == 5 { 5 * dice.range(1, 12) } else { dice.range(3, 39) };
    let (second, third, last) = (start + step, start + 2 * step, start + 3 * step);
    let next = last + step;
    numbers(
        format!("What number goes in the box? {start}, {second}, {third}, {last}, □"),
        next,
        &[last + 1, next + step, next + 1, next - 1],
        format!("Each number is {step} more than the one before. {last} + {step} = {next}."),
    )
    .or(shown(&[last, next + 2 * step], grouped))
    .with(equal_steps(&[start, second, third, last]))
}

fn how_many_more(dice: &mut Dice) -> QuestionDraft {
    let things = *dice.pick(&["stickers", "marbles", "shells", "crayons", "toy cars", "buttons"]);
    let (name, friend) = (name(dice), friend(dice));
    let (more, fewer) = (dice.range(11, 18), dice.range(4, 9));
    let difference = more - fewer;
    numbers(
        format!(
            "{name} has {more} {things}. {friend} has {fewer} {things}. How many more {things} \
                does {name} have than {friend}?"
        ),
        difference,
        &[more + fewer, difference + 1, difference - 1, fewer],
        format!(
            "Match the {things} one to one: {fewer} of them have a partner, and {more} − {fewer} \
                = {difference} are left over."
        ),
    )
}

fn adding_tens(dice: &mut Dice) -> QuestionDraft {
    let (tens, ones) = (dice.range(1, 5), dice.range(1, 9));
    let added = dice.range(2, 9 - tens);
    let (number, sum) = (10 * tens + ones, 10 * (tens + added) + ones);
    numbers(
        format!("What is {number} + {}?", 10 * added),
        sum,
        &[number + added, sum - ones, sum + 10, sum - 10],
        format!(
            "{tens} {} and {added} tens make {} tens. The ones stay {ones}, so the sum is {sum}.",
            if tens == 1 { "ten" } else { "tens" },
            tens + added
        ),
    )
}

fn counting_sides(dice: &mut Dice) -> QuestionDraft {
    let (small, small_sides) = *dice.pick(&[("triangle", 3), ("square", 4)]);
    let (large, large_sides) = *dice.pick(&[("rectangle", 4), ("pentagon", 5), ("hexagon", 6)]);
    let (few, many, name) = (dice.range(1, 3), dice.range(1, 4), name(dice));
    let (first, second) = (many * small_sides, few * large_sides);
    let sides = first + second;
    numbers(
        format!(
            "{name} draws {} and {}. How many sides do these shapes have altogether?",
            counted(many, small),
            counted(few, large)
        ),
        sides,
        &[small_sides + large_sides, many + few, sides - 1, sides + 1, sides + 2],
        format!(
            "A {small} has {small_sides} sides and a {large} has {large_sides}. Count them all: \
                {first} + {second} = {sides}."
        ),
    )
}

fn half_hours(dice: &mut Dice) -> QuestionDraft {
    let event = *dice.pick(&["movie", "party", "puppet show", "soccer game", "train ride"]);
    let (start, hours, half) = (dice.range(1, 8), dice.range(1, 3), dice.range(0, 1));
    let end = 2 * (start + hours) + 1 + half;
    let length = if half == 1 { format!("{hours} and a half hours") } else { counted(hours, "hour") };
    let (middle, last) = (half_hour(end - half), half_hour(end));
    let rest = if half == 1 { format!(" Half an hour more makes {last}.") } else { String::new() };
    measures(
        format!("A {event} starts at half past {start} and lasts {length}. At what time does it end?"),
        end,
        &[end - 1, end + 1, end - 2, end + 2],
        half_hour,
        format!("The clock shows half past {start}. {} later it is {middle}.{rest}", counted(hours, "hour")),
    )
    .or([end + 3, end - 3].map(half_hour))
    .with(clock(60 * start + 30))
    .seen(format!("The clock shows when a {event} starts. It lasts {length}. At what time does it end?"))
}

/// The time this many half hours after twelve.
fn half_hour(halves: i64) -> String {
    let hour = (halves / 2 + 11) % 12 + 1;
    if halves % 2 == 0 { format!("{hour} o'clock") } else { format!("half past {hour}") }
}

fn two_steps(dice: &mut Dice) -> QuestionDraft {
    let (start, more, less) = (dice.range(6, 12), dice.range(3, 8), dice.range(2, 9));
    let (name, middle) = (name(dice), start + more);
    if more == less {
        return redraw();
    }
    let end = middle - less;
    numbers(
        comings_and_goings(dice.below(3), name, start, more, less),
        end,
        &[middle, middle + less, start - more + less, start - less, end + 1],
        format!("First add: {start} + {more} = {middle}. Then take away: {middle} − {less} = {end}."),
    )
}

fn comings_and_goings(story: usize, name: &str, start: i64, more: i64, less: i64) -> String {
    match story {
        0 => format!(
            "There are {start} children on a bus. At the next stop, {more} children get on and \
                {less} get off. How many children are on the bus now?"
        ),
        1 => format!(
            "There are {start} marbles in a jar. {name} puts in {more} more and then takes out \
                {less}. How many marbles are in the jar now?"
        ),
        _ => format!(
            "{name} has {start} cards, gets {more} more and then gives {less} to a friend. How \
                many cards does {name} have now?"
        ),
    }
}

fn working_backwards(dice: &mut Dice) -> QuestionDraft {
    let things = *dice.pick(&["marbles", "stickers", "shells", "toy cars", "buttons"]);
    let (start, found, lost, name) = (dice.range(4, 12), dice.range(3, 8), dice.range(2, 7), name(dice));
    let end = start + found - lost;
    if found == lost {
        return redraw();
    }
    numbers(
        format!(
            "{name} had some {things}. Then {name} found {found} more and lost {lost}. Now {name} \
                has {end} {things}. How many {things} did {name} have at the start?"
        ),
        start,
        &[end + found - lost, end - found, end + lost, start + 1],
        format!(
            "Go backwards. Put back the lost ones: {end} + {lost} = {}. Take away the found ones: \
                {} − {found} = {start}.",
            end + lost,
            end + lost
        ),
    )
}

fn both_sides_equal(dice: &mut Dice) -> QuestionDraft {
    let (known, missing) = (dice.range(2, 9), dice.range(2, 9));
    let total = known + missing;
    let (left, other) = if dice.below(2) == 0 {
        let first = dice.range(1, total - 1);
        (format!("{first} + {}", total - first), first)
    } else {
        let taken = dice.range(2, 20 - total);
        (format!("{} − {taken}", total + taken), taken)
    };
    numbers(
        format!("What number makes both sides equal? {left} = {known} + □"),
        missing,
        &[total, total + known, missing + 1, missing - 1, other],
        format!(
            "The left side is {left} = {total}. The right side must be {total} too, and {known} + \
                {missing} = {total}."
        ),
    )
}

fn number_riddle(dice: &mut Dice) -> QuestionDraft {
    let (tens, ones) = (dice.range(1, 8), dice.range(1, 8));
    let (number, sum) = (10 * tens + ones, tens + ones);
    let (larger, smaller) = if tens > ones { ("tens", "ones") } else { ("ones", "tens") };
    let difference = (tens - ones).abs();
    let mistakes = [10 * ones + tens, number + 11, number + 9, number - 9];
    let sensible: Vec<i64> = mistakes.into_iter().filter(|mistake| *mistake > 9 && tens != ones).collect();
    numbers(
        format!(
            "I am a two-digit number. My digits add up to {sum}. My {larger} digit is \
                {difference} more than my {smaller} digit. What number am I?"
        ),
        number,
        &sensible,
        format!(
            "{tens} + {ones} = {sum}, and {} is {difference} more than {}. The {larger} digit is \
                the larger one, so I am {number}.",
            tens.max(ones),
            tens.min(ones)
        ),
    )
    .or([18, -18, 22, -22]
        .map(|away| number + away)
        .into_iter()
        .filter(|near| (10..100).contains(near))
        .map(grouped))
}

fn places_in_a_line(dice: &mut Dice) -> QuestionDraft {
    let (front, back, name) = (dice.range(3, 9), dice.range(3, 9), name(dice));
    let both = front + back;
    if dice.below(2) == 0 {
        return numbers(
            format!(
                "{name} stands in a line. {front} children are in front of {name} and {back} \
                    children are behind {name}. How many children are in the whole line?"
            ),
            both + 1,
            &[both, both + 2, both - 1],
            format!("Count {name} too: {front} in front, 1 for {name} and {back} behind make {}.", both + 1),
        );
    }
    numbers(
        format!(
            "{name} stands in a line. Counting from the front, {name} is number {front}. Counting \
                from the back, {name} is number {back}. How many children are in the whole line?"
        ),
        both - 1,
        &[both, both + 1, both - 2],
        format!(
            "{name} is counted two times in {front} + {back} = {both}, so the line has {both} − 1 \
                = {} children.",
            both - 1
        ),
    )
}
