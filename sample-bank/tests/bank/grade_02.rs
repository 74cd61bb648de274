//! Grade 2 read and answered again, by trying numbers and counting minutes rather than by the generator's arithmetic.

use super::reading::{Rational, Reading, Rule, number, solve_by, value_of};

const RULES: &[Rule] = &[
    (r"Which number is ([a-z -]+)\?", |asked| asked.choose_whole(number_in_words(asked.text(1))?)),
    (r"What is (\d+ [+−] \d+)\?", |asked| asked.choose_value(value_of(asked.text(1))?)),
    (r"Which of these numbers is (even|odd): (.+)\?", |asked| {
        let ends = if asked.text(1) == "even" { "02468" } else { "13579" };
        let fits: Vec<i128> = asked
            .list(2)
            .into_iter()
            .filter(|number| number.to_string().ends_with(|digit| ends.contains(digit)))
            .collect();
        match fits.as_slice() {
            [only] => asked.choose_whole(*only),
            _ => None,
        }
    }),
    (r"Which list shows (.+) in order from least to greatest\?", |asked| {
        let mut sorted = asked.list(1);
        sorted.sort_unstable();
        let list: Vec<String> = sorted.iter().map(i128::to_string).collect();
        asked.choose_text(&list.join(", "))
    }),
    (
        r"The hour hand of a clock is between (\d+) and (\d+)\. The minute hand points to (\d+)\. What time is it\?",
        |asked| {
            let in_order = asked.whole(1) % 12 + 1 == asked.whole(2);
            asked.choose(|option| in_order && minutes_of(option) == Some(asked.whole(1) % 12 * 60 + asked.whole(3) * 5))
        },
    ),
    (
        r"\w+ looks at the clock .+\. What time is it\? A clock\. Its short hour hand is between (\d+) and (\d+), and its long minute hand points to (\d+)\.",
        |asked| {
            let in_order = asked.whole(1) % 12 + 1 == asked.whole(2);
            asked.choose(|option| in_order && minutes_of(option) == Some(asked.whole(1) % 12 * 60 + asked.whole(3) * 5))
        },
    ),
    (
        r"\w+ has (\d) ([a-z-]+)-cent coins and (\d) ([a-z-]+)-cent coins\. How much money does \w+ have altogether\?",
        |asked| {
            let first = vec![number_in_words(asked.text(2))?; asked.whole(1) as usize];
            let second = vec![number_in_words(asked.text(4))?; asked.whole(3) as usize];
            asked.choose_whole(first.iter().chain(&second).sum())
        },
    ),
    (r"There are (\d) rows of .+\. Each row has (\d) .+\. How many .+ are there altogether\?", |asked| {
        asked.choose_whole((0..asked.whole(1)).map(|_| asked.whole(2)).sum())
    }),
    (r"A .+ is cut into (\d+) equal \w+\. \w+ eats (\d+) \w+\. What fraction of the .+ is left\?", |asked| {
        asked.choose_value(Rational::whole(1) - Rational::new(asked.whole(2), asked.whole(1))?)
    }),
    (
        r"A .+ is cut into (\d+) equal \w+\. \w+ eats some of them\. In the picture, the \w+ that are left are shaded\. What fraction of the .+ is left\? A bar cut into (\d+) equal parts; (\d+) of them (?:is|are) shaded\.",
        |asked| {
            let left = Rational::new(asked.whole(3), asked.whole(2))?;
            if asked.whole(1) == asked.whole(2) { asked.choose_value(left) } else { None }
        },
    ),
    (r"A .+ has (\d+) [a-z ]+ and (\d+) [a-z ]+\. How many \w+ is that altogether\?", |asked| {
        asked.choose_whole(asked.whole(1) + asked.whole(2))
    }),
    (r"A .+ starts at (\d+:\d\d) and lasts (\d+) minutes\. At what time does it end\?", |asked| {
        let end = (minutes_of(asked.text(1))? + asked.whole(2)) % 720;
        asked.choose(|option| minutes_of(option) == Some(end))
    }),
    (
        r"\w+ buys .+ for (\d+) cents and .+ for (\d+) cents and pays with 1 dollar\. How much change does \w+ get\?",
        |asked| asked.choose_whole((0..100).find(|rest| rest + asked.whole(1) + asked.whole(2) == 100)?),
    ),
    (
        r"A .+ is (\d+) cm long\. A .+ is (\d+) cm (shorter|longer) than that\. How long are the two together\?",
        |asked| {
            let (first, difference) = (asked.number(1), asked.number(2));
            let second = if asked.text(3) == "longer" { first + difference } else { first - difference };
            asked.choose_value(first + second)
        },
    ),
    (
        r"I am a three-digit number\. My hundreds digit is (\d)\. My tens digit is (\d) more than my hundreds digit\. My digits add up to (\d+)\. What number am I\?",
        digit_riddle,
    ),
    (
        r"A farmer has only (\w+) and (\w+)\. Together they have (\d+) heads and (\d+) legs\. How many (\w+) are there\?",
        |asked| {
            let four_legged =
                ["cows", "sheep", "horses", "goats"].contains(&asked.text(5)) && asked.text(1) == asked.text(5);
            let fits = |four: &i128| four * 4 + (asked.whole(3) - four) * 2 == asked.whole(4);
            if four_legged { asked.choose_whole((0..=asked.whole(3)).find(fits)?) } else { None }
        },
    ),
    (
        r".+ sold (\d+) \w+ on Monday, (\d+) on Tuesday and (\d+) on Wednesday\. How many more \w+ did it sell on Monday and Tuesday together than on Wednesday\?",
        |asked| asked.choose_whole((0..1000).find(|more| asked.whole(3) + more == asked.whole(1) + asked.whole(2))?),
    ),
    (
        r"The chart shows how many (\w+) \w+'s [a-zé ]+ sold on three days\. How many more (\w+) did it sell on Monday and Tuesday together than on Wednesday\? A bar chart\. The bars from left to right: Monday (\d+), Tuesday (\d+), Wednesday (\d+)\.",
        |asked| {
            (asked.text(1) == asked.text(2)).then_some(())?;
            asked.choose_whole((0..1000).find(|more| asked.whole(5) + more == asked.whole(3) + asked.whole(4))?)
        },
    ),
    (
        r"A number pattern starts at (\d+)\. Each number is (\d) more than the one before it\. What is the (\d)th number\?",
        |asked| {
            let mut pattern = (asked.whole(1)..).step_by(asked.whole(2) as usize);
            asked.choose_whole(pattern.nth(asked.whole(3) as usize - 1)?)
        },
    ),
];

