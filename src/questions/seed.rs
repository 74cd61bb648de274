//! Puts the sample bank into an empty database, so that a first run has questions.

use domain::grade::Grade;
use domain::number::{Form, Forms, Language, NO_TOLERANCE, NumberKey};
use domain::question::{Choice, Difficulty, Key, MULTIPLE_CHOICE, NUMBER, Question};
use domain::school::PageLanguage;
use domain::sitting::values::FieldChange;
use sample_bank::{BankLanguage, NumberQuestion, SampleQuestion, bank_in, number_bank_in};

use crate::database::Database;
use crate::error::Error;
use crate::store::question_marks::{self, MarkChange};
use crate::store::questions;

/// Where the questions come from, as they say it.
const SOURCE: &str = "sample";

/// Adds the sample bank in a language if there is no question at all; returns the number of questions added. As
/// practice, anyone may read it with its keys unless nobody may read any.
pub async fn seed_when_empty(database: &Database, language: PageLanguage, is_practice: bool) -> Result<usize, Error> {
    if !questions::is_empty(database).await? {
        return Ok(0);
    }
    let bank: Vec<Question> = Grade::all().flat_map(|grade| sample_questions(language, grade)).collect();
    questions::put(database, &bank).await?;
    if is_practice {
        let change = MarkChange { practice: FieldChange::Set(true), ..MarkChange::default() };
        question_marks::set(database, &bank, &change).await?;
    }
    Ok(bank.len())
}

/// All sample questions of a grade, in a language.
pub(super) fn sample_questions(language: PageLanguage, grade: Grade) -> impl Iterator<Item = Question> {
    let language = match language {
        PageLanguage::En => BankLanguage::En,
        PageLanguage::Vi => BankLanguage::Vi,
    };
    let choices = bank_in(language, grade.number()).into_iter().filter_map(question);
    choices.chain(number_bank_in(language, grade.number()).into_iter().filter_map(number_question))
}

fn question(sample: SampleQuestion) -> Option<Question> {
    Some(Question {
        // The generator mixes the options, so an order among them is chance.
        fixed_options: false,
        options: sample.options.into(),
        grade: Grade::new(sample.grade.into())?,
        difficulty: Difficulty::new(sample.difficulty.into())?,
        answer: Key::Choice(Choice::parse(sample.answer.encode_utf8(&mut [0; 4]))?),
        id: sample.id,
        topic: sample.topic,
        subtopic: sample.subtopic,
        source: SOURCE.to_owned(),
        kind: MULTIPLE_CHOICE.to_owned(),
        question: sample.question,
        explanation: sample.explanation,
        image: sample.image,
        image_description: sample.image_description,
    })
}

fn number_question(sample: NumberQuestion) -> Option<Question> {
    let key = NumberKey {
        answer: sample.answer,
        tolerance: NO_TOLERANCE.to_owned(),
        unit: sample.unit,
        forms: Forms::of(sample.forms.iter().filter_map(|form| Form::parse(form)))?,
        language: match sample.language {
            BankLanguage::En => Language::En,
            BankLanguage::Vi => Language::Vi,
        },
    };
    Some(Question {
        fixed_options: false,
        options: Vec::new(),
        grade: Grade::new(sample.grade.into())?,
        difficulty: Difficulty::new(sample.difficulty.into())?,
        answer: Key::Number(key),
        id: sample.id,
        topic: sample.topic,
        subtopic: sample.subtopic,
        source: SOURCE.to_owned(),
        kind: NUMBER.to_owned(),
        question: sample.question,
        explanation: sample.explanation,
        image: sample.image,
        image_description: sample.image_description,
    })
}

#[cfg(test)]
mod tests {
    use domain::topic::topic_name;

    use super::*;

    #[test]
    fn every_topic_has_a_name_in_vietnamese() {
        for question in Grade::all().flat_map(|grade| sample_questions(PageLanguage::En, grade)) {
            assert_ne!(topic_name(&question.topic, PageLanguage::Vi), question.topic);
        }
    }

    #[test]
    fn every_sample_question_is_one_of_ours() {
        for language in PageLanguage::ALL {
            for grade in Grade::all() {
                let questions: Vec<Question> = sample_questions(language, grade).collect();
                let numbers: Vec<_> = questions.iter().filter_map(|question| question.answer.number()).collect();
                assert_eq!((questions.len(), numbers.len()), (140, 20), "{grade:?}");
                for number in numbers {
                    let typed = match number.language {
                        Language::En => number.answer.clone(),
                        Language::Vi => number.answer.replace('.', ","),
                    };
                    assert!(number.is_sound() && number.is_right(&typed), "{number:?}");
                    assert_eq!(number.language.name(), language.code(), "{number:?}");
                }
            }
        }
    }
}
