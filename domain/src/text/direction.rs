//! Keeps a name from turning the text around it: a name of right-to-left letters is isolated, and marks that turn what
//! follows are taken out. `web/src/texts/isolated.ts` does the same in the pages.

use std::borrow::Cow;

/// Begins what has a direction of its own, that of its first letter.
const FIRST_STRONG_ISOLATE: char = '\u{2068}';
const POP_ISOLATE: char = '\u{2069}';

/// Returns whether a mark turns the text after it until another mark ends that.
#[must_use]
pub const fn is_turning(character: char) -> bool {
    matches!(character, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Returns whether a letter is written from right to left, or a mark does as if one stood there.
const fn is_right_to_left(character: char) -> bool {
    matches!(character,
        '\u{590}'..='\u{8FF}' | '\u{200F}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}'
        | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
}

/// The text without marks that turn what follows, for where it stands alone, such as in a cell of a sheet.
#[must_use]
pub fn unturned(text: &str) -> Cow<'_, str> {
    if text.contains(is_turning) { Cow::Owned(text.replace(is_turning, "")) } else { Cow::Borrowed(text) }
}

/// The name for a sentence, or for a line with other things.
#[must_use]
pub fn isolated(name: &str) -> Cow<'_, str> {
    let name = unturned(name);
    if name.contains(is_right_to_left) {
        Cow::Owned(format!("{FIRST_STRONG_ISOLATE}{name}{POP_ISOLATE}"))
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_isolated_where_it_must_be() {
        for plain in ["", "Ada", "Nguyễn Thị Ánh", "王", "Αθηνά"] {
            assert!(matches!(isolated(plain), Cow::Borrowed(same) if same == plain), "{plain}");
        }
        assert_eq!(isolated("\u{639}\u{644}\u{64A}"), "\u{2068}\u{639}\u{644}\u{64A}\u{2069}");
        assert_eq!(isolated("Ada\u{200F}"), "\u{2068}Ada\u{200F}\u{2069}");
        assert_eq!(isolated("\u{202E}adA"), "adA");
        assert_eq!(isolated("\u{2069}\u{202E}\u{5D0} (3)"), "\u{2068}\u{5D0} (3)\u{2069}");
        assert_eq!(isolated("\u{1E900}"), "\u{2068}\u{1E900}\u{2069}");
    }

    #[test]
    fn a_cell_keeps_its_letters_and_loses_what_turns_them() {
        assert_eq!(unturned("\u{202E}a\u{202C}\u{2067}\u{5D0}\u{2069}\u{200F}"), "a\u{5D0}\u{200F}");
        assert!(matches!(unturned("\u{5D0}"), Cow::Borrowed(_)));
    }
}
