//! No acknowledgement before the commit: the store is blocked while a student works.

use std::time::Duration;

use futures_util::future::join_all;
use sea_orm::ConnectionTrait;

use super::{fresh_key, selected, short_test};
use crate::hall::{Hall, Heard, Hold, answer};

/// Keeps every other writer of the journal out.
async fn hold(hall: &Hall) -> Hold {
    Hold::take(hall, "DELETE FROM journal_entries WHERE seq < 0", "LOCK TABLE journal_entries IN ACCESS EXCLUSIVE MODE")
        .await
}

#[tokio::test]
async fn nothing_is_saved_before_the_commit() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let question = candidate.paper[0].clone();
    let hold = hold(&hall).await;
    candidate.send(answer(&question, "B")).await;
    candidate.socket().expect_silence(Duration::from_secs(1)).await;
    hold.release().await;
    candidate.settle().await;
    assert_eq!(selected(&candidate.resume().await, &question).as_deref(), Some("B"));
}

#[tokio::test]
async fn nothing_posted_is_answered_before_the_commit() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let question = candidate.paper[0].clone();
    let hold = hold(&hall).await;
    let seq = candidate.act(answer(&question, "C"));
    let early = tokio::time::timeout(Duration::from_secs(1), candidate.post(&[seq])).await;
    assert!(early.is_err(), "answered while nothing could be committed: {early:?}");
    hold.release().await;
    candidate.post(&[seq]).await;
    assert_eq!(selected(&candidate.state().await, &question).as_deref(), Some("C"));
}

#[tokio::test]
async fn a_student_is_told_when_nothing_can_be_saved_and_when_it_was() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let question = candidate.paper[0].clone();
    let hold = hold(&hall).await;
    let seq = candidate.send(answer(&question, "D")).await;
    let told = candidate.socket().hear_within(Duration::from_secs(40)).await;
    let Some(Heard::Frame(error)) = told else { panic!("nobody was told: {told:?}") };
    assert_eq!(error["code"], "storage_unavailable", "{error}");
    hold.release().await;
    let saved = loop {
        let Heard::Frame(frame) = candidate.socket().hear().await else { panic!("closed") };
        if frame["type"] == "saved" {
            break frame;
        }
    };
    assert!(saved["seq"].as_u64().unwrap() >= seq);
    assert_eq!(selected(&candidate.state().await, &question).as_deref(), Some("D"));
}

/// More rows than one statement of SQLite takes values for.
const WAITING_STARTS: usize = 2_000;
/// More rounds than it takes until each of them has begun.
const ROUNDS: usize = 20;

#[tokio::test]
async fn starts_that_waited_for_the_store_all_begin() {
    let hall = Hall::open().await;
    let hold = HoldStarts::take(&hall).await;
    let caller = hall.anonymous();
    let mut waiting: Vec<_> =
        (0..WAITING_STARTS).map(|_| serde_json::json!({ "grade": 5, "key": fresh_key() })).collect();
    let start = async |body| (caller.post_json("/api/live", &body).await.status, body);
    let release = async {
        tokio::time::sleep(Duration::from_secs(2)).await;
        hold.0.release().await;
    };
    let (mut answers, ()) = futures_util::future::join(join_all(waiting.drain(..).map(start)), release).await;
    // One that waited longer than a request may is told so and asks again; none may keep the others from beginning.
    for round in 1.. {
        let wrong = answers.iter().find(|(status, _)| !matches!(status, 200 | 503));
        assert!(wrong.is_none(), "{wrong:?}");
        waiting = answers.into_iter().filter(|(status, _)| *status == 503).map(|(_, body)| body).collect();
        if waiting.is_empty() {
            break;
        }
        assert!(round < ROUNDS, "{} have not begun", waiting.len());
        answers = join_all(waiting.drain(..).map(start)).await;
    }
    let mut candidate = hall.sit(short_test()).await;
    candidate.send(answer(&candidate.paper[0].clone(), "B")).await;
    candidate.settle().await;
}

/// Keeps starts from being stored.
struct HoldStarts(Hold);

impl HoldStarts {
    async fn take(hall: &Hall) -> Self {
        let hold = hold(hall).await;
        if !hall.database_url().starts_with("sqlite") {
            hold.transaction.execute_unprepared("LOCK TABLE attempts IN ACCESS EXCLUSIVE MODE").await.unwrap();
        }
        Self(hold)
    }
}
