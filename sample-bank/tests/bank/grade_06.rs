//! Answers to the sample questions of grade 6, found from their text.

use super::algebra::{agree, amount, choose_amount, numbers, real};
use super::reading::{Rational, Reading, Rule, solve_by, value_of};

const RULES: &[Rule] = &[
    (r"What is ([^a-z]+)\?", |reading| reading.choose_value(value_of(reading.text(1))?)),
    (r"At midnight the temperature in \w+ was (−?\d+) °C\. Then it (rose|fell) by (\d+) °C\. .*", |reading| {
        let change = if reading.text(2) == "rose" { reading.whole(3) } else { -reading.whole(3) };
        reading.choose_whole(reading.whole(1) + change)
    }),
    (r"What is (\d+)% of (\d+)\?", |reading| percent_of(reading, 1, 2)),
    (r"A school library bought (\d+) books, and (\d+)% of .*", |reading| percent_of(reading, 2, 1)),
    (r"(\d+) students tried out .* and (\d+)% were accepted\. .*", |reading| percent_of(reading, 2, 1)),
    (r"What is the value of (.+) when \w = (\d+)\?", |reading| {
        let letter = reading.text(1).find(char::is_alphabetic)?;
        let (factor, rest) = reading.text(1).split_at(letter);
        reading.choose_value(value_of(&format!("{factor} × {}{}", reading.text(2), &rest[1..]))?)
    }),
    (r"The ratio of \w.* is (\d+) : (\d+)\. There are (\d+) .*", |reading| {
        let found = (1..1000).find(|found| found * reading.whole(2) == reading.whole(3) * reading.whole(1))?;
        reading.choose_whole(found)
    }),
    (r"A triangle has a base of (\d+) c?m and a height of (\d+) c?m\. What is its area\?", |reading| {
        choose_amount(reading, real(reading.number(1)) * real(reading.number(2)) * 0.5)
    }),
    (r"A parallelogram has a base of (\d+) c?m, .* and a height of (\d+) c?m\. What is its area\?", |reading| {
        reading.choose_whole((0..reading.whole(2)).map(|_| reading.whole(1)).sum())
    }),
    (r"[^:]*were ([\d, ]+ and \d+)\. What is the mean of these numbers\?", |reading| {
        choose_mean(reading, &numbers(reading.text(1)))
    }),
    (
        r"The bar chart shows \w+'s .+\. What is the mean of these numbers\? A bar chart\. The bars from left to right: 1st (\d+), 2nd (\d+), 3rd (\d+), 4th (\d+), 5th (\d+)\.",
        |reading| choose_mean(reading, &[1, 2, 3, 4, 5].map(|bar| real(reading.number(bar)))),
    ),
    (r"(\d+) ([a-z ]+) cost (\S+)\. At the same price each, how much do (\d+) ([a-z ]+) cost\?", |reading| {
        reading.choose_value((reading.number(3) * reading.number(4)).over(reading.number(1))?)
    }),
    (r"A rectangle has an area of (\S+) m² and a length of (\S+) m\. What is its width, in meters\?", |reading| {
        reading.choose(|option| value_of(option).is_some_and(|width| width * reading.number(2) == reading.number(1)))
    }),
    (r".* costs \$(\d+)\. (In a sale its price is reduced|Its price then rises) by (\d+)%\. .*", |reading| {
        let percent = if reading.text(2).starts_with("In") { 100 - reading.whole(3) } else { 100 + reading.whole(3) };
        reading.choose_value(Rational::new(reading.whole(1) * percent, 100)?)
    }),
    (r"Which expression is equivalent to (.+)\?", |reading| {
        reading.choose(|option| agree(option, reading.text(1), 'x'))
    }),
    (r"The corners of a rectangle on a grid are (.+)\. What is its (area|perimeter) in .*", |reading| {
        let [x, y, next_x, next_y, third_x, third_y, _, _] = numbers(reading.text(1)).try_into().ok()?;
        let (width, height) = ((next_x - x).hypot(next_y - y), (third_x - next_x).hypot(third_y - next_y));
        choose_amount(reading, if reading.text(2) == "area" { width * height } else { 2.0 * (width + height) })
    }),
    (r"(\d+) (?:students|seats) .* (\d+)% of all its .*", |reading| whole_of_part(reading)),
    (r"A baker sold (\d+) rolls before noon, which was (\d+)% of all .*", |reading| whole_of_part(reading)),
    (r"(\w+), \w+ and .* in the ratio (\d+) : (\d+) : (\d+)\. .* gets \$(\d+) more than (\w+)\. .*", |reading| {
        let [first, second, third, apart] = [2, 3, 4, 5].map(|group| reading.whole(group));
        let one = (1..100).find(|one| one * third - one * first == apart)?;
        (reading.text(1) == reading.text(6)).then_some(())?;
        reading.choose_whole(one * (first + second + third))
    }),
    (r"After (\d+) .* mean score was (\d+) points\. After one more .* was (\d+) points\. .*", |reading| {
        let [count, before, after] = [1, 2, 3].map(|group| reading.whole(group));
        reading.choose_whole((0..200).find(|last| count * before + last == (count + 1) * after)?)
    }),
    (r".* is (\d+) cm long, (\d+) cm wide and (\d+) cm high\. It is (\S+) full of water\. .*", |reading| {
        let volume = reading.number(1) * reading.number(2) * reading.number(3) * Rational::new(1, 1000)?;
        reading.choose_value(volume - volume * reading.number(4))
    }),
    (r"The price of .* is \$(\d+)\. In May it rises by (\d+)%\. .* reduced by (\d+)%\. .*", |reading| {
        let percent = |value| Rational::new(value, 100);
        let raised = reading.number(1) * percent(100 + reading.whole(2))?;
        reading.choose_value(raised - raised * percent(reading.whole(3))?)
    }),
];

pub fn solve(question: &str, options: &[&str]) -> Option<usize> {
    solve_by(RULES, question, options)
}

/// The one option from which the numbers differ by nothing in all.
fn choose_mean(reading: &Reading<'_>, list: &[f64]) -> Option<usize> {
    reading
        .choose(|option| amount(option).is_some_and(|mean| list.iter().map(|value| value - mean).sum::<f64>() == 0.0))
}

fn percent_of(reading: &Reading<'_>, percent: usize, whole: usize) -> Option<usize> {
    reading.choose_value(Rational::new(reading.whole(percent) * reading.whole(whole), 100)?)
}

fn whole_of_part(reading: &Reading<'_>) -> Option<usize> {
    let (part, percent) = (reading.whole(1), reading.whole(2));
    reading.choose_whole((1..10_000).find(|whole| whole * percent == 100 * part)?)
}
