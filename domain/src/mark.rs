//! Marks: what a result is called on a scale of the school's own, beside the score of 200 to 800. A mark is reckoned
//! anew from the result whenever it is told, and is stored nowhere (`docs/decisions/0086-marks.md`).
//! `tests/oracle/marks.py` is a second implementation, and `tests/golden/marks.json` binds both.

pub mod chosen;
mod decimal;
mod reading;
mod words;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::scoring::{SCORE_MAX, SCORE_MIN, TestResult};
pub use decimal::Hundredths;

/// The most labels of a scale.
pub const LABELS_MAX: usize = 20;
/// The longest label, in characters.
pub const LABEL_CHARACTERS_MAX: usize = 24;

/// What share of a result a mark is reckoned from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MarkBasis {
    /// Right answers of all questions.
    Percent,
    /// Points of those that could be had: a question is worth as many as it is difficult.
    Points,
    /// The score, from 200 to 800.
    Score,
}

/// What is done with a share that falls between two marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MarkRounding {
    /// The nearer one; half in the student's favour.
    Nearest,
    /// The better one.
    Up,
    /// The worse one.
    Down,
}

/// A label, and the least that earns it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct MarkLabel {
    /// 1 to 24 characters.
    #[schema(min_length = 1, max_length = 24)]
    pub label: String,
    /// Per cent with at most two decimals; the score, a whole number, if the scale goes by that.
    #[schema(value_type = f64)]
    pub from: Hundredths,
}

/// A scale of marks: numbers between a worst and a best one, or labels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum MarkScale {
    /// Marks are numbers, the better the nearer to `best`, which may be the smaller one.
    Numbers {
        /// What share of a result counts.
        basis: MarkBasis,
        /// The mark of who has nothing right: -1000 to 1000, and a multiple of `step`.
        #[schema(value_type = f64)]
        worst: Hundredths,
        /// The mark of who has everything right, another one within the same limits.
        #[schema(value_type = f64)]
        best: Hundredths,
        /// Between two marks: 1, 0.5, 0.25, 0.1, 0.05 or 0.01.
        #[schema(value_type = f64)]
        step: Hundredths,
        /// What is done between two marks.
        rounding: MarkRounding,
        /// The worst mark that passes; absent if marks neither pass nor fail.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<f64>, nullable = false)]
        pass: Option<Hundredths>,
    },
    /// Marks are labels, the best first.
    Labels {
        /// What share of a result counts.
        basis: MarkBasis,
        /// The last is the label of whoever reaches no other.
        #[schema(min_items = 2, max_items = 20)]
        labels: Vec<MarkLabel>,
        /// The worst label that passes; absent if marks neither pass nor fail.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        pass: Option<String>,
    },
}

/// What a result is called on a scale.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, ToSchema)]
pub struct ResultMark {
    /// A label, or a number with as many decimals as the step of its scale has, behind a point.
    #[schema(example = "7.5")]
    pub text: String,
    /// Whether it passes; absent if the scale does not say what passes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub passed: Option<bool>,
}

/// What of a result a mark is reckoned from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkedFacts {
    /// 200 to 800.
    pub score: u32,
    /// Right answers.
    pub correct: u32,
    /// Questions that count.
    pub questions: u32,
    /// Points earned and possible; `None` if they are not known.
    pub points: Option<(u64, u64)>,
}

impl MarkedFacts {
    /// Those of a result. Points are the sum of its lines by difficulty, as long as these have all its questions.
    #[must_use]
    pub fn of(result: &TestResult) -> Self {
        let lines = result.difficulty_breakdown.iter().map(|line| (line.difficulty.points(), line.correct, line.total));
        Self::of_lines((result.score, result.correct_answers, result.total_questions), lines)
    }

