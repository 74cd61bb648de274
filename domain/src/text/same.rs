//! Decides whether two texts are the same: readers can't tell them apart, however they were typed or pasted. Names,
//! rooms, addresses, codes, options, topics and headings are compared by this one rule.

use unicode_normalization::UnicodeNormalization;

use super::is_invisible;

/// The form in which texts are compared: composed letters (NFC) of usual width, one blank of all kinds between words
/// and none around them, one kind of hyphen and minus, and nothing that takes no room. Raised digits and fractions
/// stay, since they look different, and so do capitals.
#[must_use]
pub fn seen(text: &str) -> String {
    // Most texts are, and some are as long as a cell can be.
    if text.is_ascii() {
        return text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    let visible = text.chars().filter(|letter| letter.is_whitespace() || !is_invisible(*letter));
    let mut seen = String::with_capacity(text.len());
    for letter in visible.flat_map(of_usual_width).nfc() {
        match letter {
            blank if blank.is_whitespace() => {
                if !seen.is_empty() && !seen.ends_with(' ') {
                    seen.push(' ');
                }
            }
            hyphen if is_hyphen(hyphen) => seen.push('-'),
            letter => seen.push(letter),
        }
    }
    seen.truncate(seen.trim_end().len());
    seen
}

/// The same without regard to capitals.
#[must_use]
pub fn seen_in_any_case(text: &str) -> String {
    seen(text).to_lowercase()
}

/// A character as it is on a keyboard of its own script: those of East Asia type Latin letters and digits in the width
/// of theirs.
fn of_usual_width(letter: char) -> impl Iterator<Item = char> {
    let is_other = matches!(letter, '\u{FF00}'..='\u{FFEF}' | '\u{FE58}' | '\u{FE63}');
    let usual = is_other.then(|| std::iter::once(letter).nfkc());
    usual.into_iter().flatten().chain((!is_other).then_some(letter))
}

/// Hyphens, the minus sign, and the dash that programs make of them. A long dash looks different.
const fn is_hyphen(letter: char) -> bool {
    matches!(letter, '\u{2010}'..='\u{2013}' | '\u{2043}' | '\u{2212}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn golden(name: &str) -> Vec<Vec<String>> {
        let golden: serde_json::Value =
            serde_json::from_str(include_str!("../../../tests/golden/same_texts.json")).unwrap();
        serde_json::from_value(golden[name].clone()).unwrap()
    }

    #[test]
    fn what_looks_the_same_is_the_same() {
        for line in golden("same") {
            for text in &line {
                assert_eq!(seen(text), seen(&line[0]), "{text:?}");
                assert_eq!(seen(&seen(text)), seen(text), "{text:?}");
            }
        }
        for line in golden("different") {
            for (place, text) in line.iter().enumerate() {
                assert!(line.iter().skip(place + 1).all(|other| seen(other) != seen(text)), "{text:?}");
            }
        }
        assert_eq!(seen_in_any_case("ＰＨÒＮＧ 1"), seen_in_any_case("Phòng 1"));
    }
}
