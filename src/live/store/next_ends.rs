//! The ends of attempts that had been reopened: each is another version of the session that is there, and late work of
//! before that the attempt has taken in is nothing to decide about any more.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use domain::question::KeyedQuestion;
use domain::session::{Session, VersionReason};
use entities::late_work;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnAcquireErr, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect,
};
use uuid::Uuid;

use super::late_decisions::{LateState, StoredLateCommand, find_late_commands};
use super::writes::{Commit, Finish, Write};
use crate::error::Error;
use crate::sessions::finished::{CorrectedResults, Finished};
use crate::sessions::versions::{self, NewVersion, VersionPart};
use crate::store::late_rows::undecided_changes;
use crate::store::{Unreadable, receipts, releases, session_versions};

/// What is noted on the version of a test that was reopened although its student had been shown the key.
const FORCED: &str = "Reopened after the student had seen the answers";

/// How an attempt came to go on after its last end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reopening {
    /// E-mail of the proctor who has reopened it.
    pub by: Option<String>,
    /// Whether the student had been shown the key.
    pub is_forced: bool,
    /// The newest version of the session when the seat was built. Another one may be made while the test goes on.
    pub version: u32,
    /// Whether a corrected key has changed the result silently, so that the student may not learn the number of what
    /// follows before the release.
    pub is_silent: bool,
}

/// Locks the late work of attempts that end again. Whoever decides about it locks it before everything else.
pub(super) async fn lock_late_work(
    transaction: &DatabaseTransaction,
    commits: &[&Commit],
) -> Result<Vec<late_work::Model>, DbErr> {
    use late_work::Column;
    let writes = commits.iter().flat_map(|commit| &commit.writes);
    let session = |write: &Write| match write {
        Write::Finish(finish) if finish.reopening.is_some() => Some(finish.finished.session.session_id),
        _ => None,
    };
    let session_ids: Vec<Uuid> = writes.filter_map(session).collect();
    if session_ids.is_empty() {
        return Ok(Vec::new());
    }
    let query = late_work::Entity::find().filter(Column::SessionId.is_in(session_ids));
    query.order_by_asc(Column::SessionId).lock_exclusive().all(transaction).await
}

/// Counts anew what is to be decided about in this late work: what the attempts have taken in while they went on is no
/// news.
pub(super) async fn recount_late_changes(
    transaction: &DatabaseTransaction,
    works: &[late_work::Model],
    finishes: &[&Finish],
) -> Result<(), DbErr> {
    for work in works {
        let end = finishes.iter().find(|finish| finish.finished.session.session_id == work.session_id);
        let Some(attempt) = end.and_then(|finish| finish.standing.as_deref()) else { continue };
        let commands = find_late_commands(transaction, work.session_id).await?;
        let is_news = |one: &&StoredLateCommand| one.state == LateState::Pending && attempt.is_changed_by(&one.command);
        let news = i32::try_from(commands.iter().filter(is_news).count()).unwrap_or(i32::MAX);
        let mut row =
            late_work::ActiveModel { session_id: Set(work.session_id), mark: Set(work.mark + 1), ..Default::default() };
        if work.accepted == 0 && work.declined == 0 {
            row.changes = Set(news);
        } else {
            // What a decision has left out is no news either.
            let undecided = undecided_changes(work).min(news);
            row.decided_changes = Set(Some(work.changes.saturating_sub(undecided)));
        }
        late_work::Entity::update(row).exec(transaction).await?;
    }
    Ok(())
}

/// Keeps the sittings of attempts that end again as they are until the transaction ends: what is told of their new
/// results depends on the release. Sittings are locked before seats, as by everyone else.
pub(super) async fn hold_sittings(transaction: &DatabaseTransaction, commits: &[&Commit]) -> Result<(), DbErr> {
    let writes = commits.iter().flat_map(|commit| &commit.writes);
    let sitting = |write: &Write| match write {
        Write::Finish(finish) if finish.reopening.is_some() => finish.finished.session.sitting_id,
        _ => None,
    };
    let sitting_ids: Vec<Uuid> = writes.filter_map(sitting).collect();
    if sitting_ids.is_empty() {
        return Ok(());
    }
    releases::hold_open_results(transaction, sitting_ids).await.map(drop)
}

/// Appends the versions of these ends, and returns the results with which they were stored: a corrected key, or a
/// version that was made while the test went on, can have made another of them than their seats have graded.
pub(super) async fn append(
    transaction: &DatabaseTransaction,
    ends: &[(Cow<'_, Finished>, &Reopening)],
    sends_sessions: bool,
) -> Result<CorrectedResults, DbErr> {
    if ends.is_empty() {
        return Ok(CorrectedResults::new());
    }
    let mut versions: HashMap<Uuid, NewVersion> =
        ends.iter().map(|(end, reopening)| (end.session.session_id, version(&end.session, reopening))).collect();
    let session_ids: Vec<Uuid> = versions.keys().copied().collect();
    let appending = versions::append_many(transaction, sends_sessions, &session_ids, |session| {
        Ok(versions.remove(&session.session_id))
    });
    let appended = appending.await.map_err(of_database)?;
    // What is not there cannot be lost silently: the attempt stays as it is, and is tried again.
    if appended.len() != session_ids.len() {
        return Err(DbErr::Custom("a session is gone".to_owned()));
    }
    // Another version may have taken the number that a receipt names. Then the worker makes one of what is stored.
    let is_as_signed = |end: &Finished| appended.contains(&(end.session.session_id, end.session.version.number));
    let signed = ends.iter().filter(|(end, _)| is_as_signed(end)).filter_map(|(end, _)| end.new_receipt());
    receipts::insert(transaction, &signed.collect::<Vec<_>>()).await?;
    let stored = session_versions::find_undrawn(transaction, &session_ids).await?;
    let result = |(id, session): (Uuid, Result<Session, Unreadable>)| session.map(|one| (id, one.submitted_result()));
    Ok(stored.into_iter().map(result).collect::<Result<_, _>>()?)
}

/// The result with which a test ended again.
fn version(session: &Session, reopening: &Reopening) -> NewVersion {
    let result = session.result.inside_the_server().clone();
    let graded_by: Vec<Arc<KeyedQuestion>> = session.graded_by.inside_the_server().clone();
    NewVersion {
        by: reopening.by.clone(),
        comment: reopening.is_forced.then(|| FORCED.to_owned()),
        graded_by: VersionPart::Other(graded_by),
        drawings: VersionPart::Other(session.drawings.clone()),
        completed_at: VersionPart::Other(session.completed_at),
        ..NewVersion::of_result(VersionReason::Reopened, session.completed_at, result)
    }
}

/// The journal tells a database that is away from a value that it refuses.
fn of_database(error: Error) -> DbErr {
    match error {
        Error::Internal(cause) => match cause.downcast::<DbErr>() {
            Ok(error) => *error,
            Err(cause) => DbErr::Custom(cause.to_string()),
        },
        Error::NoDatabase | Error::Unavailable(_) => DbErr::ConnectionAcquire(ConnAcquireErr::Timeout),
        error => DbErr::Custom(error.to_string()),
    }
}
