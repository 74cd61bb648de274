//! Rules for short texts that people type, apart from those for questions: which are stored, and which are refused.

pub mod direction;
pub mod heading;
pub mod order;
pub mod same;

/// The longest name of a person, a template or a token, in characters.
pub const NAME_CHARACTERS_MAX: usize = 200;
/// The longest note or comment, in characters.
pub const NOTE_CHARACTERS_MAX: usize = 10_000;

/// Returns whether a character could make a name look like another one: control characters, and those that reverse the
/// direction of the text after them. Plain direction marks are allowed, since Arabic and Hebrew names may need them.
#[must_use]
pub fn is_refused(character: char) -> bool {
    character.is_control() || direction::is_turning(character)
}

/// Returns whether a character takes no room, so that a text with it looks like the same text without it.
#[must_use]
pub const fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{2800}' | '\u{3164}'
        | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}'
        | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Returns whether a text has control characters: in a name, an annotation or a link neither the database nor a page
/// should meet them, so whoever sends one is refused.
#[must_use]
pub fn has_control(text: &str) -> bool {
    text.chars().any(char::is_control)
}

/// The same for texts of several lines, in which line ends and tabs are allowed.
#[must_use]
pub fn has_control_beside_lines(text: &str) -> bool {
    text.chars().any(|character| character.is_control() && !matches!(character, '\n' | '\r' | '\t'))
}

/// Returns whether nobody sees anything of a text.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|character| character.is_whitespace() || is_invisible(character))
}

/// A name without surrounding white space; `None` when nobody can see it, it is too long, or has a character that
/// [`is_refused`].
#[must_use]
pub fn name(text: &str) -> Option<String> {
    let name = text.trim();
    let is_sound = !is_blank(name) && name.chars().count() <= NAME_CHARACTERS_MAX && !text.chars().any(is_refused);
    is_sound.then(|| name.to_owned())
}

/// A note or a comment, which may be empty and have several lines; `None` when it is too long or has control characters
/// other than line ends and tabs.
#[must_use]
pub fn note(text: &str) -> Option<String> {
    let is_sound = text.chars().count() <= NOTE_CHARACTERS_MAX && !has_control_beside_lines(text);
    is_sound.then(|| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_trimmed_and_bounded() {
        assert_eq!(name("  Zoë 王 "), Some("Zoë 王".to_owned()));
        for text in [
            "",
            "   ",
            "a\nb",
            "a\n",
            "a\0",
            "a\u{202E}b",
            "\u{200B}",
            "\u{3164} \u{2060}",
            &"x".repeat(NAME_CHARACTERS_MAX + 1),
        ] {
            assert_eq!(name(text), None, "{text:?}");
        }
        assert_eq!(note(""), Some(String::new()));
        assert_eq!(note("a\nb"), Some("a\nb".to_owned()));
        assert_eq!(note("a\u{7}"), None);
    }
}
