//! A finished test as JSON: the stored session, and the payload of its webhook. Each reader gets the parts that they
//! may see.

use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
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
    /// Whether the reader is told the result at all: not before its sitting is released.
    pub result: bool,
    /// Whether the reader is told the right options, which answers were right, and how many by topic and difficulty.
    pub keys: bool,
}

impl Sight {
    /// Everything: for the service that keeps the session.
    pub const WHOLE: Self = Self { account: true, result: true, keys: true };
}

/// A stored session.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StoredSession)]
pub struct StoredView<'a> {
    /// Identifier of the session.
    session_id: Uuid,
    grade: Grade,
    /// When the test ended.
    #[schema(value_type = String, format = DateTime)]
    timestamp: Moment,
    /// When the student began.
    #[schema(value_type = String, format = DateTime)]
    started_at: Moment,
    /// The same as `timestamp`.
    #[schema(value_type = String, format = DateTime)]
    completed_at: Moment,
    /// Whether the receiver of the webhook has answered 2xx.
    webhook_sent: bool,
    /// The link to the report.
    report_url: &'a str,
    /// The caller's own object, as it was sent.
    #[schema(value_type = Object)]
    annotations: &'a RawValue,
    result: ResultView<'a>,
    /// Whether the server graded the test by its own bank.
    verified: bool,
    /// `live` if a live exam was sat, `client` if a client handed the test in.
    origin: SessionOrigin,
    /// E-mail of the person who was signed in when a live exam began, for staff: null when nobody was, and absent for
    /// other readers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    account: Option<Option<&'a str>>,
    /// From question id to drawing; absent when there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>, nullable = false)]
    drawings: Option<&'a RawValue>,
}

/// The payload of the webhooks `test.completed` and `result.released`.
// `docs/integrators.md#webhooks` explains it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CompletedSession)]
pub struct CompletedView<'a> {
    event: SessionEvent,
    /// Identifier of the session.
    session_id: Uuid,
    grade: Grade,
    /// When the test ended.
    #[schema(value_type = String, format = DateTime)]
    timestamp: Moment,
    /// When the student began.
    #[schema(value_type = String, format = DateTime)]
    started_at: Moment,
    /// The same as `timestamp`.
    #[schema(value_type = String, format = DateTime)]
    completed_at: Moment,
    /// The link to the report.
    report_url: &'a str,
    /// The caller's own object, as it was sent.
    #[schema(value_type = Object)]
    annotations: &'a RawValue,
    /// Null until the sitting of the test is released.
    result: Option<ResultView<'a>>,
    /// Whether the server graded the test by its own bank.
    verified: bool,
    /// `live` if a live exam was sat, `client` if a client handed the test in.
    origin: SessionOrigin,
    /// E-mail of the person who was signed in when a live exam began, for staff and the receiver of the webhook: null
    /// when nobody was, and absent for other readers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    account: Option<Option<&'a str>>,
}

/// What a webhook tells of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub enum SessionEvent {
    /// The test is finished.
    #[serde(rename = "test.completed")]
    Completed,
    /// The result of a test that was finished before may be seen now.
    #[serde(rename = "result.released")]
    Released,
}

/// The result of a test, as far as the reader may see it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SessionResult)]
struct ResultView<'a> {
    /// 200 to 800.
    #[schema(minimum = 200, maximum = 800)]
    score: u32,
    /// Questions answered correctly.
    correct_answers: u32,
    /// Questions of the test.
    total_questions: u32,
    /// Percent with one decimal.
    accuracy: f64,
    /// Whole seconds.
    time_taken: u32,
    /// One line for each topic, in the order of the paper; none for readers who may not know which answers were right.
    #[schema(value_type = Vec<TopicLine>)]
    topic_breakdown: &'a [TopicLine],
    /// One line for each difficulty on the paper, easiest first; none for such readers.
    #[schema(value_type = Vec<DifficultyLine>)]
    difficulty_breakdown: &'a [DifficultyLine],
    /// One line for each question, in the order of the paper.
    answers: Vec<AnswerView<'a>>,
}

/// The result of one question, as far as the reader may see it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SessionAnswer)]
struct AnswerView<'a> {
    /// Identifier of the question.
    question_id: &'a str,
    /// `A` to `D`; empty when not answered.
    selected: &'a str,
    /// The right option, `A` to `D`; absent, like `isCorrect`, for readers who may not know it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    correct: Option<&'a str>,
    /// Whether the selected option is the right one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    is_correct: Option<bool>,
    /// Whole seconds on this question; absent when not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    time_taken: Option<u32>,
}

impl<'a> ResultView<'a> {
    /// The result without what would tell the right option of a question, unless the reader may see that.
    fn of(result: &'a TestResult, sight: Sight) -> Self {
        let answer = |line: &'a AnswerLine| AnswerView {
            question_id: &line.question_id,
            selected: &line.selected,
            correct: sight.keys.then_some(&line.correct),
            is_correct: sight.keys.then_some(line.is_correct),
            time_taken: line.time_taken,
        };
        Self {
            score: result.score,
            correct_answers: result.correct_answers,
            total_questions: result.total_questions,
            accuracy: result.accuracy,
            time_taken: result.time_taken,
            // A topic with one question tells its key.
            topic_breakdown: if sight.keys { &result.topic_breakdown } else { &[] },
            difficulty_breakdown: if sight.keys { &result.difficulty_breakdown } else { &[] },
            answers: result.answers.iter().map(answer).collect(),
        }
    }
}

impl Session {
    /// What someone may see who has the session's id. While answers are not public, the keys of a test that a client
    /// handed in are for staff alone: anybody can hand in a test with the ids of a whole bank.
    #[must_use]
    pub fn sight(&self, is_staff: bool, has_public_answers: bool) -> Sight {
        Sight {
            account: is_staff,
            result: true,
            keys: is_staff || has_public_answers || self.origin == SessionOrigin::Live,
        }
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
        self.event_json(SessionEvent::Completed, sight)
    }

    /// The payload of any webhook of the session.
    ///
    /// # Errors
    /// Never in practice: every field can be written as JSON.
    pub fn event_json(&self, event: SessionEvent, sight: Sight) -> serde_json::Result<String> {
        serde_json::to_string(&CompletedView {
            event,
            session_id: self.session_id,
            grade: self.grade,
            timestamp: self.completed_at,
            started_at: self.started_at,
            completed_at: self.completed_at,
            report_url: &self.report_url,
            annotations: &self.annotations,
            result: sight.result.then(|| ResultView::of(&self.result, sight)),
            verified: self.verified,
            origin: self.origin,
            account: sight.account.then_some(self.account.as_deref()),
        })
    }
}
