//! A finished test: what is stored, what is shown, and whether to trust a result that a client has sent.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use url::Url;
use uuid::Uuid;

use super::grade::Grade;
use super::json_limits;
use super::question::{Choice, KeyedQuestion, TEXT_UNITS_MAX};
use super::scoring::{self, AnswerLine, DifficultyLine, Response, SCORE_MAX, SCORE_MIN, TestResult, TopicLine};
use super::time::moment::Moment;

/// The longest `baseUrl`, in bytes.
pub const BASE_URL_BYTES_MAX: usize = 2_048;
/// The longest `reportUrl` of a session from another service, in bytes: a `baseUrl` and the path of the report.
pub const REPORT_URL_BYTES_MAX: usize = BASE_URL_BYTES_MAX + 64;
/// The largest `annotations` of a test, in bytes of JSON.
pub const ANNOTATIONS_BYTES_MAX: usize = 64 * 1_024;
/// The largest drawing, in bytes of JSON: room for two thousand strokes.
pub const DRAWING_BYTES_MAX: usize = 200 * 1_024;
/// The longest `webhookUrl`, in bytes. A longer one is stored cut off, as a delivery that has failed, so that admins
/// see it.
pub const WEBHOOK_URL_BYTES_MAX: usize = 2_048;
/// How many answers, breakdown lines or drawings a result may have that was not made here.
pub const RESULT_LINES_MAX: usize = 200;
/// The longest text in a result that a client sent, in bytes.
const RESULT_TEXT_BYTES_MAX: usize = 512;

/// A finished test as stored.
#[derive(Clone, Debug)]
pub struct Session {
    /// Identifier; since it is part of the report's link, also its secret.
    pub session_id: Uuid,
    /// The grade of the test.
    pub grade: Grade,
    /// When the student began.
    pub started_at: Moment,
    /// When the test ended; also its `timestamp`.
    pub completed_at: Moment,
    /// Whether the receiver of the webhook has answered 2xx.
    pub webhook_sent: bool,
    /// The link to the report, `<baseUrl>/report/<sessionId>`.
    pub report_url: String,
    /// The caller's `annotations`, as they were sent.
    pub annotations: Box<RawValue>,
    /// The result of the test.
    pub result: TestResult,
    /// Whether the server graded it with the keys of its own bank.
    pub verified: bool,
    /// A JSON object from question id to drawing; `None` when there are no drawings.
    pub drawings: Option<Box<RawValue>>,
    /// The keys that it was graded with; empty when the server did not grade it.
    pub graded_by: Vec<Arc<KeyedQuestion>>,
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
    result: &'a TestResult,
    verified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    drawings: Option<&'a RawValue>,
}

/// A stored session in another service's JSON. Fields that are not needed, or that the other service does not know, may
/// be missing.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredFields {
    session_id: Option<Uuid>,
    grade: Grade,
    started_at: Moment,
    timestamp: Option<Moment>,
    completed_at: Option<Moment>,
    #[serde(default)]
    webhook_sent: bool,
    #[serde(default)]
    report_url: String,
    annotations: Option<Box<RawValue>>,
    result: SentResult,
    #[serde(default)]
    verified: bool,
    drawings: Option<Box<RawValue>>,
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
    result: &'a TestResult,
    verified: bool,
}

impl Session {
    /// Parses a stored session from another service's JSON; `None` when it is not one, or could not be stored here.
    #[must_use]
    pub fn from_stored_json(json: &str) -> Option<Self> {
        let fields: StoredFields = serde_json::from_str(json).ok()?;
        Self::of_stored(fields.session_id?, fields)
    }

    /// Does the same for a session whose id is known and may be missing in the JSON.
    #[must_use]
    pub fn from_stored_json_of(session_id: Uuid, json: &str) -> Option<Self> {
        let fields: StoredFields = serde_json::from_str(json).ok()?;
        let is_its_own = fields.session_id.is_none_or(|named| named == session_id);
        is_its_own.then(|| Self::of_stored(session_id, fields)).flatten()
    }

    fn of_stored(session_id: Uuid, fields: StoredFields) -> Option<Self> {
        // PHP, for one, writes an empty object as an empty list.
        let annotations = fields.annotations.filter(|raw| !is_empty_list(raw.get()));
        let annotations = annotations.map_or_else(|| RawValue::from_string("{}".to_owned()).ok(), Some)?;
        let drawings = fields.drawings.filter(|raw| !is_empty_list(raw.get()) && has_drawings(raw.get()));
        let is_sound = fields.result.is_storable()
            && is_annotations(annotations.get())
            && drawings.as_ref().is_none_or(|raw| is_drawings(raw.get()));
        is_sound.then_some(Self {
            session_id,
            grade: fields.grade,
            started_at: fields.started_at,
            completed_at: fields.completed_at.or(fields.timestamp)?,
            webhook_sent: fields.webhook_sent,
            report_url: Some(fields.report_url)
                .filter(|url| url.len() <= REPORT_URL_BYTES_MAX && !url.chars().any(char::is_control))?,
            annotations,
            result: fields.result.believed(),
            verified: fields.verified,
            drawings,
            graded_by: Vec::new(),
        })
    }

