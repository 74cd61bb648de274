//! Questions as four types: with the key as stored, the same on its way to whoever may see it, without the key as
//! delivered to students, and the key alone for grading.

mod digest;
mod fields;
mod key;
mod whole;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::grade::Grade;
use super::option_order::OptionOrder;
pub use digest::{OptionsDigest, VersionDigest};
pub use fields::QuestionFields;
pub use key::{Choice, Key, Selected};
pub use whole::{DeliveredQuestion, WholeQuestion};

/// From 1 (easy) to 5 (hard); it is also the points of a right answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "i64")]
pub struct Difficulty(u8);

impl Difficulty {
    /// How many difficulties there are.
    pub const COUNT: usize = 5;

    /// The difficulty with that number; `None` outside 1 to 5.
    #[must_use]
    pub fn new(number: i64) -> Option<Self> {
        u8::try_from(number).ok().filter(|number| (1..=5).contains(number)).map(Self)
    }

    /// All five, easiest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=5).map(Self)
    }

    /// The difficulty as a number from 1 to 5.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The points of a right answer.
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

/// The type of a question whose answer is one of its options.
pub const MULTIPLE_CHOICE: &str = "multiple-choice";
/// The type of a question whose answer is a number. It has no options.
pub const NUMBER: &str = "number";
/// The longest text of a question, in UTF-16 units: a cell of a spreadsheet holds no more, so every question can be
/// exported.
pub const TEXT_UNITS_MAX: usize = 32_767;
/// How many options a question may have.
pub const OPTIONS: std::ops::RangeInclusive<usize> = 2..=4;

/// Returns whether a question's text may not have this character: control characters other than line ends and tabs.
#[must_use]
pub fn is_refused(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\r' | '\t')
}

/// The form in which texts are stored and compared: line ends are `\n`, and surrounding white space is removed.
#[must_use]
pub fn normal_text(text: &str) -> String {
    text.trim().replace("\r\n", "\n").replace('\r', "\n")
}

/// A question as stored, with its key.
// It has no `Serialize`: it leaves the server as a `WholeQuestion` or a `DeliveredQuestion`. What it is read from, and
// how documents describe it, is `QuestionFields`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "QuestionFields")]
pub struct Question {
    /// Identifier of the question.
    pub id: String,
    /// 1 to 10.
    pub grade: Grade,
    /// The topic, such as `Fractions`.
    pub topic: String,
    /// A part of the topic.
    pub subtopic: String,
    /// 1 to 5.
    pub difficulty: Difficulty,
    /// Where the question comes from.
    pub source: String,
    /// [`MULTIPLE_CHOICE`] or [`NUMBER`]; a bank may have others, which are answered as the first is.
    pub kind: String,
    /// The text of the question.
    pub question: String,
    /// The texts of the options, A to D by position; none if the answer is a number.
    pub options: Vec<String>,
    /// What is right.
    pub answer: Key,
    /// How to find the answer.
    pub explanation: String,
    /// Link to a picture; empty when there is none.
    pub image: String,
    /// What the picture shows, in words for those who can't see it; empty when nobody has described it.
    pub image_description: String,
    /// Whether it keeps the order of its options where options are shuffled.
    pub fixed_options: bool,
}

impl Question {
    /// Returns whether its answer is a number.
    #[must_use]
    pub const fn is_number(&self) -> bool {
        matches!(self.answer, Key::Number(_))
    }

    /// The part that grading needs.
    #[must_use]
    pub fn keyed(&self) -> KeyedQuestion {
        KeyedQuestion {
            id: self.id.as_str().into(),
            topic: self.topic.as_str().into(),
            difficulty: self.difficulty,
            answer: self.answer.clone(),
            options: Some(OptionsDigest::of(&self.options)),
            version: Some(VersionDigest::of(self)),
            order: None,
        }
    }

    /// The question without its key and explanation, as students see it in an exam that counts.
    #[must_use]
    pub fn delivered(&self) -> DeliveredQuestion<'_> {
        DeliveredQuestion::of(self)
    }
}

/// The part of a question that grading needs. It has no `Serialize`, so no message to a student can contain an answer
/// by accident.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyedQuestion {
    /// Identifier of the question.
    pub id: Arc<str>,
    /// The topic shown in the report.
    pub topic: Arc<str>,
    /// The difficulty, which gives the points.
    pub difficulty: Difficulty,
    /// What is right.
    pub answer: Key,
    /// What its letters stand for; `None` for tests of releases that did not keep it.
    pub options: Option<OptionsDigest>,
    /// Which version of the question it is of; `None` likewise.
    pub version: Option<VersionDigest>,
    /// The order in which the student sees the options; `None` for that of the bank. It changes nothing but what is
    /// seen.
    pub order: Option<OptionOrder>,
}
