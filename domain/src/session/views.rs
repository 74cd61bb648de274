//! A finished test as JSON: the stored session, and the payload of its webhook. Each reader gets the parts that they
//! may see.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::ser::Error as _;
use serde_json::value::{RawValue, to_raw_value};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{PreviousView, Session, SessionOrigin, VersionReason};
use crate::correction::CorrectionKind;
use crate::form::FormLetter;
use crate::grade::Grade;
use crate::mark::ResultMark;
use crate::option_order::OptionOrder;
use crate::scoring::{AnswerLine, DifficultyLine, TestResult, TopicLine};
use crate::sight::{OpenResults, SeenScore, Sight};
use crate::time::moment::Moment;

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
    /// The mark of the result on the school's scale; absent without a scale.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    mark: Option<ResultMark>,
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
    /// Counts the results that the test has had.
    #[schema(minimum = 1)]
    version: u32,
    /// Why the result was changed; absent for the first version.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reason: Option<VersionReason>,
    /// What it was before; absent for the first version.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    previous: Option<PreviousView>,
    /// Which form of the template it is of; absent where there was only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false, example = "B")]
    form: Option<FormLetter>,
    /// From question id to the letters of its options in the order in which the student saw them, such as `CADB`; only
    /// of questions whose options stood in another order than in the bank, and absent when there are none. All letters
    /// elsewhere are those of the bank.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(value_type = Option<BTreeMap<String, String>>, nullable = false)]
    option_order: BTreeMap<&'a str, OptionOrder>,
    /// Whether the reader is staff, who compare the test with the master copy: show its letters beside those that the
    /// student saw. Absent if not, and without `optionOrder`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    master_letters: Option<bool>,
    /// The name of its exam: of its sitting, or of the template that it was practised with; absent for any other test.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "Final exam in mathematics")]
    exam: Option<&'a str>,
    /// Whether the test has been reopened since and goes on; absent if not. Only staff of the grade see such a session.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    goes_on: Option<bool>,
}

/// The payload of the webhooks `test.completed`, `result.released` and `result.changed`.
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
    #[schema(required)]
    result: Option<ResultView<'a>>,
    /// The mark of the result on the school's scale; absent without a scale, and like the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    mark: Option<ResultMark>,
    /// Whether the server graded the test by its own bank.
    verified: bool,
    /// `live` if a live exam was sat, `client` if a client handed the test in.
    origin: SessionOrigin,
    /// E-mail of the person who was signed in when a live exam began, for staff and the receiver of the webhook: null
    /// when nobody was, and absent for other readers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    account: Option<Option<&'a str>>,
    /// Counts the results that the test has had.
    #[schema(minimum = 1)]
    version: u32,
    /// Why the result was changed; absent for the first version, and until the sitting of the test is released.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reason: Option<VersionReason>,
    /// What it was before; absent like `reason`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    previous: Option<PreviousView>,
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
    /// The test has another result than was told before.
    #[serde(rename = "result.changed")]
    Changed,
}

/// The result of a test, as far as the reader may see it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SessionResult)]
pub struct ResultView<'a> {
    /// 200 to 800.
    #[schema(minimum = 200, maximum = 800)]
    pub score: u32,
    /// Questions answered correctly.
    pub correct_answers: u32,
    /// Questions of the test, without those that a correction has dropped.
    pub total_questions: u32,
    /// Percent with one decimal.
    pub accuracy: f64,
    /// Whole seconds.
    pub time_taken: u32,
    /// One line for each topic, in the order of the paper; none for readers who may not know which answers were right.
    #[schema(value_type = Vec<TopicLine>)]
    pub topic_breakdown: &'a [TopicLine],
    /// One line for each difficulty on the paper, easiest first; none for such readers.
    #[schema(value_type = Vec<DifficultyLine>)]
    pub difficulty_breakdown: &'a [DifficultyLine],
    /// One line for each question, in the order of the paper.
    pub answers: Vec<AnswerView<'a>>,
}

/// The result of one question, as far as the reader may see it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SessionAnswer)]
pub struct AnswerView<'a> {
    /// Identifier of the question.
    pub question_id: &'a str,
    /// `A` to `D`, or the number as it was typed; empty when not answered.
    pub selected: &'a str,
    /// The right option, `A` to `D`, or the right number; absent, like `isCorrect`, for readers who may not know it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub correct: Option<&'a str>,
    /// Whether the answer counts as right.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub is_correct: Option<bool>,
    /// What a correction of the key has made of the question; absent when there is none, and for readers who may not
    /// know the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub correction: Option<CorrectionKind>,
    /// Options or numbers that a correction has made right too; absent when there are none, and for such readers.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    #[schema(value_type = Option<Vec<String>>, nullable = false)]
    pub also_correct: &'a [String],
    /// Whole seconds on this question; absent when not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub time_taken: Option<u32>,
}

