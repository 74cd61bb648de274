//! Replaces what no embedded font can show, so that a report never has an empty box or a missing character.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::fonts::{Fonts, is_joiner};

/// Combining marks on one character: no language needs more, and a tower of them would cover the lines above.
const MARKS_MAX: usize = 4;

/// The text in composed form, without control characters and repeated blanks. A character that no font has becomes
/// `[U+1F600]`: a reader sees that something stands there and can look it up, while an empty box would say nothing.
pub(in crate::reports) fn readable(text: &str, fonts: &Fonts) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut marks = 0;
    for character in text.nfc().filter(|character| is_isolate(*character) || !is_invisible(*character)) {
        if is_combining_mark(character) {
            marks += 1;
        } else if !is_joiner(character) {
            marks = 0;
        }
        // Joiners have no width, so any number of them would fit into one line.
        if marks > MARKS_MAX || (is_joiner(character) && shown.ends_with(is_joiner)) {
            continue;
        }
        if character.is_whitespace() || character.is_control() {
            if !shown.is_empty() && !shown.ends_with(' ') {
                shown.push(' ');
            }
        } else if is_joiner(character) || is_isolate(character) || fonts.can_show(character) {
            shown.push(character);
        } else {
            shown.push_str(&format!("[U+{:04X}]", u32::from(character)));
        }
    }
    shown.truncate(shown.trim_end().len());
    shown
}

/// The text as programs show it that have fonts of their own: in composed form, in one line, without direction
/// overrides.
pub(in crate::reports) fn printed(text: &str) -> impl Iterator<Item = char> {
    let one_line = |character: char| if character.is_whitespace() { ' ' } else { character };
    text.trim().nfc().map(one_line).filter(|character| !is_invisible(*character) && !character.is_control())
}

/// Returns whether the character keeps the name between two of them from turning the line around it
/// (`domain/src/text/direction.rs`). It has a say in the order of a line, and nothing of it is drawn.
pub(super) const fn is_isolate(character: char) -> bool {
    matches!(character, '\u{2068}' | '\u{2069}')
}

/// Returns whether the character has no shape: soft hyphens, direction overrides, variation selectors, tags. An
/// override could make one name read as another.
const fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{AD}'
            | '\u{61C}'
            | '\u{200B}'
            | '\u{200E}'
            | '\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}'
            | '\u{E0000}'..='\u{E0FFF}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        readable(text, Fonts::embedded().unwrap())
    }

    #[test]
    fn letters_and_their_marks_are_composed() {
        assert_eq!(of("Zoe\u{308} \t\n O\u{302}\u{301}"), "Zoë Ố");
        assert_eq!(of(" \u{202E}evil\u{202C}\u{FEFF} "), "evil");
    }

    #[test]
    fn a_character_has_four_marks_at_most() {
        let tower = "\u{301}".repeat(50);
        assert_eq!(of(&format!("q{tower}y")), format!("q{}y", "\u{301}".repeat(MARKS_MAX)));
        assert_eq!(of(&format!("q{}", "\u{301}\u{200D}".repeat(50))).matches('\u{301}').count(), MARKS_MAX);
    }

    #[test]
    fn joiners_in_a_row_are_one() {
        assert_eq!(of(&format!("a{}b", "\u{200D}".repeat(5_000))), "a\u{200D}b");
    }

    #[test]
    fn what_no_font_has_is_named_by_its_number() {
        assert_eq!(of("A\u{1F9D1}\u{FE0F}B"), "A[U+1F9D1]B");
        assert_eq!(of("王"), "王");
        assert_eq!(of("\u{E000}"), "[U+E000]");
    }
}
