//! Templates for grade 2: numbers to 1,000, regrouping, money, clocks, lengths, equal rows and first fractions.

use super::figures::{bar_chart, clock as clock_face, fraction_bar};
use super::wording::{
    any_of, clock, counted, fractions, friend, gcd, kind, measures, name, numbers, redraw, same_for, texts,
};
use super::{Dice, QuestionDraft, QuestionTemplate};

const ONE_TO_NINETEEN: &str = "one two three four five six seven eight nine ten \
    eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen";

const TENS: &str = "ten twenty thirty forty fifty sixty seventy eighty ninety";

pub(super) fn templates() -> Vec<QuestionTemplate> {
    vec![
        kind("Place value", "Numbers in words", 1, 8, number_in_words),
        kind("Addition", "Without regrouping", 1, 7, adding),
        kind("Even and odd numbers", "Finding even and odd", 1, 7, even_or_odd),
        kind("Comparing numbers", "Ordering to 1,000", 2, 7, ordering),
        kind("Time", "Clocks to five minutes", 2, 7, reading_a_clock),
        kind("Money", "Counting coins", 2, 8, counting_coins),
        kind("Addition", "With regrouping", 3, 6, adding_with_regrouping),
        kind("Subtraction", "With regrouping", 3, 6, subtracting_with_regrouping),
        kind("Multiplication", "Equal rows", 3, 6, equal_rows),
        kind("Fractions", "Parts of a whole", 3, 5, fraction_left),
        kind("Addition", "Word problems to 1,000", 4, 6, two_kinds),
        kind("Time", "When it ends", 4, 6, when_it_ends),
        kind("Money", "Change from a dollar", 4, 6, change),
        kind("Measurement", "Comparing lengths", 4, 5, two_lengths),
        kind("Number puzzles", "Digit riddles", 5, 8, digit_riddle),
        kind("Number puzzles", "Heads and legs", 5, 7, heads_and_legs),
        kind("Data", "Comparing days", 5, 8, comparing_days),
        kind("Patterns", "Later numbers", 5, 7, later_number),
    ]
}

/// Those for which a number is the natural answer.
pub(super) fn number_templates() -> Vec<QuestionTemplate> {
    vec![
        kind("Place value", "Numbers in words", 1, 2, number_in_words),
        kind("Addition", "Without regrouping", 1, 2, adding),
        kind("Money", "Counting coins", 2, 4, counting_coins),
        kind("Addition", "With regrouping", 3, 1, adding_with_regrouping),
        kind("Subtraction", "With regrouping", 3, 1, subtracting_with_regrouping),
        kind("Multiplication", "Equal rows", 3, 2, equal_rows),
        kind("Addition", "Word problems to 1,000", 4, 1, two_kinds),
        kind("Money", "Change from a dollar", 4, 2, change),
        kind("Measurement", "Comparing lengths", 4, 1, two_lengths),
        kind("Number puzzles", "Digit riddles", 5, 1, digit_riddle),
        kind("Number puzzles", "Heads and legs", 5, 1, heads_and_legs),
        kind("Data", "Comparing days", 5, 1, comparing_days),
        kind("Patterns", "Later numbers", 5, 1, later_number),
    ]
}

fn number_in_words(dice: &mut Dice) -> QuestionDraft {
    let (hundreds, tens, ones) = (dice.range(1, 9), dice.range(0, 9), dice.range(1, 9));
    let number = 100 * hundreds + 10 * tens + ones;
    let spoken = words(number);
    numbers(
        format!("Which number is {spoken}?"),
        number,
        &[
            100 * hundreds + 10 * ones + tens,
            1000 * hundreds + 10 * tens + ones,
            100 * tens + 10 * hundreds + ones,
            100 * ones + 10 * tens + hundreds,
        ],
        format!(
            "Write {hundreds} in the hundreds place, {tens} in the tens place and {ones} in the \
                ones place: {number}."
        ),
    )
}

/// A whole number below 1,000 in English words.
fn words(number: i64) -> String {
    let word_of = |list: &'static str, place: i64| {
        let place = usize::try_from(place - 1).unwrap_or(usize::MAX);
        list.split_whitespace().nth(place).unwrap_or_default()
    };
    match number {
        0..20 => word_of(ONE_TO_NINETEEN, number).to_owned(),
        20..100 if number % 10 == 0 => word_of(TENS, number / 10).to_owned(),
        20..100 => format!("{}-{}", word_of(TENS, number / 10), word_of(ONE_TO_NINETEEN, number % 10)),
        _ => {
            let rest = words(number % 100);
            format!(
                "{} hundred \
                {rest}",
                word_of(ONE_TO_NINETEEN, number / 100)
            )
            .trim_end()
            .to_owned()
        }
    }
}

