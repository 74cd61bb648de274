//! The rows of the database itself, compared with what was acknowledged: no server, which may remember it, is asked.

use crate::failure::Failure;
use crate::ledger::Seq;
use crate::ordering_proctor::GivenOrders;
use crate::reconnecting_seats::{SESSIONS_PER_QUERY, session_ids, stored_sessions};
use crate::reconnecting_student::ReconnectingStudent;
use crate::saved_witness::SavedKey;
use entities::{attempt, journal_entry, proctor_command, session_body};
use sea_orm::{ColumnTrait, ConnectOptions, Database, DatabaseConnection, EntityTrait, QueryFilter, QuerySelect};
use serde::Deserialize;
use serde_json::json;
use std::collections::{HashMap, HashSet};
use std::time::Duration;
use uuid::Uuid;

const CONNECT_LIMIT: Duration = Duration::from_secs(10);

pub struct StoredRows(DatabaseConnection);

/// Minutes that proctors gave, compared with those of the attempts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MinutesComparison {
    pub lost: u64,
    /// Minutes that were given twice.
    pub double: u64,
}

#[derive(Deserialize)]
struct StoredResult {
    answers: Vec<StoredAnswer>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredAnswer {
    question_id: String,
    /// Empty without an answer.
    selected: String,
}

impl StoredRows {
    pub async fn of(url: &str) -> Result<Self, Failure> {
        let mut options = ConnectOptions::new(url);
        options.max_connections(1).connect_timeout(CONNECT_LIMIT).acquire_timeout(CONNECT_LIMIT).sqlx_logging(false);
        Ok(Self(Database::connect(options).await?))
    }

    pub async fn close(self) -> Result<(), Failure> {
        Ok(self.0.close().await?)
    }

    /// The rows that are older than what was acknowledged, or are not there.
    pub async fn lost_values(&self, acknowledged: &HashMap<SavedKey, Seq>) -> Result<Vec<SavedKey>, Failure> {
        use journal_entry::Column;
        let columns = [Column::SessionId, Column::Position, Column::Kind, Column::Seq];
        let rows = journal_entry::Entity::find().select_only().columns(columns);
        let rows: Vec<(Uuid, i16, i16, i64)> = rows.into_tuple().all(&self.0).await?;
        let stored = rows.into_iter().map(|(session, position, kind, seq)| ((session, position, kind), seq)).collect();
        Ok(lost(acknowledged, &stored))
    }

    /// How many of these orders are not stored.
    pub async fn lost_orders(&self, ids: &[String]) -> Result<u64, Failure> {
        use proctor_command::Column;
        // They are stored as the JSON that came.
        let ids: Vec<String> = ids.iter().map(|id| json!(id).to_string()).collect();
        let mut stored = HashSet::new();
        for ids in ids.chunks(SESSIONS_PER_QUERY) {
            let rows = proctor_command::Entity::find().select_only().column(Column::CommandId);
            let rows: Vec<String> =
                rows.filter(Column::CommandId.is_in(ids.to_vec())).into_tuple().all(&self.0).await?;
            stored.extend(rows);
        }
        Ok(ids.iter().filter(|id| !stored.contains(*id)).count() as u64)
    }

    /// Compares the minutes that students were given.
    pub async fn compare_minutes(
        &self,
        students: &[ReconnectingStudent],
        orders: &GivenOrders,
    ) -> Result<MinutesComparison, Failure> {
        use attempt::Column;
        let mut comparison = MinutesComparison::default();
        for ids in session_ids(students)?.chunks(SESSIONS_PER_QUERY) {
            let rows = attempt::Entity::find().select_only().columns([Column::SessionId, Column::ExtendedMinutes]);
            let rows: Vec<(Uuid, i32)> =
                rows.filter(Column::SessionId.is_in(ids.to_vec())).into_tuple().all(&self.0).await?;
            for (session_id, stored) in rows {
                let session_id = session_id.to_string();
                if !orders.unknown.contains(&session_id) {
                    let given = orders.minutes.get(&session_id).copied().unwrap_or_default();
                    comparison.lost += u64::from(given.saturating_sub(stored).max(0).unsigned_abs());
                    comparison.double += u64::from(stored.saturating_sub(given).max(0).unsigned_abs());
                }
            }
        }
        Ok(comparison)
    }

