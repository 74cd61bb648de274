//! Reads a scale of marks: what makes one, and what none.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Hundredths, LABEL_CHARACTERS_MAX, LABELS_MAX, MarkBasis, MarkLabel, MarkRounding, MarkScale};
use crate::scoring::{SCORE_MAX, SCORE_MIN};
use crate::text;
use crate::text::same::seen;

/// The fewest labels of a scale.
const LABELS_MIN: usize = 2;
/// How far the marks of a scale are from zero at most.
const FARTHEST_NUMBER: u32 = 1_000;
/// The highest share, in per cent.
const WHOLE_PERCENT: u32 = 100;
/// The steps between two marks, in hundredths.
const STEPS: [i128; 6] = [100, 50, 25, 10, 5, 1];

impl MarkScale {
    /// Reads a scale; `None` if it is none.
    #[must_use]
    pub fn read(value: &Value) -> Option<Self> {
        let fields = value.as_object()?;
        let basis = MarkBasis::deserialize(fields.get("basis")?).ok()?;
        match fields.get("type")?.as_str()? {
            "numbers" => numbers(fields, basis),
            "labels" => labels(fields, basis),
            _ => None,
        }
    }

    /// Reads a scale from JSON as it is stored; `None` if it is none.
    #[must_use]
    pub fn parse(json: &str) -> Option<Self> {
        Self::read(&serde_json::from_str(json).ok()?)
    }
}

/// A field that may be absent or null.
fn given<'a>(fields: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    fields.get(name).filter(|value| !value.is_null())
}

fn numbers(fields: &Map<String, Value>, basis: MarkBasis) -> Option<MarkScale> {
    let number = |name: &str| Hundredths::read(fields.get(name)?);
    let (worst, best, step) = (number("worst")?, number("best")?, number("step")?);
    let rounding = MarkRounding::deserialize(fields.get("rounding")?).ok()?;
    let pass = match given(fields, "pass") {
        Some(pass) => Some(Hundredths::read(pass)?),
        None => None,
    };
    let most = Hundredths::whole(FARTHEST_NUMBER).count();
    let is_step = STEPS.contains(&step.count());
    // Every mark is a number of steps, so that the decimals of the step write all of them.
    let is_mark = |number: Hundredths| number.count().abs() <= most && number.count() % step.count() == 0;
    let is_between = |pass: &Hundredths| (worst.min(best)..=worst.max(best)).contains(pass);
    let is_sound = is_step && worst != best && is_mark(worst) && is_mark(best);
    (is_sound && pass.as_ref().is_none_or(is_between)).then_some(MarkScale::Numbers {
        basis,
        worst,
        best,
        step,
        rounding,
        pass,
    })
}

fn labels(fields: &Map<String, Value>, basis: MarkBasis) -> Option<MarkScale> {
    let labels = fields.get("labels")?.as_array()?;
    if !(LABELS_MIN..=LABELS_MAX).contains(&labels.len()) {
        return None;
    }
    let labels = labels.iter().map(|one| label(one, basis)).collect::<Option<Vec<MarkLabel>>>()?;
    let lowest = Hundredths::whole(if basis == MarkBasis::Score { SCORE_MIN } else { 0 });
    let names: HashSet<String> = labels.iter().map(|label| seen(&label.label)).collect();
    let is_falling = labels.iter().zip(labels.iter().skip(1)).all(|(one, next)| one.from > next.from);
    let ends_lowest = labels.last().is_some_and(|last| last.from == lowest);
    let pass = match given(fields, "pass") {
        Some(pass) => Some(label_text(pass)?),
        None => None,
    };
    let is_one = |pass: &String| labels.iter().any(|label| label.label == *pass);
    let is_sound = names.len() == labels.len() && is_falling && ends_lowest && pass.as_ref().is_none_or(is_one);
    is_sound.then_some(MarkScale::Labels { basis, labels, pass })
}

fn label(value: &Value, basis: MarkBasis) -> Option<MarkLabel> {
    let label = label_text(value.get("label")?)?;
    let from = Hundredths::read(value.get("from")?)?;
    let highest = Hundredths::whole(if basis == MarkBasis::Score { SCORE_MAX } else { WHOLE_PERCENT });
    // A score is a whole number.
    let is_unit = basis != MarkBasis::Score || from.decimals() == 0;
    (is_unit && from <= highest).then_some(MarkLabel { label, from })
}

/// A label without surrounding white space.
fn label_text(value: &Value) -> Option<String> {
    text::name(value.as_str()?).filter(|label| label.chars().count() <= LABEL_CHARACTERS_MAX)
}
