//! `POST /api/sessions`: reads a finished test that a client hands in, grades it and has it stored.

use std::collections::BTreeMap;
use std::sync::Arc;

use actix_web::web::{self, Bytes, Data};
use actix_web::{HttpRequest, HttpResponse, post};
use domain::grade::Grade;
use domain::json_limits;
use domain::scoring::TestResult;
use domain::session::{
    SentResult, Session, SessionOrigin, SessionVersion, has_drawings, is_annotations, is_base_url, is_drawings,
    report_url,
};
use domain::sight::Untold;
use domain::time::moment::Moment;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;
use uuid::Uuid;

use super::finished::Finished;
use super::hand_in::{self, HandsIn, KEY_REUSED};
use super::large_writes::SessionBody;
use super::recorder::{Recorded, SessionRecorder};
use crate::clock::Clock;
use crate::database::Database;
use crate::error::{Error, ErrorBody, UNAVAILABLE};
use crate::http::after::After;
use crate::http::limits::{AddressLimit, Counted};
use crate::questions::bank::{Bank, Banks};
use crate::store::session_keys::{self, RepeatableRequest};

pub const FAILED: &str = "Failed to create session";

/// The id of the session and the address of its report.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Created {
    session_id: Uuid,
    report_url: String,
}

/// The body of `POST /api/sessions`.
// The fields are raw JSON. Each is parsed by itself, so that an error can name the field.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CreateSession, examples(json!({
    "grade": 5, "startedAt": "2026-01-05T09:00:00.000Z", "baseUrl": "https://exam.example",
    "annotations": { "studentId": "s-17" },
    "result": {
        "score": 500, "correctAnswers": 1, "totalQuestions": 2, "timeTaken": 95,
        "topicBreakdown": [{ "topic": "Fractions", "correct": 1, "total": 2, "percentage": 50 }],
        "difficultyBreakdown": [{ "difficulty": 1, "correct": 1, "total": 2 }],
        "answers": [
            { "questionId": "g5-001", "selected": "B", "correct": "B", "isCorrect": true, "timeTaken": 41 },
            { "questionId": "g5-002", "selected": "", "correct": "C", "isCorrect": false }
        ]
    }
})))]
struct SessionFields<'a> {
    #[serde(borrow)]
    #[schema(value_type = Grade)]
    grade: Option<&'a RawValue>,
    /// ISO 8601.
    #[serde(borrow)]
    #[schema(value_type = String, format = DateTime)]
    started_at: Option<&'a RawValue>,
    /// The address that the report's link begins with, in the answer, in the record and for the webhook. Staff's lists
    /// and tables link to this server. `BASE_URLS` may limit it.
    #[serde(borrow)]
    #[schema(value_type = String, max_length = 2048)]
    base_url: Option<&'a RawValue>,
    /// The address that the webhook is posted to when the test is stored.
    #[serde(borrow)]
    #[schema(value_type = Option<String>)]
    webhook_url: Option<&'a RawValue>,
    /// Free key/value object.
    #[serde(borrow)]
    #[schema(value_type = Option<serde_json::Map<String, serde_json::Value>>)]
    annotations: Option<&'a RawValue>,
    /// Question id to drawing.
    #[serde(borrow)]
    #[schema(value_type = Option<serde_json::Map<String, serde_json::Value>>)]
    drawings: Option<&'a RawValue>,
    /// Graded again by the server when all its questions are in the grade's bank, or were before they were retired.
    #[serde(borrow)]
    #[schema(value_type = TestResult)]
    result: Option<&'a RawValue>,
}

impl<'a> SessionFields<'a> {
    fn read(body: &'a [u8]) -> Result<Self, Error> {
        let text = std::str::from_utf8(body).map_err(|_| Error::Failed(FAILED))?;
        let whole: &RawValue = serde_json::from_str(text).map_err(|_| Error::Failed(FAILED))?;
        // The status differs: what is not JSON gets 500, and JSON that is no object gets 400.
        if !whole.get().starts_with('{') {
            return Err(Error::invalid("body"));
        }
        serde_json::from_str(text).map_err(|_| Error::invalid("body"))
    }

    fn grade(&self) -> Result<Grade, Error> {
        parse(self.grade).ok_or_else(|| Error::invalid("grade"))
    }