    /// The stored session as JSON.
    ///
    /// # Errors
    /// Never in practice: every field can be written as JSON.
    pub fn stored_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(&StoredView {
            session_id: self.session_id,
            grade: self.grade,
            timestamp: self.completed_at,
            started_at: self.started_at,
            completed_at: self.completed_at,
            webhook_sent: self.webhook_sent,
            report_url: &self.report_url,
            annotations: &self.annotations,
            result: &self.result,
            verified: self.verified,
            drawings: self.drawings.as_deref(),
        })
    }

    /// The payload of the webhook, which `?payload=1` shows too.
    ///
    /// # Errors
    /// Never in practice: every field can be written as JSON.
    pub fn completed_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(&CompletedView {
            event: "test.completed",
            session_id: self.session_id,
            grade: self.grade,
            timestamp: self.completed_at,
            started_at: self.started_at,
            completed_at: self.completed_at,
            report_url: &self.report_url,
            annotations: &self.annotations,
            result: &self.result,
            verified: self.verified,
        })
    }
}

/// The link to a session's report. Slashes at the end of the base are removed, so that there is exactly one between the
/// parts.
#[must_use]
pub fn report_url(base_url: &str, session_id: Uuid) -> String {
    format!("{}/report/{session_id}", base_url.trim_end_matches('/'))
}

/// Whether a `baseUrl` may be stored: http or https, with a host, without white space or control characters, at most 2
/// KiB.
#[must_use]
pub fn is_base_url(text: &str) -> bool {
    let written = text.len() <= BASE_URL_BYTES_MAX
        && !text.chars().any(|character| character.is_control() || character.is_whitespace());
    written && Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

fn is_empty_list(json: &str) -> bool {
    json.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).is_some_and(|rest| rest.trim().is_empty())
}

/// Whether the JSON text is an object that may be stored as `annotations`.
#[must_use]
pub fn is_annotations(json: &str) -> bool {
    json.trim_start().starts_with('{') && json.len() <= ANNOTATIONS_BYTES_MAX && json_limits::is_acceptable(json)
}

/// Whether the JSON text is an object that may be stored as one drawing.
#[must_use]
pub fn is_drawing(json: &str) -> bool {
    json.trim_start().starts_with('{') && json.len() <= DRAWING_BYTES_MAX && json_limits::is_acceptable(json)
}

/// Whether the JSON text is an object from question ids to drawings that may be stored.
#[must_use]
pub fn is_drawings(json: &str) -> bool {
    let Ok(drawings) = serde_json::from_str::<HashMap<String, &RawValue>>(json) else { return false };
    drawings.len() <= RESULT_LINES_MAX
        && drawings.iter().all(|(id, drawing)| !id.contains('\0') && is_drawing(drawing.get()))
}

/// Whether the JSON text of an object of drawings has any entry.
#[must_use]
pub fn has_drawings(json: &str) -> bool {
    !json.trim_matches(['{', '}']).trim().is_empty()
}

/// A result as a client sends it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SentResult {
    score: i64,
    correct_answers: u32,
    total_questions: u32,
    accuracy: Option<f64>,
    time_taken: u32,
    topic_breakdown: Vec<TopicLine>,
    difficulty_breakdown: Vec<DifficultyLine>,
    answers: Vec<SentAnswer>,
}

/// One answer of such a result; `selected` is null or empty when the question was not answered.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SentAnswer {
    question_id: String,
    selected: Option<String>,
    #[serde(default)]
    correct: Option<String>,
    #[serde(default)]
    is_correct: Option<bool>,
    #[serde(default)]
    time_taken: Option<u32>,
}

/// The decision on a result that a client sent.
#[derive(Debug)]
pub struct Verdict {
    /// The result, graded by the server or as it was sent.
    pub result: TestResult,
    /// Whether the server graded it.
    pub is_verified: bool,
    /// The keys that it was graded with; empty when it was not.
    pub graded_by: Vec<Arc<KeyedQuestion>>,
}

impl SentResult {
    /// Whether the counts and text lengths are possible for a test.
    #[must_use]
    pub fn is_plausible(&self) -> bool {
        self.has_plausible_counts()
            && self.texts().all(|text| text.len() <= RESULT_TEXT_BYTES_MAX && !text.contains('\0'))
    }

    /// The same for a stored result, whose topics may be as long as those of questions.
    fn is_storable(&self) -> bool {
        self.has_plausible_counts()
            && self.texts().all(|text| text.encode_utf16().count() <= TEXT_UNITS_MAX && !text.contains('\0'))
    }

    fn texts(&self) -> impl Iterator<Item = &String> {
        let of_answers = self
            .answers
            .iter()
            .flat_map(|answer| [Some(&answer.question_id), answer.selected.as_ref(), answer.correct.as_ref()])
            .flatten();
        of_answers.chain(self.topic_breakdown.iter().map(|line| &line.topic))
    }

    fn has_plausible_counts(&self) -> bool {
        let lines = [self.topic_breakdown.len(), self.difficulty_breakdown.len(), self.answers.len()];
        self.correct_answers <= self.total_questions
            && self.accuracy.is_none_or(|percent| (0.0..=100.0).contains(&percent))
            && lines.into_iter().all(|count| count <= RESULT_LINES_MAX)
    }

