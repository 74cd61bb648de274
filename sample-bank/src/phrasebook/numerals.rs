//! Numbers of English texts, and how Vietnamese texts write them: `1.200` for `1,200`, `2,5` for `2.5`, `(3; −5)` for
//! `(3, −5)`, and `35.000 đồng` for `$3.50`.

use std::ops::Range;

use super::DOLLAR;

/// Measures, which are the same in both languages.
const MEASURES: [&str; 8] = ["cm", "mm", "km", "kg", "m", "g", "ml", "h"];
/// Words of one letter, when another word follows.
const SHORT_WORDS: [&str; 2] = ["a", "I"];
/// How many letters make a word.
const WORD: usize = 2;
/// … and one between two prices, whose dollars enclose no formula.
const WORD_BETWEEN_PRICES: usize = 3;
/// What stands behind a price.
const BEHIND_PRICES: [char; 6] = [' ', ',', '.', '?', '!', ')'];
/// The signs between groups of digits, in a text and in a formula.
const GROUP: &str = ",";
const GROUP_IN_FORMULA: &str = "{,}";
/// The signs of a division, and the one of Vietnamese schools.
const DIVISION: &str = "÷";
const DIVISION_IN_FORMULA: &str = "\\div";
const RATIO: &str = ":";
/// The decimal signs of Vietnamese texts and formulas.
const DECIMAL: &str = ",";
const DECIMAL_IN_FORMULA: &str = "{,}";

/// The places in which a number or a price at the beginning of a text may end, the last one first.
pub(super) fn ends(text: &str) -> Vec<usize> {
    let price = text.strip_prefix('\\').filter(|price| price.starts_with('$')).unwrap_or(text);
    let number = price.strip_prefix('$').unwrap_or(price);
    let mut rest = number.strip_prefix('−').unwrap_or(number);
    let mut ends = Vec::new();
    loop {
        let (start, digits) = (text.len() - rest.len(), digits(rest));
        if digits == 0 {
            ends.reverse();
            return ends;
        }
        ends.extend((1..=digits).map(|count| start + count));
        rest = rest.get(digits..).unwrap_or_default();
        let after = rest.strip_prefix([',', '.']).or_else(|| rest.strip_prefix(GROUP_IN_FORMULA));
        rest = after.unwrap_or_default();
    }
}

/// Whether a text has nothing to translate: numbers, signs, formulas, single letters and measures.
pub(super) fn is_wordless(text: &str) -> bool {
    let text = without_measures(text);
    let (mut words, mut place) = (String::new(), 0);
    for formula in formulas(&text) {
        words += text.get(place..formula.start).unwrap_or_default();
        words.push(' ');
        place = formula.end;
    }
    words += text.get(place..).unwrap_or_default();
    !has_word(&words, WORD) && !has_short_word(&words)
}

/// A text without words as Vietnamese texts write it.
pub(super) fn in_vietnamese(text: &str) -> String {
    let (mut written, mut place) = (String::with_capacity(text.len()), 0);
    for formula in formulas(text) {
        let inner = text.get(formula.start + 1..formula.end - 1).unwrap_or_default();
        if is_between_prices(inner) {
            continue;
        }
        written += &outside_formulas(text.get(place..formula.start).unwrap_or_default());
        written.push('$');
        written += &in_formula(inner);
        written.push('$');
        place = formula.end;
    }
    written + &outside_formulas(text.get(place..).unwrap_or_default())
}

/// The number in a hole as Vietnamese texts write it.
pub(super) fn number(number: &str) -> String {
    if number.contains(GROUP_IN_FORMULA) { in_formula(number) } else { in_vietnamese(number) }
}

/// A number or a price so many times, with its digits in groups; `None` if that is no whole number.
pub(super) fn grouped_times(number: &str, factor: i64) -> Option<String> {
    let number = number.trim_start_matches(['\\', '$']).replace(GROUP_IN_FORMULA, "");
    let product = times(&number.replace(GROUP, "").replace('−', "-"), factor)?;
    let digits = product.unsigned_abs().to_string();
    let mut grouped = if product < 0 { "−".to_owned() } else { String::new() };
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push('.');
        }
        grouped.push(digit);
    }
    Some(grouped)
}

