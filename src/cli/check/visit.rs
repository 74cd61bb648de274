//! Calls to a data provider as an exam hall makes them, and what is expected of the answers.

use std::error::Error as StdError;
use std::time::Duration;

use domain::grade::Grade;
use domain::question::Question;
use domain::time::moment::Moment;
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::OnceCell;
use url::Url;
use uuid::Uuid;

use crate::clock::Clock;
use crate::config::Secret;
use crate::provider::contract::{KEY_HEADER, QuestionList};
use crate::tls;

/// Time for one call when the configuration sets none: the default of `EXTERNAL_API_TIMEOUT_MS`.
pub(super) const CALL_TIMEOUT: Duration = Duration::from_secs(5);
/// Bytes of one answer: a bank of tens of thousands of questions.
const ANSWER_BYTES_MAX: usize = 64 * 1_024 * 1_024;

/// Why a check did not pass.
#[derive(Debug)]
pub(super) enum CheckFault {
    /// The provider breaks the contract. The text ends the sentence that begins with `failed: `.
    Failed(String),
    /// Nothing answers at the address.
    Away(String),
    /// An optional route is missing.
    NotThere,
    /// The check can't be made, for this reason.
    Unchecked(&'static str),
}

impl CheckFault {
    pub(super) fn new(reason: impl Into<String>) -> Self {
        Self::Failed(reason.into())
    }
}

pub(super) type CheckResult<T = ()> = Result<T, CheckFault>;

/// One run of the checks against a provider, with the names of everything that the run writes.
pub(super) struct Visit {
    client: Client,
    base: Url,
    key: HeaderValue,
    timeout: Duration,
    question: OnceCell<Option<Question>>,
    /// The user that the run creates.
    pub(super) email: String,
    /// A user that nobody has created.
    pub(super) unknown_email: String,
    /// The session that the run stores.
    pub(super) session_id: Uuid,
    pub(super) begun: Moment,
}

/// An answer, read to its end.
pub(super) struct CheckAnswer {
    status: u16,
    is_json: bool,
    body: Vec<u8>,
}

impl Visit {
    /// `base` ends in a slash; `timeout` is for one call.
    pub(super) fn new(base: Url, key: &Secret, timeout: Duration) -> Result<Self, String> {
        // The server installs it at its start; an error here means that it is installed already.
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = tls::client()
            .map_err(|error| error.to_string())?
            .redirect(Policy::none())
            .no_proxy()
            .timeout(timeout)
            .build()
            .map_err(|error| error.to_string())?;
        let mut key = HeaderValue::from_bytes(key.reveal()).map_err(|error| error.to_string())?;
        key.set_sensitive(true);
        let name =
            |what: &str| format!("examhall-check-{}{what}@example.invalid", &Uuid::new_v4().simple().to_string()[..8]);
        let (email, unknown_email) = (name(""), name("-unknown"));
        Ok(Self {
            client,
            base,
            key,
            timeout,
            question: OnceCell::new(),
            email,
            unknown_email,
            session_id: Uuid::new_v4(),
            begun: Clock::system().now(),
        })
    }

    pub(super) async fn get(&self, path: &[&str]) -> CheckResult<CheckAnswer> {
        self.send(Method::GET, path, None, None, Some(&self.key)).await
    }

    pub(super) async fn get_grade(&self, path: &[&str], grade: &str) -> CheckResult<CheckAnswer> {
        self.send(Method::GET, path, Some(grade), None, Some(&self.key)).await
    }

    pub(super) async fn put(&self, path: &[&str], body: &Value) -> CheckResult<CheckAnswer> {
        self.send(Method::PUT, path, None, Some(body), Some(&self.key)).await
    }

    pub(super) async fn post(&self, path: &[&str], body: &Value) -> CheckResult<CheckAnswer> {
        self.send(Method::POST, path, None, Some(body), Some(&self.key)).await
    }

    pub(super) async fn patch(&self, path: &[&str], body: &Value) -> CheckResult<CheckAnswer> {
        self.send(Method::PATCH, path, None, Some(body), Some(&self.key)).await
    }

    pub(super) async fn delete(&self, path: &[&str]) -> CheckResult<CheckAnswer> {
        self.send(Method::DELETE, path, None, None, Some(&self.key)).await
    }

