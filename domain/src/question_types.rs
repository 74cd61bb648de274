//! Which types of questions somebody chooses from. Programs that know four letters alone ask for nothing, and get
//! multiple choice.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::question::Key;

/// The types of questions that are chosen from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum QuestionTypes {
    /// Only questions with options.
    #[default]
    MultipleChoice,
    /// Only questions that ask for a number.
    Number,
    /// Both.
    All,
}

impl QuestionTypes {
    /// Every choice that there is.
    pub const CHOICES: [Self; 3] = [Self::MultipleChoice, Self::Number, Self::All];

    /// `multiple-choice`, `number` or `all`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MultipleChoice => "multiple-choice",
            Self::Number => "number",
            Self::All => "all",
        }
    }

    /// Parses a name; `None` for any other text.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::CHOICES.into_iter().find(|types| types.name() == name)
    }

    /// Whether questions with such a key are chosen from.
    #[must_use]
    pub const fn have(self, key: &Key) -> bool {
        match self {
            Self::MultipleChoice => matches!(key, Key::Choice(_)),
            Self::Number => matches!(key, Key::Number(_)),
            Self::All => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::Choice;

    #[test]
    fn each_choice_has_a_name_and_nothing_else_is_one() {
        for types in QuestionTypes::CHOICES {
            assert_eq!(QuestionTypes::parse(types.name()), Some(types));
            assert_eq!(serde_json::to_value(types).unwrap(), types.name());
        }
        for other in ["", "Number", "numbers", "multiple_choice"] {
            assert_eq!(QuestionTypes::parse(other), None, "{other:?}");
        }
    }

    #[test]
    fn who_says_nothing_gets_multiple_choice() {
        let had = QuestionTypes::CHOICES.map(|types| types.have(&Key::Choice(Choice::A)));
        assert_eq!(had, [true, false, true]);
        assert_eq!(QuestionTypes::default(), QuestionTypes::MultipleChoice);
    }
}