impl<'a> ResultView<'a> {
    /// The result without what would tell the answer to a question, unless the reader may see that.
    fn of(result: &'a TestResult, has_keys: bool) -> Self {
        let answer = |line: &'a AnswerLine| AnswerView {
            question_id: &line.question_id,
            selected: &line.selected,
            correct: has_keys.then_some(&line.correct),
            is_correct: has_keys.then_some(line.is_correct),
            correction: line.correction.filter(|_| has_keys),
            also_correct: if has_keys { &line.also_correct } else { &[] },
            time_taken: line.time_taken,
        };
        Self {
            score: result.score,
            correct_answers: result.correct_answers,
            total_questions: result.total_questions,
            accuracy: result.accuracy,
            time_taken: result.time_taken,
            // A topic with one question tells its key.
            topic_breakdown: if has_keys { &result.topic_breakdown } else { &[] },
            difficulty_breakdown: if has_keys { &result.difficulty_breakdown } else { &[] },
            answers: result.answers.iter().map(answer).collect(),
        }
    }
}

/// The result of a test that was handed in here, as its seat keeps it.
#[derive(Clone)]
pub struct SubmittedResult {
    session_id: Uuid,
    /// 200 to 800.
    score: i32,
    version: u32,
    json: Box<RawValue>,
}

impl SubmittedResult {
    /// The whole result, for those who may see all of it.
    #[must_use]
    pub fn json(&self, sight: Sight) -> Option<&RawValue> {
        (sight.is_of(self.session_id) && sight.shows_keys()).then_some(&*self.json)
    }

    /// The score, as far as anyone may see it who watches.
    #[must_use]
    pub fn score(&self, open: OpenResults) -> Option<SeenScore> {
        open.seen_score(self.score)
    }

    /// The version of the test whose score it is.
    #[must_use]
    pub const fn version(&self) -> u32 {
        self.version
    }
}

impl Session {
    /// The result, as far as the reader may see it.
    #[must_use]
    pub fn result(&self, sight: Sight) -> Option<ResultView<'_>> {
        let is_shown = sight.is_of(self.session_id) && sight.shows_result();
        is_shown.then(|| ResultView::of(self.result.inside_the_server(), sight.shows_keys()))
    }

    /// The result as the seat keeps it that handed it in.
    #[must_use]
    pub fn submitted_result(&self) -> SubmittedResult {
        let result = self.result.inside_the_server();
        SubmittedResult {
            session_id: self.session_id,
            score: i32::try_from(result.score).unwrap_or(i32::MAX),
            version: self.version.number,
            json: to_raw_value(result).unwrap_or_else(|_| RawValue::NULL.to_owned()),
        }
    }

    /// Why the result was changed, and what it was before, if it was and the reader may see it.
    #[must_use]
    pub fn change(&self, sight: Sight) -> Option<(VersionReason, PreviousView)> {
        let is_shown = sight.is_of(self.session_id) && sight.shows_result();
        let version = self.version.number.checked_sub(1).filter(|before| is_shown && *before > 0)?;
        let score = *self.version.previous_score.as_ref()?.inside_the_server();
        Some((self.version.reason, PreviousView { version, score, mark: self.mark_before(sight) }))
    }

    /// The stored session as JSON.
    ///
    /// # Errors
    /// When the reader may not see the result: such a session is not shown at all.
    pub fn stored_json(&self, sight: Sight) -> serde_json::Result<String> {
        self.told_json(sight, None, false)
    }

    /// The same with the name of the exam, and whether the test was reopened and goes on.
    ///
    /// # Errors
    /// As of [`Self::stored_json`].
    pub fn told_json(&self, sight: Sight, exam: Option<&str>, goes_on: bool) -> serde_json::Result<String> {
        let result = self.result(sight).ok_or_else(|| serde_json::Error::custom("the result is held"))?;
        let (reason, previous) = self.change(sight).unzip();
        let option_order = self.option_orders();
        let has_master = !option_order.is_empty() && sight.shows_master_letters();
        serde_json::to_string(&StoredView {
            session_id: self.session_id,
            grade: self.grade,
            timestamp: self.completed_at,
            started_at: self.started_at,
            completed_at: self.completed_at,
            webhook_sent: self.webhook_sent,
            report_url: &self.report_url,
            annotations: &self.annotations,
            result,
            mark: self.mark(sight),
            verified: self.verified,
            origin: self.origin,
            account: sight.shows_account().then_some(self.account.as_deref()),
            drawings: self.drawings.as_deref(),
            version: self.version.number,
            reason,
            previous,
            form: self.form,
            option_order,
            master_letters: has_master.then_some(true),
            exam,
            goes_on: goes_on.then_some(true),
        })
    }

    /// The payload of the version's own webhook, which `?payload=1` shows too.
    ///
    /// # Errors
    /// Never in practice: every field can be written as JSON.
    pub fn completed_json(&self, sight: Sight) -> serde_json::Result<String> {
        let event = if self.version.is_change() { SessionEvent::Changed } else { SessionEvent::Completed };
        self.event_json(event, sight)
    }

    /// The payload of any webhook of the session.
    ///
    /// # Errors
    /// Never in practice: every field can be written as JSON.
    pub fn event_json(&self, event: SessionEvent, sight: Sight) -> serde_json::Result<String> {
        let (reason, previous) = self.change(sight).unzip();
        serde_json::to_string(&CompletedView {
            event,
            session_id: self.session_id,
            grade: self.grade,
            timestamp: self.completed_at,
            started_at: self.started_at,
            completed_at: self.completed_at,
            report_url: &self.report_url,
            annotations: &self.annotations,
            result: self.result(sight),
            mark: self.mark(sight),
            verified: self.verified,
            origin: self.origin,
            account: sight.shows_account().then_some(self.account.as_deref()),
            version: self.version.number,
            reason,
            previous,
        })
    }
}