    /// The same of a score, right answers and questions, and for each difficulty its points, right answers and
    /// questions.
    #[must_use]
    pub fn of_lines(
        (score, correct, questions): (u32, u32, u32),
        lines: impl Iterator<Item = (u32, u32, u32)>,
    ) -> Self {
        let mut counted = 0;
        let (mut earned, mut possible) = (0, 0);
        for (points, right, total) in lines {
            let (points, right, total) = (u64::from(points), u64::from(right), u64::from(total));
            counted += total;
            earned += points * right.min(total);
            possible += points * total;
        }
        let has_all = counted == u64::from(questions) && possible > 0;
        Self { score, correct, questions, points: has_all.then_some((earned, possible)) }
    }

    /// The share as an exact fraction; `None` where there is nothing to reckon it from.
    fn share(self, basis: MarkBasis) -> Option<(i128, i128)> {
        let (part, whole) = match basis {
            MarkBasis::Percent => (u64::from(self.correct), u64::from(self.questions)),
            MarkBasis::Points => self.points?,
            MarkBasis::Score => (u64::from(self.score.saturating_sub(SCORE_MIN)), u64::from(SCORE_MAX - SCORE_MIN)),
        };
        (whole > 0).then(|| (i128::from(part.min(whole)), i128::from(whole)))
    }
}

impl MarkScale {
    /// The mark of a result; `None` where nothing is known that it could be reckoned from, as of a test without any
    /// question that counts.
    #[must_use]
    pub fn mark(&self, facts: MarkedFacts) -> Option<ResultMark> {
        match self {
            Self::Numbers { basis, worst, best, step, rounding, pass } => {
                let number = number(facts.share(*basis)?, (*worst, *best), *step, *rounding);
                let is_as_good = |pass: &Hundredths| if best > worst { number >= *pass } else { number <= *pass };
                Some(ResultMark { text: number.text(step.decimals()), passed: pass.as_ref().map(is_as_good) })
            }
            Self::Labels { basis, labels, pass } => {
                let share = facts.share(*basis)?;
                let reached = |label: &MarkLabel| match basis {
                    // Compared as they are: the share of a score is no round number.
                    MarkBasis::Score => Hundredths::whole(facts.score.clamp(SCORE_MIN, SCORE_MAX)) >= label.from,
                    MarkBasis::Percent | MarkBasis::Points => share.0 * 10_000 >= label.from.count() * share.1,
                };
                let place = labels.iter().position(reached).or_else(|| labels.len().checked_sub(1))?;
                let text = labels.get(place)?.label.clone();
                let last = pass.as_ref().and_then(|pass| labels.iter().position(|label| label.label == *pass));
                Some(ResultMark { text, passed: last.map(|last| place <= last) })
            }
        }
    }

    /// Puts marks of this scale in order, the best first.
    pub fn sort(&self, marks: &mut [ResultMark]) {
        match self {
            Self::Numbers { worst, best, .. } => {
                let number = |mark: &ResultMark| Hundredths::parse(&mark.text);
                marks.sort_by(|one, other| {
                    let order = number(one).cmp(&number(other));
                    if best > worst { order.reverse() } else { order }
                });
            }
            Self::Labels { labels, .. } => {
                marks.sort_by_key(|mark| labels.iter().position(|label| label.label == mark.text));
            }
        }
    }
}

/// The number of a share: as many steps from the worst mark towards the best one as the share is of their distance,
/// rounded. Whole steps lead from the one to the other.
fn number(
    (part, whole): (i128, i128),
    (worst, best): (Hundredths, Hundredths),
    step: Hundredths,
    rounding: MarkRounding,
) -> Hundredths {
    let distance = best.count() - worst.count();
    let (above, below) = (part * distance.abs(), whole * step.count().max(1));
    let steps = match rounding {
        MarkRounding::Nearest => (2 * above + below) / (2 * below),
        MarkRounding::Up => (above + below - 1) / below,
        MarkRounding::Down => above / below,
    };
    Hundredths::of_count(worst.count() + distance.signum() * steps * step.count())
}

#[cfg(test)]
mod tests;