/// A decimal such as `-3.5` so many times; `None` if that is no whole number.
pub(crate) fn times(decimal: &str, factor: i64) -> Option<i64> {
    let (whole, part) = decimal.split_once('.').unwrap_or((decimal, ""));
    let parts = 10_i64.checked_pow(u32::try_from(part.len()).ok()?)?;
    let product = format!("{whole}{part}").parse::<i64>().ok()?.checked_mul(factor)?;
    (product % parts == 0).then_some(product / parts)
}

/// The text with each decimal sign of its formulas in braces, since a space is set behind any other comma.
pub(super) fn with_tight_decimals(text: &str) -> String {
    let (mut written, mut place) = (String::with_capacity(text.len()), 0);
    for formula in formulas(text) {
        written += text.get(place..formula.start).unwrap_or_default();
        written += &replaced(text.get(formula.clone()).unwrap_or_default(), |before, rest| {
            let after = rest.strip_prefix(DECIMAL).filter(|after| is_digit(before) && digits(after) > 0)?;
            Some((DECIMAL_IN_FORMULA.to_owned(), after))
        });
        place = formula.end;
    }
    written + text.get(place..).unwrap_or_default()
}

fn outside_formulas(text: &str) -> String {
    let written = replaced(text, |before, rest| {
        if let Some((amount, after)) = price(rest) {
            return Some((format!("{} đồng", grouped_times(amount, DOLLAR)?), after));
        }
        let is_start = !is_digit(before) && before != Some('$');
        let (number, after) = written_number(rest, GROUP).filter(|_| is_start)?;
        Some((with_signs(number, GROUP, DECIMAL), after))
    });
    with_semicolons(&written).replace(DIVISION, RATIO)
}

fn in_formula(formula: &str) -> String {
    let written = replaced(formula, |_, rest| {
        let (number, after) = written_number(rest, GROUP_IN_FORMULA)?;
        Some((with_signs(number, GROUP_IN_FORMULA, DECIMAL_IN_FORMULA), after))
    });
    with_semicolons(&written).replace(DIVISION_IN_FORMULA, RATIO)
}

/// The number with its signs exchanged for the Vietnamese ones.
fn with_signs(number: &str, group: &str, decimal: &str) -> String {
    let (whole, part) = number.split_once('.').map_or((number, None), |(whole, part)| (whole, Some(part)));
    let whole = whole.replace(group, ".");
    part.map_or_else(|| whole.clone(), |part| format!("{whole}{decimal}{part}"))
}

/// Pairs with a semicolon between their numbers, which may have commas themselves.
fn with_semicolons(text: &str) -> String {
    replaced(text, |_, rest| {
        let inner = rest.strip_prefix('(')?;
        let is_no_part = |letter: char| letter.is_whitespace() || matches!(letter, '(' | ')');
        let (first, rest) = inner.split_at_checked(inner.find(is_no_part)?)?;
        let (first, rest) = (first.strip_suffix(',')?, rest.strip_prefix(' ')?);
        let (second, rest) = rest.split_at_checked(rest.find(['(', ')'])?)?;
        let after = rest.strip_prefix(')').filter(|_| !first.is_empty() && !second.is_empty())?;
        Some((format!("({first}; {second})"), after))
    })
}

/// The amount of a price at the beginning of a text, and what follows. A dollar behind it or a further digit would make
/// it part of something else.
fn price(text: &str) -> Option<(&str, &str)> {
    let amount = text.strip_prefix('\\').unwrap_or(text).strip_prefix('$')?;
    let mut ends = vec![Some(digits(amount)).filter(|digits| *digits > 0)?];
    while let Some(end) = ends.last().and_then(|end| end_of_group(amount, *end, GROUP)) {
        ends.push(end);
    }
    let with_parts = ends.into_iter().rev().flat_map(|end| [end_of_part(amount, end), Some(end)]).flatten();
    let mut splits = with_parts.filter_map(|end| amount.split_at_checked(end));
    splits.find(|(_, after)| !after.starts_with(|next: char| next.is_ascii_digit() || next == '$'))
}

