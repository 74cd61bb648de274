//! A finished test as JSON: the stored session, and the payload of its webhook. Each reader gets the parts that they may
//! see.

use serde::Serialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use super::{Session, SessionOrigin};
use crate::grade::Grade;
use crate::scoring::{AnswerLine, DifficultyLine, TestResult, TopicLine};
use crate::time::moment::Moment;

/// The parts of a session that not every reader may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// Whether the reader is told the signed-in account.
    pub account: bool,
    /// Whether the reader is told the right options, and which answers were right.
    pub keys: bool,
}

impl Sight {
    /// Everything: for the service that keeps the session.
    pub const WHOLE: Self = Self { account: true, keys: true };
}

/// The stored session as JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StoredView<'a> {
    session_id: Uuid,
    grade: Grade,
    timestamp: Moment,
    started_at: Moment,
    completed_at: Moment,
    webhook_sent: bool,
    report_url: &'a str,
    annotations: &'a RawValue,
    result: ResultView<'a>,
    verified: bool,
    origin: SessionOrigin,
    #[serde(skip_serializing_if = "Option::is_none")]
    account: Option<Option<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    drawings: Option<&'a RawValue>,
}

/// The payload of the `test.completed` webhook (`docs/integrators.md#webhooks`).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CompletedView<'a> {
    event: &'static str,
    session_id: Uuid,
    grade: Grade,
    timestamp: Moment,
    started_at: Moment,
    completed_at: Moment,
    report_url: &'a str,
    annotations: &'a RawValue,
    result: ResultView<'a>,
    verified: bool,
    origin: SessionOrigin,
    #[serde(skip_serializing_if = "Option::is_none")]
    account: Option<Option<&'a str>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum ResultView<'a> {
    Whole(&'a TestResult),
    WithoutKeys(ResultWithoutKeys<'a>),
}

/// The result without what would tell the right option of a question.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultWithoutKeys<'a> {
    score: u32,
    correct_answers: u32,
    total_questions: u32,
    accuracy: f64,
    time_taken: u32,
    topic_breakdown: &'a [TopicLine],
    difficulty_breakdown: &'a [DifficultyLine],
    answers: Vec<AnswerWithoutKey<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AnswerWithoutKey<'a> {
    question_id: &'a str,
    selected: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_taken: Option<u32>,
}

impl<'a> ResultView<'a> {
    fn of(result: &'a TestResult, sight: Sight) -> Self {
        if sight.keys {
            return Self::Whole(result);
        }
        let answer = |line: &'a AnswerLine| AnswerWithoutKey {
            question_id: &line.question_id,
            selected: &line.selected,
            time_taken: line.time_taken,
        };
        Self::WithoutKeys(ResultWithoutKeys {
            score: result.score,
            correct_answers: result.correct_answers,
            total_questions: result.total_questions,
            accuracy: result.accuracy,
            time_taken: result.time_taken,
            topic_breakdown: &result.topic_breakdown,
            difficulty_breakdown: &result.difficulty_breakdown,
            answers: result.answers.iter().map(answer).collect(),
        })
    }
}

impl Session {
    /// What someone may see who has the session's id. While answers are not public, the keys of a test that a client
    /// handed in are for staff alone: anybody can hand in a test with the ids of a whole bank.
    #[must_use]
    pub fn sight(&self, is_staff: bool, has_public_answers: bool) -> Sight {
        Sight { account: is_staff, keys: is_staff || has_public_answers || self.origin == SessionOrigin::Live }
    }

    /// What the receiver of the webhook may see. Whoever hands in a test names that receiver, so it learns no more keys
    /// than they do.
    #[must_use]
    pub fn webhook_sight(&self, has_public_answers: bool) -> Sight {
        Sight { account: true, ..self.sight(false, has_public_answers) }
    }

    /// The stored session as JSON.
    ///
    /// # Errors
    /// Never in practice: every field can be written as JSON.
    pub fn stored_json(&self, sight: Sight) -> serde_json::Result<String> {
        serde_json::to_string(&StoredView {
            session_id: self.session_id,
            grade: self.grade,
            timestamp: self.completed_at,
            started_at: self.started_at,
            completed_at: self.completed_at,
            webhook_sent: self.webhook_sent,
            report_url: &self.report_url,
            annotations: &self.annotations,
            result: ResultView::of(&self.result, sight),
            verified: self.verified,
            origin: self.origin,
            account: sight.account.then_some(self.account.as_deref()),
            drawings: self.drawings.as_deref(),
        })
    }

    /// The payload of the webhook, which `?payload=1` shows too.
    ///
    /// # Errors
    /// Never in practice: every field can be written as JSON.
    pub fn completed_json(&self, sight: Sight) -> serde_json::Result<String> {
        serde_json::to_string(&CompletedView {
            event: "test.completed",
            session_id: self.session_id,
            grade: self.grade,
            timestamp: self.completed_at,
            started_at: self.started_at,
            completed_at: self.completed_at,
            report_url: &self.report_url,
            annotations: &self.annotations,
            result: ResultView::of(&self.result, sight),
            verified: self.verified,
            origin: self.origin,
            account: sight.account.then_some(self.account.as_deref()),
        })
    }
}
