//! Whether an empty database gets the sample bank, and in which language.

use domain::school::PageLanguage;

/// The language that the option names, or none when the database stays empty; `None` for a text that it can't have.
pub(super) fn language(text: &str) -> Option<Option<PageLanguage>> {
    match text {
        "auto" => Some(Some(PageLanguage::En)),
        "off" => Some(None),
        code => PageLanguage::parse(code).map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_in_english_unless_a_language_is_named() {
        assert_eq!([language("auto"), language("en")], [Some(Some(PageLanguage::En)); 2]);
        assert_eq!(language("vi"), Some(Some(PageLanguage::Vi)));
        assert_eq!(language("off"), Some(None));
        assert_eq!([language("yes"), language("fr"), language("VI"), language("")], [None; 4]);
    }
}
