//! Finished tests as rows of their tables, and back.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::calendar::exam::event_of;
use domain::correction::TestPlace;
use domain::form::FormLetter;
use domain::grade::Grade;
use domain::option_order::OptionOrder;
use domain::room::row::student;
use domain::scoring::TestResult;
use domain::session::{
    Session, SessionOrigin, SessionVersion, SubmittedResult, VersionReason, search_text, student_id,
};
use domain::sight::Untold;
use domain::time::moment::Moment;
use entities::{session, session_body, session_version};
use sea_orm::DbErr;
use serde::Serialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use super::Unreadable;
use super::corrections::HeldCorrections;
use super::marks;
use super::receipts::DueReceipt;
use super::sessions::{keys_from_text, keys_to_text};

/// A finished test as it is stored, in both of its tables.
#[derive(Clone, Debug)]
pub struct SessionRows {
    pub(super) list: session::Model,
    pub(super) body: session_body::Model,
}

impl SessionRows {
    pub fn of(session: &Session) -> Result<Self, DbErr> {
        Ok(Self { list: list_row(session)?, body: body_row(session)? })
    }

    /// The same test with its result by the corrections that hold for it, and what it was graded as then; `None` if
    /// they change nothing. It is noted by which of them it was graded.
    pub fn corrected(&self, held: &HeldCorrections) -> Result<(Self, Option<SubmittedResult>), DbErr> {
        let session = self.clone().session()?;
        let corrected = held.regraded(&session).map(|result| Session { result: Untold::of(result), ..session });
        let mut rows = corrected.as_ref().map_or_else(|| Ok(self.clone()), Self::of)?;
        rows.list.corrections_mark = held.mark();
        Ok((rows, corrected.map(|session| session.submitted_result())))
    }

    /// What decides which corrections hold for it.
    pub fn place(&self) -> Result<TestPlace, Unreadable> {
        let row = &self.list;
        Ok(TestPlace {
            sitting_id: row.sitting_id,
            template_id: row.template_id,
            grade: Grade::new(row.grade.into()).ok_or(Unreadable("grade"))?,
            started_at: Moment::from_milliseconds(row.started_at_ms),
            is_live: row.origin == SessionOrigin::Live.name(),
        })
    }

    #[must_use]
    pub const fn session_id(&self) -> Uuid {
        self.list.session_id
    }

    /// Its receipt, for the log of its sitting; `None` without one.
    #[must_use]
    pub fn due_receipt(&self) -> Option<DueReceipt> {
        let at = Moment::from_milliseconds(self.list.completed_at_ms);
        Some(DueReceipt { sitting_id: self.list.sitting_id?, name: (self.list.session_id, self.list.version), at })
    }

    /// The bytes of its large parts.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let session_body::Model { annotations, result, drawings, graded_by, option_order, .. } = &self.body;
        let optional = [drawings, option_order].into_iter().flatten().map(String::len).sum::<usize>();
        annotations.len() + result.len() + graded_by.len() + optional
    }

    /// Whether the two are about the same test.
    pub(super) fn has_answers_of(body: &session_body::Model, session: &Session) -> bool {
        serde_json::from_str::<TestResult>(&body.result)
            .is_ok_and(|stored| stored.has_answers_of(session.result.inside_the_server()))
    }

    pub(super) fn session(self) -> Result<Session, Unreadable> {
        let Self { list: row, body } = self;
        let version = VersionColumns::of_newest(&row).read()?;
        Ok(Session {
            session_id: row.session_id,
            grade: Grade::new(row.grade.into()).ok_or(Unreadable("grade"))?,
            started_at: Moment::from_milliseconds(row.started_at_ms),
            completed_at: Moment::from_milliseconds(row.completed_at_ms),
            webhook_sent: row.webhook_sent,
            report_url: row.report_url,
            annotations: raw(body.annotations, "annotations")?,
            result: Untold::of(serde_json::from_str(&body.result).map_err(|_| Unreadable("result"))?),
            verified: row.verified,
            origin: SessionOrigin::parse(&row.origin).ok_or(Unreadable("origin"))?,
            account: row.account,
            template_id: row.template_id,
            sitting_id: row.sitting_id,
            form: row.form.as_deref().and_then(FormLetter::parse),
            mark_scale: marks::from_text(row.mark_scale.as_deref())?.map(Arc::new),
            sent_orders: sent_orders(body.option_order.as_deref())?,
            drawings: body.drawings.map(|text| raw(text, "drawings")).transpose()?,
            graded_by: Untold::of(keys_from_text(&body.graded_by)?),
            version,
        })
    }
}

