//! How difficult the questions of a grade are, measured by the answers of those who sat them, on the scale of their
//! teachers. The method and its reasons are in `docs/decisions/0079-difficulty-as-measured.md`.
//!
//! [`LiveAnswers`] gathers the answers in four bytes each, [`RaschFit`] estimates difficulties in logits by rounds that
//! a caller can spread over time, and [`LabelScale`] turns them into the labels that teachers know.

mod answers;
mod fit;
mod scale;

use std::collections::BTreeMap;

use chrono::Datelike;
use serde::Serialize;
use utoipa::ToSchema;

use super::calendar::zones::Zone;
use super::question::Key;
use super::time::moment::Moment;
pub use answers::LiveAnswers;
pub use fit::{FittedQuestion, RaschFit};
pub use scale::LabelScale;

/// Answers from which on a difficulty is told. With fewer its error is more than a label either way.
pub const ANSWERS_MIN: u32 = 30;
/// The chance to guess one of four options.
pub const GUESS: f64 = 0.25;
/// The month in which a school year begins.
const YEAR_BEGINS_IN: u32 = 8;

/// The chance to guess the answer to a question with this key: none if it is a number. `None` is the key of a question
/// that is gone, which had options for all that is known.
#[must_use]
pub const fn guess_of(key: Option<&Key>) -> f64 {
    match key {
        Some(Key::Number(_)) => 0.0,
        Some(Key::Choice(_)) | None => GUESS,
    }
}

/// A school year by the calendar year in which it begins: 2025 is 2025/26.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ToSchema)]
pub struct SchoolYear(pub i16);

impl SchoolYear {
    /// The year of a moment, by the calendar of the school.
    #[must_use]
    pub fn of(moment: Moment, zone: &Zone) -> Self {
        let day = zone.wall(moment).day();
        let year = if day.month() < YEAR_BEGINS_IN { day.year() - 1 } else { day.year() };
        Self(i16::try_from(year).unwrap_or(i16::MAX))
    }
}

/// A difficulty in parts of a label, as it is stored and told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasuredValue {
    /// From 1,000 to 5,000 thousandths.
    pub difficulty_thousandths: i32,
    /// Its standard error in thousandths.
    pub error_thousandths: i32,
    /// How many answers it is from: at least [`ANSWERS_MIN`].
    pub answers: u32,
}

/// The measured difficulty of a question, in labels: 1 (easy) to 5 (hard). What lies beyond an end counts as the end.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MeasuredDifficulty {
    #[schema(minimum = 1, maximum = 5)]
    difficulty: f64,
    /// Its standard error, in labels: two of them cover about 95 %.
    error: f64,
    /// Live answers that it is from, at least 30.
    answers: u32,
    /// The same by the answers of each school year alone, the earliest first; years with fewer than 30 answers are left
    /// out.
    years: Vec<YearDifficulty>,
}

/// The measured difficulty of a question in one school year.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct YearDifficulty {
    /// The calendar year in which the school year begins.
    #[schema(value_type = i16)]
    year: SchoolYear,
    #[schema(minimum = 1, maximum = 5)]
    difficulty: f64,
    error: f64,
    answers: u32,
}

impl MeasuredDifficulty {
    /// Of all years together, and of each.
    #[must_use]
    pub fn of(all: MeasuredValue, years: BTreeMap<SchoolYear, MeasuredValue>) -> Self {
        let year = |(year, value): (SchoolYear, MeasuredValue)| {
            let (difficulty, error) = value.labels();
            YearDifficulty { year, difficulty, error, answers: value.answers }
        };
        let (difficulty, error) = all.labels();
        Self { difficulty, error, answers: all.answers, years: years.into_iter().map(year).collect() }
    }
}

impl MeasuredValue {
    fn labels(self) -> (f64, f64) {
        let labels = |thousandths: i32| f64::from(thousandths) / f64::from(scale::THOUSANDTHS);
        (labels(self.difficulty_thousandths), labels(self.error_thousandths))
    }
}

/// The questions that are measured, on the scale of these labels. Those with fewer than [`ANSWERS_MIN`] answers and
/// those without a label are left out.
#[must_use]
pub fn on_scale_of_labels(
    fitted: Vec<FittedQuestion>,
    label: impl Fn(&str) -> Option<u8>,
) -> Vec<(String, MeasuredValue)> {
    let labelled = |question: FittedQuestion| {
        let label = label(&question.question_id).filter(|_| question.answers >= ANSWERS_MIN)?;
        Some((label, question))
    };
    let measured: Vec<(u8, FittedQuestion)> = fitted.into_iter().filter_map(labelled).collect();
    let scale = LabelScale::of(measured.iter().map(|(label, question)| (*label, question.logits, question.error)));
    let value = |(_, question): (u8, FittedQuestion)| {
        let value = scale.value(&question);
        (question.question_id, value)
    };
    measured.into_iter().map(value).collect()
}

#[cfg(test)]
mod tests;
