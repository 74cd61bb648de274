//! A finished test: what is stored, what is shown, and whether to trust a result that a client has sent.

mod asked;
mod late;
mod marks;
mod people;
mod sent_result;
mod shown;
mod version;
mod views;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use url::Url;
use utoipa::ToSchema;
use uuid::Uuid;

use super::access::normal_email;
use super::correction::{Correction, regrade};
use super::form::FormLetter;
use super::grade::Grade;
use super::json_limits;
use super::mark::MarkScale;
use super::option_order::OptionOrder;
use super::question::KeyedQuestion;
use super::scoring::TestResult;
use super::sight::Untold;
use super::template::LIST_QUESTIONS_MAX;
use super::text;
use super::time::moment::Moment;
pub use asked::{AskedKey, AskedQuestion, TextState};
pub use late::ScoreChange;
pub use people::{SEARCHED_CHARACTERS_MAX, search_text, searchable, student_id};
pub use sent_result::{SentResult, Verdict};
pub use version::{PreviousView, SessionVersion, VersionReason};
pub use views::{AnswerView, CompletedView, ResultView, SessionEvent, StoredView, SubmittedResult};

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
/// How many answers, breakdown lines or drawings a result may have that was not made here: as many as the two lists of
/// an adaptive template.
pub const RESULT_LINES_MAX: usize = 2 * LIST_QUESTIONS_MAX;

/// Who chose the answers of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SessionOrigin {
    /// Somebody sat a live exam, and this server saw each answer when it was given.
    Live,
    /// A client handed in the whole test, so nobody saw who answered, or when.
    Client,
}

impl SessionOrigin {
    /// `live` or `client`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Client => "client",
        }
    }

    /// Parses an origin's name; `None` for any other text.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Live, Self::Client].into_iter().find(|origin| origin.name() == name)
    }
}

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
    /// Whether the receiver of the webhook has answered 2xx to the newest version.
    pub webhook_sent: bool,
    /// The link to the report, `<baseUrl>/report/<sessionId>`.
    pub report_url: String,
    /// The caller's `annotations`, as they were sent.
    pub annotations: Box<RawValue>,
    /// The result of the test, which [`Session::result`] shows to those who may see it.
    pub result: Untold<TestResult>,
    /// Whether the server graded it with the keys of its own bank.
    pub verified: bool,
    /// Who chose the answers.
    pub origin: SessionOrigin,
    /// E-mail of the person who was signed in when a live exam began; `None` without sign-in, and for tests that
    /// clients handed in.
    pub account: Option<String>,
    /// The template that a live exam was started from.
    pub template_id: Option<Uuid>,
    /// The sitting that it belongs to.
    pub sitting_id: Option<Uuid>,
    /// Which form of the template it is of; `None` where there was only one.
    pub form: Option<FormLetter>,
    /// The scale by which it is marked: of a sitting as that is now, else as it was at the start. `None` for no mark.
    pub mark_scale: Option<Arc<MarkScale>>,
    /// The orders in which the student saw options, by the ids of their questions, as another service has kept them.
    /// What this server has graded has them with its keys: [`Self::option_orders`] looks at both.
    pub sent_orders: BTreeMap<String, OptionOrder>,
    /// A JSON object from question id to drawing; `None` when there are no drawings.
    pub drawings: Option<Box<RawValue>>,
    /// The keys that it was graded with; empty when the server did not grade it.
    pub graded_by: Untold<Vec<Arc<KeyedQuestion>>>,
    /// Which of its results this is: the newest, unless another one was asked for.
    pub version: SessionVersion,
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
    origin: Option<SessionOrigin>,
    account: Option<String>,
    drawings: Option<Box<RawValue>>,
    form: Option<serde_json::Value>,
    option_order: Option<serde_json::Value>,
    version: Option<serde_json::Value>,
    reason: Option<serde_json::Value>,
    previous: Option<serde_json::Value>,
}

impl Session {
    /// Whether it ended before its time began to count: in a sitting, somebody has ended it for a candidate who waited.
    #[must_use]
    pub fn ended_unbegun(&self) -> bool {
        self.started_at >= self.completed_at
    }

    /// The score, which is as secret as the result.
    #[must_use]
    pub const fn score(&self) -> Untold<u32> {
        Untold::of(self.result.inside_the_server().score)
    }

    /// Its result by these corrections of keys, in the order in which they were made; `None` if they change nothing. Of
    /// the result that it has only the answers count, so that this may be asked of any of its results.
    #[must_use]
    pub fn regraded(&self, corrections: &[&Correction]) -> Option<TestResult> {
        regrade(self.result.inside_the_server(), self.graded_by.inside_the_server(), corrections)
    }

    /// Whether it was asked the question of a correction, so that this is about it.
    #[must_use]
    pub fn is_meant_by(&self, correction: &Correction) -> bool {
        self.graded_by.inside_the_server().iter().any(|key| correction.is_about(key))
    }

    /// The ids of its questions, in the order of the paper.
    pub fn question_ids(&self) -> impl Iterator<Item = &str> {
        self.result.inside_the_server().answers.iter().map(|line| &*line.question_id)
    }

