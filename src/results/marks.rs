//! Marks in results: of each test, and how many tests have each.

use std::collections::BTreeMap;

use domain::mark::{MarkScale, ResultMark};
use serde::Serialize;
use utoipa::ToSchema;

use super::asked::Subject;
use crate::store::Unreadable;
use crate::store::marks::{KnownScales, facts};
use crate::store::results::FinishedTest;

/// How many tests have a mark.
#[derive(Serialize, ToSchema)]
#[schema(as = MarkCount)]
pub(super) struct MarkFrequency {
    #[serde(flatten)]
    mark: ResultMark,
    count: u64,
}

/// The scale of what is asked for, if all of its tests have one.
pub(super) fn scale_of(subject: &Subject) -> Option<&MarkScale> {
    match subject {
        Subject::Sitting(managed, _) => managed.sitting.plan.mark_scale.as_ref(),
        // Each test has the scale that it began with, or that of its sitting.
        Subject::Template(_) | Subject::Grade(_) => None,
    }
}

/// The mark of a test whose result has not been taken away yet.
pub(super) fn mark_of(test: &FinishedTest, scales: &mut KnownScales) -> Result<Option<ResultMark>, Unreadable> {
    let Some(scale) = scales.of(test.scale_text())? else { return Ok(None) };
    Ok(scale.mark(facts(test.result_text())?))
}

/// How many of these there are of each, the best first.
pub(super) fn counted<'a>(
    scale: Option<&MarkScale>,
    marks: impl Iterator<Item = &'a ResultMark>,
) -> Vec<MarkFrequency> {
    let Some(scale) = scale else { return Vec::new() };
    let mut counts: BTreeMap<&ResultMark, u64> = BTreeMap::new();
    for mark in marks {
        *counts.entry(mark).or_default() += 1;
    }
    let mut sorted: Vec<ResultMark> = counts.keys().copied().cloned().collect();
    scale.sort(&mut sorted);
    let frequency = |mark: ResultMark| MarkFrequency { count: counts.get(&mark).copied().unwrap_or_default(), mark };
    sorted.into_iter().map(frequency).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn marks_are_counted_the_best_first() {
        let scale = json!({
            "type": "numbers", "basis": "percent", "worst": 0, "best": 10, "step": 0.5, "rounding": "up", "pass": 5,
        });
        let scale = MarkScale::read(&scale).unwrap();
        let mark = |text: &str, passed| ResultMark { text: text.to_owned(), passed: Some(passed) };
        let marks = [mark("4.5", false), mark("10.0", true), mark("9.0", true), mark("4.5", false)];
        let counts = json!([
            { "text": "10.0", "passed": true, "count": 1 },
            { "text": "9.0", "passed": true, "count": 1 },
            { "text": "4.5", "passed": false, "count": 2 },
        ]);
        assert_eq!(json!(counted(Some(&scale), marks.iter())), counts);
        assert!(counted(None, marks.iter()).is_empty());
    }
}
