//! Finished tests as rows of their tables, and back.

use domain::calendar::exam::event_of;
use domain::grade::Grade;
use domain::room::row::student;
use domain::scoring::TestResult;
use domain::session::{Session, SessionOrigin, SessionVersion, VersionReason, search_text, student_id};
use domain::sight::Untold;
use domain::time::moment::Moment;
use entities::{session, session_body, session_version};
use sea_orm::DbErr;
use serde::Serialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use super::Unreadable;
use super::sessions::{keys_from_text, keys_to_text};

/// A finished test as it is stored, in both of its tables.
#[derive(Clone, Debug)]
pub struct SessionRows {
    pub(super) list: session::Model,
    pub(super) body: session_body::Model,
}

impl SessionRows {
    pub fn of(session: &Session) -> Result<Self, DbErr> {
        Ok(Self { list: list_row(session), body: body_row(session)? })
    }

    #[must_use]
    pub const fn session_id(&self) -> Uuid {
        self.list.session_id
    }

    /// The bytes of its large parts.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let session_body::Model { annotations, result, drawings, graded_by, .. } = &self.body;
        annotations.len() + result.len() + drawings.as_ref().map_or(0, String::len) + graded_by.len()
    }

    /// Whether the two are about the same test.
    pub(super) fn has_answers_of(body: &session_body::Model, session: &Session) -> bool {
        serde_json::from_str::<TestResult>(&body.result)
            .is_ok_and(|stored| stored.has_answers_of(session.result.inside_the_server()))
    }

    pub(super) fn session(self) -> Result<Session, Unreadable> {
        let Self { list: row, body } = self;
        let completed_at = Moment::from_milliseconds(row.completed_at_ms);
        let version = SessionVersion {
            number: number(row.version)?,
            reason: reason(row.version_reason.as_deref())?,
            at: row.version_at_ms.map_or(completed_at, Moment::from_milliseconds),
            by: row.version_by,
            comment: row.version_comment,
            previous_score: row.previous_score.map(|score| Untold::of(score.unsigned_abs())),
        };
        Ok(Session {
            session_id: row.session_id,
            grade: Grade::new(row.grade.into()).ok_or(Unreadable("grade"))?,
            started_at: Moment::from_milliseconds(row.started_at_ms),
            completed_at,
            webhook_sent: row.webhook_sent,
            report_url: row.report_url,
            annotations: raw(body.annotations, "annotations")?,
            result: Untold::of(serde_json::from_str(&body.result).map_err(|_| Unreadable("result"))?),
            verified: row.verified,
            origin: SessionOrigin::parse(&row.origin).ok_or(Unreadable("origin"))?,
            account: row.account,
            template_id: row.template_id,
            sitting_id: row.sitting_id,
            drawings: body.drawings.map(|text| raw(text, "drawings")).transpose()?,
            graded_by: Untold::of(keys_from_text(&body.graded_by)?),
            version,
        })
    }
}

/// The test with an earlier result in the place of the newest.
pub(super) fn as_it_was(newest: Session, row: session_version::Model) -> Result<Session, Unreadable> {
    let completed_at = Moment::from_milliseconds(row.completed_at_ms);
    let version = SessionVersion {
        number: number(row.version)?,
        reason: reason(row.reason.as_deref())?,
        at: row.at_ms.map_or(completed_at, Moment::from_milliseconds),
        by: row.made_by,
        comment: row.comment,
        previous_score: row.previous_score.map(|score| Untold::of(score.unsigned_abs())),
    };
    Ok(Session {
        completed_at,
        result: Untold::of(serde_json::from_str(&row.result).map_err(|_| Unreadable("result"))?),
        verified: row.verified,
        drawings: row.drawings.map(|text| raw(text, "drawings")).transpose()?,
        graded_by: Untold::of(keys_from_text(&row.graded_by)?),
        version,
        ..newest
    })
}

pub(super) fn number(stored: i32) -> Result<u32, Unreadable> {
    u32::try_from(stored).ok().filter(|number| *number > 0).ok_or(Unreadable("version"))
}

/// The reason of a version; the one that was handed in has none in the database.
pub(super) fn reason(stored: Option<&str>) -> Result<VersionReason, Unreadable> {
    stored.map_or(Some(VersionReason::Submitted), VersionReason::parse).ok_or(Unreadable("reason"))
}

fn raw(text: String, what: &'static str) -> Result<Box<RawValue>, Unreadable> {
    RawValue::from_string(text).map_err(|_| Unreadable(what))
}

fn list_row(session: &Session) -> session::Model {
    let number = |count: u32| i32::try_from(count).unwrap_or(i32::MAX);
    let annotations = session.annotations.get();
    let result = session.result.inside_the_server();
    let SessionVersion { number: version, reason, at, by, comment, previous_score } = &session.version;
    let is_change = session.version.is_change();
    session::Model {
        session_id: session.session_id,
        grade: session.grade.number().into(),
        started_at_ms: session.started_at.milliseconds(),
        completed_at_ms: session.completed_at.milliseconds(),
        webhook_sent: session.webhook_sent,
        report_url: session.report_url.clone(),
        verified: session.verified,
        score: number(result.score),
        correct_answers: number(result.correct_answers),
        total_questions: number(result.total_questions),
        time_taken: number(result.time_taken),
        event_id: event_of(annotations),
        template_id: session.template_id,
        sitting_id: session.sitting_id,
        origin: session.origin.name().to_owned(),
        account: session.account.clone(),
        student: without_nul(&student(annotations, None)),
        student_id: student_id(annotations).map(|id| without_nul(&id)),
        search_text: without_nul(&search_text(annotations, session.account.as_deref())),
        version: number(*version),
        version_reason: is_change.then(|| reason.name().to_owned()),
        version_at_ms: is_change.then(|| at.milliseconds()),
        version_by: by.as_deref().map(without_nul),
        version_comment: comment.as_deref().map(without_nul),
        previous_score: previous_score.as_ref().map(|score| number(*score.inside_the_server())),
    }
}

/// Postgres stores no NUL character, and nothing may cost a student the result.
fn without_nul(text: &str) -> String {
    text.replace('\0', "")
}

fn body_row(session: &Session) -> Result<session_body::Model, DbErr> {
    Ok(session_body::Model {
        session_id: session.session_id,
        annotations: session.annotations.get().to_owned(),
        result: to_text(session.result.inside_the_server())?,
        drawings: session.drawings.as_ref().map(|drawings| drawings.get().to_owned()),
        graded_by: keys_to_text(session.graded_by.inside_the_server())?,
    })
}

/// A value as the JSON that is stored of it.
pub(super) fn to_text(value: &impl Serialize) -> Result<String, DbErr> {
    serde_json::to_string(value).map_err(|error| DbErr::Custom(error.to_string()))
}