    /// Reads with a wrong key, or without one.
    pub(super) async fn get_with_key(
        &self,
        path: &[&str],
        grade: Option<&str>,
        key: Option<&HeaderValue>,
    ) -> CheckResult<CheckAnswer> {
        self.send(Method::GET, path, grade, None, key).await
    }

    /// Puts a session with a wrong key, or without one.
    pub(super) async fn put_with_key(&self, key: Option<&HeaderValue>, body: &Value) -> CheckResult<CheckAnswer> {
        self.send(Method::PUT, &["sessions", &self.session_id.to_string()], None, Some(body), key).await
    }

    /// The first question of the first grade that has any.
    pub(super) async fn question(&self) -> CheckResult<&Question> {
        let finding = || async {
            for grade in Grade::all() {
                if let Some(question) = self.bank(grade).await?.into_iter().next() {
                    return Ok(Some(question));
                }
            }
            Ok(None)
        };
        let found = self.question.get_or_try_init(finding).await?;
        found.as_ref().ok_or(CheckFault::Unchecked("there are no questions"))
    }

    /// The same question as it is now, since somebody may have edited it meanwhile.
    pub(super) async fn question_now(&self) -> CheckResult<Question> {
        let known = self.question().await?;
        let mut same: Vec<Question> =
            self.bank(known.grade).await?.into_iter().filter(|question| question.id == known.id).collect();
        match (same.pop(), same.len()) {
            (Some(question), 0) => Ok(question),
            (found, rest) => Err(CheckFault::new(format!(
                "the question is in its bank {} times",
                rest + usize::from(found.is_some())
            ))),
        }
    }

    async fn bank(&self, grade: Grade) -> CheckResult<Vec<Question>> {
        let answer = self.get_grade(&["questions"], &grade.number().to_string()).await?.with(200)?;
        shape::<QuestionList>(&answer).map(|list| list.questions)
    }

    async fn send(
        &self,
        method: Method,
        path: &[&str],
        grade: Option<&str>,
        body: Option<&Value>,
        key: Option<&HeaderValue>,
    ) -> CheckResult<CheckAnswer> {
        let mut url = self.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path);
        }
        if let Some(grade) = grade {
            url.query_pairs_mut().append_pair("grade", grade);
        }
        let mut request = self.client.request(method, url).header(CONTENT_TYPE, "application/json");
        if let Some(key) = key {
            request = request.header(KEY_HEADER, key);
        }
        if let Some(body) = body {
            request = request.body(body.to_string());
        }
        let unanswered = |error: reqwest::Error| unanswered(&error, self.timeout);
        let response = request.send().await.map_err(unanswered)?;
        CheckAnswer::read(response, unanswered).await
    }
}

