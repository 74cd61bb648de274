//! No acknowledgement before the commit: the store is blocked while a student works.

use std::time::Duration;

use sea_orm::ConnectionTrait;

use super::{selected, short_test};
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

#[tokio::test]
async fn starts_that_waited_for_the_store_all_begin() {
    let hall = Hall::open().await;
    let hold = HoldStarts::take(&hall).await;
    let caller = hall.anonymous();
    let body = serde_json::json!({ "grade": 5 });
    let starts = futures_util::future::join_all((0..WAITING_STARTS).map(|_| caller.post_json("/api/live", &body)));
    let release = async {
        tokio::time::sleep(Duration::from_secs(2)).await;
        hold.0.release().await;
    };
    let (answers, ()) = futures_util::future::join(starts, release).await;
    // One that waited longer than a request may is told so; none may keep the others from beginning.
    let begun = answers.iter().filter(|answer| answer.status == 200).count();
    assert!(
        answers.iter().all(|answer| matches!(answer.status, 200 | 503)),
        "{:?}",
        answers.iter().map(|answer| answer.status).max()
    );
    assert!(begun > 0, "nobody began");
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
