//! What a correction names, or has made right: options, or numbers.

use super::ChoiceSet;
use crate::number::{self, NumberKey};
use crate::question::{Key, Selected};

/// Some of the options of a question, or some numbers, each with one value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AnswerSet {
    /// Options.
    Options(ChoiceSet),
    /// Numbers as in keys, in the order in which they were named.
    Numbers(Vec<String>),
}

impl AnswerSet {
    /// Those of these letters, or of these numbers; `None` if one is neither, or occurs twice, or both kinds do.
    pub fn of_texts<'a>(texts: impl IntoIterator<Item = &'a str> + Clone) -> Option<Self> {
        ChoiceSet::of_letters(texts.clone()).map(Self::Options).or_else(|| {
            let numbers: Vec<String> = texts.into_iter().map(number::decimal).collect::<Option<_>>()?;
            let is_new = |(place, one): (usize, &String)| !has_number(numbers.get(..place).unwrap_or_default(), one);
            numbers.iter().enumerate().all(is_new).then_some(Self::Numbers(numbers))
        })
    }

    /// Those in a text, as [`Self::text`] has written it.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        if text.bytes().any(|byte| byte.is_ascii_digit()) {
            Self::Numbers(text.split_whitespace().map(str::to_owned).collect())
        } else {
            Self::Options(ChoiceSet::of_text(text))
        }
    }

    /// In one text, such as `AC` or `0.5 -2`.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Options(options) => options.text(),
            Self::Numbers(numbers) => numbers.join(" "),
        }
    }

    /// Each as a text: `alsoCorrect` in JSON.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        match self {
            Self::Options(options) => options.iter().map(|option| option.letter().to_owned()).collect(),
            Self::Numbers(numbers) => numbers.clone(),
        }
    }

    /// How many it has.
    #[must_use]
    pub const fn count(&self) -> usize {
        match self {
            Self::Options(options) => options.count(),
            Self::Numbers(numbers) => numbers.len(),
        }
    }

    /// Returns whether its parts can be answers to a question with this key; one without parts can.
    #[must_use]
    pub const fn are_of(&self, key: &Key) -> bool {
        matches!((self, key), (Self::Options(_), Key::Choice(_)) | (Self::Numbers(_), Key::Number(_)))
            || self.count() == 0
    }

    /// Its first part as the key in the place of another one; `None` without any, or if that one is of the other kind.
    #[must_use]
    pub fn first_in_place_of(&self, key: &Key) -> Option<Key> {
        match (self, key) {
            (Self::Options(options), Key::Choice(_)) => options.iter().next().map(Key::Choice),
            (Self::Numbers(numbers), Key::Number(key)) => numbers.first().map(|first| with_answer(key, first).into()),
            _ => None,
        }
    }

    /// Returns whether an answer is one of them. A number is read, and may differ, as the key says.
    #[must_use]
    pub fn accept(&self, selected: &Selected, key: &Key) -> bool {
        match (self, key) {
            (Self::Options(options), _) => selected.choice().is_some_and(|choice| options.has(choice)),
            (Self::Numbers(numbers), Key::Number(key)) => {
                numbers.iter().any(|number| with_answer(key, number).is_right(selected.text()))
            }
            (Self::Numbers(_), Key::Choice(_)) => false,
        }
    }

    /// All of both, without the key. Of two kinds the other one's stay.
    #[must_use]
    pub fn union(self, other: &Self, key: &Key) -> Self {
        match (self, other) {
            (Self::Options(own), Self::Options(others)) => {
                let both = own.union(*others);
                Self::Options(key.choice().map_or(both, |choice| both.without(choice)))
            }
            (own, Self::Numbers(others)) => {
                let mut numbers = if let Self::Numbers(own) = own { own } else { Vec::new() };
                let key = key.number().map(|number| number.answer.clone());
                for other in others {
                    if !has_number(&numbers, other) && !has_number(key.as_slice(), other) {
                        numbers.push(other.clone());
                    }
                }
                Self::Numbers(numbers)
            }
            (Self::Numbers(_), Self::Options(others)) => Self::Options(*others),
        }
    }
}

impl Default for AnswerSet {
    fn default() -> Self {
        Self::Options(ChoiceSet::NONE)
    }
}

impl From<ChoiceSet> for AnswerSet {
    fn from(options: ChoiceSet) -> Self {
        Self::Options(options)
    }
}

fn has_number(numbers: &[String], number: &str) -> bool {
    numbers.iter().any(|other| number::has_value_of(other, number))
}

fn with_answer(key: &NumberKey, answer: &str) -> NumberKey {
    NumberKey { answer: answer.to_owned(), ..key.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::Choice;

    fn set(texts: &[&str]) -> AnswerSet {
        AnswerSet::of_texts(texts.iter().copied()).unwrap()
    }

    #[test]
    fn a_set_is_the_same_by_its_parts_and_by_its_text() {
        for texts in [&[][..], &["A"], &["A", "C", "D"], &["0.5"], &["-2", "0.50", "7"]] {
            let set = set(texts);
            assert_eq!(AnswerSet::of_text(&set.text()), set);
            assert_eq!(
                (set.texts(), set.count()),
                (texts.iter().map(|text| (*text).to_owned()).collect(), texts.len())
            );
        }
        assert_eq!(set(&["0,5", "\u{2212}2"]).text(), "0.5 -2");
        for texts in [&["A", "1"][..], &["1", "A"], &["A", "A"], &["0.5", "0,50"], &["x"], &["1/2"], &[""], &["1,000"]]
        {
            assert_eq!(AnswerSet::of_texts(texts.iter().copied()), None, "{texts:?}");
        }
    }

    #[test]
    fn numbers_are_read_as_the_key_says() {
        let exact = NumberKey::exact("0.5");
        let key = Key::from(NumberKey { tolerance: "0.1".to_owned(), ..exact });
        let accepts = |set: &AnswerSet, typed: &str| set.accept(&key.parse_selected(typed).unwrap(), &key);
        let also = set(&["0.25", "2"]);
        assert!(accepts(&also, "1/4") && accepts(&also, "0,3") && accepts(&also, "2.1"));
        assert!(!accepts(&also, "0.4") && !accepts(&also, "A") && !accepts(&set(&["A"]), "0.25"));
        assert!(accepts(&set(&["A"]), "A"), "letters are no numbers, but `are_of` tells");
        assert!(also.are_of(&key) && !set(&["A"]).are_of(&key) && set(&[]).are_of(&key));
        let first = also.first_in_place_of(&key).unwrap();
        assert_eq!((first.letter_or_number(), first.number().unwrap().tolerance.as_str()), ("0.25", "0.1"));
        assert_eq!(also.first_in_place_of(&Key::Choice(Choice::A)), None);
    }

    #[test]
    fn what_is_right_already_is_not_named_again() {
        let key = Key::from(NumberKey::exact("0.5"));
        let both = set(&["0.25"]).union(&set(&["0.250", "0.50", "3"]), &key);
        assert_eq!(both, set(&["0.25", "3"]));
        assert_eq!(AnswerSet::default().union(&set(&["1"]), &key), set(&["1"]));
        assert_eq!(set(&["B"]).union(&set(&["A", "C"]), &Key::Choice(Choice::A)), set(&["B", "C"]));
    }
}
