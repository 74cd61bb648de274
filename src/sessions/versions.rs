//! The only way to change a stored result: another version is appended, and what there was before is kept. What follows
//! from that is queued in the same transaction: the event for the webhook, and the transfer to an external data
//! provider.

use domain::correction::TestPlace;
use domain::question::KeyedQuestion;
use domain::scoring::TestResult;
use domain::session::{Session, SessionVersion, VersionReason};
use domain::sight::{OpenResults, Untold};
use domain::time::moment::Moment;
use sea_orm::DatabaseTransaction;
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::sync::Arc;
use uuid::Uuid;

use super::read::SESSION_NOT_FOUND;
use crate::database;
use crate::error::Error;
use crate::outgoing::transfers;
use crate::store::corrections::{self, HeldCorrections, LastChange};
use crate::store::lti_scores::{self, SCORE_CHANGED};
use crate::store::receipts::{self, DueReceipt};
use crate::store::session_versions::{self, ReplacedSession};
use crate::store::{releases, reopenings};
use crate::webhooks;

/// The answer to a change that is meant for another version than the newest.
pub const SESSION_CHANGED: &str = "Session has changed";

/// Sessions in memory at once while versions are appended to many, without their drawings: a batch of a correction.
const APPENDED_AT_ONCE: usize = 200;

/// A part of a session in its new version.
#[derive(Clone, Debug)]
pub enum VersionPart<T> {
    /// As it was.
    Same,
    Other(T),
}

/// What makes a version.
#[derive(Clone, Debug)]
pub struct NewVersion {
    pub reason: VersionReason,
    /// E-mail of whoever makes it; `None` for the server.
    pub by: Option<String>,
    pub comment: Option<String>,
    pub at: Moment,
    pub result: TestResult,
    /// The keys that the result was graded with.
    pub graded_by: VersionPart<Vec<Arc<KeyedQuestion>>>,
    pub drawings: VersionPart<Option<Box<RawValue>>>,
    /// When the test ended.
    pub completed_at: VersionPart<Moment>,
}

impl NewVersion {
    /// Another result of the same work.
    #[must_use]
    pub const fn of_result(reason: VersionReason, at: Moment, result: TestResult) -> Self {
        Self {
            reason,
            by: None,
            comment: None,
            at,
            result,
            graded_by: VersionPart::Same,
            drawings: VersionPart::Same,
            completed_at: VersionPart::Same,
        }
    }

    /// What has become of a result by the correction that was made or reverted last.
    fn of_change(change: LastChange<'_>, at: Moment, result: TestResult) -> Self {
        let reason = if change.is_revert { VersionReason::Reverted } else { VersionReason::KeyCorrected };
        let comment = Some(change.comment.to_owned()).filter(|comment| !comment.is_empty());
        Self { by: Some(change.act.by.clone()), comment, ..Self::of_result(reason, at, result) }
    }

    fn of(self, before: Session) -> ReplacedSession {
        let Self { reason, by, comment, at, result, graded_by, drawings, completed_at } = self;
        let version = SessionVersion {
            number: before.version.number.saturating_add(1),
            reason,
            at: Some(at),
            by,
            comment,
            previous_score: Some(before.score()),
            // It is told of what is stored, and read from there.
            previous_facts: None,
        };
        let has_other_drawings = matches!(drawings, VersionPart::Other(_));
        let graded_by = match graded_by {
            VersionPart::Same => before.graded_by,
            VersionPart::Other(keys) => Untold::of(keys),
        };
        let drawings = match drawings {
            VersionPart::Same => before.drawings,
            VersionPart::Other(drawings) => drawings,
        };
        let completed_at = match completed_at {
            VersionPart::Same => before.completed_at,
            VersionPart::Other(completed_at) => completed_at,
        };
        let result = Untold::of(result);
        let webhook_sent = false;
        let session = Session { completed_at, webhook_sent, result, drawings, graded_by, version, ..before };
        ReplacedSession { session, has_other_drawings, corrections_mark: 0 }
    }

    /// The same, graded by the corrections that hold for the test, whatever its result was graded by.
    fn held_of(self, before: Session, held: &HeldCorrections) -> ReplacedSession {
        let mut replaced = self.of(before);
        if let Some(result) = held.regraded(&replaced.session) {
            replaced.session.result = Untold::of(result);
        }
        replaced.corrections_mark = held.mark();
        replaced
    }
}