    fn started_at(&self) -> Result<Moment, Error> {
        parse(self.started_at).ok_or_else(|| Error::invalid("startedAt"))
    }

    fn base_url(&self) -> Result<String, Error> {
        parse(self.base_url).filter(|text: &String| is_base_url(text)).ok_or_else(|| Error::invalid("baseUrl"))
    }

    fn webhook_url(&self) -> Result<Option<String>, Error> {
        let url = self
            .webhook_url
            .map(|raw| parse::<String>(Some(raw)).ok_or_else(|| Error::invalid("webhookUrl")))
            .transpose()?;
        Ok(url.filter(|url| !url.is_empty()))
    }

    fn annotations(&self) -> Result<Box<RawValue>, Error> {
        let text = self.annotations.map_or("{}", RawValue::get);
        if !is_annotations(text) {
            return Err(Error::invalid("annotations"));
        }
        Ok(RawValue::from_string(text.to_owned())?)
    }

    fn drawings(&self) -> Result<Option<Box<RawValue>>, Error> {
        let Some(raw) = self.drawings else { return Ok(None) };
        if !is_drawings(raw.get()) {
            return Err(Error::invalid("drawings"));
        }
        Ok(has_drawings(raw.get()).then(|| raw.to_owned()))
    }

    fn result(&self) -> Result<SentResult, Error> {
        let raw = self.result.filter(|raw| json_limits::is_acceptable(raw.get()));
        parse(raw).filter(SentResult::is_plausible).ok_or_else(|| Error::invalid("result"))
    }
}

/// The fields, each checked by itself.
struct SentSession {
    grade: Grade,
    started_at: Moment,
    base_url: String,
    webhook_url: Option<String>,
    annotations: Box<RawValue>,
    drawings: Option<Box<RawValue>>,
    result: SentResult,
    /// Of the whole body, by which a repeat is recognised.
    body_hash: [u8; 32],
}

impl SentSession {
    /// Reads a large body on a thread of its own, since megabytes would hold up the sockets of this worker.
    async fn read(body: Bytes, is_large: bool) -> Result<Self, Error> {
        if is_large { web::block(move || Self::of(&body)).await.map_err(Error::internal)? } else { Self::of(&body) }
    }

    fn of(body: &[u8]) -> Result<Self, Error> {
        let fields = SessionFields::read(body)?;
        Ok(Self {
            grade: fields.grade()?,
            started_at: fields.started_at()?,
            base_url: fields.base_url()?,
            webhook_url: fields.webhook_url()?,
            annotations: fields.annotations()?,
            drawings: fields.drawings()?,
            result: fields.result()?,
            body_hash: Sha256::digest(body).into(),
        })
    }

    /// The test, graded if it can be.
    async fn graded(self, banks: &Banks, now: Moment) -> Result<Finished, Error> {
        let bank = bank_of(banks, self.grade).await?;
        let mut key = bank.as_deref().map(Bank::public_key).unwrap_or_default();
        let missing = self.result.question_ids().filter(|id| !key.contains_key(id));
        let retired = banks.retired(self.grade, missing).await?;
        key.extend(retired.iter().map(|question| (&*question.id, question)));
        let verdict = self.result.verify(&key);
        let session_id = Uuid::new_v4();
        let session = Session {
            session_id,
            grade: self.grade,
            started_at: self.started_at,
            completed_at: now,
            webhook_sent: false,
            report_url: report_url(&self.base_url, session_id),
            annotations: self.annotations,
            result: Untold::of(verdict.result),
            verified: verdict.is_verified,
            origin: SessionOrigin::Client,
            account: None,
            template_id: None,
            sitting_id: None,
            form: None,
            // Nobody knows who has answered, so that it is no test to mark.
            mark_scale: None,
            sent_orders: BTreeMap::new(),
            drawings: self.drawings,
            graded_by: Untold::of(verdict.graded_by),
            version: SessionVersion::submitted(now),
        };
        Ok(Finished { session, receipt: None, webhook_url: self.webhook_url })
    }
}

fn parse<'a, T: Deserialize<'a>>(raw: Option<&'a RawValue>) -> Option<T> {
    serde_json::from_str(raw?.get()).ok()
}