fn adding(dice: &mut Dice) -> QuestionDraft {
    let (tens, ones) = (dice.range(1, 6), dice.range(1, 7));
    let (more_tens, more_ones) = (dice.range(1, 8 - tens), dice.range(1, 9 - ones));
    let (first, second) = (10 * tens + ones, 10 * more_tens + more_ones);
    let sum = first + second;
    numbers(
        format!("What is {first} + {second}?"),
        sum,
        &[sum + 10, (first - second).abs(), sum - 1, sum - 10],
        format!(
            "Add the ones: {ones} + {more_ones} = {}. Add the tens: {} + {} = {}. Together that \
                is {sum}.",
            ones + more_ones,
            10 * tens,
            10 * more_tens,
            10 * (tens + more_tens)
        ),
    )
}

fn even_or_odd(dice: &mut Dice) -> QuestionDraft {
    let (word, parity) = *dice.pick(&[("even", 0), ("odd", 1)]);
    let right = 10 * (2 * dice.range(1, 4) + 1 - parity) + 2 * dice.range(0, 4) + parity;
    let mut wrong = || 10 * (2 * dice.range(1, 4) + parity) + 2 * dice.range(0, 4) + 1 - parity;
    let wrong = [wrong(), wrong(), wrong()];
    let mut list = [&wrong[..], &[right]].concat();
    list.sort_unstable();
    let list: Vec<String> = list.iter().map(i64::to_string).collect();
    let digits = if parity == 0 { "0, 2, 4, 6 or 8" } else { "1, 3, 5, 7 or 9" };
    numbers(
        format!("Which of these numbers is {word}: {}?", any_of(&list)),
        right,
        &wrong,
        format!(
            "Look only at the ones digit. A number is {word} when it ends in {digits}, and \
                {right} ends in {}.",
            right % 10
        ),
    )
    .closed()
}

fn ordering(dice: &mut Dice) -> QuestionDraft {
    let (first, second, third) = (dice.range(1, 9), dice.range(1, 9), dice.range(1, 9));
    let number = |hundreds: i64, tens: i64, ones: i64| 100 * hundreds + 10 * tens + ones;
    let asked = [number(first, second, third), number(second, first, third), number(first, third, second)];
    let mut sorted = asked;
    sorted.sort_unstable();
    let [low, middle, high] = sorted;
    if low == middle || middle == high {
        return redraw();
    }
    let list = |items: [i64; 3]| items.map(|item| item.to_string()).join(", ");
    let [one, two, three] = asked;
    texts(
        format!("Which list shows {one}, {two} and {three} in order from least to greatest?"),
        list(sorted),
        [[high, middle, low], [low, high, middle], [middle, low, high]].map(list),
        format!(
            "Compare the hundreds first, then the tens, then the ones. {low} is less than \
                {middle}, and {middle} is less than {high}."
        ),
    )
    .or([[high, low, middle], [middle, high, low]].map(list))
}

fn reading_a_clock(dice: &mut Dice) -> QuestionDraft {
    let (hour, mark) = (dice.range(1, 11), dice.range(1, 11));
    let minutes = 5 * mark;
    let next = hour + 1;
    let story = &mut same_for(&[hour, mark]);
    let (name, place) = (
        name(story),
        *story.pick(&["in the kitchen", "in the classroom", "at the station", "in the library", "in the hall"]),
    );
    measures(
        format!(
            "The hour hand of a clock is between {hour} and {next}. The minute hand points to \
                {mark}. What time is it?"
        ),
        60 * hour + minutes,
        &[60 * next + minutes, 60 * hour + mark, 60 * mark + 5 * hour],
        clock,
        format!(
            "The hour hand has passed {hour} but not reached {next}, so the hour is {hour}. The \
                minute hand at {mark} means {mark} × 5 = {minutes} minutes."
        ),
    )
    .or([60 * next + mark, 60 * mark + 5 * next, 60 * hour + minutes + 5, 60 * hour + minutes - 5].map(clock))
    .with(clock_face(60 * hour + minutes))
    .seen(format!("{name} looks at the clock {place}. What time is it?"))
}

