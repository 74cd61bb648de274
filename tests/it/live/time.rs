//! The server's clock rules: `sync`, alerts, the deadline and its grace.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{selected, short_test};
use crate::hall::{Candidate, Hall, Heard, answer, time_of};

const MINUTE: Duration = Duration::from_secs(60);
/// How many students may miss the moment on a busy machine before the test fails.
const TRIES: usize = 5;

fn remaining(frame: &Value) -> Duration {
    Duration::from_millis(frame["remainingMs"].as_u64().unwrap_or_else(|| panic!("{frame}")))
}

#[tokio::test]
async fn sync_gives_the_time_and_its_own_number_back() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    for t in [json!(0), json!(1.5), json!(-3), json!(1_767_603_600_123_u64), json!(1e-7)] {
        candidate.socket().send(&json!({ "type": "sync", "t": t })).await;
        let time = candidate.socket().expect_time(&t).await;
        assert_eq!(time["deadline"], candidate.started["deadline"]);
        let left = (time_of(&time["deadline"]) - time_of(&time["serverTime"])).num_milliseconds();
        assert!((left - time["remainingMs"].as_i64().unwrap()).abs() <= 50, "{time}");
    }
}

#[tokio::test]
async fn the_servers_clock_is_the_one_that_counts() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    hall.clock.advance(10 * MINUTE);
    let time = candidate.socket().sync().await;
    assert!(remaining(&time) <= 20 * MINUTE && remaining(&time) > 19 * MINUTE, "{time}");
    assert_eq!(time["deadline"], candidate.started["deadline"]);
}

#[tokio::test]
async fn the_time_is_sent_unasked() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    hall.clock.advance(Duration::from_secs(31));
    let frame = candidate.socket().expect("time").await;
    assert!(remaining(&frame) < 30 * MINUTE - Duration::from_secs(30), "{frame}");
}

#[tokio::test]
async fn a_long_test_is_alerted_twice_and_each_once() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(json!({ "grade": 5, "mode": "adaptive" })).await;
    hall.clock.advance(59 * MINUTE);
    candidate.socket().sync().await;
    hall.clock.advance(MINUTE);
    assert_eq!(candidate.socket().expect("alert").await["remainingMs"], 600_000);
    expect_only_the_time(&hall, &mut candidate).await;
    candidate.resume().await;
    expect_only_the_time(&hall, &mut candidate).await;
    hall.clock.advance(3 * MINUTE);
    assert_eq!(candidate.socket().until("alert").await["remainingMs"], 300_000);
    expect_only_the_time(&hall, &mut candidate).await;
}

/// A minute in which the student is told the time, and nothing else: an alert would come with it, or between the two.
async fn expect_only_the_time(hall: &Hall, candidate: &mut Candidate) {
    for _ in 0..2 {
        hall.clock.advance(Duration::from_secs(31));
        candidate.socket().expect("time").await;
    }
}

#[tokio::test]
async fn a_test_of_thirty_minutes_is_alerted_at_five_alone() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    hall.clock.advance(20 * MINUTE);
    expect_only_the_time(&hall, &mut candidate).await;
    hall.clock.advance(4 * MINUTE);
    assert_eq!(candidate.socket().expect("alert").await["remainingMs"], 300_000);
}

#[tokio::test]
async fn the_server_submits_at_the_deadline() {
    let hall = Hall::open().await;
    let bank = hall.bank(5).await;
    let mut candidate = hall.sit(short_test()).await;
    let question = candidate.paper[0].clone();
    candidate.answer(&question, bank.key(&question)).await;
    hall.clock.advance(30 * MINUTE);
    let submitted = candidate.socket().until("submitted").await;
    assert_eq!((&submitted["reason"], &submitted["sessionId"]), (&json!("deadline"), &json!(candidate.session_id)));
    assert_eq!(submitted["result"]["correctAnswers"], 1);
    candidate.socket().expect_close(1000).await;
    assert_eq!(hall.stored_session(&candidate.session_id).await["result"], submitted["result"]);
}

#[tokio::test]
async fn the_server_submits_who_is_not_there() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let question = candidate.paper[0].clone();
    candidate.answer(&question, "A").await;
    candidate.cut();
    hall.clock.advance(31 * MINUTE);
    assert_answered(&hall.stored_session(&candidate.session_id).await, &question);
    assert_eq!(candidate.state().await["state"], "submitted");
}

