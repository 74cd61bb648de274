//! The figures of questions as they are told.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use utoipa::ToSchema;

use super::WrongNumber;
use crate::grade::Grade;
use crate::measured_difficulty::MeasuredDifficulty;

/// The item statistics of a grade. Shares and coefficients have four decimals.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GradeItems {
    #[schema(value_type = u8, minimum = 1, maximum = 10)]
    pub(super) grade: Grade,
    /// Sessions that were counted.
    pub(super) sessions: u64,
    /// KR-20; null when it is not defined.
    #[schema(required)]
    pub(super) reliability: Option<f64>,
    /// Every question that a counted session had, sorted by id.
    pub(super) items: Vec<ItemFigures>,
}

impl GradeItems {
    /// With the measured difficulties of those questions that have one, by their ids.
    #[must_use]
    pub fn with_measured(mut self, mut measured: HashMap<String, MeasuredDifficulty>) -> Self {
        for item in &mut self.items {
            item.measured = measured.remove(&item.question_id);
        }
        self
    }
}

/// The statistics of one question.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ItemFigures {
    pub(super) question_id: String,
    /// Sessions that had it.
    pub(super) attempts: u64,
    /// Share of right answers.
    pub(super) p_value: f64,
    /// Point-biserial correlation with the rest score; null when it is not defined.
    #[schema(required)]
    pub(super) discrimination: Option<f64>,
    /// Whole seconds; null when no time is known.
    #[schema(required)]
    pub(super) median_time: Option<u64>,
    /// The share of each option, `A` to `D`, and of `none` for not answered; of `none` alone if the answer is a number.
    // As a map: some generators of clients fail on a field that is called `D`.
    #[schema(value_type = BTreeMap<String, f64>)]
    pub(super) options: OptionShares,
    /// The most frequent wrong numbers, at most five, the most frequent first; absent if the answer is an option.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) wrong: Option<Vec<WrongNumber>>,
    /// Sessions by the right option, `A` to `D`, or the right number that each was graded with. There are several if
    /// the key was edited meanwhile: the other figures are by the key of each session.
    pub(super) graded_by: BTreeMap<String, u64>,
    /// Its difficulty as measured by live tests; absent with fewer than 30 answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) measured: Option<MeasuredDifficulty>,
}

/// The share of each option.
#[derive(Debug, PartialEq, Serialize)]
pub struct OptionShares {
    #[serde(flatten)]
    pub(super) options: Option<LetterShares>,
    /// Not answered.
    pub(super) none: f64,
}

impl OptionShares {
    pub(super) fn of(options: Option<[f64; 4]>, none: f64) -> Self {
        Self { options: options.map(|[a, b, c, d]| LetterShares { a, b, c, d }), none }
    }
}

/// The shares of those that chose an option.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct LetterShares {
    #[serde(rename = "A")]
    pub(super) a: f64,
    #[serde(rename = "B")]
    pub(super) b: f64,
    #[serde(rename = "C")]
    pub(super) c: f64,
    #[serde(rename = "D")]
    pub(super) d: f64,
}
