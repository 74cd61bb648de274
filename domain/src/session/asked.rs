//! The questions of a finished test as they were asked: the versions that were on its paper, as far as they are kept.

use std::collections::HashMap;
use std::sync::Arc;

use super::Session;
use crate::question::{Difficulty, KeyedQuestion, OptionsDigest, Question, VersionDigest};

/// What is known of the text of a question in a finished test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextState {
    /// It is what was asked, and the bank has it like this.
    Asked,
    /// It is what was asked, and the bank has another one now.
    Changed,
    /// It is what was asked, and the bank no longer has the question.
    Removed,
    /// It is that of the bank. The test is older than the keeping of texts, and nothing says that it has changed since.
    OfBank,
    /// It is that of the bank, which has changed since. What was asked was not kept.
    Replaced,
}

/// A question of a finished test, to be shown to someone who has sat it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedQuestion {
    /// As it was asked, unless `state` says otherwise.
    pub question: Question,
    /// What is known of its text.
    pub state: TextState,
}

impl AskedQuestion {
    /// The questions of a test, by id, from those of them that the bank has, and the versions that it lacks, as far as
    /// they are kept.
    #[must_use]
    pub fn all(
        keys: &[Arc<KeyedQuestion>],
        bank: HashMap<String, Question>,
        former: HashMap<String, Question>,
    ) -> HashMap<String, Self> {
        let keys: HashMap<&str, &KeyedQuestion> = keys.iter().map(|key| (&*key.id, &**key)).collect();
        let mut asked: HashMap<String, Self> = former
            .into_iter()
            .map(|(id, question)| {
                let state = if bank.contains_key(&id) { TextState::Changed } else { TextState::Removed };
                (id, Self { question, state })
            })
            .collect();
        for (id, question) in bank {
            let state = keys.get(&*id).map_or(TextState::OfBank, |key| state_of_bank(&question, key));
            asked.entry(id).or_insert(Self { question, state });
        }
        asked
    }

    /// The versions that a test has asked and that the bank has no longer, with the ids of their questions.
    #[must_use]
    pub fn missing<'a>(
        keys: &'a [Arc<KeyedQuestion>],
        bank: &HashMap<String, Question>,
    ) -> Vec<(&'a str, VersionDigest)> {
        let known = |key: &&'a Arc<KeyedQuestion>| Some((&*key.id, key.version?));
        let is_missing = |(id, version): &(&str, VersionDigest)| {
            bank.get(*id).is_none_or(|question| VersionDigest::of(question) != *version)
        };
        keys.iter().filter_map(|key| known(&key)).filter(is_missing).collect()
    }
}

/// What a question was worth in a finished test, and under which topic: its key without what is right.
#[derive(Clone, Copy, Debug)]
pub struct AskedKey<'a> {
    key: &'a KeyedQuestion,
}

impl AskedKey<'_> {
    /// The topic shown in the report.
    #[must_use]
    pub fn topic(&self) -> &str {
        &self.key.topic
    }

    /// The difficulty, which gives the points.
    #[must_use]
    pub const fn difficulty(&self) -> Difficulty {
        self.key.difficulty
    }

    /// What its letters stand for; `None` for tests of releases that did not keep it.
    #[must_use]
    pub const fn options(&self) -> Option<OptionsDigest> {
        self.key.options
    }

    /// Returns whether a question still has the key by which the test was graded.
    #[must_use]
    pub fn is_of(&self, question: &Question) -> bool {
        has_key(question, self.key)
    }
}

impl Session {
    /// What its questions were worth, by id; empty when the server did not grade it.
    #[must_use]
    pub fn asked_keys(&self) -> Vec<(&str, AskedKey<'_>)> {
        let keys = self.graded_by.inside_the_server();
        keys.iter().map(|key| (&*key.id, AskedKey { key })).collect()
    }

    /// Does [`AskedQuestion::all`] for its questions.
    #[must_use]
    pub fn asked(
        &self,
        bank: HashMap<String, Question>,
        former: HashMap<String, Question>,
    ) -> HashMap<String, AskedQuestion> {
        AskedQuestion::all(self.graded_by.inside_the_server(), bank, former)
    }

    /// Does [`AskedQuestion::missing`] for its questions.
    #[must_use]
    pub fn missing(&self, bank: &HashMap<String, Question>) -> Vec<(&str, VersionDigest)> {
        AskedQuestion::missing(self.graded_by.inside_the_server(), bank)
    }
}

fn has_key(question: &Question, key: &KeyedQuestion) -> bool {
    (&*question.topic, question.difficulty, &question.answer) == (&*key.topic, key.difficulty, &key.answer)
}

