//! Grade 1 read and answered again, by counting and trying rather than by the generator's arithmetic.

use super::reading::{Reading, Rule, solve_by, value_of};

const RULES: &[Rule] = &[
    (r"What number comes just after (\d+)\?", |asked| asked.choose_whole(asked.whole(1) + 1)),
    (r"Count the \w+: ([★●▲■♥ ]+)\. How many \w+ are there\?", |asked| {
        asked.choose_whole(asked.text(1).split_whitespace().count() as i128)
    }),
    (r"What is (\d+ [+−] \d+)\?", |asked| asked.choose_value(value_of(asked.text(1))?)),
    (r"Which of these numbers is the greatest: (.+)\?", |asked| asked.choose_whole(*asked.list(1).iter().max()?)),
    (r"Which of these numbers is the smallest: (.+)\?", |asked| asked.choose_whole(*asked.list(1).iter().min()?)),
    (r"What number has (\d) tens and (\d) ones\?", |asked| {
        asked.choose_text(&format!("{}{}", asked.text(1), asked.text(2)))
    }),
    (r"\w+ has (\d+) [a-z ]+ and (\d+) [a-z ]+\. How many [a-z ]+ does \w+ have altogether\?", |asked| {
        asked.choose_whole(asked.whole(1) + asked.whole(2))
    }),
    (r"\w+ starts to [a-z ]+ at (\d+) o'clock and stops (\d+) hours later\. At what time does \w+ stop\?", |asked| {
        asked.choose_text(&format!("{} o'clock", (asked.whole(1) + asked.whole(2) - 1) % 12 + 1))
    }),
    (r"There were (\d+) [a-z ]+\. Then (\d+) of them [a-z ]+\. How many \w+ were left\?", |asked| {
        asked.choose_whole(asked.whole(1) - asked.whole(2))
    }),
    (r"What number goes in the box\? (\d+) \+ □ = (\d+)", |asked| {
        asked.choose_whole((0..100).find(|tried| asked.whole(1) + tried == asked.whole(2))?)
    }),
    (r"What number goes in the box\? ([\d, ]+), □", next_in_pattern),
    (
        r"(\w+) has (\d+) [a-z ]+\. (\w+) has (\d+) [a-z ]+\. How many more [a-z ]+ does (\w+) have than (\w+)\?",
        |asked| {
            let in_order = asked.text(1) == asked.text(5) && asked.text(3) == asked.text(6);
            asked.choose_whole(if in_order { asked.whole(2) - asked.whole(4) } else { asked.whole(4) - asked.whole(2) })
        },
    ),
    (r"\w+ draws (\d) (\w+) and (\d) (\w+)\. How many sides do these shapes have altogether\?", |asked| {
        asked.choose_whole(asked.whole(1) * sides_of(asked.text(2))? + asked.whole(3) * sides_of(asked.text(4))?)
    }),
    (
        r"A [a-z ]+ starts at half past (\d+) and lasts (\d)( and a half)? hours?\. At what time does it end\?",
        end_of_event,
    ),
    (
        r"The clock shows when a [a-z ]+ starts\. It lasts (\d)( and a half)? hours?\. At what time does it end\? A clock\. Its short hour hand is between (\d+) and (\d+), and its long minute hand points to 6\.",
        |asked| {
            let is_between = asked.whole(3) % 12 + 1 == asked.whole(4);
            let half = if asked.text(2).is_empty() { 0 } else { 30 };
            let end = asked.whole(3) % 12 * 60 + 30 + asked.whole(1) * 60 + half;
            if is_between { ends_at(asked, end) } else { None }
        },
    ),
    (
        r".*?(\d+) (?:\w+ on a bus|marbles in a jar|cards).*? (\d+) (?:children get on|more) and (?:then takes out |then gives )?(\d+)(?: get off| to a friend)?\. How many .+ now\?",
        |asked| asked.choose_whole(asked.whole(1) + asked.whole(2) - asked.whole(3)),
    ),
    (
        r"\w+ had some [a-z ]+\. Then \w+ found (\d+) more and lost (\d+)\. Now \w+ has (\d+) [a-z ]+\. How many .+ at the start\?",
        |asked| asked.choose_whole((0..100).find(|start| start + asked.whole(1) - asked.whole(2) == asked.whole(3))?),
    ),
    (r"What number makes both sides equal\? (.+) = (\d+) \+ □", |asked| {
        let left = value_of(asked.text(1))?.as_whole()?;
        asked.choose_whole((0..100).find(|tried| asked.whole(2) + tried == left)?)
    }),
    (
        r"I am a two-digit number\. My digits add up to (\d+)\. My (tens|ones) digit is (\d) more than my (?:tens|ones) digit\. What number am I\?",
        |asked| {
            let fits = |number: &i128| {
                let (tens, ones) = (number / 10, number % 10);
                let more = if asked.text(2) == "tens" { tens - ones } else { ones - tens };
                tens + ones == asked.whole(1) && more == asked.whole(3)
            };
            let mut found = (10..100).filter(fits);
            let only = found.next()?;
            if found.next().is_some() { None } else { asked.choose_whole(only) }
        },
    ),
    (
        r"\w+ stands in a line\. (\d+) children are in front of \w+ and (\d+) children are behind \w+\. How many children are in the whole line\?",
        |asked| asked.choose_whole((0..asked.whole(1)).chain(0..asked.whole(2)).count() as i128 + 1),
    ),
    (
        r"\w+ stands in a line\. Counting from the front, \w+ is number (\d+)\. Counting from the back, \w+ is number (\d+)\. How many children are in the whole line\?",
        |asked| asked.choose_whole((1..100).find(|length| length - asked.whole(1) + 1 == asked.whole(2))?),
    ),
];

pub fn solve(question: &str, options: &[&str]) -> Option<usize> {
    solve_by(RULES, question, options)
}

fn next_in_pattern(asked: &Reading<'_>) -> Option<usize> {
    let list = asked.list(1);
    let step = list.get(1)? - list.first()?;
    let mut pairs = list.iter().zip(list.iter().skip(1));
    let steady = pairs.all(|(before, after)| after - before == step);
    if steady { asked.choose_whole(list.last()? + step) } else { None }
}

fn sides_of(shape: &str) -> Option<i128> {
    match shape.trim_end_matches('s') {
        "triangle" => Some(3),
        "square" | "rectangle" => Some(4),
        "pentagon" => Some(5),
        "hexagon" => Some(6),
        _ => None,
    }
}

fn end_of_event(asked: &Reading<'_>) -> Option<usize> {
    let half = if asked.text(3).is_empty() { 0 } else { 30 };
    ends_at(asked, asked.whole(1) * 60 + 30 + asked.whole(2) * 60 + half)
}

/// The one option that is so many minutes after twelve.
fn ends_at(asked: &Reading<'_>, end: i128) -> Option<usize> {
    let hour = (end / 60 + 11) % 12 + 1;
    asked.choose(|option| match option.strip_prefix("half past ") {
        Some(written) => written.parse() == Ok(hour) && end % 60 == 30,
        None => option.strip_suffix(" o'clock").is_some_and(|written| written.parse() == Ok(hour)) && end % 60 == 0,
    })
}
