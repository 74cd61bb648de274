//! What topics are called in the languages of the pages: those of the sample bank have a name in each, and every other
//! one its own alone. The pages have the same table.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::school::PageLanguage;

/// The names of topics by language; in English they are the topics themselves.
static VIETNAMESE: LazyLock<BTreeMap<&'static str, &'static str>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../web/src/texts/topics/vi.json")).unwrap_or_default());

/// The name of a topic in a language, or the topic itself where it has none.
#[must_use]
pub fn topic_name(topic: &str, language: PageLanguage) -> &str {
    match language {
        PageLanguage::En => topic,
        PageLanguage::Vi => VIETNAMESE.get(topic).copied().unwrap_or(topic),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_has_its_name_and_an_unknown_one_its_own() {
        assert_eq!(topic_name("Fractions", PageLanguage::Vi), "Phân số");
        assert_eq!(topic_name("Fractions", PageLanguage::En), "Fractions");
        assert_eq!(topic_name("Hình học 11", PageLanguage::Vi), "Hình học 11");
    }
}