fn counting_coins(dice: &mut Dice) -> QuestionDraft {
    let (large, large_value, large_max) = *dice.pick(&[("ten-cent", 10, 6), ("twenty-five-cent", 25, 3)]);
    let (small, small_value) = *dice.pick(&[("five-cent", 5), ("one-cent", 1)]);
    let (many, few, name) = (dice.range(2, large_max), dice.range(2, 6), name(dice));
    let (first, second) = (many * large_value, few * small_value);
    let total = first + second;
    measures(
        format!(
            "{name} has {many} {large} coins and {few} {small} coins. How much money does {name} \
                have altogether?"
        ),
        total,
        &[many + few, (many + few) * large_value, total - small_value, total + small_value],
        |cents| format!("{cents} cents"),
        format!(
            "The {large} coins are worth {first} cents and the {small} coins {second} cents. \
                {first} + {second} = {total}."
        ),
    )
    .or([format!("{} cents", many * small_value + few * large_value)])
}

fn adding_with_regrouping(dice: &mut Dice) -> QuestionDraft {
    let (tens, ones) = (dice.range(1, 6), dice.range(3, 9));
    let (more_tens, more_ones) = (dice.range(1, 7 - tens), dice.range(11 - ones, 9));
    let (first, second) = (10 * tens + ones, 10 * more_tens + more_ones);
    let (sum, all_ones) = (first + second, ones + more_ones);
    numbers(
        format!("What is {first} + {second}?"),
        sum,
        &[sum - 10, 100 * (tens + more_tens) + all_ones, sum + 1, sum + 10],
        format!(
            "The ones make {ones} + {more_ones} = {all_ones}: write {} and carry 1 ten. The tens \
                make {tens} + {more_tens} + 1 = {}, so the sum is {sum}.",
            all_ones - 10,
            tens + more_tens + 1
        ),
    )
}

fn subtracting_with_regrouping(dice: &mut Dice) -> QuestionDraft {
    let (tens, ones) = (dice.range(4, 9), dice.range(1, 7));
    let (less_tens, less_ones) = (dice.range(1, tens - 2), dice.range(ones + 1, 9));
    let (whole, taken) = (10 * tens + ones, 10 * less_tens + less_ones);
    let left = whole - taken;
    numbers(
        format!("What is {whole} − {taken}?"),
        left,
        &[10 * (tens - less_tens) + less_ones - ones, left + 10, whole + taken, left - 1],
        format!(
            "{ones} is less than {less_ones}, so break a ten: {} − {less_ones} = {}. Then {} − {} \
                = {}, which leaves {left}.",
            10 + ones,
            10 + ones - less_ones,
            counted(tens - 1, "ten"),
            counted(less_tens, "ten"),
            counted(tens - 1 - less_tens, "ten")
        ),
    )
}

fn equal_rows(dice: &mut Dice) -> QuestionDraft {
    let (things, place) = *dice.pick(&[
        ("chairs", "in a room"),
        ("tomato plants", "in a garden"),
        ("stamps", "on a page"),
        ("cars", "in a parking lot"),
        ("tiles", "on a wall"),
    ]);
    let (rows, each) = (dice.range(2, 5), dice.range(3, 6));
    let all = rows * each;
    let sum = vec![each.to_string(); usize::try_from(rows).unwrap_or(0)].join(" + ");
    numbers(
        format!(
            "There are {rows} rows of {things} {place}. Each row has {each} {things}. How many \
                {things} are there altogether?"
        ),
        all,
        &[rows + each, all - each, all + each, all + 1],
        format!(
            "Add {each} for each of the {rows} rows: {sum} = {all}. That is {rows} × {each} = \
                {all}."
        ),
    )
}

