//! Corrected keys: what counts for a question once its key was found to be wrong, and the one function from what was
//! sat and the corrections that hold to a result (`docs/decisions/0075-corrected-keys.md`).

mod answers;
mod choices;
mod outlook;
mod ruling;
mod scope;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::question::{Choice, KeyedQuestion, OptionsDigest};
use super::scoring::{self, AnswerLine, Response, TestResult};
pub use answers::AnswerSet;
pub use choices::ChoiceSet;
pub use outlook::{CorrectionOutlook, ForeseenTest, LargeChange, SatTest, ScoreBin};
pub use ruling::Ruling;
pub use scope::{CorrectionScope, GradeScope, TestPlace};

/// What a correction says of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CorrectionKind {
    /// Another option or number is right.
    Key,
    /// Further options or numbers count as right.
    Also,
    /// Everyone is credited.
    All,
    /// The question does not count.
    Drop,
}

impl CorrectionKind {
    const KINDS: [Self; 4] = [Self::Key, Self::Also, Self::All, Self::Drop];

    /// `key`, `also`, `all` or `drop`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::Also => "also",
            Self::All => "all",
            Self::Drop => "drop",
        }
    }

    /// Parses a kind's name; `None` for any other text.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::KINDS.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether it names options or numbers. Letters mean something only with the options that were asked.
    #[must_use]
    pub const fn names_options(self) -> bool {
        matches!(self, Self::Key | Self::Also)
    }

    /// Whether a correction of this kind may name so many options or numbers.
    #[must_use]
    pub const fn takes(self, options: usize) -> bool {
        match self {
            Self::Key => options == 1,
            Self::Also => options >= 1 && options < Choice::ALL.len(),
            Self::All | Self::Drop => options == 0,
        }
    }
}

/// The correction of a question's key within a scope.
#[derive(Clone, Debug)]
pub struct Correction {
    /// Grows with each correction that is made: of two, the one with the higher number is the later.
    pub number: i64,
    /// The question.
    pub question_id: Arc<str>,
    /// What it says.
    pub kind: CorrectionKind,
    /// The options or numbers that it names.
    pub options: AnswerSet,
    /// What their letters stand for. Tests that were asked the question with other options are left alone by those
    /// kinds that name any. `None` if that is not known: then they are about tests of which it is not known either.
    pub of_options: Option<OptionsDigest>,
    /// Whether a test whose score would fall stays as it is.
    pub nobody_loses: bool,
    /// Which tests it is about.
    pub scope: CorrectionScope,
}

impl Correction {
    /// Whether it is about a question as a test has asked it.
    #[must_use]
    pub fn is_about(&self, question: &KeyedQuestion) -> bool {
        *question.id == *self.question_id && !self.names_other_options(question)
    }

    /// Whether what it names means something else in a test that has asked its question so, or is no answer there.
    #[must_use]
    pub fn names_other_options(&self, question: &KeyedQuestion) -> bool {
        let is_of_it = self.of_options == question.options && self.options.are_of(&question.answer);
        self.kind.names_options() && !is_of_it
    }
}

/// What counts for each of these questions instead of its key alone. The corrections are those that hold for the test,
/// in the order in which they were made: each is applied to what the earlier ones have left, and left out if nobody may
/// lose by it and the score would fall.
#[must_use]
pub fn rulings(responses: &[Response], corrections: &[&Correction]) -> Vec<Option<Ruling>> {
    let mut rulings = vec![None; responses.len()];
    for correction in corrections {
        let ruled = |(ruling, response): (&Option<Ruling>, &Response)| {
            let question = &response.question;
            let is_about = correction.is_about(question);
            if is_about { Some(Ruling::after(ruling.as_ref(), question, correction)) } else { ruling.clone() }
        };
        let next: Vec<Option<Ruling>> = rulings.iter().zip(responses).map(ruled).collect();
        if !correction.nobody_loses || score_by(responses, &next) >= score_by(responses, &rulings) {
            rulings = next;
        }
    }
    rulings
}

/// The score of these responses by their rulings.
fn score_by(responses: &[Response], rulings: &[Option<Ruling>]) -> u32 {
    let (earned, max) = scoring::points_by(responses, rulings);
    scoring::score(earned, max)
}

/// Grades a whole test by the corrections that hold for it; `time_taken` is in whole seconds.
#[must_use]
pub fn grade(responses: &[Response], corrections: &[&Correction], time_taken: u32) -> TestResult {
    scoring::grade_by(responses, &rulings(responses, corrections), time_taken)
}

/// The result of a test by the corrections that hold for it, from any of its results: of that only the answers count,
/// not how they were graded. `keys` are those that its questions were asked with. `None` if that changes nothing, or if
/// the server has not graded the test.
#[must_use]
pub fn regrade(result: &TestResult, keys: &[Arc<KeyedQuestion>], corrections: &[&Correction]) -> Option<TestResult> {
    let was_corrected = result.answers.iter().any(|line| line.correction.is_some());
    if corrections.is_empty() && !was_corrected {
        return None;
    }
    let responses = responses(result, keys)?;
    let rulings = rulings(&responses, corrections);
    // A result of an earlier release may differ in what nobody has corrected, and stays as it is.
    if !was_corrected && rulings.iter().all(Option::is_none) {
        return None;
    }
    let graded = scoring::grade_by(&responses, &rulings, result.time_taken);
    (graded.answers != result.answers).then_some(graded)
}

/// The answers of a result, with the keys that their questions were asked with; `None` if one is missing.
#[must_use]
pub fn responses(result: &TestResult, keys: &[Arc<KeyedQuestion>]) -> Option<Vec<Response>> {
    let response = |(index, line): (usize, &AnswerLine)| {
        let is_its_own = |key: &&Arc<KeyedQuestion>| *key.id == *line.question_id;
        // In nearly every test the two are in the same order.
        let key = keys.get(index).filter(is_its_own).or_else(|| keys.iter().find(is_its_own))?;
        let selected = key.answer.parse_selected(&line.selected);
        Some(Response { question: Arc::clone(key), selected, time_taken: line.time_taken })
    };
    result.answers.iter().enumerate().map(response).collect()
}

#[cfg(test)]
mod tests;