pub fn solve(question: &str, options: &[&str]) -> Option<usize> {
    solve_by(RULES, question, options)
}

fn digit_riddle(asked: &Reading<'_>) -> Option<usize> {
    let fits = |number: &i128| {
        let (hundreds, tens, ones) = (number / 100, number / 10 % 10, number % 10);
        hundreds == asked.whole(1) && tens == hundreds + asked.whole(2) && hundreds + tens + ones == asked.whole(3)
    };
    let found: Vec<i128> = (100..1000).filter(fits).collect();
    match found.as_slice() {
        [only] => asked.choose_whole(*only),
        _ => None,
    }
}

/// Minutes after twelve of a time such as `9:05`.
fn minutes_of(time: &str) -> Option<i128> {
    let (hour, minute) = time.split_once(':')?;
    let (hour, minute) = (number(hour)?.as_whole()?, number(minute)?.as_whole()?);
    ((1..=12).contains(&hour) && (0..60).contains(&minute)).then_some(hour % 12 * 60 + minute)
}

fn number_in_words(text: &str) -> Option<i128> {
    let mut total = 0;
    for word in text.split([' ', '-']) {
        total = if word == "hundred" { total * 100 } else { total + word_value(word)? };
    }
    Some(total)
}

fn word_value(word: &str) -> Option<i128> {
    let words = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen";
    let tens = "twenty thirty forty fifty sixty seventy eighty ninety";
    let place = |list: &str| list.split(' ').position(|known| known == word).map(|place| place as i128);
    place(words).map(|place| place + 1).or_else(|| place(tens).map(|place| 10 * (place + 2)))
}