    /// Grades the answers with `key` when it has all their questions and no question occurs twice. Otherwise the result
    /// is kept as it was sent, with the score limited to its scale, and is marked as not verified.
    #[must_use]
    pub fn verify(self, key: &HashMap<&str, &Arc<KeyedQuestion>>) -> Verdict {
        match self.responses(key) {
            Some(responses) => {
                let graded_by = responses.iter().map(|response| Arc::clone(&response.question)).collect();
                Verdict { result: scoring::grade(&responses, self.time_taken), is_verified: true, graded_by }
            }
            None => Verdict { result: self.believed(), is_verified: false, graded_by: Vec::new() },
        }
    }

    /// The answers as responses to grade; `None` when a question is not in `key`, or there is not exactly one answer
    /// for each question.
    fn responses(&self, key: &HashMap<&str, &Arc<KeyedQuestion>>) -> Option<Vec<Response>> {
        let ids: HashSet<&str> = self.answers.iter().map(|answer| answer.question_id.as_str()).collect();
        let complete = u32::try_from(ids.len()).ok()? == self.total_questions && ids.len() == self.answers.len();
        complete.then(|| self.answers.iter().map(|answer| answer.response(key)).collect()).flatten()
    }

    fn believed(self) -> TestResult {
        let accuracy = self.accuracy.unwrap_or_else(|| scoring::accuracy(self.correct_answers, self.total_questions));
        TestResult {
            score: u32::try_from(self.score.clamp(i64::from(SCORE_MIN), i64::from(SCORE_MAX))).unwrap_or(SCORE_MIN),
            correct_answers: self.correct_answers,
            total_questions: self.total_questions,
            accuracy: (accuracy * 10.0).round() / 10.0,
            time_taken: self.time_taken,
            topic_breakdown: self.topic_breakdown,
            difficulty_breakdown: self.difficulty_breakdown,
            answers: self.answers.into_iter().map(SentAnswer::believed).collect(),
        }
    }
}

impl SentAnswer {
    fn response(&self, key: &HashMap<&str, &Arc<KeyedQuestion>>) -> Option<Response> {
        let question = Arc::clone(key.get(self.question_id.as_str())?);
        let selected = self.selected.as_deref().and_then(Choice::parse);
        Some(Response { question, selected, time_taken: self.time_taken })
    }

    fn believed(self) -> AnswerLine {
        let selected = self.selected.unwrap_or_default();
        let correct = self.correct.unwrap_or_default();
        let is_correct = self.is_correct.unwrap_or(!selected.is_empty() && selected == correct);
        AnswerLine { question_id: self.question_id, selected, correct, is_correct, time_taken: self.time_taken }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::Difficulty;

    fn sent(total: u32, answers: &str) -> SentResult {
        let json = format!(
            r#"{{"score":9000,"correctAnswers":1,"totalQuestions":{total},"timeTaken":60,"topicBreakdown":[],"difficultyBreakdown":[],"answers":{answers}}}"#
        );
        serde_json::from_str(&json).unwrap()
    }

    fn verify(result: SentResult) -> (TestResult, bool) {
        let question = Arc::new(KeyedQuestion {
            id: "q1".into(),
            topic: "T".into(),
            difficulty: Difficulty::new(3).unwrap(),
            answer: Choice::B,
        });
        let verdict = result.verify(&HashMap::from([("q1", &question)]));
        assert_eq!(verdict.is_verified, !verdict.graded_by.is_empty());
        (verdict.result, verdict.is_verified)
    }

    #[test]
    fn a_result_of_the_bank_is_graded_anew() {
        let (result, verified) =
            verify(sent(1, r#"[{"questionId":"q1","selected":"A","correct":"A","isCorrect":true}]"#));
        assert!(verified);
        assert_eq!((result.score, result.correct_answers, result.answers[0].correct.as_str()), (200, 0, "B"));
    }

    #[test]
    fn any_other_is_kept_as_sent_with_its_score_held() {
        for (total, answers) in [
            (1, r#"[{"questionId":"elsewhere","selected":"A","correct":"A","isCorrect":true}]"#),
            (2, r#"[{"questionId":"q1","selected":"B","correct":"B","isCorrect":true}]"#),
            (2, r#"[{"questionId":"q1","selected":"B"},{"questionId":"q1","selected":"B"}]"#),
        ] {
            let (result, verified) = verify(sent(total, answers));
            assert!(!verified, "{answers}");
            assert_eq!(result.score, 800);
        }
    }

    #[test]
    fn links_are_http_with_a_host() {
        assert!(is_base_url("https://exam.example/base"));
        for text in [
            "",
            "exam.example",
            "javascript:alert(1)",
            "ftp://exam.example",
            "https://",
            "https://a\tb",
            "https://exam.example/\u{7f}",
        ] {
            assert!(!is_base_url(text), "{text:?}");
        }
        let id = Uuid::nil();
        assert_eq!(report_url("https://exam.example//", id), format!("https://exam.example/report/{id}"));
    }
}