#[tokio::test]
async fn a_deadline_that_passed_while_the_server_was_down_is_kept_afterwards() {
    let mut hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let question = candidate.paper[0].clone();
    candidate.answer(&question, "A").await;
    candidate.cut();
    hall.stop().await;
    hall.clock.advance(45 * MINUTE);
    hall.begin().await;
    let stored = hall.stored_session(&candidate.session_id).await;
    assert_answered(&stored, &question);
    candidate.move_to(&hall.base());
    assert_eq!(candidate.resume().await["state"], "submitted");
}

fn assert_answered(stored: &Value, question: &str) {
    let lines = stored["result"]["answers"].as_array().unwrap();
    assert_eq!(lines.len(), 10, "{stored}");
    let answered: Vec<&str> =
        lines.iter().filter(|line| line["selected"] == "A").map(|line| line["questionId"].as_str().unwrap()).collect();
    assert_eq!(answered, [question]);
    assert_eq!(stored["verified"], true);
}

/// Moves the clock to so long after the deadline; negative is before it.
async fn move_past_deadline(hall: &Hall, candidate: &mut Candidate, by_ms: i64) {
    let left = remaining(&candidate.socket().sync().await);
    hall.clock.advance(Duration::from_millis(u64::try_from(i64::try_from(left.as_millis()).unwrap() + by_ms).unwrap()));
}

#[tokio::test]
async fn commands_up_to_two_seconds_late_still_count() {
    let hall = Hall::open().await;
    for _ in 0..TRIES {
        let mut candidate = hall.sit(short_test()).await;
        let question = candidate.paper[0].clone();
        let began = Instant::now();
        move_past_deadline(&hall, &mut candidate, 200).await;
        candidate.send(answer(&question, "D")).await;
        let (submitted, is_saved) = until_submitted(&mut candidate).await;
        let line = submitted["result"]["answers"]
            .as_array()
            .unwrap()
            .iter()
            .find(|line| line["questionId"] == question.as_str())
            .unwrap();
        assert_eq!(line["selected"] == "D", is_saved, "{line}");
        if is_saved {
            return;
        }
        // Only a busy machine can have delayed it beyond the grace period.
        assert!(began.elapsed() > Duration::from_millis(1_800), "late after {:?}", began.elapsed());
    }
    panic!("no command was in time");
}

/// What a student hears at the end, and whether something was saved before it.
async fn until_submitted(candidate: &mut Candidate) -> (Value, bool) {
    let mut is_saved = false;
    loop {
        let Heard::Frame(frame) = candidate.socket().hear().await else { panic!("closed before it was submitted") };
        is_saved |= frame["type"] == "saved";
        // A clock that is put forward finds late what was still being stored, and says so.
        let is_expected = frame["code"] == "late" || frame["code"] == "storage_unavailable";
        assert!(frame["type"] != "error" || is_expected, "{frame}");
        if frame["type"] == "submitted" {
            return (frame, is_saved);
        }
    }
}

#[tokio::test]
async fn later_commands_are_late() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let question = candidate.paper[0].clone();
    move_past_deadline(&hall, &mut candidate, 2_500).await;
    let mut command = answer(&question, "D");
    command["seq"] = json!(1);
    let posted = candidate.try_post(&json!({ "commands": [command] })).await;
    assert_eq!(posted.status, 200, "{}", posted.text());
    assert_eq!(posted.json()["replies"][0]["code"], "late", "{}", posted.text());
    let stored = hall.stored_session(&candidate.session_id).await;
    assert!(stored["result"]["answers"].as_array().unwrap().iter().all(|line| line["selected"] == ""), "{stored}");
}

#[tokio::test]
async fn submit_after_the_deadline_gives_the_session_of_the_deadline() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    hall.clock.advance(31 * MINUTE);
    candidate.socket().until("submitted").await;
    let posted = candidate.try_post(&json!({ "commands": [{ "type": "submit", "seq": 1 }] })).await.json();
    assert_eq!(
        (&posted["replies"][0]["type"], &posted["replies"][0]["reason"], &posted["state"]),
        (&json!("submitted"), &json!("deadline"), &json!("submitted"))
    );
}

#[tokio::test]
async fn a_student_who_returns_after_the_deadline_finds_the_test_submitted() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let question = candidate.paper[0].clone();
    candidate.answer(&question, "C").await;
    candidate.cut();
    hall.clock.advance(40 * MINUTE);
    let resumed = crate::hall::eventually("the session is submitted", async || {
        Some(candidate.resume().await).filter(|resumed| resumed["state"] == "submitted")
    })
    .await;
    assert_eq!(selected(&resumed, &question).as_deref(), Some("C"));
    assert!(resumed["reportUrl"].as_str().unwrap().ends_with(&candidate.session_id));
    assert_eq!(resumed["reason"], "deadline");
}
