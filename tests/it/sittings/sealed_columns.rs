//! Everything that is stored of a finished test is under its seal, column by column, or stands here as what is not.
//! It takes longer than a second, since all receipts are checked for each column.

use std::collections::BTreeSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::session::VersionReason;
use entities::{session, session_body, session_version};
use examhall::config::Secret;
use examhall::receipts::key::ReceiptKey;
use examhall::store::version_rows;
use sea_orm::{
    ColumnTrait, ColumnType, ConnectionTrait, Database, DatabaseConnection, EntityTrait, IdenStatic, Iterable,
    QueryResult, Statement, TransactionTrait, Value,
};
use serde_json::json;
use uuid::Uuid;

use super::School;
use super::receipts::{leaves, written};

const ALTERED: &str = "it was altered since it was sealed";

/// The columns of a table of finished tests. Whoever adds one puts it into the digest of a version and into the first
/// list, or says here why it is in another.
struct Sealed {
    table: &'static str,
    sealed: &'static [&'static str],
    /// By which a version is found. What is altered here is missed in one place, and may be found in another.
    found_by: &'static [&'static str],
    /// What changes without a new version, and the scale of marks, which decides nothing in a sitting.
    free: &'static [&'static str],
}

const SESSIONS: Sealed = Sealed {
    table: "sessions",
    sealed: &[
        "grade",
        "started_at_ms",
        "completed_at_ms",
        "report_url",
        "verified",
        "score",
        "correct_answers",
        "total_questions",
        "time_taken",
        "event_id",
        "template_id",
        "origin",
        "account",
        "student",
        "student_id",
        "search_text",
        "version_reason",
        "version_at_ms",
        "version_by",
        "version_comment",
        "previous_score",
        "form",
    ],
    found_by: &["session_id", "sitting_id", "version"],
    free: &["webhook_sent", "corrections_mark", "mark_scale"],
};
const BODIES: Sealed = Sealed {
    table: "session_bodies",
    sealed: &["annotations", "result", "drawings", "graded_by", "option_order"],
    found_by: &["session_id"],
    free: &[],
};
const VERSIONS: Sealed = Sealed {
    table: "session_versions",
    sealed: &[
        "reason",
        "at_ms",
        "made_by",
        "comment",
        "previous_score",
        "completed_at_ms",
        "verified",
        "score",
        "correct_answers",
        "total_questions",
        "time_taken",
        "result",
        "drawings",
        "graded_by",
    ],
    found_by: &["session_id", "version"],
    free: &[],
};

/// What stands in a column, and something else of its type.
fn values(row: &QueryResult, kind: &ColumnType) -> (Value, Value) {
    match kind {
        ColumnType::Text => {
            let was: Option<String> = row.try_get_by_index(0).unwrap();
            // As JSON it says the same.
            let other = format!("{} ", was.clone().unwrap_or_default());
            (was.into(), other.into())
        }
        ColumnType::SmallInteger => {
            let was: Option<i16> = row.try_get_by_index(0).unwrap();
            (was.into(), (was.unwrap_or_default() + 1).into())
        }
        ColumnType::Integer => {
            let was: Option<i32> = row.try_get_by_index(0).unwrap();
            (was.into(), (was.unwrap_or_default() + 1).into())
        }
        ColumnType::BigInteger => {
            let was: Option<i64> = row.try_get_by_index(0).unwrap();
            (was.into(), (was.unwrap_or_default() + 1).into())
        }
        ColumnType::Boolean => {
            let was: bool = row.try_get_by_index(0).unwrap();
            (was.into(), (!was).into())
        }
        ColumnType::Uuid => {
            let was: Option<Uuid> = row.try_get_by_index(0).unwrap();
            (was.into(), Uuid::new_v4().into())
        }
        other => panic!("how is {other:?} altered?"),
    }
}

/// A test with an earlier version, both in the log.
struct Logged {
    school: School,
    session_id: Uuid,
    database: DatabaseConnection,
}

impl Logged {
    async fn with(settings: &[(&str, &str)]) -> Self {
        let school = School::with(settings).await;
        let (_, students) = written(&school, json!({})).await;
        let session_id = students[0].session_id.parse().unwrap();
        school.hall.change_result(&students[0].session_id, VersionReason::LateWork, |result| result.score = 500).await;
        school.advance(60);
        leaves(&school, 4).await;
        let database = Database::connect(school.hall.database_url()).await.unwrap();
        Self { school, session_id, database }
    }

