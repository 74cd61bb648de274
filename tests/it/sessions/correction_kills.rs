//! A server that follows a correction is killed again and again: every test follows, and once. It takes long by its
//! nature.

use std::time::Duration;

use sea_orm::{ConnectionTrait, Database, Statement};
use serde_json::{Value, json};

use super::sit;
use crate::hall::{Hall, Process, eventually, token};

const KILLS: usize = 3;
/// Copies of one finished test, enough for some seconds of work.
const COPIES: usize = 4_000;
const PATH: &str = "/api/manager/corrections";

/// The statements that copy every finished test so often, on either database.
pub fn copying(is_postgres: bool, copies: usize) -> [String; 4] {
    const LIST: &str = "grade, started_at_ms, completed_at_ms, webhook_sent, report_url, verified, score, \
        correct_answers, total_questions, time_taken, event_id, template_id, sitting_id, origin, account, student, \
        student_id, search_text";
    const BODY: &str = "annotations, result, drawings, graded_by";
    let id = if is_postgres { "gen_random_uuid()" } else { "randomblob(16)" };
    let copy = |table: &str, columns: &str| {
        format!(
            "INSERT INTO {table} (session_id, {columns}) SELECT copied.id, {columns} FROM copied \
             JOIN {table} ON {table}.session_id = copied.original"
        )
    };
    [
        format!(
            "CREATE TABLE copied AS WITH RECURSIVE numbers(number) AS (SELECT 1 UNION ALL SELECT number + 1 \
             FROM numbers WHERE number < {copies}) SELECT {id} AS id, session_id AS original FROM sessions, numbers"
        ),
        copy("sessions", LIST),
        copy("session_bodies", BODY),
        "DROP TABLE copied".to_owned(),
    ]
}

async fn number(hall: &Hall, query: &str) -> i64 {
    let connection = Database::connect(hall.database_url()).await.unwrap();
    let statement = Statement::from_string(connection.get_database_backend(), query);
    let row = connection.query_one_raw(statement).await.unwrap().unwrap();
    connection.close().await.unwrap();
    row.try_get_by_index(0).unwrap()
}

#[tokio::test]
async fn a_correction_outlives_three_kills_and_reaches_every_test_once() {
    let mut hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let id = sit(&hall, &admin, json!({})).await;
    let asked = hall.stored_session(&id).await["result"]["answers"][1].clone();
    for statement in copying(hall.database_url().starts_with("postgres"), COPIES) {
        hall.alter(&statement).await;
    }
    let key = token::create(hall.settings(), "admin@exam.test", "admin").await;
    hall.stop().await;
    let mut process = Process::serve(hall.settings()).await;
    let scope = json!({ "grade": 5, "from": "2000-01-01", "to": "2100-01-01" });
    let body = json!({ "questionId": asked["questionId"], "kind": "all", "scope": scope });
    let answer = crate::hall::Caller::new(process.base(), Some(&key)).post_json(PATH, &body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let mut followed = Vec::new();
    for kill in 0..KILLS {
        let least = i64::try_from(COPIES * (kill + 1) / 10).unwrap();
        eventually("some have followed", async || {
            (number(&hall, "SELECT COUNT(*) FROM sessions WHERE version = 2").await > least).then_some(())
        })
        .await;
        process.kill().await;
        followed.push(number(&hall, "SELECT COUNT(*) FROM sessions WHERE version = 2").await);
        // As if the lease of the piece that the killed server had were over.
        hall.alter("UPDATE correction_pieces SET leased_until_ms = 0").await;
        process = Process::serve(hall.settings()).await;
    }
    let all = i64::try_from(COPIES + 1).unwrap();
    assert!(followed.iter().any(|count| *count < all), "nothing was left to do after the kills: {followed:?}");
    let caller = crate::hall::Caller::new(process.base(), Some(&key));
    let deadline = tokio::time::Instant::now() + Duration::from_secs(90);
    loop {
        let list = caller.get(PATH).await.json();
        let progress: &Value = &list["corrections"][0]["progress"];
        if progress["finished"] == true {
            assert_eq!(progress["total"], all);
            break;
        }
        assert!(tokio::time::Instant::now() < deadline, "{progress}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    for (query, expected) in [
        ("SELECT COUNT(*) FROM sessions WHERE version = 2 AND version_reason = 'key_corrected'", all),
        ("SELECT COUNT(*) FROM session_versions", all),
        ("SELECT COUNT(*) FROM correction_pieces", 0),
    ] {
        assert_eq!(number(&hall, query).await, expected, "{query}");
    }
    process.kill().await;
}