/// Stores a finished test and queues its webhook.
///
/// The server grades the result again with its own bank if it can (`verified`). A `webhookUrl` that can't be reached
/// never costs the student the result. With an `Idempotency-Key` the request may be repeated for 24 hours: the same
/// body gets the same answer, and is stored once.
#[utoipa::path(
    operation_id = "createSession",
    tag = "students",
    security((), ("api_token" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "Visible ASCII characters, made by the caller at random", min_length = 16, max_length = 255)),
    request_body = SessionFields,
    responses(
        (status = 200, description = "Stored, now or by an earlier request with this key", body = Created),
        (status = 400, description = "Names the field that is wrong", body = ErrorBody),
        (status = 401, description = "`CLIENT_RESULTS` is `signed-in` or `token`, and nobody is signed in", body = ErrorBody),
        (status = 403, description = "`CLIENT_RESULTS` is `token`, and the caller has none, or `off`", body = ErrorBody),
        (status = 413, description = "Over 9 MiB", body = ErrorBody),
        (status = 422, description = "The `Idempotency-Key` was used with another body", body = ErrorBody),
        (status = 429, description = "Too many of this account, or from this address without one", body = ErrorBody),
        (status = 500, description = "Not JSON", body = ErrorBody),
        (status = 503, description = "Busy: send it again", body = ErrorBody),
    )
)]
#[post("/api/sessions")]
pub async fn create(
    request: HttpRequest,
    asked: After<HandsIn, SessionBody>,
    limit: Data<AddressLimit>,
    banks: Data<Banks>,
    database: Data<Database>,
    recorder: Data<SessionRecorder>,
    clock: Data<Clock>,
) -> Result<HttpResponse, Error> {
    let After(_, body) = asked;
    let caller = body.caller.as_ref();
    let junk = |refusal| limit.refused(Counted::Junk, caller, refusal);
    let key_hash = hand_in::key_hash(&request).map_err(junk)?;
    let sent = SentSession::read(body.bytes(), body.is_large()).await.map_err(junk)?;
    hand_in::check_base_url(&request, &sent.base_url).map_err(junk)?;
    limit.count(Counted::Session, caller)?;
    let repeatable = key_hash.map(|key_hash| RepeatableRequest { key_hash, body_hash: sent.body_hash });
    let turn = match key_hash {
        Some(key_hash) => Some(hand_in::turn(&request, key_hash).await?),
        None => None,
    };
    let finished = sent.graded(&banks, clock.now()).await?;
    let Session { session_id, report_url, .. } = &finished.session;
    let created = Created { session_id: *session_id, report_url: report_url.clone() };
    match recorder.record(&finished, repeatable, (body, turn)).await? {
        Recorded::Stored => Ok(HttpResponse::Ok().json(created)),
        Recorded::Repeated => {
            let first = match &repeatable {
                Some(repeatable) => first_answer(&database, repeatable, clock.now()).await?,
                None => None,
            };
            Ok(HttpResponse::Ok().json(first.ok_or(Error::Unavailable(UNAVAILABLE))?))
        }
    }
}

/// The answer to the first request with this key: 422 if that had another body.
async fn first_answer(
    database: &Database,
    repeatable: &RepeatableRequest,
    now: Moment,
) -> Result<Option<Created>, Error> {
    let Some(first) = session_keys::find(database, &repeatable.key_hash, now).await? else { return Ok(None) };
    if first.body_hash != repeatable.body_hash {
        return Err(Error::Contradictory(KEY_REUSED));
    }
    Ok(Some(Created { session_id: first.session_id, report_url: first.report_url }))
}

/// The bank to grade by. Questions that an exam withholds do not count as its own, since the grade of a test tells
/// their keys. If an external service keeps the bank and it has never been copied here, there is none: the test is
/// stored as it was sent rather than lost.
async fn bank_of(banks: &Banks, grade: Grade) -> Result<Option<Arc<Bank>>, Error> {
    match banks.of(grade).await {
        Ok(bank) => Ok(Some(bank)),
        Err(Error::BadGateway(_) | Error::GatewayTimeout(_) | Error::Passed(..)) => Ok(None),
        Err(error) => Err(error),
    }
}