fn state_of_bank(question: &Question, key: &KeyedQuestion) -> TextState {
    let has_options = key.options.is_none_or(|options| options == OptionsDigest::of(&question.options));
    match key.version {
        Some(version) if version == VersionDigest::of(question) => TextState::Asked,
        None if has_key(question, key) && has_options => TextState::OfBank,
        _ => TextState::Replaced,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::Grade;
    use crate::question::{Choice, Difficulty};

    fn question(text: &str, options: [&str; 2]) -> Question {
        Question {
            id: "a".to_owned(),
            grade: Grade::new(5).unwrap(),
            topic: "Shapes".to_owned(),
            subtopic: String::new(),
            difficulty: Difficulty::new(5).unwrap(),
            source: String::new(),
            kind: "multiple-choice".to_owned(),
            question: text.to_owned(),
            options: options.map(str::to_owned).to_vec(),
            answer: Choice::A.into(),
            explanation: String::new(),
            image: String::new(),
            image_description: String::new(),
            fixed_options: false,
        }
    }

    /// What is shown if `former` is all that is kept beside the bank.
    fn found(key: &KeyedQuestion, bank: Option<&Question>, former: Option<&Question>) -> Option<(String, TextState)> {
        let keys = [Arc::new(key.clone())];
        let bank: HashMap<_, _> = bank.into_iter().map(|one| (one.id.clone(), one.clone())).collect();
        let missing = AskedQuestion::missing(&keys, &bank);
        let kept = former.filter(|one| missing.contains(&("a", VersionDigest::of(one))));
        let former = kept.into_iter().map(|one| (one.id.clone(), one.clone())).collect();
        let asked = AskedQuestion::all(&keys, bank, former).remove("a")?;
        Some((asked.question.question, asked.state))
    }

    #[test]
    fn what_was_asked_is_shown_whatever_the_bank_has_become() {
        let then = question("How many?", ["five", "six"]);
        let now = question("How many sides?", ["five", "six"]);
        let key = then.keyed();
        let told = |text: &str, state| Some((text.to_owned(), state));
        assert_eq!(found(&key, Some(&then), None), told("How many?", TextState::Asked));
        assert_eq!(found(&key, Some(&now), Some(&then)), told("How many?", TextState::Changed));
        assert_eq!(found(&key, None, Some(&then)), told("How many?", TextState::Removed));
        assert_eq!(found(&key, Some(&then), Some(&then)), told("How many?", TextState::Asked), "it was changed back");
        assert_eq!(found(&key, Some(&now), None), told("How many sides?", TextState::Replaced));
        assert_eq!(found(&key, None, None), None);
    }

    #[test]
    fn of_older_tests_it_is_known_whether_the_key_and_the_options_are_the_same() {
        let then = question("How many?", ["five", "six"]);
        let old = KeyedQuestion { version: None, ..then.keyed() };
        let state = |key: &KeyedQuestion, now: &Question| found(key, Some(now), None).unwrap().1;
        assert_eq!(state(&old, &question("How many sides?", ["five", "six"])), TextState::OfBank);
        assert_eq!(state(&old, &question("How many?", ["six", "five"])), TextState::Replaced);
        assert_eq!(state(&old, &Question { answer: Choice::B.into(), ..then }), TextState::Replaced);
        let older = KeyedQuestion { options: None, ..old };
        assert_eq!(state(&older, &question("How many?", ["six", "five"])), TextState::OfBank);
    }

    #[test]
    fn every_text_of_a_report_makes_another_version() {
        let then = question("How many?", ["five", "six"]);
        let topic = Question { topic: "Numbers".to_owned(), ..then.clone() };
        let explanation = Question { explanation: "Count.".to_owned(), ..then.clone() };
        let image = Question { image: "/a.svg".to_owned(), ..then.clone() };
        let described = Question { image_description: "A pentagon.".to_owned(), ..then.clone() };
        let key = Question { answer: Choice::B.into(), ..then.clone() };
        let harder = Question { difficulty: Difficulty::new(1).unwrap(), ..then.clone() };
        let texts = [question("How many", ["five", "six"]), question("How many?", ["five", "seven"])];
        for other in [topic, explanation, image, described, key, harder].iter().chain(&texts) {
            assert_ne!(VersionDigest::of(other), VersionDigest::of(&then), "{other:?}");
        }
        let elsewhere = Question { source: "A book".to_owned(), subtopic: "Sides".to_owned(), ..then.clone() };
        assert_eq!(VersionDigest::of(&elsewhere), VersionDigest::of(&then), "no report shows it");
        assert_eq!(VersionDigest::from_number(VersionDigest::of(&then).number()), VersionDigest::of(&then));
    }
}