/// The number with groups of digits or with decimal places at the beginning of a text, and what follows.
fn written_number<'a>(text: &'a str, group: &str) -> Option<(&'a str, &'a str)> {
    let grouped = (1..=digits(text).min(3)).rev().find_map(|first| {
        let mut end = end_of_group(text, first, group)?;
        while let Some(later) = end_of_group(text, end, group) {
            end = later;
        }
        Some(end_of_part(text, end).unwrap_or(end))
    });
    let end = grouped.or_else(|| end_of_part(text, Some(digits(text)).filter(|digits| *digits > 0)?))?;
    text.split_at_checked(end)
}

/// Where the group of three digits ends that begins at a place.
fn end_of_group(text: &str, place: usize, sign: &str) -> Option<usize> {
    let group = text.get(place..)?.strip_prefix(sign)?;
    (digits(group) >= 3).then_some(place + sign.len() + 3)
}

/// Where the decimal places end that begin at a place.
fn end_of_part(text: &str, place: usize) -> Option<usize> {
    let part = digits(text.get(place..)?.strip_prefix('.')?);
    (part > 0).then_some(place + 1 + part)
}

/// How many digits a text begins with.
fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn is_digit(letter: Option<char>) -> bool {
    letter.is_some_and(|letter| letter.is_ascii_digit())
}

/// The text with whatever `exchange` knows at the beginning of a rest exchanged; it is given the letter before the rest
/// and the rest, and returns what stands there instead and what follows.
fn replaced<'a>(text: &'a str, exchange: impl Fn(Option<char>, &'a str) -> Option<(String, &'a str)>) -> String {
    let (mut written, mut before, mut rest) = (String::with_capacity(text.len()), None, text);
    while let Some(letter) = rest.chars().next() {
        if let Some((instead, after)) = exchange(before, rest) {
            written += &instead;
            before = rest.strip_suffix(after).and_then(|exchanged| exchanged.chars().next_back());
            rest = after;
        } else {
            written.push(letter);
            before = Some(letter);
            rest = rest.get(letter.len_utf8()..).unwrap_or_default();
        }
    }
    written
}

/// Where the formulas of a text are, with their dollars.
fn formulas(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut place) = (Vec::new(), 0);
    while let Some(start) = text.get(place..).and_then(|rest| rest.find('$')).map(|start| place + start) {
        let end = end_of_formula(text, start);
        found.extend(end.map(|end| start..end));
        place = end.unwrap_or(start + 1);
    }
    found
}

/// Where the formula ends that a dollar opens; `None` for the dollar of a price.
fn end_of_formula(text: &str, start: usize) -> Option<usize> {
    let inner = text.get(start + 1..)?;
    let is_escaped = text.get(..start)?.ends_with('\\');
    let mut is_behind_backslash = false;
    let (length, _) = inner.char_indices().find(|(_, letter)| {
        let is_close = *letter == '$' && !is_behind_backslash;
        is_behind_backslash = *letter == '\\' && !is_behind_backslash;
        is_close
    })?;
    let (formula, after) = inner.split_at_checked(length)?;
    let has_space = formula.starts_with(char::is_whitespace) || formula.ends_with(char::is_whitespace);
    let is_open = formula.is_empty() || formula.ends_with('\\') || digits(after.strip_prefix('$')?) > 0;
    (!is_escaped && !has_space && !is_open).then_some(start + length + 2)
}

/// Whether what stands between two dollars is the text between two prices, such as `$5 for an adult and x$`.
fn is_between_prices(inner: &str) -> bool {
    let digits = digits(inner);
    let is_price = digits > 0 && inner.get(digits..).is_some_and(|rest| rest.starts_with(BEHIND_PRICES));
    is_price && inner.contains(' ') && !inner.contains('\\') && has_word(inner, WORD_BETWEEN_PRICES)
}

