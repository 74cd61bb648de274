//! The result of a finished test with work that came late, graded as its present result is: by the keys that its
//! questions were asked with, and by the corrections that hold for it.

use std::sync::Arc;

use serde::Serialize;
use utoipa::ToSchema;

use super::Session;
use crate::attempt::QuestionCell;
use crate::correction::{self, Correction};
use crate::question::KeyedQuestion;
use crate::scoring::{AnswerLine, Response, TestResult};
use crate::sight::Sight;

/// What accepting work would make of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ScoreChange {
    /// As it is now.
    #[schema(minimum = 200, maximum = 800)]
    pub before: u32,
    /// As it would be.
    #[schema(minimum = 200, maximum = 800)]
    pub after: u32,
}

impl Session {
    /// The result of this test with these values of its questions, in the order of its paper. `paper` has the keys of
    /// questions that the present result was not graded with.
    #[must_use]
    pub fn graded_with(
        &self,
        paper: &[Arc<KeyedQuestion>],
        cells: &[QuestionCell],
        corrections: &[&Correction],
    ) -> TestResult {
        let graded_by = self.graded_by.inside_the_server();
        let response = |(question, cell): (&Arc<KeyedQuestion>, &QuestionCell)| Response {
            question: Arc::clone(graded_by.iter().find(|graded| graded.id == question.id).unwrap_or(question)),
            selected: cell.selected.clone(),
            time_taken: cell.time_taken,
        };
        let responses: Vec<Response> = paper.iter().zip(cells).map(response).collect();
        correction::grade(&responses, corrections, self.result.inside_the_server().time_taken)
    }

    /// Whether another result is of the same work, however it was graded.
    #[must_use]
    pub fn has_work_of(&self, other: &TestResult) -> bool {
        let own = &self.result.inside_the_server().answers;
        let work = |line: &AnswerLine| (line.question_id.clone(), line.selected.clone(), line.time_taken);
        own.iter().map(work).eq(other.answers.iter().map(work))
    }

    /// What another result would make of its score. For whom keys are shown alone: the difference tells which of the
    /// late answers are right.
    #[must_use]
    pub fn score_change(&self, sight: Sight, result: &TestResult) -> Option<ScoreChange> {
        let is_shown = sight.is_of(self.session_id) && sight.shows_keys();
        is_shown.then(|| ScoreChange { before: self.result.inside_the_server().score, after: result.score })
    }

    /// The same of a later version of the test.
    #[must_use]
    pub fn score_change_to(&self, sight: Sight, later: &Self) -> Option<ScoreChange> {
        self.score_change(sight, later.result.inside_the_server())
    }
}
