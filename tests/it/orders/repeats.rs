//! A command is done once, however often it is sent; for one session or for all of a room; and leaves its record.

use std::time::Duration;

use domain::order::{Order, OrderTarget};
use examhall::live::store::CommandOutcome;
use futures_util::future::join_all;
use serde_json::Value;
use uuid::Uuid;

use super::{Desk, PROCTOR, notice, one, record, short_test, sit};
use crate::hall::{Candidate, Hall, eventually, time_of};

const EXTEND: Order = Order::Extend { minutes: 10 };

/// The seat must come to know that the deadline has moved by so many minutes.
async fn expect_moved(candidate: &Candidate, minutes: i64) {
    let moved = |state: &Value| (time_of(&state["deadline"]) - time_of(&candidate.started["deadline"])).num_minutes();
    eventually("the seat knows its deadline", async || {
        Some(candidate.state().await).filter(|state| moved(state) == minutes)
    })
    .await;
}

#[tokio::test]
async fn a_repeated_command_has_its_first_answer_and_is_done_once() {
    let mut hall = Hall::open().await;
    let desk = Desk::of(&hall).await;
    let mut candidate = sit(&hall, short_test()).await;
    let done = CommandOutcome::Done { count: 1 };
    let answers = join_all((0..6).map(|_| desk.ask("a", one(&candidate), EXTEND))).await;
    assert_eq!(answers, [done; 6]);
    assert_eq!(desk.ask("a", one(&candidate), Order::Pause).await, done, "whatever it says the second time");
    expect_moved(&candidate, 10).await;
    hall.restart().await;
    candidate.move_to(&hall.base());
    assert_eq!(desk.ask("a", one(&candidate), EXTEND).await, done);
    expect_moved(&candidate, 10).await;
    assert_eq!(desk.with("other@exam.test").ask("a", one(&candidate), EXTEND).await, done, "another one's command");
    assert_eq!(desk.ask("b", one(&candidate), EXTEND).await, done, "another command");
    expect_moved(&candidate, 30).await;
    desk.clock.advance(Duration::from_secs(3_500));
    assert_eq!(desk.ask("a", one(&candidate), EXTEND).await, done, "not yet an hour");
    expect_moved(&candidate, 30).await;
}

#[tokio::test]
async fn an_id_is_new_again_after_an_hour() {
    let hall = Hall::open().await;
    let desk = Desk::of(&hall).await;
    let candidate = sit(&hall, short_test()).await;
    let more = Order::Extend { minutes: 120 };
    for expected in [120, 240] {
        assert_eq!(desk.ask("a", one(&candidate), more.clone()).await, CommandOutcome::Done { count: 1 });
        expect_moved(&candidate, expected).await;
        hall.clock.advance(Duration::from_secs(3_601));
    }
}

#[tokio::test]
async fn what_is_so_already_changes_nothing() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let desk = Desk::of(&hall).await;
    let candidate = sit(&hall, short_test()).await;
    let counts = async |order: Order| match desk.order(&candidate, order).await {
        CommandOutcome::Done { count } => count,
        other => panic!("{other:?}"),
    };
    assert_eq!((counts(Order::Unpause).await, counts(Order::Pause).await, counts(Order::Pause).await), (0, 1, 0));
    assert_eq!((counts(Order::Unpause).await, counts(Order::Unpause).await), (1, 0));
    assert_eq!(record(&admin, &candidate).await.len(), 2, "only what has changed something is on the record");
}

#[tokio::test]
async fn only_sessions_of_the_room_are_reached() {
    let hall = Hall::open().await;
    let desk = Desk::of(&hall).await;
    let candidate = sit(&hall, short_test()).await;
    assert_eq!(desk.of_grade(6).order(&candidate, Order::Pause).await, CommandOutcome::UnknownSession);
    assert_eq!(desk.ask("x", OrderTarget::One(Uuid::new_v4()), Order::Pause).await, CommandOutcome::UnknownSession);
    assert_eq!(desk.of_grade(6).ask("y", OrderTarget::All, Order::Pause).await, CommandOutcome::Done { count: 0 });
    assert_eq!(candidate.state().await["state"], "active");
}

#[tokio::test]
async fn an_order_for_all_reaches_everyone_who_is_not_done() {
    let hall = Hall::open().await;
    let desk = Desk::of(&hall).await;
    let mut candidates = Vec::new();
    for _ in 0..50 {
        candidates.push(sit(&hall, short_test()).await);
    }
    candidates[0].submit().await;
    candidates[1].cut();
    desk.done(&candidates[2], Order::Pause).await;
    assert_eq!(desk.ask("all", OrderTarget::All, EXTEND).await, CommandOutcome::Done { count: 49 });
    assert_eq!(desk.ask("all", OrderTarget::All, EXTEND).await, CommandOutcome::Done { count: 49 });
    assert_eq!(desk.ask("pause", OrderTarget::All, Order::Pause).await, CommandOutcome::Done { count: 48 });
    for candidate in &mut candidates[2..] {
        assert_eq!(candidate.socket().until("extended").await["minutes"], 10);
    }
    for candidate in &candidates[1..] {
        expect_moved(candidate, 10).await;
    }
    assert_eq!(desk.ask("end", OrderTarget::All, Order::Finish).await, CommandOutcome::Done { count: 49 });
    for candidate in &candidates[1..] {
        hall.stored_session(&candidate.session_id).await;
    }
}

#[tokio::test]
async fn every_order_is_on_the_record_with_what_was_and_what_is() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let desk = Desk::of(&hall).await;
    let mut candidate = sit(&hall, short_test()).await;
    for order in [EXTEND, Order::Pause, Order::Unpause, notice("Sit down"), Order::Finish] {
        desk.done(&candidate, order).await;
    }
    candidate.socket().until("submitted").await;
    let record = record(&admin, &candidate).await;
    let kinds: Vec<&str> = record.iter().map(|(kind, _, _)| kind.as_str()).collect();
    assert_eq!(kinds, ["extend", "pause", "unpause", "notice", "finish", "submitted"]);
    assert!(record.iter().all(|(_, by, _)| by == PROCTOR), "{record:?}");
    let was = candidate.started["deadline"].as_str().unwrap();
    assert!(record[0].2.starts_with(&format!("10 minutes: deadline {was} to 20")), "{record:?}");
    assert!(
        record[1].2.starts_with("active to paused: deadline 20")
            && record[2].2.starts_with("paused to active: deadline 20"),
        "{record:?}"
    );
    assert_eq!(record[3].2, "Sit down");
}