    /// How many sessions are stored.
    pub async fn sessions(&self, students: &[ReconnectingStudent]) -> Result<u64, Failure> {
        stored_sessions(&self.0, &session_ids(students)?).await
    }

    /// How many answers of stored results are not those that were saved.
    pub async fn wrong_answers(&self, students: &[ReconnectingStudent]) -> Result<u64, Failure> {
        use session_body::Column;
        let mut results = HashMap::new();
        for ids in session_ids(students)?.chunks(SESSIONS_PER_QUERY) {
            let rows = session_body::Entity::find().select_only().columns([Column::SessionId, Column::Result]);
            let rows: Vec<(Uuid, String)> =
                rows.filter(Column::SessionId.is_in(ids.to_vec())).into_tuple().all(&self.0).await?;
            for (session_id, result) in rows {
                results.insert(session_id.to_string(), serde_json::from_str::<StoredResult>(&result)?);
            }
        }
        let wrong_of = |student: &ReconnectingStudent| {
            results.get(&student.session_id).map_or(0, |result| {
                let known = student.question_ids.iter().map(String::as_str).zip(student.ledger.choices());
                wrong_answers(known, result)
            })
        };
        Ok(students.iter().map(wrong_of).sum())
    }
}

fn lost(acknowledged: &HashMap<SavedKey, Seq>, stored: &HashMap<SavedKey, i64>) -> Vec<SavedKey> {
    let is_lost = |(key, seq): &(&SavedKey, &Seq)| stored.get(*key).is_none_or(|stored| *stored < i64::from(**seq));
    acknowledged.iter().filter(is_lost).map(|(key, _)| *key).collect()
}

fn wrong_answers<'a>(known: impl Iterator<Item = (&'a str, Option<char>)>, result: &StoredResult) -> u64 {
    let stored: HashMap<&str, &str> =
        result.answers.iter().map(|answer| (answer.question_id.as_str(), answer.selected.as_str())).collect();
    let is_wrong = |(id, choice): &(&str, Option<char>)| {
        stored.get(id).copied() != Some(choice.map(String::from).unwrap_or_default().as_str())
    };
    known.filter(is_wrong).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_is_older_or_missing_is_lost() {
        let session = Uuid::new_v4();
        let acknowledged = HashMap::from([((session, 0, 0), 5), ((session, 1, 0), 7), ((session, 1, 1), 8)]);
        let whole = HashMap::from([((session, 0, 0), 5), ((session, 1, 0), 9), ((session, 1, 1), 8)]);
        assert_eq!(lost(&acknowledged, &whole), vec![]);
        let older = HashMap::from([((session, 0, 0), 4), ((session, 1, 0), 7)]);
        let mut found = lost(&acknowledged, &older);
        found.sort_unstable();
        assert_eq!(found, [(session, 0, 0), (session, 1, 1)]);
    }

    #[test]
    fn a_result_has_the_saved_answers() {
        let result: StoredResult = serde_json::from_str(
            r#"{"score":1,"answers":[{"questionId":"a","selected":"B","correct":"B"},{"questionId":"b","selected":""}]}"#,
        )
        .unwrap();
        let known = |first, second| [("a", first), ("b", second)].into_iter();
        assert_eq!(wrong_answers(known(Some('B'), None), &result), 0);
        assert_eq!(wrong_answers(known(Some('A'), Some('A')), &result), 2);
        assert_eq!(wrong_answers([("c", None)].into_iter(), &result), 1);
    }
}
