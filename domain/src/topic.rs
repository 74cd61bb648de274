//! What topics are called in the languages of the pages, and which spellings name the same topic: those of the sample
//! bank have a name in each language, and every other one its own alone. The pages have the same table and rule.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;

use crate::school::PageLanguage;
use crate::text::same::seen_in_any_case;

/// The names of topics by language; in English they are the topics themselves.
static VIETNAMESE: LazyLock<BTreeMap<&'static str, &'static str>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../web/src/texts/topics/vi.json")).unwrap_or_default());

/// The topics of the sample bank by what each is called in any language, without regard to case and blanks.
static KNOWN: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let names = VIETNAMESE
        .iter()
        .flat_map(|(topic, name)| [(seen_in_any_case(topic), *topic), (seen_in_any_case(name), *topic)]);
    names.collect()
});

/// The name of a topic in a language, or the topic itself where it has none.
#[must_use]
pub fn topic_name(topic: &str, language: PageLanguage) -> &str {
    match language {
        PageLanguage::En => topic,
        PageLanguage::Vi => VIETNAMESE.get(topic).copied().unwrap_or(topic),
    }
}

/// How the topics of a bank are spelled, so that a topic that is typed or imported becomes no second one by a capital,
/// a blank or its name in the other language.
#[derive(Clone, Debug, Default)]
pub struct TopicSpellings {
    /// All spellings of the bank. Whoever gives one of them means it.
    spelled: HashSet<String>,
    /// By what makes topics the same, the spelling that most questions have.
    usual: HashMap<String, String>,
}

impl TopicSpellings {
    /// Those of a bank, whose questions have these topics.
    #[must_use]
    pub fn of<'a>(topics: impl IntoIterator<Item = &'a str>) -> Self {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for topic in topics {
            *counts.entry(topic).or_default() += 1;
        }
        let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
        // Of equal ones the first of the alphabet: the order is stable.
        counts.sort_by_key(|(topic, count)| (!VIETNAMESE.contains_key(*topic), std::cmp::Reverse(*count)));
        let mut spellings = Self::default();
        for (topic, _) in counts {
            spellings.add(topic);
        }
        spellings
    }

    /// The spelling under which a topic that was typed is stored. A new topic is known from then on.
    pub fn spell(&mut self, topic: &str) -> String {
        let new = KNOWN.get(&key_of(topic)).copied().unwrap_or(topic);
        self.spell_or(topic, new)
    }

    /// The same of a topic in a file. A bank that has no such topic yet gets it as it is written there, and two that a
    /// file tells apart stay apart: templates name topics exactly, and an export is read back as it was.
    pub fn spell_imported(&self, topic: &str) -> String {
        if self.spelled.contains(topic) {
            return topic.to_owned();
        }
        self.usual.get(&key_of(topic)).cloned().unwrap_or_else(|| topic.to_owned())
    }

    /// Takes the spelling of a file for each topic of which it has all questions that the bank has, and spells it in
    /// one way: whoever exports a grade, mends a topic in the sheet and imports it means that. The name by which a
    /// topic is shown in each language needs no mending. Both are questions of one grade, by their ids, with their
    /// topics.
    pub fn mend<'a>(
        &mut self,
        bank: impl IntoIterator<Item = (&'a str, &'a str)>,
        file: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) {
        let mut ids: HashSet<&str> = HashSet::new();
        // `None` where there are several spellings.
        let mut written: HashMap<String, Option<&str>> = HashMap::new();
        for (id, topic) in file {
            ids.insert(id);
            let one = written.entry(key_of(topic)).or_insert(Some(topic));
            *one = one.filter(|one| *one == topic);
        }
        for (_, topic) in bank.into_iter().filter(|(id, _)| !ids.contains(id)) {
            written.remove(&key_of(topic));
        }
        for (key, topic) in written {
            let is_shown_in_all = self.usual.get(&key).is_some_and(|usual| VIETNAMESE.contains_key(usual.as_str()));
            if let Some(topic) = topic.filter(|_| !is_shown_in_all) {
                self.spelled.insert(topic.to_owned());
                self.usual.insert(key, topic.to_owned());
            }
        }
    }

    /// The spelling of the bank, or else the new one.
    fn spell_or(&mut self, topic: &str, new: &str) -> String {
        if self.spelled.contains(topic) {
            return topic.to_owned();
        }
        if let Some(usual) = self.usual.get(&key_of(topic)) {
            return usual.clone();
        }
        self.add(new);
        new.to_owned()
    }

    /// The same for a question that has a topic already: who writes that very topic otherwise means it, whether they
    /// mend its spelling or take a mend back.
    pub fn spell_edited(&mut self, topic: &str, own: Option<&str>) -> String {
        if own.is_some_and(|own| key_of(own) == key_of(topic)) { topic.to_owned() } else { self.spell(topic) }
    }

    fn add(&mut self, topic: &str) {
        self.spelled.insert(topic.to_owned());
        self.usual.entry(key_of(topic)).or_insert_with(|| topic.to_owned());
    }
}

