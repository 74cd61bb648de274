//! Questions as four types: with the key as stored, the same on its way to whoever may see it, without the key as
//! delivered to students, and the key alone for grading.

use std::borrow::Borrow;
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::grade::Grade;

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
// It has no `Serialize`: it leaves the server as a `WholeQuestion` or a `DeliveredQuestion`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// Identifier of the question.
    pub id: String,
    /// 1 to 10.
    #[schema(value_type = u8, minimum = 1, maximum = 10)]
    pub grade: Grade,
    /// The topic, such as `Fractions`.
    pub topic: String,
    /// A part of the topic.
    pub subtopic: String,
    /// 1 to 5.
    #[schema(value_type = u8, minimum = 1, maximum = 5)]
    pub difficulty: Difficulty,
    /// Where the question comes from.
    pub source: String,
    /// `multiple-choice`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The text of the question.
    pub question: String,
    /// The texts of the options, A to D by position.
    pub options: Vec<String>,
    /// The right option.
    pub answer: Choice,
    /// How to find the answer.
    pub explanation: String,
    /// Link to a picture; empty when there is none.
    pub image: String,
    /// What the picture shows, in words for those who can't see it; empty when nobody has described it.
    #[serde(default)]
    pub image_description: String,
    /// Whether it keeps the order of its options where options are shuffled.
    #[serde(default)]
    pub fixed_options: bool,
}

impl Question {
    /// The part that grading needs.
    #[must_use]
    pub fn keyed(&self) -> KeyedQuestion {
        KeyedQuestion {
            id: self.id.as_str().into(),
            topic: self.topic.as_str().into(),
            difficulty: self.difficulty,
            answer: self.answer,
            options: Some(OptionsDigest::of(&self.options)),
            version: Some(VersionDigest::of(self)),
        }
    }

    /// The question without its key and explanation, as students see it in an exam that counts.
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
            image_description: &self.image_description,
        }
    }
}

/// A question with its key, on its way to somebody who may see it: staff of its grade, and readers of the bank while
/// `PUBLIC_ANSWERS` is on. A [`Question`] alone is not sent by accident, for this does not compile:
///
/// ```compile_fail,E0277
/// fn told(question: &domain::question::Question) -> serde_json::Result<String> {
///     serde_json::to_string(question)
/// }
/// ```
#[derive(Clone, Debug)]
pub struct WholeQuestion<Q = Question> {
    question: Q,
    order: OrderTold,
}

/// When it is told whether the options keep their order.
#[derive(Clone, Copy, Debug)]
enum OrderTold {
    Always,
    /// Where they do.
    Fixed,
    Never,
}

impl<Q: Borrow<Question>> WholeQuestion<Q> {
    /// Takes a question out. The sights in `crate::sight` do it for those who may see it; `tests/tidy.rs` lists the
    /// files that do it by themselves, with their reasons.
    pub const fn of(question: Q) -> Self {
        Self { question, order: OrderTold::Always }
    }

    /// The same for staff, who are told that the options keep their order where they do: programs that know nothing of
    /// it see questions as ever.
    pub const fn for_staff(question: Q) -> Self {
        Self { question, order: OrderTold::Fixed }
    }

    /// The same without what only those who write questions and put tests together need: whether its options keep their
    /// order.
    #[must_use]
    pub fn plain(self) -> Self {
        Self { order: OrderTold::Never, ..self }
    }

    /// The question in it.
    pub fn question(&self) -> &Question {
        self.question.borrow()
    }
}

impl<Q: Borrow<Question>> Serialize for WholeQuestion<Q> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Whole<'a> {
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
            answer: Choice,
            explanation: &'a str,
            image: &'a str,
            image_description: &'a str,
            #[serde(skip_serializing_if = "Option::is_none")]
            fixed_options: Option<bool>,
        }
        let Question {
            id,
            grade,
            topic,
            subtopic,
            difficulty,
            source,
            kind,
            question,
            options,
            answer,
            explanation,
            image,
            image_description,
            fixed_options,
        } = self.question();
        Whole {
            id,
            grade: *grade,
            topic,
            subtopic,
            difficulty: *difficulty,
            source,
            kind,
            question,
            options,
            answer: *answer,
            explanation,
            image,
            image_description,
            fixed_options: match self.order {
                OrderTold::Always => Some(*fixed_options),
                OrderTold::Fixed => fixed_options.then_some(true),
                OrderTold::Never => None,
            },
        }
        .serialize(serializer)
    }
}

/// A question without `answer` and `explanation` (`docs/security.md#keys-of-questions`).
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
    image_description: &'a str,
}

/// Tells whether the options of a question are still those that a student saw, without the texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionsDigest(u64);

impl OptionsDigest {
    /// Of the texts in their order.
    #[must_use]
    pub fn of(options: &[String]) -> Self {
        Self(digest(options.iter().map(String::as_str)))
    }

    /// As a number that every database holds.
    #[must_use]
    pub const fn number(self) -> i64 {
        self.0.cast_signed()
    }

    /// The digest that has this number.
    #[must_use]
    pub const fn from_number(number: i64) -> Self {
        Self(number.cast_unsigned())
    }
}

/// Tells a version of a question from its others, by all that a report shows of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct VersionDigest(u64);

impl VersionDigest {
    /// Of a question as it is.
    #[must_use]
    pub fn of(question: &Question) -> Self {
        let Question { topic, difficulty, question, options, answer, explanation, image, image_description, .. } =
            question;
        let difficulty = difficulty.number().to_string();
        let texts = [topic, &difficulty, question, answer.letter(), explanation, image, image_description];
        Self(digest(texts.into_iter().chain(options.iter().map(String::as_str))))
    }

    /// As a number that every database holds.
    #[must_use]
    pub const fn number(self) -> i64 {
        self.0.cast_signed()
    }

    /// The digest that has this number.
    #[must_use]
    pub const fn from_number(number: i64) -> Self {
        Self(number.cast_unsigned())
    }
}

/// Of texts in their order.
fn digest<'a>(texts: impl Iterator<Item = &'a str>) -> u64 {
    let mut hasher = Sha256::new();
    for text in texts {
        hasher.update((text.len() as u64).to_be_bytes());
        hasher.update(text);
    }
    let bytes = hasher.finalize();
    bytes.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
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
    /// The right option.
    pub answer: Choice,
    /// What its letters stand for; `None` for tests of releases that did not keep it.
    pub options: Option<OptionsDigest>,
    /// Which version of the question it is of; `None` likewise.
    pub version: Option<VersionDigest>,
}
