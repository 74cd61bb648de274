//! `reopen` before the end it is to take back was carried out, and while no server runs.

use domain::order::Order;
use examhall::live::store::CommandOutcome;
use serde_json::json;

use super::{Desk, short_test, sit};
use crate::hall::Hall;

fn reopen() -> Order {
    Order::reopen(None, false).unwrap()
}

#[tokio::test]
async fn an_end_that_nobody_has_carried_out_yet_is_taken_back() {
    let mut hall = Hall::open().await;
    let desk = Desk::of(&hall).await;
    let mut candidate = sit(&hall, short_test()).await;
    candidate.answer(&candidate.paper[0].clone(), "A").await;
    candidate.cut();
    hall.stop().await;
    assert_eq!(desk.order(&candidate, reopen()).await, CommandOutcome::NotSubmitted);
    desk.done(&candidate, Order::Finish).await;
    desk.done(&candidate, reopen()).await;
    assert_eq!(desk.order(&candidate, reopen()).await, CommandOutcome::NotSubmitted);
    hall.begin().await;
    candidate.move_to(&hall.base());
    assert_eq!(candidate.resume().await["state"], "active");
    let submitted = candidate.submit().await;
    assert_eq!((&submitted["reason"], &submitted["result"]["totalQuestions"]), (&json!("student"), &json!(10)));
    let stored = hall.stored_session(&candidate.session_id).await;
    assert_eq!((&stored["version"], stored.get("reason")), (&json!(1), None), "it has never ended before");
}

#[tokio::test]
async fn an_end_that_is_being_carried_out_comes_before_the_reopening_or_never() {
    let hall = Hall::open().await;
    let desk = Desk::of(&hall).await;
    for _ in 0..6 {
        let mut candidate = sit(&hall, short_test()).await;
        let question = candidate.paper[0].clone();
        candidate.answer(&question, "A").await;
        candidate.cut();
        desk.done(&candidate, Order::Finish).await;
        let outcome = desk.order(&candidate, Order::reopen(None, true).unwrap()).await;
        assert_eq!(outcome, super::done(1));
        // The desk tells no server, so that an old seat is found out by the database alone.
        let resumed = crate::hall::eventually("the test goes on", async || {
            Some(candidate.resume().await).filter(|resumed| resumed["state"] == "active")
        })
        .await;
        assert_eq!(resumed["answers"][0]["selected"], "A");
        candidate.submit().await;
    }
}

#[tokio::test]
async fn one_that_was_ordered_while_no_server_ran_comes_with_the_next_one() {
    let mut hall = Hall::open().await;
    let desk = Desk::of(&hall).await;
    let mut candidate = sit(&hall, short_test()).await;
    candidate.answer(&candidate.paper[1].clone(), "B").await;
    candidate.submit().await;
    hall.stop().await;
    assert_eq!(desk.order(&candidate, reopen()).await, CommandOutcome::AnswersSeen);
    desk.done(&candidate, Order::reopen(Some(7), true).unwrap()).await;
    hall.begin().await;
    candidate.move_to(&hall.base());
    let resumed = candidate.resume().await;
    assert_eq!((&resumed["state"], &resumed["answers"][0]["selected"]), (&json!("active"), &json!("B")));
    assert!(resumed["remainingMs"].as_u64().unwrap() > 36 * 60_000, "{resumed}");
    candidate.submit().await;
    assert_eq!(hall.stored_session(&candidate.session_id).await["version"], 2);
}