fn fraction_left(dice: &mut Dice) -> QuestionDraft {
    let parts = *dice.pick(&[4, 6, 8, 9, 10, 12]);
    let eaten = dice.range(1, parts - 1);
    let left = parts - eaten;
    let story = &mut same_for(&[parts, eaten]);
    let (whole, part) =
        *story.pick(&[("pizza", "slice"), ("cake", "piece"), ("pie", "slice"), ("loaf of bread", "slice")]);
    let name = friend(story);
    if gcd(left, parts) > 1 {
        return redraw();
    }
    fractions(
        format!(
            "A {whole} is cut into {parts} equal {part}s. {name} eats {}. What fraction of the \
                {whole} is left?",
            counted(eaten, part)
        ),
        (left, parts),
        &[(eaten, parts), (left.min(eaten), left.max(eaten)), (left - 1, parts), (left + 1, parts)],
        format!(
            "The {whole} has {parts} equal parts, and {left} of them {} shaded, so the fraction left is \
             {left}/{parts}.",
            if left == 1 { "is" } else { "are" }
        ),
    )
    .with(fraction_bar(parts, left))
    .seen(format!(
        "A {whole} is cut into {parts} equal {part}s. {name} eats some of them. In the picture, the {part}s that are \
         left are shaded. What fraction of the {whole} is left?"
    ))
}

fn two_kinds(dice: &mut Dice) -> QuestionDraft {
    let (place, some, more, all) = *dice.pick(&[
        ("A library has", "story books", "science books", "books"),
        ("A farm stand has", "red apples", "green apples", "apples"),
        ("A toy shop has", "toy cars", "toy trains", "toys"),
        ("A theater has", "seats downstairs", "seats upstairs", "seats"),
    ]);
    let (ones, tens) = (dice.range(3, 8), dice.range(3, 8));
    let first = 100 * dice.range(1, 4) + 10 * tens + ones;
    let second = 100 * dice.range(1, 4) + 10 * dice.range(10 - tens, 8) + dice.range(11 - ones, 9);
    let sum = first + second;
    let all_ones = first % 10 + second % 10;
    let all_tens = first / 10 % 10 * 10 + second / 10 % 10 * 10;
    let all_hundreds = sum - all_tens - all_ones;
    numbers(
        format!("{place} {first} {some} and {second} {more}. How many {all} is that altogether?"),
        sum,
        &[sum - 100, sum - 10, sum - 110, sum + 10],
        format!(
            "Add the hundreds, the tens and the ones, then put them together: {all_hundreds} + \
                {all_tens} + {all_ones} = {sum}."
        ),
    )
}

fn when_it_ends(dice: &mut Dice) -> QuestionDraft {
    let event = *dice.pick(&["swimming lesson", "bus ride", "story time", "soccer practice", "piano lesson"]);
    let (hour, minute) = (dice.range(1, 10), 5 * dice.range(6, 11));
    let length = 5 * dice.range(5, 9);
    let (start, end) = (60 * hour + minute, 60 * hour + minute + length);
    let to_the_hour = 60 - minute;
    if length <= to_the_hour {
        return redraw();
    }
    measures(
        format!("A {event} starts at {} and lasts {length} minutes. At what time does it end?", clock(start)),
        end,
        &[end - 60, end + 10, end - 10, end + 5],
        clock,
        format!(
            "{to_the_hour} minutes bring you to {}:00. The other {} minutes bring you to {}.",
            hour + 1,
            length - to_the_hour,
            clock(end)
        ),
    )
    .or([end - 50, end - 70, end + 60, end + 70, end + 50, end - 5].map(clock))
}

fn change(dice: &mut Dice) -> QuestionDraft {
    let (item, other) = *dice.pick(&[
        ("a pencil", "an eraser"),
        ("an apple", "a banana"),
        ("a sticker", "a balloon"),
        ("a ruler", "a pen"),
    ]);
    let (price, other_price, name) = (dice.range(21, 55), dice.range(14, 39), name(dice));
    let cost = price + other_price;
    let rest = 100 - cost;
    measures(
        format!(
            "{name} buys {item} for {price} cents and {other} for {other_price} cents and pays \
                with 1 dollar. How much change does {name} get?"
        ),
        rest,
        &[cost, 100 - price, rest + 10, 100 - other_price],
        |cents| format!("{cents} cents"),
        format!(
            "The two things cost {price} + {other_price} = {cost} cents. One dollar is 100 cents, \
                and 100 − {cost} = {rest}."
        ),
    )
}

fn two_lengths(dice: &mut Dice) -> QuestionDraft {
    let (thing, color, other) = *dice.pick(&[
        ("ribbon", "red", "blue"),
        ("rope", "white", "green"),
        ("paper chain", "yellow", "purple"),
        ("scarf", "black", "brown"),
    ]);
    let (word, sign) = *dice.pick(&[("shorter", -1), ("longer", 1)]);
    let (first, difference) = (dice.range(31, 55), dice.range(11, 19));
    let second = first + sign * difference;
    let both = first + second;
    let symbol = if sign < 0 { "−" } else { "+" };
    measures(
        format!(
            "A {color} {thing} is {first} cm long. A {other} {thing} is {difference} cm {word} \
                than that. How long are the two together?"
        ),
        both,
        &[first + difference, second, first + first - sign * difference, both + 10],
        |length| format!("{length} cm"),
        format!(
            "The {other} {thing} is {first} {symbol} {difference} = {second} cm long. Together \
                they are {first} + {second} = {both} cm long."
        ),
    )
}