/// The test with an earlier result in the place of the newest.
pub(super) fn as_it_was(newest: Session, row: session_version::Model) -> Result<Session, Unreadable> {
    let version = VersionColumns::of_earlier(&row).read()?;
    Ok(Session {
        completed_at: Moment::from_milliseconds(row.completed_at_ms),
        result: Untold::of(serde_json::from_str(&row.result).map_err(|_| Unreadable("result"))?),
        verified: row.verified,
        drawings: row.drawings.map(|text| raw(text, "drawings")).transpose()?,
        graded_by: Untold::of(keys_from_text(&row.graded_by)?),
        version,
        ..newest
    })
}

/// What either table says of a version, under names of its own.
pub(super) struct VersionColumns<'a> {
    pub(super) number: i32,
    /// `None` for the one that was handed in, like the next three.
    pub(super) reason: Option<&'a str>,
    pub(super) at_ms: Option<i64>,
    pub(super) by: Option<&'a str>,
    pub(super) comment: Option<&'a str>,
    pub(super) previous_score: Option<i32>,
    pub(super) completed_at_ms: i64,
}

impl<'a> VersionColumns<'a> {
    pub(super) fn of_newest(row: &'a session::Model) -> Self {
        Self {
            number: row.version,
            reason: row.version_reason.as_deref(),
            at_ms: row.version_at_ms,
            by: row.version_by.as_deref(),
            comment: row.version_comment.as_deref(),
            previous_score: row.previous_score,
            completed_at_ms: row.completed_at_ms,
        }
    }

    pub(super) fn of_earlier(row: &'a session_version::Model) -> Self {
        Self {
            number: row.version,
            reason: row.reason.as_deref(),
            at_ms: row.at_ms,
            by: row.made_by.as_deref(),
            comment: row.comment.as_deref(),
            previous_score: row.previous_score,
            completed_at_ms: row.completed_at_ms,
        }
    }

    pub(super) fn read(self) -> Result<SessionVersion, Unreadable> {
        let number = u32::try_from(self.number).ok().filter(|number| *number > 0).ok_or(Unreadable("version"))?;
        let reason = self.reason.map_or(Some(VersionReason::Submitted), VersionReason::parse);
        Ok(SessionVersion {
            number,
            reason: reason.ok_or(Unreadable("reason"))?,
            // Of a change in another service it is not known.
            at: self.at_ms.or((number == 1).then_some(self.completed_at_ms)).map(Moment::from_milliseconds),
            by: self.by.map(str::to_owned),
            comment: self.comment.map(str::to_owned),
            previous_score: self.previous_score.map(|score| Untold::of(score.unsigned_abs())),
            previous_facts: None,
        })
    }
}

fn raw(text: String, what: &'static str) -> Result<Box<RawValue>, Unreadable> {
    RawValue::from_string(text).map_err(|_| Unreadable(what))
}

/// The columns of `sessions` that are others in each version.
pub(super) struct ResultColumns {
    pub(super) version: i32,
    pub(super) reason: Option<String>,
    pub(super) at_ms: Option<i64>,
    pub(super) by: Option<String>,
    pub(super) comment: Option<String>,
    pub(super) previous_score: Option<i32>,
    pub(super) completed_at_ms: i64,
    pub(super) verified: bool,
    pub(super) score: i32,
    pub(super) correct_answers: i32,
    pub(super) total_questions: i32,
    pub(super) time_taken: i32,
}

