//! From logits to labels: the measured questions of a grade get the level and the spread that their labels have, so
//! that a teacher reads a difficulty in the numbers that they give.

use super::{FittedQuestion, MeasuredValue};

/// Parts of a label in which difficulties are kept.
pub(super) const THOUSANDTHS: i32 = 1_000;
/// The ends of the scale of labels.
const LABELS: (f64, f64) = (1.0, 5.0);
/// The spread of so many further questions is taken to be one label for one logit, as the check of fairness takes it of
/// all: with few questions their own says little.
const SUPPOSED_QUESTIONS: f64 = 10.0;

/// A straight line from logits to labels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabelScale {
    mean_label: f64,
    mean_logits: f64,
    labels_per_logit: f64,
}

impl LabelScale {
    /// The scale of measured questions: the label, the logits and their error of each.
    #[must_use]
    pub fn of(measured: impl Iterator<Item = (u8, f64, f64)> + Clone) -> Self {
        let count = measured.clone().count() as f64;
        let mean = |of: fn((u8, f64, f64)) -> f64| {
            if count > 0.0 { measured.clone().map(of).sum::<f64>() / count } else { 0.0 }
        };
        let (mean_label, mean_logits) = (mean(|(label, ..)| label.into()), mean(|(_, logits, _)| logits));
        let squares_of_labels: f64 = measured.clone().map(|(label, ..)| (f64::from(label) - mean_label).powi(2)).sum();
        // Errors spread the measured values farther than the questions are.
        let squares_of_logits: f64 =
            measured.map(|(_, logits, error)| (logits - mean_logits).powi(2) - error.powi(2)).sum();
        let ratio = (squares_of_labels + SUPPOSED_QUESTIONS) / (squares_of_logits.max(0.0) + SUPPOSED_QUESTIONS);
        Self { mean_label, mean_logits, labels_per_logit: ratio.sqrt() }
    }

    /// The difficulty of a question in labels, with its error; beyond an end of the scale it is the end.
    #[must_use]
    pub fn value(&self, question: &FittedQuestion) -> MeasuredValue {
        let label = self.mean_label + self.labels_per_logit * (question.logits - self.mean_logits);
        let thousandths = |labels: f64| (labels * f64::from(THOUSANDTHS)).round() as i32;
        MeasuredValue {
            difficulty_thousandths: thousandths(label.clamp(LABELS.0, LABELS.1)),
            error_thousandths: thousandths(self.labels_per_logit * question.error),
            answers: question.answers,
        }
    }
}
