//! `finish`: the test is submitted, whether or not its student or its server is there.

use domain::order::Order;
use examhall::live::store::CommandOutcome;
use serde_json::{Value, json};

use super::{Desk, PROCTOR, notice, record, short_test, sit};
use crate::hall::{Hall, Receiver};

#[tokio::test]
async fn a_proctor_ends_the_test_of_a_student_who_is_there() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let desk = Desk::of(&hall).await;
    let mut candidate = sit(&hall, short_test()).await;
    candidate.answer(&candidate.paper[0].clone(), "A").await;
    desk.done(&candidate, Order::Finish).await;
    let submitted = candidate.socket().expect("submitted").await;
    assert_eq!((&submitted["reason"], &submitted["sessionId"]), (&json!("proctor"), &json!(candidate.session_id)));
    candidate.socket().expect_close(1000).await;
    assert_eq!(hall.stored_session(&candidate.session_id).await["result"], submitted["result"]);
    for order in [Order::Finish, Order::Pause { text: None }, Order::Extend { minutes: 5 }, notice("Too late")] {
        assert_eq!(desk.order(&candidate, order).await, CommandOutcome::AlreadySubmitted);
    }
    let record = record(&admin, &candidate).await;
    let kinds: Vec<(&str, &str)> = record.iter().map(|(kind, by, _)| (kind.as_str(), by.as_str())).collect();
    assert_eq!(kinds, [("finish", PROCTOR), ("submitted", PROCTOR)]);
    assert_eq!(record[1].2, "proctor");
}

#[tokio::test]
async fn a_student_who_is_away_is_submitted_once_and_told_once() {
    let hall = Hall::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
    let receiver = Receiver::open().await;
    let desk = Desk::of(&hall).await;
    let mut candidate = sit(&hall, with_webhook(&receiver)).await;
    candidate.cut();
    desk.done(&candidate, Order::Finish).await;
    hall.stored_session(&candidate.session_id).await;
    let calls = receiver.wait_for(1).await;
    assert_eq!(calls[0].json()["sessionId"], candidate.session_id.as_str());
    let resumed = candidate.resume().await;
    assert_eq!((&resumed["state"], &resumed["reason"]), (&json!("submitted"), &json!("proctor")));
    receiver.expect_only(&hall, 1).await;
}

fn with_webhook(receiver: &Receiver) -> Value {
    json!({ "grade": 5, "questionCount": 10, "webhookUrl": receiver.url() })
}

#[tokio::test]
async fn an_end_that_was_ordered_while_no_server_ran_comes_with_the_next_one() {
    let mut hall = Hall::open().await;
    let desk = Desk::of(&hall).await;
    let mut candidate = sit(&hall, short_test()).await;
    candidate.cut();
    hall.stop().await;
    desk.done(&candidate, Order::Pause { text: None }).await;
    desk.done(&candidate, Order::Finish).await;
    hall.begin().await;
    let stored = hall.stored_session(&candidate.session_id).await;
    assert_eq!(stored["sessionId"], candidate.session_id.as_str());
    candidate.move_to(&hall.base());
    assert_eq!(candidate.resume().await["state"], "submitted");
}

#[tokio::test]
async fn an_adaptive_test_has_both_stages_also_when_a_proctor_ends_it() {
    let hall = Hall::open().await;
    let desk = Desk::of(&hall).await;
    let mut candidate = sit(&hall, json!({ "grade": 5, "mode": "adaptive" })).await;
    desk.done(&candidate, Order::Pause { text: None }).await;
    candidate.socket().expect("paused").await;
    desk.done(&candidate, Order::Finish).await;
    let submitted = candidate.socket().expect("submitted").await;
    assert_eq!((&submitted["reason"], &submitted["result"]["totalQuestions"]), (&json!("proctor"), &json!(40)));
}

#[tokio::test]
async fn an_order_that_the_seat_does_not_know_yet_holds_no_submission_up() {
    let hall = Hall::open().await;
    let desk = Desk::of(&hall).await;
    let mut candidate = sit(&hall, short_test()).await;
    desk.done(&candidate, notice("Hand in, please")).await;
    candidate.send(json!({ "type": "submit" })).await;
    assert_eq!(candidate.socket().until("submitted").await["reason"], "student");
}
