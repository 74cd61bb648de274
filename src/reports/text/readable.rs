//! What of a text can be put on paper: everything that some embedded font shows, and the number of every character that none does.

use unicode_normalization::UnicodeNormalization;

use super::fonts::{Fonts, is_joiner};

/// The text in its composed form, without control characters and doubled blanks. What no font has becomes `[U+1F600]`: a reader
/// sees that something stands there and can find out what, while an empty box would say nothing.
pub(super) fn readable(text: &str, fonts: &Fonts) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.nfc().filter(|character| !is_invisible(*character)) {
        if character.is_whitespace() || character.is_control() {
            if !shown.is_empty() && !shown.ends_with(' ') {
                shown.push(' ');
            }
        } else if is_joiner(character) || fonts.can_show(character) {
            shown.push(character);
        } else {
            shown.push_str(&format!("[U+{:04X}]", u32::from(character)));
        }
    }
    shown.truncate(shown.trim_end().len());
    shown
}

/// Characters that have no shape: soft hyphens, orders to turn the direction (which could make a name read as another), selectors
/// of variants, tags.
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
    fn what_no_font_has_is_named_by_its_number() {
        assert_eq!(of("A\u{1F9D1}\u{FE0F}B"), "A[U+1F9D1]B");
        assert_eq!(of("王"), "[U+738B]");
        assert_eq!(of("\u{E000}"), "[U+E000]");
    }
}
