//! Search: the words that a text asks for, and the texts in which they are looked up. One function folds both, so that
//! even a database that folds only ASCII finds `ÜBER`.

use unicode_normalization::UnicodeNormalization;

use super::rendering;

/// Characters of a search: each word is compared with every event of the window.
pub const SEARCH_CHARACTERS_MAX: usize = 200;
/// Words of a search. A text of more words is searched as one phrase, as in the original.
pub const WORDS_MAX: usize = 9;
/// Separates the fields of a haystack. No word contains it, so no word is found across two fields.
pub const FIELDS_APART: char = '\u{1F}';

/// English words that say nothing next to others.
const STOP_WORDS: [&str; 34] = [
    "a", "about", "an", "and", "are", "as", "at", "be", "by", "com", "for", "from", "how", "in", "is", "it", "of",
    "on", "or", "that", "the", "this", "to", "was", "we", "what", "when", "where", "who", "why", "will", "with", "www",
    "you",
];

/// The words of a search for events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// Folded words that must all be in the haystack.
    pub required: Vec<String>,
    /// Folded words none of which may be in the haystack.
    pub excluded: Vec<String>,
}

/// The words of a search for events: words between blanks or `"phrases"`, with `-` before those that must not occur.
/// Stop words and words of one Latin letter are dropped as long as others are left; in other scripts one letter may be
/// a word. Blanks alone ask for nothing.
#[must_use]
pub fn for_events(text: &str) -> Search {
    let text = folded(text);
    let words: Vec<(bool, String)> = phrases(&text).into_iter().filter(|(_, word)| is_telling(word)).collect();
    if words.is_empty() || words.len() > WORDS_MAX {
        let whole = Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        return Search { required: whole.into_iter().collect(), excluded: Vec::new() };
    }
    let of = |wanted: bool| {
        words.iter().filter(|(is_excluded, _)| *is_excluded != wanted).map(|(_, word)| word.clone()).collect()
    };
    Search { required: of(true), excluded: of(false) }
}

/// The words of a search for venues or organizers, folded. All of them must occur in the same field. Everything but
/// letters, digits and `-` separates words. If there are none, nothing is found.
#[must_use]
pub fn for_places(text: &str) -> Vec<String> {
    let text = folded(text);
    let words = text.split(|character: char| {
        !character.is_alphanumeric() && character != '-' && !unicode_normalization::char::is_combining_mark(character)
    });
    let mut words: Vec<String> = words.filter(|word| !word.is_empty()).map(str::to_owned).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// The text of a search for categories and tags, folded. It is looked up in names and slugs as a whole.
#[must_use]
pub fn for_terms(text: &str) -> String {
    folded(text).trim().to_owned()
}

/// Texts, rendered or plain, in the form in which they are searched: folded, without tags, separated by
/// [`FIELDS_APART`].
#[must_use]
pub fn haystack(fields: &[&str]) -> String {
    let folded: Vec<String> = fields.iter().map(|field| folded(&rendering::plain(field))).collect();
    folded.join(&FIELDS_APART.to_string())
}

/// The text in lower case, with typed quotes, hyphens and dots in place of typographic ones, and with single blanks.
#[must_use]
pub fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for character in text.nfc() {
        match character {
            '\u{2018}' | '\u{2019}' => folded.push('\''),
            '\u{201C}' | '\u{201D}' => folded.push('"'),
            '\u{2013}' => folded.push('-'),
            '\u{2014}' => folded.push_str("--"),
            '\u{2026}' => folded.push_str("..."),
            _ if character.is_whitespace() || character == FIELDS_APART => {
                if !folded.ends_with(' ') {
                    folded.push(' ');
                }
            }
            _ if character.is_control() => {}
            _ => folded.extend(character.to_lowercase()),
        }
    }
    folded
}

/// Words and quoted phrases, each with whether `-` stands before it.
fn phrases(text: &str) -> Vec<(bool, String)> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (is_excluded, unsigned) = rest.strip_prefix('-').map_or((false, rest), |after| (true, after));
        let (phrase, after) = match unsigned.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => unsigned.split_at(unsigned.find([' ', '"']).unwrap_or(unsigned.len())),
        };
        found.push((is_excluded, phrase.trim().to_owned()));
        rest = after.trim_start();
    }
    found
}

fn is_telling(word: &str) -> bool {
    let mut characters = word.chars();
    let is_letter = characters.next().is_none_or(|letter| letter.is_ascii_alphabetic()) && characters.next().is_none();
    !is_letter && !STOP_WORDS.contains(&word)
}

#[cfg(test)]
mod tests;