/// What is equal for all names of a topic.
fn key_of(topic: &str) -> String {
    let key = seen_in_any_case(topic);
    KNOWN.get(&key).map_or(key, |known| seen_in_any_case(known))
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

    #[test]
    fn a_capital_a_blank_or_the_other_language_makes_no_second_topic() {
        let mut spellings = TopicSpellings::of(["Fractions", "Fractions", "Sets of numbers"]);
        for typed in ["Fractions", "fractions", " FRACTIONS", "Phân số", "phân  số"] {
            assert_eq!(spellings.spell(typed), "Fractions", "{typed}");
        }
        assert_eq!(spellings.spell("sets  of numbers"), "Sets of numbers");
        assert_eq!(spellings.spell("Số thập phân"), "Decimals", "also of a topic that the bank has not yet");
        assert_eq!(spellings.spell("Hàng dọc"), "Hàng dọc");
        assert_eq!(spellings.spell("hàng dọc"), "Hàng dọc", "a new one is known from then on");
    }

    #[test]
    fn what_a_bank_has_stays_and_most_questions_decide() {
        let mut spellings = TopicSpellings::of(["primes", "Primes", "Primes", "Phân số"]);
        assert_eq!([spellings.spell("primes"), spellings.spell("PRIMES")], ["primes", "Primes"]);
        assert_eq!(spellings.spell("Fractions"), "Phân số", "the only one of the bank");
        let mut both = TopicSpellings::of(["Phân số", "Phân số", "Fractions"]);
        assert_eq!(both.spell("phân số"), "Fractions", "the name that is shown in both languages");
    }

    #[test]
    fn a_file_brings_its_new_topics_as_they_are_written() {
        let spellings = TopicSpellings::of(["Decimals"]);
        assert_eq!(spellings.spell_imported("Phân số"), "Phân số");
        assert_eq!(spellings.spell_imported("FRACTIONS"), "FRACTIONS", "what a file tells apart stays apart");
        assert_eq!(spellings.spell_imported("Số thập phân"), "Decimals", "the bank has it");
    }

    #[test]
    fn a_file_with_all_questions_of_a_topic_mends_its_spelling() {
        let bank = [("a", "clOcks"), ("b", "clOcks"), ("c", "Phân số"), ("d", "Primes")];
        let spelled = |file: &[(&'static str, &'static str)]| {
            let mut spellings = TopicSpellings::of(bank.map(|(_, topic)| topic));
            spellings.mend(bank, file.iter().copied());
            file.iter().map(|(_, topic)| spellings.spell_imported(topic)).collect::<Vec<_>>()
        };
        assert_eq!(spelled(&[("a", "Clocks"), ("b", "Clocks"), ("c", "Fractions")]), ["Clocks", "Clocks", "Fractions"]);
        assert_eq!(spelled(&[("a", "Clocks"), ("d", "Primes")]), ["clOcks", "Primes"], "another question has it");
        assert_eq!(spelled(&[("a", "Clocks"), ("b", "CLOCKS")]), ["clOcks", "clOcks"], "nobody knows which is meant");
        assert_eq!(spelled(&[("a", "Clocks"), ("b", "Decimals")]), ["Clocks", "Decimals"], "one leaves the topic");
        assert_eq!(spelled(&[("new", "PRIMES")]), ["Primes"]);
        let mut named = TopicSpellings::of(["Fractions"]);
        named.mend([("a", "Fractions")], [("a", "Phân số")]);
        assert_eq!(named.spell_imported("Phân số"), "Fractions");
    }

    #[test]
    fn a_question_may_have_its_own_topic_in_another_spelling() {
        let mut spellings = TopicSpellings::of(["hình  học", "clOcks", "Phân số"]);
        for (own, typed) in [("hình  học", "Hình học"), ("clOcks", "Clocks"), ("Phân số", "Fractions")] {
            assert_eq!(spellings.spell_edited(typed, Some(own)), typed);
        }
        assert_eq!(spellings.spell_edited("Clocks", Some("hình  học")), "clOcks", "that of other questions");
        assert_eq!(spellings.spell_edited("Clocks", None), "clOcks");
    }

    #[test]
    fn no_two_topics_have_the_same_name() {
        assert_eq!(KNOWN.len(), 2 * VIETNAMESE.len());
    }
}
