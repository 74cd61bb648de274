//! Splits the text of a cost into numbers and the words around them. The parent decides how the parts are shown
//! together.

use std::cmp::Ordering;

use super::SymbolPosition;
use crate::calendar::slug;

/// The site's currency, for numbers without one.
const SITE_SYMBOL: &str = "$";
/// How a cost of zero is shown, and how it may be written.
const FREE: &str = "Free";
/// Separators between prices.
const SEPARATORS: [char; 7] = [',', ';', '/', '|', '-', '–', '—'];
/// Marks that say nothing about a price when they stand alone.
const MARKS: [char; 9] = ['.', '!', '?', ':', '*', '(', ')', '\'', '"'];
/// Characters up to which a text with lower-case letters counts as a currency's symbol (`kr`, `Kč`). Longer ones are
/// words, which are shown with a blank between them and the number.
const SYMBOL_LETTERS: usize = 3;

/// A number with its symbol, or a text without a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CostPart {
    /// The text that is shown, without the symbol.
    shown: String,
    /// The text in `values`.
    pub(super) value: String,
    pub(super) symbol: String,
    pub(super) position: SymbolPosition,
    pub(super) is_number: bool,
}

/// The parts of a text, with what they leave out.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CostReading {
    pub(super) parts: Vec<CostPart>,
    /// Whether only commas and semicolons separate its numbers.
    pub(super) is_listed: bool,
    /// Whether the text says more than its parts. A single price is then shown with the whole text.
    pub(super) has_more: bool,
}

#[derive(Debug, PartialEq, Eq)]
enum CostToken<'a> {
    Number { shown: &'a str, value: String },
    Words(&'a str),
}

impl CostReading {
    pub(super) fn of(text: &str) -> Self {
        let tokens = tokens(text);
        if tokens.iter().all(|token| matches!(token, CostToken::Words(_))) {
            return Self { parts: vec![CostPart::words(text)], is_listed: true, has_more: false };
        }
        let mut reading = Self { is_listed: true, ..Self::default() };
        let mut prefix = "";
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                CostToken::Number { shown, value } => {
                    reading.parts.push(CostPart::number(shown, value, std::mem::take(&mut prefix)));
                }
                CostToken::Words(words) => prefix = reading.take_words(words, tokens.peek().is_some()),
            }
        }
        reading
    }

    /// Takes words before, between or after numbers. The first piece belongs to the number before it. The last piece
    /// belongs to the number that follows, and is returned.
    fn take_words<'a>(&mut self, words: &'a str, has_next: bool) -> &'a str {
        let has_previous = self.parts.last().is_some_and(|part| part.is_number);
        let mut pieces: Vec<&str> = words.split(SEPARATORS).map(without_marks).collect();
        if has_previous && has_next {
            self.is_listed &= words.contains([',', ';']) && !words.contains(['-', '–', '—', '/', '|']);
        }
        let is_alone = pieces.len() == 1;
        let prefix = if has_next && !(is_alone && has_previous && !self.begins_with_symbols()) {
            pieces.pop().unwrap_or_default()
        } else {
            ""
        };
        if has_previous && !pieces.is_empty() {
            let postfix = pieces.remove(0);
            self.has_more |= self.parts.last_mut().is_some_and(|part| !part.take_postfix(postfix));
        }
        for piece in pieces.into_iter().filter(|piece| !piece.is_empty()) {
            match piece.eq_ignore_ascii_case(FREE) {
                true => self.parts.push(CostPart::number("0", "0".to_owned(), "")),
                false => self.has_more = true,
            }
        }
        prefix
    }

    /// Returns whether the last number has its symbol before it. The next one is then expected to have it there too.
    fn begins_with_symbols(&self) -> bool {
        self.parts.last().is_some_and(|part| part.position == SymbolPosition::Prefix)
    }
}

impl CostPart {
    fn number(shown: &str, value: String, prefix: &str) -> Self {
        let position = if prefix.is_empty() { SymbolPosition::None } else { SymbolPosition::Prefix };
        Self { shown: shown.to_owned(), value, symbol: prefix.to_owned(), position, is_number: true }
    }

    fn words(text: &str) -> Self {
        let slug = slug::of(text);
        let value = if slug.is_empty() { text.to_owned() } else { slug };
        Self { shown: text.to_owned(), value, symbol: String::new(), position: SymbolPosition::None, is_number: false }
    }

    /// Adds a symbol after the number. `false` if there is no room, since a number has only one symbol.
    fn take_postfix(&mut self, postfix: &str) -> bool {
        if postfix.is_empty() {
            return true;
        }
        if self.position == SymbolPosition::None && self.is_number {
            (self.symbol, self.position) = (postfix.to_owned(), SymbolPosition::Postfix);
            return true;
        }
        false
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.is_number && self.value.bytes().all(|byte| matches!(byte, b'0' | b'.'))
    }