impl CheckAnswer {
    async fn read(mut response: Response, unanswered: impl Fn(reqwest::Error) -> CheckFault) -> CheckResult<Self> {
        let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let is_json = kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"));
        let (status, mut body) = (response.status().as_u16(), Vec::new());
        while let Some(chunk) = response.chunk().await.map_err(&unanswered)? {
            if body.len() + chunk.len() > ANSWER_BYTES_MAX {
                return Err(CheckFault::new("the answer has no end"));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Self { status, is_json, body })
    }

    /// The JSON of an answer that must have this status.
    pub(super) fn with(&self, status: u16) -> CheckResult<Value> {
        if self.status != status {
            return Err(CheckFault::new(format!("answered {} instead of {status}", self.status)));
        }
        if !self.is_json {
            return Err(CheckFault::new(format!("answered {status} without Content-Type: application/json")));
        }
        serde_json::from_slice(&self.body)
            .map_err(|_| CheckFault::new(format!("answered {status} with a body that is not JSON")))
    }

    /// The answer must be `{ "ok": true }`.
    pub(super) fn is_done(&self) -> CheckResult {
        let answer = self.with(200)?;
        if answer.get("ok") == Some(&Value::Bool(true)) {
            Ok(())
        } else {
            Err(CheckFault::new("answered 200 without \"ok\": true"))
        }
    }

    /// The answer must be an error of this status, in the shape of all errors.
    pub(super) fn is_error(&self, status: u16, when: &str) -> CheckResult {
        let answer = self.with(status).map_err(|fault| told(fault, when))?;
        let is_envelope = answer.get("error").is_some_and(Value::is_string);
        if is_envelope { Ok(()) } else { Err(CheckFault::new(format!("answered {status} without \"error\" {when}"))) }
    }

    /// The answer must be an error of this status with exactly this message, since servers act on the message.
    pub(super) fn is_error_saying(&self, status: u16, sentence: &str, when: &str) -> CheckResult {
        self.is_error(status, when)?;
        if self.says(sentence) {
            Ok(())
        } else {
            Err(CheckFault::new(format!("answered {status} without the sentence \"{sentence}\" {when}")))
        }
    }

    /// Returns whether the answer is an error with this message.
    pub(super) fn says(&self, sentence: &str) -> bool {
        serde_json::from_slice::<Value>(&self.body)
            .is_ok_and(|answer| answer.get("error").and_then(Value::as_str) == Some(sentence))
    }

    /// Returns whether the status may mean that the whole route is missing.
    pub(super) const fn is_of_no_route(&self) -> bool {
        matches!(self.status, 404 | 405 | 501)
    }

    pub(super) const fn status(&self) -> u16 {
        self.status
    }
}

/// Adds the occasion to the end of a fault's sentence.
pub(super) fn told(fault: CheckFault, when: &str) -> CheckFault {
    match fault {
        CheckFault::Failed(reason) => CheckFault::Failed(format!("{reason} {when}")),
        other => other,
    }
}

/// Reads the answer as a type of the contract.
pub(super) fn shape<T: DeserializeOwned>(answer: &Value) -> CheckResult<T> {
    T::deserialize(answer).map_err(|error| CheckFault::new(format!("answered another shape: {error}")))
}

/// Writes a type of the contract as JSON.
pub(super) fn json_of(value: &impl Serialize) -> CheckResult<Value> {
    serde_json::to_value(value).map_err(|_| CheckFault::Unchecked("it cannot be written as JSON"))
}

fn unanswered(error: &reqwest::Error, timeout: Duration) -> CheckFault {
    if error.is_timeout() {
        return CheckFault::new(format!("no answer within {} ms", timeout.as_millis()));
    }
    let mut innermost: &(dyn StdError + 'static) = error;
    while let Some(cause) = innermost.source() {
        innermost = cause;
    }
    if error.is_connect() {
        CheckFault::Away(format!("cannot be reached: {innermost}"))
    } else {
        CheckFault::new(format!("the answer broke off: {innermost}"))
    }
}

/// Every field that was sent must have come back. There may be more fields, and times and numbers may be written in
/// other ways.
pub(super) fn came_back(sent: &Value, got: &Value) -> CheckResult {
    match first_difference(sent, got, String::new()) {
        Some(path) => Err(CheckFault::new(format!("gives back another {}", path.trim_start_matches('.')))),
        None => Ok(()),
    }
}

fn first_difference(sent: &Value, got: &Value, path: String) -> Option<String> {
    match (sent, got) {
        (Value::Object(sent), Value::Object(got)) => sent.iter().find_map(|(name, sent)| {
            first_difference(sent, got.get(name).unwrap_or(&Value::Null), format!("{path}.{name}"))
        }),
        (Value::Array(sent), Value::Array(got)) if sent.len() == got.len() => sent
            .iter()
            .zip(got)
            .enumerate()
            .find_map(|(place, (sent, got))| first_difference(sent, got, format!("{path}[{place}]"))),
        (Value::Number(a), Value::Number(b)) if a.as_f64() == b.as_f64() => None,
        (Value::String(a), Value::String(b))
            if Moment::parse(a).is_some_and(|moment| Moment::parse(b) == Some(moment)) =>
        {
            None
        }
        _ if sent == got => None,
        _ => Some(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_comes_back_may_be_more_and_written_otherwise() {
        let sent = json!({ "at": "2026-01-05T09:00:00.000Z", "score": 500, "lines": [{ "a": "x" }], "none": null });
        let got =
            json!({ "at": "2026-01-05T10:00:00+01:00", "score": 500.0, "lines": [{ "a": "x", "b": 1 }], "more": true });
        assert!(came_back(&sent, &got).is_ok());
        let other = json!({ "at": "2026-01-05T09:00:00Z", "score": 500, "lines": [{ "a": "y" }] });
        let Err(CheckFault::Failed(reason)) = came_back(&sent, &other) else { panic!("the lines differ") };
        assert_eq!(reason, "gives back another lines[0].a");
    }
}
