//! A command is done once, however often it is sent; for one session or for all of a room; and leaves its record.

use std::time::Duration;

use domain::order::{Order, OrderTarget};
use examhall::live::store::{CarriedOut, CommandOutcome};
use futures_util::future::join_all;
use migration::Migrator;
use migration::sea_orm_migration::MigratorTrait;
use sea_orm::{ConnectionTrait, Database};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Desk, PROCTOR, done, notice, one, record, short_test, sit};
use crate::hall::{Candidate, Hall, Proctor, eventually, time_of};

/// The steps of the schema before orders were kept by connection.
const STEPS_BEFORE: usize = 12;
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
    let answers = join_all((0..6).map(|_| desk.ask("a", one(&candidate), EXTEND))).await;
    assert!(answers.iter().all(|answer| *answer == done(1)), "{answers:?}");
    let again = desk.reconnected();
    assert_eq!(again.ask("a", one(&candidate), EXTEND).await, done(1), "on another connection");
    for desk in [&desk, &again] {
        let other = desk.ask("a", one(&candidate), Order::Pause { text: None }).await;
        assert_eq!(other, CommandOutcome::IdReused, "on a connection that has the id");
    }
    expect_moved(&candidate, 10).await;
    assert_eq!(candidate.state().await["state"], "active");
    hall.restart().await;
    candidate.move_to(&hall.base());
    assert_eq!(desk.ask("a", one(&candidate), EXTEND).await, done(1));
    expect_moved(&candidate, 10).await;
    assert_eq!(desk.with("other@exam.test").ask("a", one(&candidate), EXTEND).await, done(1), "another one's command");
    assert_eq!(desk.ask("b", one(&candidate), EXTEND).await, done(1), "another command");
    expect_moved(&candidate, 30).await;
    desk.clock.advance(Duration::from_secs(3_500));
    assert_eq!(desk.ask("a", one(&candidate), EXTEND).await, done(1), "not yet an hour");
    expect_moved(&candidate, 30).await;
}

#[tokio::test]
async fn two_sockets_may_both_number_from_one() {
    let hall = Hall::open().await;
    let token = hall.token("admin").await;
    let [ada, mut bo] = [sit(&hall, short_test()).await, sit(&hall, short_test()).await];
    let watching = async || Proctor::watching(&hall.base(), &token, &json!({ "grade": 5 })).await;
    let (mut first, mut second) = (watching().await, watching().await);
    let extend = |of: &Candidate| json!({ "id": "1", "type": "extend", "sessionId": of.session_id, "minutes": 10 });
    assert_eq!((first.done(extend(&ada)).await, second.done(extend(&bo)).await), (1, 1));
    expect_moved(&ada, 10).await;
    expect_moved(&bo, 10).await;
    let finish = json!({ "id": "1", "type": "finish", "sessionId": "*" });
    for socket in [&mut first, &mut second] {
        let refused = socket.command(finish.clone()).await;
        assert_eq!((&refused["type"], &refused["code"]), (&json!("error"), &json!("id_reused")), "{refused}");
    }
    // Whoever has lost a connection sends again what was not answered, and numbers on from there.
    let mut third = watching().await;
    assert_eq!(third.done(extend(&ada)).await, 1);
    expect_moved(&ada, 10).await;
    assert_eq!(third.command(finish.clone()).await["code"], "id_reused");
    assert_eq!(watching().await.done(finish).await, 2);
    bo.socket().until("submitted").await;
}

#[tokio::test]
async fn what_was_refused_for_its_room_may_be_given_in_another() {
    let hall = Hall::open().await;
    let desk = Desk::of(&hall).await;
    let candidate = sit(&hall, short_test()).await;
    assert_eq!(desk.of_grade(6).ask("a", one(&candidate), EXTEND).await, CommandOutcome::UnknownSession);
    assert_eq!(desk.ask("a", one(&candidate), EXTEND).await, done(1));
    expect_moved(&candidate, 10).await;
}

