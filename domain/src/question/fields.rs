//! A question with its key as JSON: what other services send, and what the documents describe.

use std::borrow::Cow;

use serde::Deserialize;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::{Choice, Difficulty, Key, NUMBER, Question};
use crate::grade::Grade;
use crate::number::{Form, Forms, Language, NO_TOLERANCE, NumberKey};

/// The fields of a question.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Question)]
pub struct QuestionFields {
    /// Identifier of the question.
    id: String,
    /// 1 to 10.
    #[schema(value_type = u8, minimum = 1, maximum = 10)]
    grade: Grade,
    /// The topic, such as `Fractions`.
    topic: String,
    /// A part of the topic.
    subtopic: String,
    /// 1 to 5.
    #[schema(value_type = u8, minimum = 1, maximum = 5)]
    difficulty: Difficulty,
    /// Where the question comes from.
    source: String,
    /// `multiple-choice` or `number`.
    #[serde(rename = "type")]
    kind: String,
    /// The text of the question.
    question: String,
    /// The texts of the options, A to D by position; none if the answer is a number.
    options: Vec<String>,
    /// The right option, `A` to `D`, or the right number with a decimal point.
    answer: String,
    /// How far a number may be from the right one. This and the next three are there if the answer is a number.
    #[schema(nullable = false)]
    tolerance: Option<String>,
    /// What stands behind the box for a number; may be empty.
    #[schema(nullable = false)]
    unit: Option<String>,
    /// The ways of writing a number that count.
    #[schema(value_type = Option<Vec<Form>>, nullable = false)]
    forms: Option<Forms>,
    /// How digit groups and decimal signs of a number are read.
    #[schema(nullable = false)]
    language: Option<Language>,
    /// How to find the answer.
    explanation: String,
    /// Link to a picture; empty when there is none.
    image: String,
    /// What the picture shows, in words for those who can't see it; empty when nobody has described it.
    #[serde(default)]
    image_description: String,
    /// Whether it keeps the order of its options where options are shuffled.
    #[serde(default)]
    fixed_options: bool,
}

impl TryFrom<QuestionFields> for Question {
    type Error = &'static str;

    fn try_from(fields: QuestionFields) -> Result<Self, Self::Error> {
        // Banks have had questions of any type, all with options.
        let is_number = fields.kind == NUMBER && fields.options.is_empty();
        let answer = if is_number {
            let number = NumberKey {
                answer: fields.answer,
                tolerance: fields.tolerance.unwrap_or_else(|| NO_TOLERANCE.to_owned()),
                unit: fields.unit.unwrap_or_default(),
                forms: fields.forms.unwrap_or_default(),
                language: fields.language.unwrap_or_default(),
            };
            Some(number).filter(NumberKey::is_sound).map(Key::Number).ok_or("not the key of a number")?
        } else {
            Choice::parse(&fields.answer).map(Key::Choice).ok_or("the answer of a question with options is A to D")?
        };
        Ok(Self {
            id: fields.id,
            grade: fields.grade,
            topic: fields.topic,
            subtopic: fields.subtopic,
            difficulty: fields.difficulty,
            source: fields.source,
            kind: fields.kind,
            question: fields.question,
            options: fields.options,
            answer,
            explanation: fields.explanation,
            image: fields.image,
            image_description: fields.image_description,
            fixed_options: fields.fixed_options,
        })
    }
}

impl PartialSchema for Question {
    fn schema() -> RefOr<Schema> {
        QuestionFields::schema()
    }
}

impl ToSchema for Question {
    fn name() -> Cow<'static, str> {
        QuestionFields::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        QuestionFields::schemas(schemas);
    }
}
