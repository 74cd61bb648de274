//! `extend`, `pause` and `unpause`: what the student is told, and what the clock does.

use std::time::{Duration, Instant};

use domain::order::{Order, OrderTarget};
use examhall::live::store::CommandOutcome;
use serde_json::{Value, json};

use super::{Desk, done, notice, short_test, sit};
use crate::hall::{Hall, answer, eventually, time_of};

const MINUTE: Duration = Duration::from_secs(60);
/// How many students may miss the moment on a busy machine before the test fails.
const TRIES: usize = 5;

fn minutes_between(later: &Value, earlier: &Value) -> f64 {
    (time_of(later) - time_of(earlier)).as_seconds_f64() / 60.0
}

#[tokio::test]
async fn an_extension_moves_the_deadline_and_is_told() {
    let hall = Hall::open().await;
    let desk = Desk::of(&hall).await;
    let mut candidate = sit(&hall, short_test()).await;
    desk.done(&candidate, Order::Extend { minutes: 10 }).await;
    let extended = candidate.socket().expect("extended").await;
    assert_eq!(extended["minutes"], 10);
    assert!(
        (minutes_between(&extended["deadline"], &candidate.started["deadline"]) - 10.0).abs() < f64::EPSILON,
        "{extended}"
    );
    let time = candidate.socket().sync().await;
    assert_eq!(time["deadline"], extended["deadline"]);
    assert!(extended["remainingMs"].as_i64().unwrap() >= time["remainingMs"].as_i64().unwrap(), "{extended} {time}");
    // What is over is so only after the new deadline.
    hall.clock.advance(34 * MINUTE);
    candidate.answer(&candidate.paper[0].clone(), "A").await;
    hall.clock.advance(7 * MINUTE);
    assert_eq!(candidate.socket().until("submitted").await["reason"], "deadline");
}

#[tokio::test]
async fn an_extension_just_before_the_deadline_comes_in_time() {
    let hall = Hall::open().await;
    let desk = Desk::of(&hall).await;
    for _ in 0..TRIES {
        let mut candidate = sit(&hall, short_test()).await;
        let left = candidate.socket().sync().await["remainingMs"].as_u64().unwrap();
        let began = Instant::now();
        hall.clock.advance(Duration::from_millis(left) - Duration::from_secs(2));
        // On a busy machine the order may come after the deadline, and then the server is right to refuse it.
        if desk.order(&candidate, Order::Extend { minutes: 10 }).await == CommandOutcome::AlreadySubmitted {
            assert!(began.elapsed() > Duration::from_millis(1_900), "the test was ended before its time");
            continue;
        }
        candidate.socket().until("extended").await;
        hall.clock.advance(2 * MINUTE);
        return candidate.answer(&candidate.paper[0].clone(), "B").await;
    }
    panic!("no order was in time");
}

#[tokio::test]
async fn a_pause_stops_the_clock_and_takes_nothing() {
    let hall = Hall::open().await;
    let desk = Desk::of(&hall).await;
    let mut candidate = sit(&hall, short_test()).await;
    let question = candidate.paper[0].clone();
    desk.done(&candidate, Order::Pause { text: None }).await;
    assert_eq!(candidate.socket().expect("paused").await["state"], "paused");
    let before = candidate.socket().sync().await;
    // Far beyond what the deadline was.
    hall.clock.advance(90 * MINUTE);
    let after = candidate.socket().sync().await;
    assert_eq!((&before["remainingMs"], &before["deadline"]), (&after["remainingMs"], &after["deadline"]));
    for command in [
        answer(&question, "A"),
        json!({ "type": "visit", "questionId": question }),
        json!({ "type": "eliminate", "questionId": question, "eliminated": ["D"] }),
        json!({ "type": "submit" }),
    ] {
        let seq = candidate.send(command).await;
        assert_eq!(candidate.socket().expect_error("paused").await["seq"], seq);
    }
    assert_eq!(candidate.state().await["state"], "paused");
    desk.done(&candidate, Order::Unpause).await;
    let unpaused = candidate.socket().expect("unpaused").await;
    assert!(minutes_between(&unpaused["deadline"], &candidate.started["deadline"]) >= 90.0, "{unpaused}");
    assert!(unpaused["remainingMs"].as_i64().unwrap() <= before["remainingMs"].as_i64().unwrap());
    assert!(unpaused["remainingMs"].as_i64().unwrap() > before["remainingMs"].as_i64().unwrap() - 10_000, "{unpaused}");
    // What was refused is sent again, with the numbers that it had.
    candidate.carry(1).await;
    candidate.socket().expect_saved(1).await;
    assert_eq!(candidate.state().await["answers"][0]["selected"], "A");
}