fn digit_riddle(dice: &mut Dice) -> QuestionDraft {
    let (hundreds, more, ones) = (dice.range(1, 6), dice.range(1, 3), dice.range(0, 9));
    let tens = hundreds + more;
    let sum = hundreds + tens + ones;
    let number = |tens: i64, ones: i64| {
        if (0..10).contains(&ones) { 100 * hundreds + 10 * tens + ones } else { 0 }
    };
    let right = number(tens, ones);
    numbers(
        format!(
            "I am a three-digit number. My hundreds digit is {hundreds}. My tens digit is {more} \
                more than my hundreds digit. My digits add up to {sum}. What number am I?"
        ),
        right,
        &[
            number(more, sum - hundreds - more),
            number(ones, tens),
            number(hundreds - more, sum - 2 * hundreds + more),
            100 * tens + 10 * hundreds + ones,
            right + 1,
        ],
        format!(
            "The tens digit is {hundreds} + {more} = {tens}. The ones digit is what is missing to \
                {sum}: {sum} − {hundreds} − {tens} = {ones}. I am {right}."
        ),
    )
}

fn heads_and_legs(dice: &mut Dice) -> QuestionDraft {
    let (large, small) = *dice.pick(&[("cows", "hens"), ("sheep", "ducks"), ("horses", "geese"), ("goats", "turkeys")]);
    let (four, two) = (dice.range(2, 6), dice.range(2, 7));
    let (heads, legs) = (four + two, 4 * four + 2 * two);
    numbers(
        format!(
            "A farmer has only {large} and {small}. Together they have {heads} heads and {legs} \
                legs. How many {large} are there?"
        ),
        four,
        &[two, four + 1, four - 1, four + 2, heads],
        format!(
            "If all {heads} animals had 2 legs, there would be {} legs. The {} extra legs belong \
                to the {large}, 2 extra legs each: {four} {large}.",
            2 * heads,
            legs - 2 * heads
        ),
    )
}

fn comparing_days(dice: &mut Dice) -> QuestionDraft {
    let (place, things) =
        *dice.pick(&[("A bakery", "loaves"), ("A bookshop", "books"), ("A zoo shop", "posters"), ("A café", "cakes")]);
    let (first, second, third) = (dice.range(25, 48), dice.range(24, 46), dice.range(21, 48));
    let both = first + second;
    let more = both - third;
    let (owner, shop) = (name(&mut same_for(&[first, second, third])), place.trim_start_matches("A "));
    numbers(
        format!(
            "{place} sold {first} {things} on Monday, {second} on Tuesday and {third} on \
                Wednesday. How many more {things} did it sell on Monday and Tuesday together than \
                on Wednesday?"
        ),
        more,
        &[both + third, both, (first - third).abs(), more + 10],
        format!(
            "Monday and Tuesday together: {first} + {second} = {both}. Compare with Wednesday: \
                {both} − {third} = {more}."
        ),
    )
    .with(bar_chart(&[("Monday", first), ("Tuesday", second), ("Wednesday", third)]))
    .seen(format!(
        "The chart shows how many {things} {owner}'s {shop} sold on three days. How many more {things} did it sell on \
         Monday and Tuesday together than on Wednesday?"
    ))
}

fn later_number(dice: &mut Dice) -> QuestionDraft {
    let (start, step, place) = (dice.range(2, 20), dice.range(3, 9), dice.range(5, 8));
    let right = start + step * (place - 1);
    numbers(
        format!(
            "A number pattern starts at {start}. Each number is {step} more than the one before \
                it. What is the {place}th number?"
        ),
        right,
        &[right + step, right - step, step * place, start + place],
        format!(
            "The {place}th number comes after {} steps of {step}. Count on from {start}: {} is \
                the 2nd number, {} the 3rd, and {right} the {place}th.",
            place - 1,
            start + step,
            start + 2 * step
        ),
    )
}