    /// The part with its symbol.
    pub(super) fn display(&self) -> String {
        let blank = if is_symbol(&self.symbol) { "" } else { " " };
        match self.position {
            _ if !self.is_number => self.shown.clone(),
            _ if self.is_nothing() => FREE.to_owned(),
            SymbolPosition::Postfix => format!("{}{blank}{}", self.shown, self.symbol),
            SymbolPosition::Prefix => format!("{}{blank}{}", self.symbol, self.shown),
            SymbolPosition::None => format!("{SITE_SYMBOL}{}", self.shown),
        }
    }

    /// Orders texts before numbers, and numbers by value.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        match (self.is_number, other.is_number) {
            (true, true) => decimal(&self.value).cmp(&decimal(&other.value)),
            (false, false) => self.value.cmp(&other.value),
            (is_number, _) => is_number.cmp(&!is_number),
        }
    }
}

/// A key that orders decimals by value without rounding: the count of whole digits, these digits, then the fraction.
fn decimal(value: &str) -> (usize, &str, &str) {
    let (whole, fraction) = value.split_once('.').unwrap_or((value, ""));
    let whole = whole.trim_start_matches('0');
    (whole.len(), whole, fraction.trim_end_matches('0'))
}

/// The piece without blanks around it; empty if nothing but marks is left.
fn without_marks(piece: &str) -> &str {
    let piece = piece.trim();
    if piece.chars().all(|character| MARKS.contains(&character)) { "" } else { piece }
}

/// Returns whether the text is a currency's symbol rather than words.
fn is_symbol(text: &str) -> bool {
    let letters = text.chars().count();
    !text.contains(char::is_whitespace) && (letters <= SYMBOL_LETTERS || !text.chars().any(char::is_lowercase))
}

/// The numbers of a text and the words around them, in order.
fn tokens(text: &str) -> Vec<CostToken<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(|character: char| character.is_ascii_digit()) {
        let (words, from_number) = rest.split_at(start);
        if !words.is_empty() {
            found.push(CostToken::Words(words));
        }
        let (number, after) = from_number.split_at(number_bytes(from_number));
        match normalised(number) {
            Some(value) => found.push(CostToken::Number { shown: number, value }),
            None => found.extend(single_numbers(number)),
        }
        rest = after;
    }
    if !rest.is_empty() {
        found.push(CostToken::Words(rest));
    }
    found
}

/// Length in bytes of the number that a text begins with: digits with single points and commas between them. A blank
/// may part thousands or prices, so it counts as part of the number only before three digits that begin with 0: `1 000`
/// is one price, while `20 10` and `100 200` are two.
fn number_bytes(text: &str) -> usize {
    let mut end = 0;
    let mut is_after_digit = false;
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'0'..=b'9' => (end, is_after_digit) = (index + 1, true),
            b'.' | b',' if is_after_digit => is_after_digit = false,
            b' ' if is_after_digit && begins_with_thousands(text.get(index + 1..).unwrap_or_default()) => {
                is_after_digit = false;
            }
            _ => break,
        }
    }
    end
}

/// Returns whether the text begins with exactly three digits, the first of which is 0.
fn begins_with_thousands(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    digits == 3 && text.starts_with('0')
}

/// The number with a point before its fraction and nothing between thousands; `None` if it is not one number.
fn normalised(number: &str) -> Option<String> {
    if number.contains(' ') {
        return normalised(&number.replace(' ', ""));
    }
    let groups: Vec<&str> = number.split(['.', ',']).collect();
    let marks: Vec<char> = number.chars().filter(|character| !character.is_ascii_digit()).collect();
    let (Some((last, before)), Some((last_mark, marks_before))) = (groups.split_last(), marks.split_last()) else {
        return Some(number.to_owned());
    };
    let are_thousands = |groups: &[&str]| groups.iter().skip(1).all(|group| group.len() == 3);
    let is_one_kind = marks_before.iter().all(|mark| Some(mark) == marks_before.first());
    let first = groups.first().copied().unwrap_or_default();
    let could_be_thousands = are_thousands(&groups) && (1..=3).contains(&first.len()) && !first.starts_with('0');
    match marks_before.first() {
        None if *last_mark == ',' && could_be_thousands => Some(groups.concat()),
        None => Some(format!("{}.{last}", before.concat())),
        Some(mark) if is_one_kind && mark == last_mark => could_be_thousands.then(|| groups.concat()),
        Some(_) => (is_one_kind && are_thousands(before)).then(|| format!("{}.{last}", before.concat())),
    }
}

/// Each group of digits as a number of its own.
fn single_numbers(number: &str) -> Vec<CostToken<'_>> {
    let mut found = Vec::new();
    for (index, group) in number.split(['.', ',']).enumerate() {
        if index > 0 {
            found.push(CostToken::Words(","));
        }
        found.push(CostToken::Number { shown: group, value: group.to_owned() });
    }
    found
}