#[tokio::test]
async fn a_pause_is_no_time_that_the_student_took() {
    let hall = Hall::open().await;
    let desk = Desk::of(&hall).await;
    let mut candidate = sit(&hall, short_test()).await;
    hall.clock.advance(5 * MINUTE);
    desk.done(&candidate, Order::Pause { text: None }).await;
    candidate.socket().until("paused").await;
    hall.clock.advance(20 * MINUTE);
    desk.done(&candidate, Order::Unpause).await;
    candidate.socket().until("unpaused").await;
    hall.clock.advance(2 * MINUTE);
    let submitted = candidate.submit().await;
    let seconds = submitted["result"]["timeTaken"].as_u64().unwrap();
    assert!((420..480).contains(&seconds), "{seconds}");
}

#[tokio::test]
async fn a_pause_of_everyone_meets_who_begins_later() {
    let hall = Hall::open().await;
    let desk = Desk::of(&hall).await;
    let pause = Order::pause(Some("Fire alarm")).unwrap();
    assert_eq!(desk.ask("a", OrderTarget::All, pause).await, done(0));
    let mut candidate = hall.sit(short_test()).await;
    let paused = candidate.socket().until("paused").await;
    assert_eq!((&paused["state"], &paused["text"]), (&json!("paused"), &json!("Fire alarm")));
    let other = hall.sit(json!({ "grade": 6, "questionCount": 10 })).await;
    assert_eq!(other.state().await["state"], "active");
    hall.clock.advance(20 * MINUTE);
    assert_eq!(desk.ask("b", OrderTarget::All, Order::Unpause).await, done(1));
    let unpaused = candidate.socket().until("unpaused").await;
    let later = minutes_between(&unpaused["deadline"], &candidate.started["deadline"]);
    assert!((19.0..21.0).contains(&later), "{later}");
    // Nobody has ended this one, and another day it stops nobody.
    assert_eq!(desk.ask("c", OrderTarget::All, Order::Pause { text: None }).await, done(1));
    hall.clock.advance(13 * 60 * MINUTE);
    assert_eq!(hall.sit(short_test()).await.state().await["state"], "active");
}

#[tokio::test]
async fn alerts_that_lie_in_the_future_again_are_given_again() {
    let hall = Hall::open().await;
    let desk = Desk::of(&hall).await;
    let mut candidate = sit(&hall, short_test()).await;
    hall.clock.advance(26 * MINUTE);
    assert_eq!(candidate.socket().expect("alert").await["remainingMs"], 300_000);
    desk.done(&candidate, Order::Extend { minutes: 10 }).await;
    candidate.socket().expect("extended").await;
    hall.clock.advance(10 * MINUTE);
    assert_eq!(candidate.socket().expect("alert").await["remainingMs"], 300_000);
    for _ in 0..2 {
        hall.clock.advance(Duration::from_secs(31));
        candidate.socket().expect("time").await;
    }
}

