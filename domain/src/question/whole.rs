//! The two forms in which questions leave the server: with the key, for those who may see it, and without.

use std::borrow::Borrow;

use serde::{Serialize, Serializer};

use super::{Difficulty, Question};
use crate::grade::Grade;
use crate::number::{Forms, Language};

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
            answer: &'a str,
            #[serde(skip_serializing_if = "Option::is_none")]
            tolerance: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            unit: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            forms: Option<Forms>,
            #[serde(skip_serializing_if = "Option::is_none")]
            language: Option<Language>,
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
        let number = answer.number();
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
            answer: answer.letter_or_number(),
            tolerance: number.map(|number| number.tolerance.as_str()),
            unit: number.map(|number| number.unit.as_str()),
            forms: number.map(|number| number.forms),
            language: number.map(|number| number.language),
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
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<Language>,
    image: &'a str,
    image_description: &'a str,
}

impl<'a> DeliveredQuestion<'a> {
    /// Of what students may see of the key, only the unit behind the box and how numbers are read.
    pub(super) fn of(question: &'a Question) -> Self {
        let number = question.answer.number();
        Self {
            id: &question.id,
            grade: question.grade,
            topic: &question.topic,
            subtopic: &question.subtopic,
            difficulty: question.difficulty,
            source: &question.source,
            kind: &question.kind,
            question: &question.question,
            options: &question.options,
            unit: number.map(|number| number.unit.as_str()),
            language: number.map(|number| number.language),
            image: &question.image,
            image_description: &question.image_description,
        }
    }
}
