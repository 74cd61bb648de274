//! Versions that nobody but staff may know of yet: a corrected key has made them while results were held, or they
//! follow one that it has made, so that their numbers would tell of it. That there is one tells its student that their
//! score has changed, and others what the key is. Their receipts are made and sealed at once, for `receipts check`; no
//! student is given one, and their places in the log wait for the release.

use std::collections::HashSet;

use domain::session::{Session, VersionReason};
use domain::time::moment::Moment;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, QueryResult, Statement, Value};
use uuid::Uuid;

use super::receipts::{self, ReceiptName};
use super::releases;

/// The reasons of versions that are silent while results are held. What was taken back may have been late work; its
/// receipt waits as well, since the two look alike.
const REASONS: [VersionReason; 2] = [VersionReason::KeyCorrected, VersionReason::Reverted];

/// Of the tests in sittings for which a condition holds, the versions from the first one of these reasons on.
fn select(condition: &str) -> String {
    const COLUMNS: &str = "sessions.session_id, sessions.sitting_id, sessions.started_at_ms, sessions.completed_at_ms";
    let reasons = REASONS.map(|reason| format!("'{}'", reason.name())).join(", ");
    // What was never changed has no such version, and is most of what there is.
    let changed = format!("{condition} AND sessions.sitting_id IS NOT NULL AND sessions.version > 1");
    format!(
        "SELECT session_id, version, sitting_id, started_at_ms, completed_at_ms FROM ( \
         SELECT made.*, MIN(CASE WHEN reason IN ({reasons}) THEN version END) OVER (PARTITION BY session_id) \
         AS first_silent FROM ( \
         SELECT {COLUMNS}, sessions.version, sessions.version_reason AS reason FROM sessions WHERE {changed} \
         UNION ALL SELECT {COLUMNS}, earlier.version, earlier.reason FROM session_versions earlier \
         JOIN sessions ON sessions.session_id = earlier.session_id WHERE {changed} \
         ) AS made) AS placed WHERE version >= first_silent"
    )
}

/// Those of one sitting that are held by the rule of the embargo.
async fn load(
    connection: &impl ConnectionTrait,
    condition: &str,
    ids: Vec<Uuid>,
) -> Result<HashSet<ReceiptName>, DbErr> {
    let (backend, ids) = (connection.get_database_backend(), ids.into_iter().map(Value::from));
    let statement = Statement::from_sql_and_values(backend, select(condition), ids);
    let rows = connection.query_all_raw(statement).await?;
    let Some(first) = rows.first() else { return Ok(HashSet::new()) };
    let open = releases::find_open_results(connection, first.try_get_by_index(2)?).await?.unwrap_or_default();
    let held = |row: &QueryResult| -> Result<Option<ReceiptName>, DbErr> {
        let (started_at, completed_at): (i64, i64) = (row.try_get_by_index(3)?, row.try_get_by_index(4)?);
        let name = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        Ok(open.holds(started_at < completed_at).then_some(name))
    };
    rows.iter().filter_map(|row| held(row).transpose()).collect()
}

/// Those of a sitting.
pub async fn load_of_sitting(connection: &impl ConnectionTrait, id: Uuid) -> Result<HashSet<ReceiptName>, DbErr> {
    load(connection, "sessions.sitting_id = $1", vec![id]).await
}

/// Those of a test.
pub async fn load_of_test(connection: &impl ConnectionTrait, id: Uuid) -> Result<HashSet<ReceiptName>, DbErr> {
    load(connection, "sessions.session_id = $1", vec![id]).await
}

/// Those among these versions of tests in one sitting: at most some hundreds.
pub async fn load_among(
    connection: &impl ConnectionTrait,
    names: &[ReceiptName],
) -> Result<HashSet<ReceiptName>, DbErr> {
    // A first version is never silent, and most tests have no other.
    let names: HashSet<ReceiptName> = names.iter().copied().filter(|(_, version)| *version > 1).collect();
    let ids: HashSet<Uuid> = names.iter().map(|(id, _)| *id).collect();
    if ids.is_empty() {
        return Ok(HashSet::new());
    }
    let places: Vec<String> = (1..=ids.len()).map(|place| format!("${place}")).collect();
    let condition = format!("sessions.session_id IN ({})", places.join(", "));
    let mut silent = load(connection, &condition, ids.into_iter().collect()).await?;
    silent.retain(|name| names.contains(name));
    Ok(silent)
}

/// The newest version of a test that is not one of these silent ones, up to this one.
#[must_use]
pub fn newest_told(silent: &HashSet<ReceiptName>, (id, newest): ReceiptName) -> Option<i32> {
    (1..=newest).rev().find(|version| !silent.contains(&(id, *version)))
}

/// The receipt of the newest version of which the student may know, as it is stored with the end of a test.
pub async fn find_told_receipt(connection: &impl ConnectionTrait, session: &Session) -> Result<Option<String>, DbErr> {
    let (id, newest) = (session.session_id, i32::try_from(session.version.number).unwrap_or(i32::MAX));
    // Most tests have one version.
    let may_be = newest > 1 && session.sitting_id.is_some();
    let silent = if may_be { load_of_test(connection, id).await? } else { HashSet::new() };
    let Some(version) = newest_told(&silent, (id, newest)) else { return Ok(None) };
    Ok(receipts::find(connection, (id, version)).await?.map(|stored| stored.jws))
}

/// Has the receipts of a sitting's versions looked after that were silent: of all from the first one of these reasons
/// on that are not in its log, since the rule by which it shows results may have been changed meanwhile. Whoever calls
/// it releases the sitting in the same transaction.
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