#[tokio::test]
async fn an_order_from_before_the_upgrade_is_not_done_again() {
    let mut hall = Hall::open().await;
    let mut candidate = sit(&hall, short_test()).await;
    hall.stop().await;
    let connection = Database::connect(hall.database_url()).await.unwrap();
    let steps = u32::try_from(Migrator::migrations().len() - STEPS_BEFORE).unwrap();
    Migrator::down(&connection, Some(steps)).await.unwrap();
    let at_ms = hall.clock.now().milliseconds();
    let earlier = format!(
        r#"INSERT INTO proctor_commands VALUES ('{PROCTOR}', 'grade:5', '"a"', {at_ms}, '{{"done":{{"count":7}}}}')"#
    );
    connection.execute_unprepared(&earlier).await.unwrap();
    Migrator::up(&connection, None).await.unwrap();
    connection.close().await.unwrap();
    hall.begin().await;
    candidate.move_to(&hall.base());
    let desk = Desk::of(&hall).await;
    for desk in [&desk, &desk.reconnected()] {
        let answer = desk.ask("\"a\"", one(&candidate), EXTEND).await;
        assert_eq!(answer, done(7), "as it was answered");
    }
    expect_moved(&candidate, 0).await;
    assert_eq!(desk.of_grade(6).reconnected().ask("\"a\"", OrderTarget::All, EXTEND).await, done(0));
}

#[tokio::test]
async fn an_id_is_new_again_after_an_hour() {
    let hall = Hall::open().await;
    let desk = Desk::of(&hall).await;
    let candidate = sit(&hall, short_test()).await;
    let more = Order::Extend { minutes: 120 };
    for expected in [120, 240] {
        assert_eq!(desk.ask("a", one(&candidate), more.clone()).await, done(1));
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
        CommandOutcome::Done(CarriedOut { count, .. }) => count,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        (
            counts(Order::Unpause).await,
            counts(Order::Pause { text: None }).await,
            counts(Order::Pause { text: None }).await
        ),
        (0, 1, 0)
    );
    assert_eq!((counts(Order::Unpause).await, counts(Order::Unpause).await), (1, 0));
    assert_eq!(record(&admin, &candidate).await.len(), 2, "only what has changed something is on the record");
}

#[tokio::test]
async fn only_sessions_of_the_room_are_reached() {
    let hall = Hall::open().await;
    let desk = Desk::of(&hall).await;
    let candidate = sit(&hall, short_test()).await;
    assert_eq!(desk.of_grade(6).order(&candidate, Order::Pause { text: None }).await, CommandOutcome::UnknownSession);
    assert_eq!(
        desk.ask("x", OrderTarget::One(Uuid::new_v4()), Order::Pause { text: None }).await,
        CommandOutcome::UnknownSession
    );
    assert_eq!(desk.of_grade(6).ask("y", OrderTarget::All, Order::Pause { text: None }).await, done(0));
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
    desk.done(&candidates[2], Order::Pause { text: None }).await;
    assert_eq!(desk.ask("all", OrderTarget::All, EXTEND).await, done(49));
    assert_eq!(desk.ask("all", OrderTarget::All, EXTEND).await, done(49));
    let paused = desk.ask("pause", OrderTarget::All, Order::Pause { text: None }).await;
    assert!(
        matches!(paused, CommandOutcome::Done(CarriedOut { count: 48, unchanged_count: 1, .. })),
        "one stands still already: {paused:?}"
    );
    for candidate in &mut candidates[2..] {
        assert_eq!(candidate.socket().until("extended").await["minutes"], 10);
    }
    for candidate in &candidates[1..] {
        expect_moved(candidate, 10).await;
    }
    assert_eq!(desk.ask("end", OrderTarget::All, Order::Finish).await, done(49));
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
    for order in [EXTEND, Order::Pause { text: None }, Order::Unpause, notice("Sit down"), Order::Finish] {
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
