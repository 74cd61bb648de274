//! What the school says on every page for a while, such as during an outage or before a maintenance.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::school::PageLanguage;
use crate::text;

/// The longest message in one language, in characters: three lines on a phone, which leaves the page usable.
pub const STATUS_CHARACTERS_MAX: usize = 300;

/// A message in the languages of the pages. A language in which nothing is said shows the other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StatusMessage {
    /// In English; may be empty.
    pub en: String,
    /// In Vietnamese; may be empty.
    pub vi: String,
}

impl StatusMessage {
    /// Whether nothing is said in any language.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.en.is_empty() && self.vi.is_empty()
    }

    /// What readers of this language see, and the language in which it is. Empty only if nothing is said at all.
    #[must_use]
    pub fn for_readers(&self, language: PageLanguage) -> (PageLanguage, &str) {
        let said = |language| match language {
            PageLanguage::En => (language, self.en.as_str()),
            PageLanguage::Vi => (language, self.vi.as_str()),
        };
        let other = match language {
            PageLanguage::En => PageLanguage::Vi,
            PageLanguage::Vi => PageLanguage::En,
        };
        [said(language), said(other)].into_iter().find(|(_, text)| !text.is_empty()).unwrap_or((language, ""))
    }
}

/// A message in one language without white space around it, which may be empty. `None` when it is too long, or has line
/// ends, other control characters, or characters that turn the text around them.
#[must_use]
pub fn status_text(given: &str) -> Option<String> {
    let said = given.trim();
    let is_sound = said.chars().count() <= STATUS_CHARACTERS_MAX && !said.chars().any(text::is_refused);
    is_sound.then(|| if text::is_blank(said) { String::new() } else { said.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line_of_plain_text() {
        assert_eq!(status_text(" Back at 14:00. "), Some("Back at 14:00.".to_owned()));
        assert_eq!(status_text("<b>&amp;"), Some("<b>&amp;".to_owned()), "pages show it as it is");
        assert_eq!([status_text(""), status_text(" \u{200B} ")], [Some(String::new()), Some(String::new())]);
        assert_eq!(status_text(&"ở".repeat(STATUS_CHARACTERS_MAX)), Some("ở".repeat(STATUS_CHARACTERS_MAX)));
        for given in [&"x".repeat(STATUS_CHARACTERS_MAX + 1), "a\nb", "a\u{202E}b", "a\u{7}b"] {
            assert_eq!(status_text(given), None, "{given:?}");
        }
    }

    #[test]
    fn readers_see_their_language_or_the_other() {
        let message = |en: &str, vi: &str| StatusMessage { en: en.to_owned(), vi: vi.to_owned() };
        let both = message("Back soon", "Sắp xong");
        assert_eq!(both.for_readers(PageLanguage::Vi), (PageLanguage::Vi, "Sắp xong"));
        assert_eq!(both.for_readers(PageLanguage::En), (PageLanguage::En, "Back soon"));
        let one = message("Back soon", "");
        assert_eq!(one.for_readers(PageLanguage::Vi), (PageLanguage::En, "Back soon"));
        assert!(!one.is_empty() && message("", "").is_empty());
        assert_eq!(message("", "").for_readers(PageLanguage::Vi).1, "");
    }
}