    /// Whether the two are about the same test.
    #[must_use]
    pub fn has_answers_of(&self, other: &Self) -> bool {
        self.result.inside_the_server().has_answers_of(other.result.inside_the_server())
    }

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
        // A result is worth more than the name beside it, and some services write an empty text where there is none.
        let account = fields.account.and_then(|account| normal_email(&account));
        let is_sound = fields.result.is_storable()
            && is_kept_annotations(annotations.get())
            && drawings.as_ref().is_none_or(|raw| is_kept_drawings(raw.get()));
        let completed_at = fields.completed_at.or(fields.timestamp)?;
        let (form, sent_orders) = shown::of_stored(fields.form.as_ref(), fields.option_order.as_ref(), &fields.result);
        let (number, reason) = (fields.version.as_ref(), fields.reason.as_ref());
        let version = SessionVersion::of_stored(number, reason, fields.previous.as_ref(), completed_at);
        is_sound.then_some(Self {
            session_id,
            grade: fields.grade,
            started_at: fields.started_at,
            completed_at,
            webhook_sent: fields.webhook_sent,
            report_url: Some(fields.report_url)
                .filter(|url| url.len() <= REPORT_URL_BYTES_MAX && !text::has_control(url))?,
            annotations,
            result: Untold::of(fields.result.believed()),
            verified: fields.verified,
            // A service that does not know the field does not make a live exam of what anybody may have handed in.
            origin: fields.origin.unwrap_or(SessionOrigin::Client),
            account,
            template_id: None,
            sitting_id: None,
            form,
            mark_scale: None,
            sent_orders,
            drawings,
            graded_by: Untold::of(Vec::new()),
            version,
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
pub fn is_base_url(link: &str) -> bool {
    let written = link.len() <= BASE_URL_BYTES_MAX && !text::has_control(link) && !link.contains(char::is_whitespace);
    written && Url::parse(link).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

fn is_empty_list(json: &str) -> bool {
    json.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).is_some_and(|rest| rest.trim().is_empty())
}

/// Whether the JSON text is an object that a caller may send as `annotations`.
#[must_use]
pub fn is_annotations(json: &str) -> bool {
    is_kept_annotations(json) && json_limits::is_printable(json)
}

/// Whether the JSON text is an object that may be stored as `annotations`. Sessions that were finished before control
/// characters were refused may have them.
fn is_kept_annotations(json: &str) -> bool {
    json.trim_start().starts_with('{') && json.len() <= ANNOTATIONS_BYTES_MAX && json_limits::is_acceptable(json)
}

/// Whether the JSON text is an object that may be stored as one drawing.
#[must_use]
pub fn is_drawing(json: &str) -> bool {
    json.trim_start().starts_with('{') && json.len() <= DRAWING_BYTES_MAX && json_limits::is_acceptable(json)
}

/// Whether the JSON text is an object from question ids to drawings that a caller may send: each as a live exam accepts
/// it, for an id that a bank may have.
#[must_use]
pub fn is_drawings(json: &str) -> bool {
    are_drawings(json, text::has_control_beside_lines)
}

/// Whether the JSON text is an object of drawings that may be stored. As with annotations, sessions that were finished
/// before control characters were refused may have them.
fn is_kept_drawings(json: &str) -> bool {
    are_drawings(json, |id| id.contains('\0'))
}

fn are_drawings(json: &str, is_refused: fn(&str) -> bool) -> bool {
    let Ok(drawings) = serde_json::from_str::<HashMap<String, &RawValue>>(json) else { return false };
    drawings.len() <= RESULT_LINES_MAX
        && drawings.iter().all(|(id, drawing)| !is_refused(id) && is_drawing(drawing.get()))
}

/// Whether the JSON text of an object of drawings has any entry.
#[must_use]
pub fn has_drawings(json: &str) -> bool {
    !json.trim_matches(['{', '}']).trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn the_drawings_of_every_live_exam_may_be_sent_and_stored() {
        let drawn = |ids: &[String]| {
            let entry = |id: &String| (id.clone(), serde_json::json!({ "strokes": ["two\nlines"] }));
            serde_json::Value::from_iter(ids.iter().map(entry)).to_string()
        };
        let longest: Vec<String> = (0..2 * LIST_QUESTIONS_MAX).map(|number| format!("g5-{number}")).collect();
        for ids in [longest.clone(), vec!["two\tparts".to_owned()], vec!["two\nlines".to_owned()]] {
            assert!(is_drawings(&drawn(&ids)) && is_kept_drawings(&drawn(&ids)), "{} of {:?}", ids.len(), ids[0]);
        }
        let too_many = drawn(&[longest, vec!["one more".to_owned()]].concat());
        for refused in [&too_many, &drawn(&["a\0b".to_owned()]), r#"{"g5-1":7}"#, "[]"] {
            assert!(!is_drawings(refused) && !is_kept_drawings(refused), "{refused:.60}");
        }
        let old = drawn(&["bell\u{7}".to_owned()]);
        assert!(!is_drawings(&old) && is_kept_drawings(&old));
    }
}
