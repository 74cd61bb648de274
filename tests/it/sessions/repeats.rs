//! `POST /api/sessions` with an `Idempotency-Key`: repeats store nothing more.

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::future::join_all;
use reqwest::Method;
use sea_orm::{ConnectionTrait, Database, Statement};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::honest;
use crate::hall::{Answer, Caller, Hall, Hold, Receiver, eventually, need_services};

const PATH: &str = "/api/sessions";
const KEY: &str = "8e03978e-40d5-43dd-bc93-6894a57f9324";
const REUSED: &str = "This Idempotency-Key was used with another body";

async fn post(caller: &Caller, key: &str, body: &Value) -> Answer {
    Answer::to(caller.request(Method::POST, PATH).header("Idempotency-Key", key).body(body.to_string())).await
}

#[tokio::test]
async fn the_same_request_is_answered_as_before_and_told_once() {
    let hall = Hall::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
    let receiver = Receiver::open().await;
    let mut body = honest(&hall.bank(5).await);
    body["webhookUrl"] = json!(receiver.url());
    let first = post(&hall.anonymous(), KEY, &body).await;
    assert_eq!(first.status, 200, "{}", first.text());
    for _ in 0..2 {
        let again = post(&hall.anonymous(), KEY, &body).await;
        assert_eq!((again.status, again.text()), (200, first.text()));
    }
    receiver.wait_for(1).await;
    receiver.expect_only(&hall, 1).await;
}

#[tokio::test]
async fn another_body_is_refused_and_another_caller_has_other_keys() {
    let hall = Hall::open().await;
    let body = honest(&hall.bank(5).await);
    let mut other = body.clone();
    other["annotations"]["studentId"] = json!("s-18");
    let anyone = hall.anonymous();
    let first = post(&anyone, KEY, &body).await.json();
    post(&anyone, KEY, &other).await.assert_error(422, REUSED);
    let student = hall.signed_in("student").await;
    let of_student = post(&student, KEY, &other).await;
    assert_eq!(of_student.status, 200, "{}", of_student.text());
    assert_ne!(of_student.json(), first);
    assert_eq!(post(&student, KEY, &other).await.json(), of_student.json());
    assert_eq!(post(&anyone, KEY, &body).await.json(), first);
}

#[tokio::test]
async fn many_at_once_on_two_servers_make_one_session() {
    let hall = Hall::open().await;
    let beside = hall.beside().await;
    let body = honest(&hall.bank(5).await);
    let callers: Vec<Caller> =
        (0..40).map(|number| if number % 2 == 0 { hall.anonymous() } else { beside.anonymous() }).collect();
    let answers = join_all(callers.iter().map(|caller| post(caller, KEY, &body))).await;
    let ids: BTreeSet<String> = answers.iter().map(|answer| answer.json()["sessionId"].to_string()).collect();
    assert_eq!(ids.len(), 1, "{ids:?}");
}

#[tokio::test]
async fn a_key_that_has_stored_nothing_is_free() {
    let hall = Hall::open().await;
    let body = honest(&hall.bank(5).await);
    let mut wrong = body.clone();
    wrong["grade"] = json!(11);
    post(&hall.anonymous(), KEY, &wrong).await.assert_error(400, "Invalid grade");
    assert_eq!(post(&hall.anonymous(), KEY, &body).await.status, 200);
}

#[tokio::test]
async fn a_key_is_kept_for_a_day() {
    let hall = Hall::open().await;
    let body = honest(&hall.bank(5).await);
    let first = post(&hall.anonymous(), KEY, &body).await.json();
    hall.clock.advance(Duration::from_secs(24 * 60 * 60 - 60));
    assert_eq!(post(&hall.anonymous(), KEY, &body).await.json(), first);
    hall.clock.advance(Duration::from_secs(120));
    let later = post(&hall.anonymous(), KEY, &body).await.json();
    assert_ne!(later, first);
    assert_eq!(post(&hall.anonymous(), KEY, &body).await.json(), later);
}

#[tokio::test]
async fn what_cannot_be_a_key_is_named() {
    let hall = Hall::open().await;
    let body = honest(&hall.bank(5).await);
    let message = "Invalid Idempotency-Key: 16 to 255 visible ASCII characters";
    for key in ["", "short", &"x".repeat(256), "sixteen with blanks", "f\u{fc}r-jede-pruefung"] {
        post(&hall.anonymous(), key, &body).await.assert_error(400, message);
    }
    let twice = hall.anonymous().request(Method::POST, PATH).header("Idempotency-Key", KEY);
    Answer::to(twice.header("Idempotency-Key", KEY).body(body.to_string())).await.assert_error(400, message);
}

mod several_servers {
    use super::*;

    /// Only Postgres has writers that wait for each other while they hold connections of the pool.
    #[tokio::test]
    async fn repeats_behind_a_request_that_stands_still_leave_connections_for_others() {
        need_services();
        let hall = Hall::open().await;
        let body = honest(&hall.bank(5).await);
        let hash: String = Sha256::digest(format!("anyone\0{KEY}")).iter().map(|byte| format!("{byte:02x}")).collect();
        let first = format!(
            "INSERT INTO session_keys (key_hash, body_hash, session_id, report_url, created_at_ms) VALUES \
         (decode('{hash}', 'hex'), decode('00', 'hex'), gen_random_uuid(), 'x', 9000000000000)"
        );
        let hold = Hold::take(&hall, "", &first).await;
        let anyone = hall.anonymous();
        let repeats = join_all((0..40).map(|_| post(&anyone, KEY, &body)));
        let others = async {
            let connection = Database::connect(hall.database_url()).await.unwrap();
            let waits = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'INSERT INTO session_keys%' AND datname = current_database()";
            let waiting = eventually("a repeat waits", async || {
                let row = Statement::from_string(connection.get_database_backend(), waits);
                let row = connection.query_one_raw(row).await.unwrap().unwrap();
                Some(row.try_get_by_index::<i64>(0).unwrap()).filter(|count| *count > 0)
            });
            let first = waiting.await;
            for number in 0..20 {
                let read = anyone.get(&format!("/api/sessions/{}", uuid::Uuid::new_v4())).await;
                assert_eq!(read.status, 404, "{}", read.text());
                let stored = post(&anyone, &format!("another-key-of-somebody-{number}"), &body).await;
                assert_eq!(stored.status, 200, "{}", stored.text());
            }
            connection.close().await.unwrap();
            hold.release().await;
            first
        };
        let (answers, waiting) = tokio::join!(repeats, others);
        assert_eq!(waiting, 1, "one of them asks the database");
        let ids: BTreeSet<String> = answers
            .iter()
            .filter(|answer| answer.status == 200)
            .map(|answer| answer.json()["sessionId"].to_string())
            .collect();
        assert_eq!(ids.len(), 1, "{ids:?}");
        for answer in answers.iter().filter(|answer| answer.status != 200) {
            assert_eq!((answer.status, answer.header("retry-after")), (503, "5"), "{}", answer.text());
        }
    }
}
