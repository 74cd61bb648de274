//! Everything that some candidates have received before the beginning, and the search for the paper in it.

use crate::sitting_admin::KeyedQuestion;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Characters of an option that is looked for by itself. A shorter one, such as `12`, is in any text, so that only the
/// whole list of the options is looked for.
const OPTION_CHARACTERS_MIN: usize = 8;

/// The distinct texts that were received, each with the first road by which it came.
#[derive(Default)]
pub struct SeenBytes {
    texts: Mutex<BTreeMap<Vec<u8>, String>>,
    bytes: std::sync::atomic::AtomicU64,
}

/// What was looked for, by what it is.
pub struct Secrets(BTreeSet<(String, &'static str)>);

impl SeenBytes {
    pub fn record(&self, road: &str, bytes: &[u8]) {
        crate::tally::add(&self.bytes, bytes.len() as u64);
        let mut texts = locked(&self.texts);
        if !texts.contains_key(bytes) {
            texts.insert(bytes.to_vec(), road.to_owned());
        }
    }

    /// Bytes that were received, repeats included.
    pub fn bytes(&self) -> u64 {
        crate::tally::read(&self.bytes)
    }

    /// Where something was found that nobody may have seen, as sentences.
    pub fn find(&self, secrets: &Secrets) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for (bytes, road) in &*locked(&self.texts) {
            let text = String::from_utf8_lossy(bytes);
            let seen = secrets.0.iter().filter(|(secret, _)| text.contains(secret.as_str()));
            found.extend(seen.map(|(_, what)| format!("{what} by {road}")));
        }
        found
    }
}

impl Secrets {
    /// Texts, ids, options, explanations and keys of a paper, and the keys of its sealed parts, as they stand in JSON.
    /// What other questions of the bank have too, such as an option, is no secret.
    pub fn of(questions: &[KeyedQuestion], others: &[KeyedQuestion], part_keys: &[String]) -> Self {
        let mut secrets = Self::of_questions(questions);
        let public = Self::of_questions(others).0.into_iter().map(|(text, _)| text + "\n").collect::<String>();
        secrets.0.retain(|(secret, _)| !public.contains(secret.as_str()));
        secrets.0.extend(part_keys.iter().map(|key| (key.clone(), "the key of a part")));
        // A key alone is one letter. The keys of a paper in their order are no accident.
        let letters: Vec<String> = questions.iter().map(|question| format!("\"{}\"", question.answer)).collect();
        secrets.0.insert((letters.join(","), "the keys of the questions"));
        secrets
    }

    fn of_questions(questions: &[KeyedQuestion]) -> Self {
        let mut secrets = BTreeSet::new();
        let mut add = |secret: String, what| {
            if !secret.is_empty() {
                secrets.insert((secret, what));
            }
        };
        for question in questions {
            add(question.id.clone(), "the id of a question");
            for text in [&question.question, &question.explanation] {
                add(text.clone(), "the text of a question");
                add(escaped(text), "the text of a question");
            }
            for option in question.options.iter().filter(|option| option.chars().count() >= OPTION_CHARACTERS_MIN) {
                add(option.clone(), "an option");
                add(escaped(option), "an option");
            }
            let options: Vec<String> =
                question.options.iter().map(|option| format!("\"{}\"", escaped(option))).collect();
            add(options.join(","), "the options of a question");
        }
        Self(secrets)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }
}

/// A text as it stands between the quotes of JSON.
fn escaped(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or_default().to_owned()
}

// A poisoned lock is harmless: every change is a single insertion.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets() -> Secrets {
        let question = KeyedQuestion {
            id: "g5-003".to_owned(),
            question: "What is \"half\" of 24?".to_owned(),
            options: ["12", "13", "14", "none of them"].map(str::to_owned).to_vec(),
            answer: "A".to_owned(),
            explanation: "24 : 2 = 12".to_owned(),
        };
        let next = KeyedQuestion {
            id: "g5-004".to_owned(),
            question: "And of 30?".to_owned(),
            options: ["15", "all of them"].map(str::to_owned).to_vec(),
            answer: "C".to_owned(),
            explanation: String::new(),
        };
        let other = KeyedQuestion {
            id: "g5-005".to_owned(),
            question: "Which is even?".to_owned(),
            options: ["all of them", "this one"].map(str::to_owned).to_vec(),
            answer: "A".to_owned(),
            explanation: String::new(),
        };
        Secrets::of(&[question, next], &[other], &["q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=".to_owned()])
    }

    fn found(text: &str) -> Vec<String> {
        let seen = SeenBytes::default();
        seen.record("a frame", text.as_bytes());
        seen.find(&secrets()).into_iter().collect()
    }

    #[test]
    fn what_nobody_may_see_is_found_in_any_form() {
        assert_eq!(found(r#"{"id":"g5-003"}"#), ["the id of a question by a frame"]);
        assert_eq!(found(r#"{"text":"What is \"half\" of 24?"}"#), ["the text of a question by a frame"]);
        assert_eq!(found("<p>What is \"half\" of 24?</p>"), ["the text of a question by a frame"]);
        assert_eq!(found("24 : 2 = 12"), ["the text of a question by a frame"]);
        assert_eq!(
            found(r#"["12","13","14","none of them"]"#),
            ["an option by a frame", "the options of a question by a frame"]
        );
        assert_eq!(found("q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s="), ["the key of a part by a frame"]);
        assert_eq!(found(r#"{"keys":["A","C"]}"#), ["the keys of the questions by a frame"]);
    }

    #[test]
    fn what_other_questions_have_too_is_no_secret() {
        assert!(found(r#"{"id":"g5-005","options":["all of them","this one"]}"#).is_empty());
    }

    #[test]
    fn numbers_of_the_waiting_room_are_no_options() {
        assert!(
            found(r#"{"type":"waiting","seat":"S12","minutes":13,"startsAt":"2026-06-14T12:13:14.000Z"}"#).is_empty()
        );
    }

    #[test]
    fn equal_texts_are_kept_once_and_counted_twice() {
        let seen = SeenBytes::default();
        seen.record("one", b"12345");
        seen.record("other", b"12345");
        assert_eq!((seen.bytes(), locked(&seen.texts).len()), (10, 1));
    }
}