/// Whether so many letters of English stand side by side.
fn has_word(text: &str, length: usize) -> bool {
    text.split(|letter: char| !letter.is_ascii_alphabetic()).any(|word| word.len() >= length)
}

fn has_short_word(text: &str) -> bool {
    let mut words = text.split(char::is_whitespace).filter(|word| !word.is_empty()).peekable();
    while let Some(word) = words.next() {
        let is_followed = words.peek().is_some_and(|next| next.starts_with(is_of_word));
        let last = word.rsplit(|letter| !is_of_word(letter)).next().unwrap_or_default();
        if is_followed && SHORT_WORDS.contains(&last) {
            return true;
        }
    }
    false
}

/// The text with a space in place of each measure.
fn without_measures(text: &str) -> String {
    let (mut written, mut rest) = (String::with_capacity(text.len()), text);
    while !rest.is_empty() {
        let word = rest.split_at_checked(rest.find(|letter| !is_of_word(letter)).unwrap_or(rest.len()));
        let Some((word, after)) = word else { break };
        written += if MEASURES.contains(&word) { " " } else { word };
        let signs = after.split_at_checked(after.find(is_of_word).unwrap_or(after.len()));
        let Some((signs, after)) = signs else { break };
        written += signs;
        rest = after;
    }
    written
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_the_vietnamese_way() {
        for (english, vietnamese) in [
            ("1,200", "1.200"),
            ("1,234,567.89", "1.234.567,89"),
            ("2.5 and 10", "2,5 and 10"),
            ("3, 4, 1,000", "3, 4, 1.000"),
            ("1234,567", "1234,567"),
            ("9:05", "9:05"),
            ("(3, −5)", "(3; −5)"),
            ("(1.5, 2)", "(1,5; 2)"),
            ("(a b, c)", "(a b, c)"),
            ("$3.50", "35.000 đồng"),
            (r"\$1,200 or \$0.05", "12.000.000 đồng or 500 đồng"),
            ("$5 and $6.", "50.000 đồng and 60.000 đồng."),
            ("$1,200.5x - 2.5$", "$1,200{,}5x - 2{,}5$"),
            ("$1{,}200.5$ is 1.5", "$1.200{,}5$ is 1,5"),
            (r"$5 \times 3 = 15$", r"$5 \times 3 = 15$"),
            ("$(3, -5)$", "$(3; -5)$"),
            (r"$\$5$ 2.5", r"$\$5$ 2,5"),
        ] {
            assert_eq!(in_vietnamese(english), vietnamese, "{english}");
        }
    }

    #[test]
    fn money_is_multiplied() {
        for (number, dollars) in [("3.50", "35.000"), (r"\$1,200", "12.000.000"), ("−2", "−20.000"), ("0", "0")] {
            assert_eq!(grouped_times(number, DOLLAR).as_deref(), Some(dollars), "{number}");
        }
        assert_eq!((times("29.75", DOLLAR), times("0.00001", DOLLAR), times("x", DOLLAR)), (Some(297_500), None, None));
    }

    #[test]
    fn words_are_known() {
        for text in ["", "12", "x", "A, B", "3 cm", "5 − x", r"$\text{sum} + 2$", "10:30", "a", "3a + b", "1.5 km"] {
            assert!(is_wordless(text), "{text}");
        }
        for text in ["red", "2 apples", "3 cm²", "a − b or a b", "I am", r"\$5 for it", "5 liters"] {
            assert!(!is_wordless(text), "{text}");
        }
    }

    #[test]
    fn decimal_signs_of_formulas_are_tight() {
        assert_eq!(with_tight_decimals("$2,5x$ và 2,5 và $(1; 2,25)$"), "$2{,}5x$ và 2,5 và $(1; 2{,}25)$");
    }
}
