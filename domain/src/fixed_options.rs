//! Finds questions whose options must keep their order, from the texts of the options alone. It is the rule for
//! questions that do not say it themselves; people may decide otherwise.

use super::text::same::{seen, seen_in_any_case};

/// What an option says when it speaks of all others, or of none of them.
const OF_ALL_OTHERS: [&str; 29] = [
    "all of the above",
    "all the above",
    "all of these",
    "all of them",
    "all are correct",
    "all are wrong",
    "none of the above",
    "none of these",
    "none of them",
    "none of the other",
    "both of these",
    "both of the above",
    "neither of these",
    "neither of the above",
    "tất cả các đáp án",
    "tất cả đáp án",
    "tất cả các phương án",
    "tất cả các câu",
    "tất cả các ý",
    "tất cả đều",
    "các đáp án trên",
    "các phương án trên",
    "các câu trên",
    "các ý trên",
    "không có đáp án",
    "không có phương án",
    "đáp án khác",
    "phương án khác",
    "kết quả khác",
];
/// The same of whole options, whose words occur in others with another meaning.
const OF_OTHERS_ALONE: [&str; 11] = [
    "all",
    "both",
    "neither",
    "none",
    "cả hai",
    "cả ba",
    "cả ba đều đúng",
    "tất cả",
    "không đáp án nào",
    "không câu nào đúng",
    "không phương án nào",
];
/// The letters by which options name each other.
const LETTERS: [&str; 4] = ["A", "B", "C", "D"];
/// Words between such letters.
const JOINED: [&str; 6] = ["and", "or", "nor", "và", "hoặc", "lẫn"];
/// Words that make an option of a single letter speak of another option.
const NAMED: [&str; 9] = ["only", "option", "answer", "options", "answers", "chỉ", "đáp", "phương", "câu"];
/// Other words of an option that names options. One with any other word speaks of something else, such as of points.
const BESIDE: [&str; 21] = [
    "both", "either", "neither", "all", "not", "is", "are", "correct", "right", "wrong", "true", "false", "cả", "hai",
    "ba", "án", "các", "đều", "đúng", "sai", "ý",
];
/// Options that are in order by accident when there are only two.
const ORDERED_MIN: usize = 3;

/// Returns whether the options of a question keep their order where options are shuffled: one of them speaks of the
/// others, as *All of the above*, *None of these* or *A and B* do, in English or in Vietnamese; they are the letters of
/// things in a picture; or they are numbers, of one unit, in ascending or descending order.
#[must_use]
pub fn are_fixed(options: &[String]) -> bool {
    options.iter().any(|option| speaks_of_others(option)) || are_letters(options) || are_in_order(options)
}

fn speaks_of_others(option: &str) -> bool {
    let plain = seen_in_any_case(option);
    let plain = plain.trim_end_matches(['.', '!']);
    OF_ALL_OTHERS.iter().any(|words| plain.contains(words)) || OF_OTHERS_ALONE.contains(&plain) || names_others(option)
}

/// Returns whether the option names others by their letters, which are capitals: `a` is also a word.
fn names_others(option: &str) -> bool {
    let option = seen(option);
    let words: Vec<&str> =
        option.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let lower: Vec<String> =
        words.iter().filter(|word| !LETTERS.contains(word)).map(|word| word.to_lowercase()).collect();
    let letters = words.len() - lower.len();
    let has = |list: &[&str]| lower.iter().any(|word| list.contains(&word.as_str()));
    let is_about_options =
        lower.iter().all(|word| [&JOINED[..], &NAMED, &BESIDE].iter().any(|list| list.contains(&word.as_str())));
    let is_joined = has(&JOINED) || option.contains('&');
    is_about_options && (letters > 1 && is_joined || letters == 1 && has(&NAMED))
}

/// Returns whether each option is the letter of its own place, as of things that a picture shows.
fn are_letters(options: &[String]) -> bool {
    options.len() >= ORDERED_MIN
        && options.iter().zip(LETTERS).all(|(option, letter)| seen(option).trim_matches(['(', ')', '.', '$']) == letter)
}

fn are_in_order(options: &[String]) -> bool {
    let Some(numbers) = options.iter().map(|option| Measured::read(option)).collect::<Option<Vec<_>>>() else {
        return false;
    };
    let pairs = || numbers.iter().zip(numbers.iter().skip(1));
    numbers.len() >= ORDERED_MIN
        && pairs().all(|(one, next)| one.unit == next.unit)
        && (pairs().all(|(one, next)| one.value < next.value) || pairs().all(|(one, next)| one.value > next.value))
}