impl ResultColumns {
    pub(super) fn of(session: &Session) -> Self {
        let number = |count: u32| i32::try_from(count).unwrap_or(i32::MAX);
        let result = session.result.inside_the_server();
        let SessionVersion { number: version, reason, at, by, comment, previous_score, .. } = &session.version;
        let is_change = session.version.is_change();
        Self {
            version: number(*version),
            reason: is_change.then(|| reason.name().to_owned()),
            at_ms: at.filter(|_| is_change).map(Moment::milliseconds),
            by: by.as_deref().map(without_nul),
            comment: comment.as_deref().map(without_nul),
            previous_score: previous_score.as_ref().map(|score| number(*score.inside_the_server())),
            completed_at_ms: session.completed_at.milliseconds(),
            verified: session.verified,
            score: number(result.score),
            correct_answers: number(result.correct_answers),
            total_questions: number(result.total_questions),
            time_taken: number(result.time_taken),
        }
    }
}

fn list_row(session: &Session) -> Result<session::Model, DbErr> {
    let annotations = session.annotations.get();
    let columns = ResultColumns::of(session);
    // A sitting has the scale of its sessions, and may have another one tomorrow.
    let mark_scale = session.mark_scale.as_deref().filter(|_| session.sitting_id.is_none());
    Ok(session::Model {
        session_id: session.session_id,
        grade: session.grade.number().into(),
        started_at_ms: session.started_at.milliseconds(),
        completed_at_ms: columns.completed_at_ms,
        webhook_sent: session.webhook_sent,
        report_url: session.report_url.clone(),
        verified: columns.verified,
        score: columns.score,
        correct_answers: columns.correct_answers,
        total_questions: columns.total_questions,
        time_taken: columns.time_taken,
        event_id: event_of(annotations),
        template_id: session.template_id,
        sitting_id: session.sitting_id,
        origin: session.origin.name().to_owned(),
        account: session.account.clone(),
        student: without_nul(&student(annotations, None)),
        student_id: student_id(annotations).map(|id| without_nul(&id)),
        search_text: without_nul(&search_text(annotations, session.account.as_deref())),
        version: columns.version,
        version_reason: columns.reason,
        version_at_ms: columns.at_ms,
        version_by: columns.by,
        version_comment: columns.comment,
        previous_score: columns.previous_score,
        corrections_mark: 0,
        form: session.form.map(|form| form.to_string()),
        mark_scale: marks::to_text(mark_scale)?,
    })
}

/// Postgres stores no NUL character, and nothing may cost a student the result.
fn without_nul(text: &str) -> String {
    text.replace('\0', "")
}

fn body_row(session: &Session) -> Result<session_body::Model, DbErr> {
    Ok(session_body::Model {
        session_id: session.session_id,
        annotations: session.annotations.get().to_owned(),
        result: result_text(session)?,
        drawings: session.drawings.as_ref().map(|drawings| drawings.get().to_owned()),
        graded_by: keys_text(session)?,
        option_order: orders_text(session)?,
    })
}

/// The orders of options that came with a test, as they are stored; `None` without any.
fn orders_text(session: &Session) -> Result<Option<String>, DbErr> {
    if session.sent_orders.is_empty() { Ok(None) } else { to_text(&session.sent_orders).map(Some) }
}

/// The orders of options that came with a test.
pub(super) fn sent_orders(text: Option<&str>) -> Result<BTreeMap<String, OptionOrder>, Unreadable> {
    text.map_or_else(|| Ok(BTreeMap::new()), |text| serde_json::from_str(text).map_err(|_| Unreadable("orders")))
}

/// The result as it is stored.
pub(super) fn result_text(session: &Session) -> Result<String, DbErr> {
    to_text(session.result.inside_the_server())
}

/// The keys that a test was graded with, as they are stored.
pub(super) fn keys_text(session: &Session) -> Result<String, DbErr> {
    keys_to_text(session.graded_by.inside_the_server())
}

/// A value as the JSON that is stored of it.
pub(super) fn to_text(value: &impl Serialize) -> Result<String, DbErr> {
    serde_json::to_string(value).map_err(|error| DbErr::Custom(error.to_string()))
}
