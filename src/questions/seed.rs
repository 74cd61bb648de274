//! Puts the sample bank into an empty database, so that a first run has questions.

use domain::grade::Grade;
use domain::question::{Choice, Difficulty, Question};
use sample_bank::SampleQuestion;

use crate::database::Database;
use crate::error::Error;
use crate::store::questions;

/// Adds the sample bank if there is no question at all; returns the number of questions added.
pub async fn seed_when_empty(database: &Database) -> Result<usize, Error> {
    if !questions::is_empty(database).await? {
        return Ok(0);
    }
    let bank: Vec<Question> =
        Grade::all().flat_map(|grade| sample_bank::bank(grade.number())).filter_map(question).collect();
    questions::put(database, &bank).await?;
    Ok(bank.len())
}

pub(super) fn question(sample: SampleQuestion) -> Option<Question> {
    Some(Question {
        // The generator mixes the options, so an order among them is chance.
        fixed_options: false,
        options: sample.options.into(),
        grade: Grade::new(sample.grade.into())?,
        difficulty: Difficulty::new(sample.difficulty.into())?,
        answer: Choice::parse(sample.answer.encode_utf8(&mut [0; 4]))?.into(),
        id: sample.id,
        topic: sample.topic.to_owned(),
        subtopic: sample.subtopic.to_owned(),
        source: "sample".to_owned(),
        kind: "multiple-choice".to_owned(),
        question: sample.question,
        explanation: sample.explanation,
        image: sample.image,
        image_description: sample.image_description,
    })
}