    async fn execute(&self, statement: &str, values: Vec<Value>) {
        let statement = Statement::from_sql_and_values(self.database.get_database_backend(), statement, values);
        assert_eq!(self.database.execute_raw(statement).await.unwrap().rows_affected(), 1);
    }

    /// What `receipts check` says of the test.
    async fn named(&self) -> Vec<String> {
        let id = self.session_id.to_string();
        let (_, mut lines) = self.school.hall.check_receipts().await;
        lines.retain(|line| line.contains(&id));
        lines
    }

    /// What it says while one column is another.
    async fn named_with(&self, table: &str, column: &str, kind: &ColumnType) -> Vec<String> {
        let reading = format!("SELECT {column} FROM {table} WHERE session_id = $1");
        let backend = self.database.get_database_backend();
        let statement = Statement::from_sql_and_values(backend, reading, [self.session_id.into()]);
        let row = self.database.query_one_raw(statement).await.unwrap().unwrap();
        let (was, other) = values(&row, kind);
        let changing = format!("UPDATE {table} SET {column} = $2 WHERE session_id = $1");
        self.execute(&changing, vec![self.session_id.into(), other]).await;
        let lines = self.named().await;
        self.execute(&changing, vec![self.session_id.into(), was]).await;
        lines
    }

    /// Alters one column after the other.
    async fn alter_each<E: EntityTrait>(&self, Sealed { table, sealed, found_by, free }: &Sealed) {
        let columns: Vec<E::Column> = E::Column::iter().collect();
        let known: BTreeSet<&str> = columns.iter().map(IdenStatic::as_str).collect();
        let listed: BTreeSet<&str> = [*sealed, *found_by, *free].concat().into_iter().collect();
        assert_eq!(known, listed, "{table}: each column is in a list");
        assert_eq!(columns.len(), sealed.len() + found_by.len() + free.len(), "{table}: and in one alone");
        for column in columns {
            let (name, definition) = (column.as_str(), column.def());
            if name == "session_id" {
                continue;
            }
            let lines = self.named_with(table, name, definition.get_column_type()).await;
            let is_altered = lines.iter().any(|line| line.contains(ALTERED));
            if found_by.contains(&name) {
                assert!(!lines.is_empty(), "{table}.{name}");
            } else {
                assert_eq!(is_altered, sealed.contains(&name), "{table}.{name}: {lines:?}");
            }
        }
        assert_eq!(self.named().await, Vec::<String>::new(), "{table} is as it was");
    }
}

#[tokio::test]
async fn each_column_of_a_finished_test_is_sealed_or_listed() {
    let logged = Logged::with(&[]).await;
    assert_eq!(logged.named().await, Vec::<String>::new());
    logged.alter_each::<session::Entity>(&SESSIONS).await;
    logged.alter_each::<session_body::Entity>(&BODIES).await;
    logged.alter_each::<session_version::Entity>(&VERSIONS).await;
}

#[tokio::test]
async fn a_seal_of_a_build_before_forms_stays_good_for_what_it_is_over() {
    let seed = [7_u8; 32];
    let logged = Logged::with(&[("RECEIPT_KEY", &STANDARD.encode(seed))]).await;
    let key = ReceiptKey::new(Some(&Secret::new(seed.to_vec())), &Secret::new(Vec::new())).unwrap();
    let id = logged.session_id;
    let reading = logged.database.begin().await.unwrap();
    let row = version_rows::find(&reading, id, 2).await.unwrap().unwrap();
    reading.rollback().await.unwrap();
    assert_ne!(row.digest(), row.former_digest());
    let sealing = "UPDATE receipts SET seal = $2 WHERE session_id = $1 AND version = 2";
    logged.execute(sealing, vec![id.into(), key.seal(&row.former_digest()).into()]).await;
    assert_eq!(logged.named().await, Vec::<String>::new());
    let lines = logged.named_with("sessions", "score", &ColumnType::Integer).await;
    assert!(lines.iter().any(|line| line.contains("version 2") && line.contains(ALTERED)), "{lines:?}");
}