/// A number with the unit behind it.
struct Measured {
    value: f64,
    unit: String,
}

impl Measured {
    /// Reads a whole number, a decimal one with a comma or a point, or a fraction, also as a formula.
    fn read(option: &str) -> Option<Self> {
        let option = seen(option).replace(['$', ' '], "").replace("\\dfrac", "\\frac");
        let (sign, rest) = option.strip_prefix('-').map_or((1.0, option.as_str()), |rest| (-1.0, rest));
        if let Some(fraction) = rest.strip_prefix("\\frac{") {
            let (above, rest) = fraction.split_once("}{")?;
            let (below, unit) = rest.split_once('}')?;
            return Some(Self { value: sign * decimal(above)? / decimal(below)?, unit: unit.to_owned() });
        }
        let (number, rest) = split_number(rest);
        let value = sign * decimal(number)?;
        match rest.strip_prefix('/').map(split_number).and_then(|(below, unit)| Some((decimal(below)?, unit))) {
            Some((below, unit)) => Some(Self { value: value / below, unit: unit.to_owned() }),
            None => Some(Self { value, unit: rest.to_owned() }),
        }
    }
}

/// The digits, points and commas at the beginning, and the rest.
fn split_number(text: &str) -> (&str, &str) {
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.' && letter != ',');
    text.split_at(end.unwrap_or(text.len()))
}

/// A number without a sign. A sign between groups of three digits is no decimal one, unless a zero stands before it.
fn decimal(text: &str) -> Option<f64> {
    let groups: Vec<&str> = text.split(['.', ',']).collect();
    let is_grouped = groups.first().is_some_and(|first| (1..=3).contains(&first.len()) && *first != "0")
        && groups.iter().skip(1).all(|group| group.len() == 3);
    let plain = if is_grouped { groups.concat() } else { text.replace(',', ".") };
    let is_number = plain.starts_with(|letter: char| letter.is_ascii_digit());
    plain.parse().ok().filter(|number: &f64| is_number && number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixed(options: &[&str]) -> bool {
        are_fixed(&options.iter().map(|option| (*option).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn an_option_that_speaks_of_others_keeps_its_place() {
        for last in [
            "All of the above",
            "None of these.",
            "NONE",
            "Both of the above are wrong",
            "A and B",
            "Both A and C",
            "A, B and C",
            "Neither A nor B",
            "A & C",
            "Only B",
            "Option C",
            "Tất cả các đáp án trên",
            "Không có đáp án nào",
            "Cả A và B",
            "cả A, B và C đều đúng",
            "Một đáp án khác",
            "Chỉ A",
            "Câu A và câu C",
            // Typed with marks of their own.
            "Ta\u{302}\u{301}t ca\u{309} ca\u{301}c \u{111}a\u{301}p a\u{301}n",
        ] {
            assert!(fixed(&["dog", "horse", "cat", last]), "{last}");
        }
    }

    #[test]
    fn other_options_may_move() {
        for option in [
            "a cat and a dog",
            "A cat and a dog",
            "The line through A and B",
            "both legs",
            "all even numbers",
            "vitamin A",
            "A",
            "none the wiser",
            "Tất cả học sinh lớp 5",
            "một câu chuyện khác",
        ] {
            assert!(!fixed(&["dog", "horse", "cat", option]), "{option}");
        }
        assert!(!fixed(&["7", "5", "6", "8"]) && !fixed(&["5", "6"]) && !fixed(&["1", "2", "2", "3"]));
        assert!(!fixed(&["5 cm", "6 m", "7 km"]), "of several units");
        assert!(!fixed(&["B", "A", "C", "D"]) && !fixed(&["5", "6", "many"]) && !fixed(&[]));
    }

    #[test]
    fn numbers_in_order_stay_in_it() {
        for options in [
            ["5", "6", "7", "8"],
            ["8", "7", "-6", "-7"],
            ["0,5", "0,75", "1", "1,25"],
            ["0.005", "0.05", "0.5", "5"],
            ["999", "1,000", "1,001", "10,000"],
            ["1/4", "1/3", "1/2", "3/4"],
            ["$\\frac{1}{4}$", "$\\dfrac{1}{3}$", "$\\frac{1}{2}$", "$1$"],
            ["5 cm", "6 cm", "7 cm", "8cm"],
            ["10%", "20 %", "30%", "40%"],
            ["\u{2212}3", "-2", "\u{2013}1", "0"],
            ["A", "B", "C", "D"],
            ["(A)", "(B)", "(C)", "(D)"],
        ] {
            assert!(fixed(&options), "{options:?}");
        }
    }
}