/// Appends a version to a session, by what it is under its lock: of two changes at once, the second is made of what the
/// first has left. `change` is shown the session without its drawings, which stay unless the version brings others.
/// Returns the number of the version, or `None` if `change` wants none. `expected` is the version that the change is
/// meant for, if it names one, and `sends_sessions` as in the outbox, which the caller wakes after the commit.
///
/// It locks the sittings and then the sessions, in the order of their ids.
///
/// # Errors
/// 404 if there is no such session here, 412 with [`SESSION_CHANGED`] if it is not as expected, and those of `change`.
pub async fn append(
    transaction: &DatabaseTransaction,
    sends_sessions: bool,
    session_id: Uuid,
    expected: Option<u32>,
    change: impl FnOnce(&Session) -> Result<Option<NewVersion>, Error>,
) -> Result<Option<u32>, Error> {
    let (mut change, mut is_there, session_ids) = (Some(change), false, [session_id]);
    let appending = append_many(transaction, sends_sessions, &session_ids, |session| {
        is_there = true;
        if expected.is_some_and(|expected| expected != session.version.number) {
            return Err(Error::Outdated(SESSION_CHANGED));
        }
        change.take().map_or(Ok(None), |change| change(session))
    });
    let appended = appending.await?.pop();
    if is_there { Ok(appended.map(|(_, number)| number)) } else { Err(Error::NotFound(SESSION_NOT_FOUND)) }
}

/// The same for many sessions, by a few statements for some hundreds. Those that are not here are left out. Returns the
/// sessions that have another version now, with its number.
///
/// # Errors
/// Those of `change`: then the caller has to give the whole transaction up.
pub async fn append_many(
    transaction: &DatabaseTransaction,
    sends_sessions: bool,
    session_ids: &[Uuid],
    mut change: impl FnMut(&Session) -> Result<Option<NewVersion>, Error>,
) -> Result<Vec<(Uuid, u32)>, Error> {
    let session_ids = in_order(session_ids);
    database::bound_lock_waits(transaction).await?;
    let open = hold_results(transaction, &session_ids).await?;
    // All of them before the lock of corrections, after which nothing is locked that others may hold.
    session_versions::lock(transaction, session_ids.clone()).await?;
    let mut appended = Vec::new();
    for ids in session_ids.chunks(APPENDED_AT_ONCE) {
        let mut found = session_versions::find_undrawn(transaction, ids).await?;
        let held = corrections::hold(transaction, found.values().flatten().map(TestPlace::of)).await?;
        let mut replaced = Vec::new();
        for id in ids {
            let Some(session) = found.remove(id) else { continue };
            let session = session.map_err(Error::internal)?;
            if let Some(new) = change(&session)? {
                replaced.push(new.held_of(session, &held));
            }
        }
        appended.extend(put(transaction, sends_sessions, &open, replaced).await?);
    }
    Ok(appended)
}

/// Appends a version to those of these sessions whose result is no longer the one that the corrections of keys make of
/// it, and notes of all that they have followed. Why there is a version, by whom and with which comment is taken from
/// the correction that was made or reverted last. At most some hundreds. A session that can't be read is left as it is.
///
/// # Errors
/// The caller has to give the whole transaction up.
pub async fn follow_corrections(
    transaction: &DatabaseTransaction,
    sends_sessions: bool,
    session_ids: &[Uuid],
    now: Moment,
) -> Result<Vec<(Uuid, u32)>, Error> {
    let session_ids = in_order(session_ids);
    database::bound_lock_waits(transaction).await?;
    let open = hold_results(transaction, &session_ids).await?;
    session_versions::lock(transaction, session_ids.clone()).await?;
    let marks = corrections::find_marks(transaction, &session_ids).await?;
    let found = session_versions::find_undrawn(transaction, &session_ids).await?;
    let held = corrections::hold(transaction, found.values().flatten().map(TestPlace::of)).await?;
    let mut replaced = Vec::new();
    for (id, session) in found {
        let mark = marks.get(&id).copied().unwrap_or_default();
        match session {
            Ok(session) => {
                let Some(result) = held.regraded(&session) else { continue };
                let Some(change) = held.last_change_after(mark, &session) else { continue };
                replaced.push(NewVersion::of_change(change, now, result).held_of(session, &held));
            }
            Err(error) => tracing::error!(%error, session = %id, "a session cannot follow a correction"),
        }
    }
    replaced.sort_unstable_by_key(ReplacedSession::version);
    let appended = put(transaction, sends_sessions, &open, replaced).await?;
    corrections::set_marks(transaction, &session_ids, held.mark()).await?;
    Ok(appended)
}