#[tokio::test]
async fn orders_are_in_force_for_a_student_who_is_away() {
    let mut hall = Hall::open().await;
    let desk = Desk::of(&hall).await;
    let mut candidate = sit(&hall, short_test()).await;
    candidate.answer(&candidate.paper[0].clone(), "C").await;
    candidate.cut();
    desk.done(&candidate, Order::Extend { minutes: 120 }).await;
    desk.done(&candidate, Order::Pause { text: None }).await;
    eventually("the seat knows", async || Some(candidate.state().await).filter(|state| state["state"] == "paused"))
        .await;
    let resumed = candidate.resume().await;
    assert!(
        (minutes_between(&resumed["deadline"], &candidate.started["deadline"]) - 120.0).abs() < f64::EPSILON,
        "{resumed}"
    );
    // The next that is told is what comes next.
    desk.done(&candidate, notice("Soon")).await;
    candidate.socket().expect("notice").await;
    // And after a restart of the server.
    hall.stop().await;
    hall.clock.advance(600 * MINUTE);
    hall.begin().await;
    candidate.move_to(&hall.base());
    let resumed = candidate.resume().await;
    assert_eq!(resumed["state"], "paused");
    assert!(
        (minutes_between(&resumed["deadline"], &candidate.started["deadline"]) - 120.0).abs() < f64::EPSILON,
        "{resumed}"
    );
    assert!(resumed["remainingMs"].as_u64().unwrap() > 149 * 60_000, "{resumed}");
    desk.done(&candidate, Order::Unpause).await;
    let unpaused = candidate.socket().expect("unpaused").await;
    assert!(minutes_between(&unpaused["deadline"], &candidate.started["deadline"]) >= 720.0, "{unpaused}");
}

#[tokio::test]
async fn a_paused_test_outlives_its_deadline_also_without_a_seat() {
    let mut hall = Hall::open().await;
    let desk = Desk::of(&hall).await;
    let mut candidate = sit(&hall, short_test()).await;
    candidate.cut();
    let mut other = sit(&hall, short_test()).await;
    other.cut();
    hall.stop().await;
    desk.done(&candidate, Order::Pause { text: None }).await;
    hall.clock.advance(60 * MINUTE);
    hall.begin().await;
    // The sweep at the start has submitted who was not paused.
    hall.stored_session(&other.session_id).await;
    hall.anonymous()
        .get(&format!("/api/sessions/{}", candidate.session_id))
        .await
        .assert_error(404, "Session not found");
    candidate.move_to(&hall.base());
    assert_eq!(candidate.resume().await["state"], "paused");
    desk.done(&candidate, Order::Unpause).await;
    candidate.socket().expect("unpaused").await;
    hall.clock.advance(31 * MINUTE);
    assert_eq!(candidate.socket().until("submitted").await["reason"], "deadline");
}

#[tokio::test]
async fn by_https_a_paused_test_says_so() {
    let hall = Hall::open().await;
    let desk = Desk::of(&hall).await;
    let mut candidate = sit(&hall, short_test()).await;
    desk.done(&candidate, Order::Pause { text: None }).await;
    candidate.socket().expect("paused").await;
    candidate.act(answer(&candidate.paper[0].clone(), "A"));
    let body = candidate.post(&[1]).await;
    assert_eq!(
        (&body["saved"], &body["state"], &body["replies"][0]["code"], &body["replies"][0]["seq"]),
        (&json!(0), &json!("paused"), &json!("paused"), &json!(1))
    );
}

#[tokio::test]
async fn the_second_stage_waits_for_the_end_of_a_pause() {
    let hall = Hall::open().await;
    let desk = Desk::of(&hall).await;
    let mut candidate = sit(&hall, json!({ "grade": 5, "mode": "adaptive" })).await;
    desk.done(&candidate, Order::Pause { text: None }).await;
    candidate.socket().expect("paused").await;
    let seq = candidate.send(json!({ "type": "next" })).await;
    assert_eq!(candidate.socket().expect_error("paused").await["seq"], seq);
    desk.done(&candidate, Order::Unpause).await;
    candidate.socket().expect("unpaused").await;
    candidate.carry(seq).await;
    assert_eq!(candidate.socket().expect("stage").await["stage"], 2);
}
