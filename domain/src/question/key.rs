//! What is right, and what a student has answered: one of the options, or a number.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

use crate::number::{NumberKey, Typed};

/// One of the four options, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
pub enum Choice {
    /// The first option.
    A,
    /// The second option.
    B,
    /// The third option.
    C,
    /// The fourth option.
    D,
}

impl Choice {
    /// All of them, in their order.
    pub const ALL: [Self; 4] = [Self::A, Self::B, Self::C, Self::D];

    /// Parses `A` to `D`; `None` for any other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "A" => Some(Self::A),
            "B" => Some(Self::B),
            "C" => Some(Self::C),
            "D" => Some(Self::D),
            _ => None,
        }
    }

    /// The option's letter, `A` to `D`.
    #[must_use]
    pub const fn letter(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
            Self::D => "D",
        }
    }
}

/// What is right.
// As stored a letter, or an object with the number. It is sent as the string alone, with the rest beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Key {
    /// The right option.
    Choice(Choice),
    /// The right number.
    Number(NumberKey),
}

impl Key {
    /// The letter of the right option or the right number: `correct` and `answer` in JSON.
    #[must_use]
    pub fn letter_or_number(&self) -> &str {
        match self {
            Self::Choice(choice) => choice.letter(),
            Self::Number(number) => &number.answer,
        }
    }

    /// The right option; `None` if the answer is a number.
    #[must_use]
    pub const fn choice(&self) -> Option<Choice> {
        match self {
            Self::Choice(choice) => Some(*choice),
            Self::Number(_) => None,
        }
    }

    /// The right number; `None` if the answer is an option.
    #[must_use]
    pub const fn number(&self) -> Option<&NumberKey> {
        match self {
            Self::Choice(_) => None,
            Self::Number(number) => Some(number),
        }
    }

    /// Returns whether an answer is right. Nothing else decides it.
    #[must_use]
    pub fn accepts(&self, selected: &Selected) -> bool {
        match self {
            Self::Choice(choice) => selected.choice() == Some(*choice),
            Self::Number(number) => number.is_right(selected.text()),
        }
    }

    /// Returns whether somebody can have answered so, right or wrong.
    #[must_use]
    pub const fn takes(&self, selected: &Selected) -> bool {
        matches!((self, selected), (Self::Number(_), _) | (Self::Choice(_), Selected::Choice(_)))
    }

    /// Reads an answer to its question; `None` for what nobody could have answered: no letter of an option, or a text
    /// that is no [`Typed`].
    #[must_use]
    pub fn parse_selected(&self, text: &str) -> Option<Selected> {
        match self {
            Self::Choice(_) => Choice::parse(text).map(Selected::Choice),
            Self::Number(_) => Typed::new(text).map(Selected::from),
        }
    }
}

impl From<Choice> for Key {
    fn from(choice: Choice) -> Self {
        Self::Choice(choice)
    }
}

impl From<NumberKey> for Key {
    fn from(number: NumberKey) -> Self {
        Self::Number(number)
    }
}

/// What a student has answered. In JSON a string.
///
/// Stored answers are read without their questions, so one text is one value: who has typed `B` for a number has
/// selected `B`, which is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Selected {
    /// An option.
    Choice(Choice),
    /// What was typed, unless it is the letter of an option.
    Number(Typed),
}

impl Selected {
    /// Reads an answer whose question is not known; `None` when it is none to any question.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Choice::parse(text).map(Self::Choice).or_else(|| Typed::new(text).map(Self::from))
    }

    /// The letter, or what was typed: `selected` in JSON.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Choice(choice) => choice.letter(),
            Self::Number(typed) => typed.as_str(),
        }
    }

    /// The option; `None` for what was typed.
    #[must_use]
    pub const fn choice(&self) -> Option<Choice> {
        match self {
            Self::Choice(choice) => Some(*choice),
            Self::Number(_) => None,
        }
    }
}

impl From<Choice> for Selected {
    fn from(choice: Choice) -> Self {
        Self::Choice(choice)
    }
}

impl From<Typed> for Selected {
    fn from(typed: Typed) -> Self {
        Choice::parse(typed.as_str()).map_or(Self::Number(typed), Self::Choice)
    }
}

impl Serialize for Selected {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}

impl<'de> Deserialize<'de> for Selected {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Typed::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_accepts_what_is_right() {
        let (letter, number) = (Key::from(Choice::B), Key::from(NumberKey::exact("0.5")));
        let accepted = |key: &Key, text: &str| key.parse_selected(text).map(|selected| key.accepts(&selected));
        assert_eq!(
            ["B", "A", "b", "", "0.5"].map(|text| accepted(&letter, text)),
            [Some(true), Some(false), None, None, None]
        );
        assert_eq!(
            ["1/2", " ,5 ", "0.4", "B", "half", ""].map(|text| accepted(&number, text)),
            [Some(true), Some(true), Some(false), Some(false), Some(false), None]
        );
        assert_eq!((letter.letter_or_number(), number.letter_or_number()), ("B", "0.5"));
        let typed = Selected::parse("0.5").unwrap();
        assert!(!letter.accepts(&typed) && !letter.takes(&typed) && number.takes(&typed));
        assert!(letter.takes(&Selected::Choice(Choice::A)) && number.takes(&Selected::Choice(Choice::A)));
    }

    #[test]
    fn one_text_is_one_answer() {
        let number = Key::from(NumberKey::exact("3"));
        for text in ["B", "b", "3", "1/2", "x"] {
            let selected = number.parse_selected(text).unwrap();
            assert_eq!(Selected::parse(text), Some(selected.clone()));
            let json = serde_json::to_string(&selected).unwrap();
            assert_eq!(serde_json::from_str::<Selected>(&json).unwrap(), selected, "{json}");
            assert_eq!(selected.text(), text);
        }
        assert_eq!(number.parse_selected(" B "), Some(Selected::Choice(Choice::B)));
        for text in ["", " ", "1\u{0}", "1\n2", &"1".repeat(33)] {
            assert_eq!((Selected::parse(text), number.parse_selected(text)), (None, None), "{text:?}");
        }
        assert!(Selected::parse(&"1".repeat(32)).is_some());
    }

    #[test]
    fn keys_are_stored_as_before_and_with_all_that_counts() {
        let letter = Key::from(Choice::D);
        assert_eq!(serde_json::to_string(&letter).unwrap(), r#""D""#);
        let number = Key::from(NumberKey::exact("0.5"));
        let stored = serde_json::to_string(&number).unwrap();
        let json =
            r#"{"answer":"0.5","tolerance":"0","unit":"","forms":["decimal","fraction","mixed"],"language":"en"}"#;
        assert_eq!(stored, json);
        for key in [letter, number] {
            assert_eq!(serde_json::from_str::<Key>(&serde_json::to_string(&key).unwrap()).unwrap(), key);
        }
    }
}