/// The ids in the order in which everyone locks them, each once.
fn in_order(session_ids: &[Uuid]) -> Vec<Uuid> {
    let mut session_ids = session_ids.to_vec();
    session_ids.sort_unstable();
    session_ids.dedup();
    session_ids
}

/// Which results are held, by sitting. The sittings first, as everyone locks them: a release waits for this, or this
/// for a release, so that each version is told either by the release or by an event of its own.
async fn hold_results(
    transaction: &DatabaseTransaction,
    session_ids: &[Uuid],
) -> Result<HashMap<Uuid, OpenResults>, Error> {
    let sitting_ids = session_versions::find_sittings(transaction, session_ids).await?;
    Ok(releases::hold_open_results(transaction, sitting_ids).await?)
}

/// Keeps the newest versions of sessions and puts these in their places, with all that follows from it.
async fn put(
    transaction: &DatabaseTransaction,
    sends_sessions: bool,
    open: &HashMap<Uuid, OpenResults>,
    replaced: Vec<ReplacedSession>,
) -> Result<Vec<(Uuid, u32)>, Error> {
    let is_held = |session: &Session| match session.sitting_id {
        Some(sitting_id) => open.get(&sitting_id).copied().unwrap_or_default().holds(!session.ended_unbegun()),
        None => false,
    };
    let versions: Vec<(Uuid, i32)> = replaced.iter().map(ReplacedSession::version).collect();
    let changed: Vec<Uuid> = versions.iter().map(|(id, _)| *id).collect();
    if changed.is_empty() {
        return Ok(Vec::new());
    }
    session_versions::keep(transaction, &changed).await?;
    session_versions::replace(transaction, &replaced).await?;
    if sends_sessions {
        transfers::insert_sessions(transaction, versions).await?;
    }
    let open: Vec<&ReplacedSession> = replaced.iter().filter(|one| !is_held(&one.session)).collect();
    let told = find_told(transaction, &open).await?;
    webhooks::store::insert_changed(transaction, &told).await?;
    if let Some(now) = replaced.iter().filter_map(|one| one.session.version.at).max() {
        lti_scores::queue(transaction, SCORE_CHANGED, &told, now).await?;
    }
    // Also of what is silent, so that nobody changes it unnoticed before the release: whoever appends to a log leaves
    // that out.
    let due: Vec<DueReceipt> = replaced.iter().filter_map(due_receipt).collect();
    receipts::queue(transaction, &due).await?;
    Ok(replaced.iter().map(|one| (one.session.session_id, one.session.version.number)).collect())
}

/// Of versions that are not held, the sessions whose receivers are told. While a reopened test goes on, its result is
/// for staff alone; its next end is a version that is told.
async fn find_told(transaction: &DatabaseTransaction, open: &[&ReplacedSession]) -> Result<Vec<Uuid>, Error> {
    let is_end = |one: &&&ReplacedSession| one.session.version.reason == VersionReason::Reopened;
    let changed: Vec<Uuid> = open.iter().filter(|one| !is_end(one)).map(|one| one.session.session_id).collect();
    let going_on = reopenings::find_going_on(transaction, &changed).await?;
    let ends = open.iter().filter(is_end).map(|one| one.session.session_id);
    Ok(changed.iter().copied().filter(|id| !going_on.contains(id)).chain(ends).collect())
}

/// The receipt of a version, to be made, sealed, and put into the log of its sitting. A test without a sitting is in no
/// log, and its receipt is made when somebody asks.
fn due_receipt(one: &ReplacedSession) -> Option<DueReceipt> {
    let at = one.session.version.at.unwrap_or(one.session.completed_at);
    Some(DueReceipt { sitting_id: one.session.sitting_id?, name: one.version(), at })
}
