//! Versions that nobody but staff may know of yet: a corrected key has made them while results were held. That there
//! is one tells its student that their score has changed, and others what the key is. Their receipts and their places
//! in the log wait for the release.

use std::collections::HashSet;

use domain::session::{Session, VersionReason};
use domain::time::moment::Moment;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, Statement, Value};
use uuid::Uuid;

use super::receipts::{self, ReceiptName};

/// Which sessions have held results, as `versions::put` has it: one that was ended before it began waits for the
/// release in any case.
const HELD: &str = "sessions.sitting_id IS NOT NULL AND (sittings.id IS NULL OR (sittings.released_at_ms IS NULL \
    AND (sittings.results <> 'now' OR sessions.started_at_ms >= sessions.completed_at_ms)))";

/// Whether a version of this reason is silent while results are held. What was taken back may have been late work; its
/// receipt waits as well, since the two look alike.
#[must_use]
pub const fn is_silent(reason: VersionReason) -> bool {
    matches!(reason, VersionReason::KeyCorrected | VersionReason::Reverted)
}

/// The versions of these reasons of the sessions for which a condition holds.
fn select(condition: &str) -> String {
    let reasons = format!("('{}', '{}')", VersionReason::KeyCorrected.name(), VersionReason::Reverted.name());
    let joined = "LEFT JOIN sittings ON sittings.id = sessions.sitting_id";
    format!(
        "SELECT sessions.session_id, sessions.version, sessions.sitting_id FROM sessions {joined} \
         WHERE {condition} AND sessions.version_reason IN {reasons} \
         UNION ALL SELECT earlier.session_id, earlier.version, sessions.sitting_id FROM session_versions earlier \
         JOIN sessions ON sessions.session_id = earlier.session_id {joined} \
         WHERE {condition} AND earlier.reason IN {reasons}"
    )
}

async fn load(connection: &impl ConnectionTrait, condition: &str, id: Uuid) -> Result<HashSet<ReceiptName>, DbErr> {
    let backend = connection.get_database_backend();
    let statement = Statement::from_sql_and_values(backend, select(&format!("{condition} AND {HELD}")), [id.into()]);
    let rows = connection.query_all_raw(statement).await?;
    rows.iter().map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?))).collect()
}

/// Those of a sitting.
pub async fn load_of_sitting(connection: &impl ConnectionTrait, id: Uuid) -> Result<HashSet<ReceiptName>, DbErr> {
    load(connection, "sessions.sitting_id = $1", id).await
}

/// Those of a test.
pub async fn load_of_test(connection: &impl ConnectionTrait, id: Uuid) -> Result<HashSet<ReceiptName>, DbErr> {
    load(connection, "sessions.session_id = $1", id).await
}

/// The newest version of a test that is not one of these silent ones, up to this one.
#[must_use]
pub fn newest_told(silent: &HashSet<ReceiptName>, (id, newest): ReceiptName) -> Option<i32> {
    (1..=newest).rev().find(|version| !silent.contains(&(id, *version)))
}

/// The receipt of the newest version of which the student may know, as it is stored with the end of a test.
pub async fn find_told_receipt(connection: &impl ConnectionTrait, session: &Session) -> Result<Option<String>, DbErr> {
    let (id, newest) = (session.session_id, i32::try_from(session.version.number).unwrap_or(i32::MAX));
    let silent = if is_silent(session.version.reason) { load_of_test(connection, id).await? } else { HashSet::new() };
    let Some(version) = newest_told(&silent, (id, newest)) else { return Ok(None) };
    Ok(receipts::find(connection, (id, version)).await?.map(|stored| stored.jws))
}

/// Has the receipts of a sitting's versions looked after that were silent: of all versions of these reasons that are
/// not in its log, since the rule by which it shows results may have been changed meanwhile. Whoever calls it releases
/// the sitting in the same transaction.
pub async fn queue_of_sitting(transaction: &DatabaseTransaction, id: Uuid, now: Moment) -> Result<(), DbErr> {
    let text = format!(
        "INSERT INTO receipts_due (session_id, version, sitting_id, due_at_ms) \
         SELECT session_id, version, sitting_id, $2 FROM ({}) AS silent \
         WHERE NOT EXISTS (SELECT 1 FROM sitting_leaves WHERE sitting_leaves.session_id = silent.session_id \
         AND sitting_leaves.version = silent.version) \
         ON CONFLICT (session_id, version) DO NOTHING",
        select("sessions.sitting_id = $1")
    );
    let values: [Value; 2] = [id.into(), now.milliseconds().into()];
    let statement = Statement::from_sql_and_values(transaction.get_database_backend(), text, values);
    transaction.execute_raw(statement).await.map(|_| ())
}
