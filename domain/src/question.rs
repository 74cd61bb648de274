//! Questions: what is kept, what a student is given, and what grades an answer are three types.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::grade::Grade;

/// 1 (easy) to 5 (hard), which is also the points of a correct answer (`assessment.md` 1.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "i64")]
pub struct Difficulty(u8);

impl Difficulty {
    /// How many difficulties there are.
    pub const COUNT: usize = 5;

    /// `None` outside 1 to 5.
    #[must_use]
    pub fn new(number: i64) -> Option<Self> {
        u8::try_from(number).ok().filter(|number| (1..=5).contains(number)).map(Self)
    }

    /// All five, easy first.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=5).map(Self)
    }

    /// 1 to 5.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Points that a correct answer earns.
    #[must_use]
    pub const fn points(self) -> u32 {
        self.0 as u32
    }
}

impl TryFrom<i64> for Difficulty {
    type Error = &'static str;

    fn try_from(number: i64) -> Result<Self, Self::Error> {
        Self::new(number).ok_or("a difficulty is 1 to 5")
    }
}

impl From<Difficulty> for i64 {
    fn from(difficulty: Difficulty) -> Self {
        Self::from(difficulty.0)
    }
}

/// One of the four options.
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
    /// `A` to `D`; `None` for anything else.
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

    /// `A` to `D`.
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

/// UTF-16 units of one text of a question: what a cell of a spreadsheet holds, so that every question can be exported.
pub const TEXT_UNITS_MAX: usize = 32_767;
/// How many options a question has, at the least and at the most.
pub const OPTIONS: std::ops::RangeInclusive<usize> = 2..=4;

/// Whether a character has no place in a question's text: a control character that is no line's end and no tab.
#[must_use]
pub fn is_refused(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\r' | '\t')
}

/// A text as it is compared and kept: with one kind of line ends, and without white space around.
#[must_use]
pub fn normal_text(text: &str) -> String {
    text.trim().replace("\r\n", "\n").replace('\r', "\n")
}

/// A question as it is kept, with its key (`assessment.md` 2.1). Only staff and, while `PUBLIC_ANSWERS` is on,
/// the bank's readers are given it; everyone else gets a [`DeliveredQuestion`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// Identifier of the question.
    pub id: String,
    /// 1 to 10.
    #[schema(value_type = u8, minimum = 1, maximum = 10)]
    pub grade: Grade,
    /// Such as `Fractions`.
    pub topic: String,
    /// Narrower than the topic.
    pub subtopic: String,
    /// 1 to 5.
    #[schema(value_type = u8, minimum = 1, maximum = 5)]
    pub difficulty: Difficulty,
    /// Origin label of the question.
    pub source: String,
    /// `multiple-choice`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Question text.
    pub question: String,
    /// Answer choices, A to D by position.
    pub options: Vec<String>,
    /// The right option.
    pub answer: Choice,
    /// How the answer is found.
    pub explanation: String,
    /// Empty when there is none.
    pub image: String,
}

impl Question {
    /// What grading needs of it.
    #[must_use]
    pub fn keyed(&self) -> KeyedQuestion {
        KeyedQuestion {
            id: self.id.as_str().into(),
            topic: self.topic.as_str().into(),
            difficulty: self.difficulty,
            answer: self.answer,
        }
    }

    /// What a student may see before the end of an exam that counts.
    #[must_use]
    pub fn delivered(&self) -> DeliveredQuestion<'_> {
        DeliveredQuestion {
            id: &self.id,
            grade: self.grade,
            topic: &self.topic,
            subtopic: &self.subtopic,
            difficulty: self.difficulty,
            source: &self.source,
            kind: &self.kind,
            question: &self.question,
            options: &self.options,
            image: &self.image,
        }
    }
}

/// A question without `answer` and `explanation` (`decisions.md` 6, `PUBLIC_ANSWERS=false`).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeliveredQuestion<'a> {
    id: &'a str,
    grade: Grade,
    topic: &'a str,
    subtopic: &'a str,
    difficulty: Difficulty,
    source: &'a str,
    #[serde(rename = "type")]
    kind: &'a str,
    question: &'a str,
    options: &'a [String],
    image: &'a str,
}

/// What grading needs of a question. It has no `Serialize`, so that no answer reaches a student by accident.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyedQuestion {
    /// Identifier of the question.
    pub id: Arc<str>,
    /// The topic that the report names.
    pub topic: Arc<str>,
    /// Its points.
    pub difficulty: Difficulty,
    /// The right option.
    pub answer: Choice,
}
