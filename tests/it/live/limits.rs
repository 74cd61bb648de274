//! Limits of a live test: commands in a second, and the size of a drawing.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tokio::time::MissedTickBehavior;

use super::{selected, short_test};
use crate::hall::{Hall, Heard, answer};

const DRAWING_BYTES_MAX: usize = 200 * 1024;
const BURST: usize = 600;

#[tokio::test]
async fn a_burst_is_slowed_down_and_loses_nothing() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(json!({ "grade": 5, "questionCount": 40 })).await;
    let paper = candidate.paper.clone();
    for number in 0..BURST {
        candidate.send(answer(&paper[number % 40], ["A", "B", "C", "D"][number / 40 % 4])).await;
    }
    let limited = count_rate_limited(&mut candidate).await;
    assert!(limited > 0 && limited < BURST, "{limited} of {BURST} were too fast");
    candidate.cut();
    candidate.resume().await;
    candidate.settle().await;
    let state = candidate.state().await;
    for (place, id) in paper.iter().enumerate() {
        let last = (0..BURST).rfind(|number| number % 40 == place).unwrap();
        assert_eq!(selected(&state, id).as_deref(), Some(["A", "B", "C", "D"][last / 40 % 4]), "{id}");
    }
    assert_eq!(state["seq"], BURST);
}

#[tokio::test]
async fn what_was_too_fast_may_be_sent_again_on_the_same_socket() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let paper = candidate.paper.clone();
    for number in 0..BURST {
        candidate.send(answer(&paper[number % 10], "A")).await;
    }
    assert!(count_rate_limited(&mut candidate).await > 0);
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    let last = candidate.send(answer(&paper[0], "B")).await;
    candidate.socket().expect_saved(last).await;
    // One of those that were refused, with its old number.
    candidate.carry(last - 1).await;
    candidate.socket().expect("saved").await;
}

/// Reads until each command is answered, as `saved` or as too fast.
async fn count_rate_limited(candidate: &mut crate::hall::Candidate) -> usize {
    let mut waiting: BTreeSet<u64> = candidate.waiting().into_iter().collect();
    let mut limited = 0;
    while !waiting.is_empty() {
        let Heard::Frame(frame) = candidate.socket().hear().await else { panic!("closed") };
        let seq = frame["seq"].as_u64().unwrap_or_default();
        match frame["code"].as_str() {
            None if frame["type"] == "saved" => waiting.retain(|waiting| *waiting > seq),
            None => assert_eq!(frame["type"], "time"),
            Some(code) => {
                assert_eq!(code, "rate_limited", "{frame}");
                assert!(waiting.remove(&seq), "{seq} was answered before");
                limited += 1;
            }
        }
    }
    limited
}

#[tokio::test]
async fn fifty_a_second_is_not_too_fast() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let mut pace = tokio::time::interval(std::time::Duration::from_millis(25));
    // Ticks that were missed on a busy machine would otherwise come all at once, faster than the limit.
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for number in 0..100 {
        pace.tick().await;
        let question = candidate.paper[number % 10].clone();
        candidate.send(answer(&question, "A")).await;
    }
    while candidate.saved.len() < 100 {
        let frame = candidate.socket().expect("saved").await;
        candidate.saved.extend(1..=frame["seq"].as_u64().unwrap());
    }
}

#[tokio::test]
async fn one_students_burst_is_not_anothers() {
    let hall = Hall::open().await;
    let (mut hasty, mut calm) = (hall.sit(short_test()).await, hall.sit(short_test()).await);
    let (of_hasty, of_calm) = (hasty.paper[0].clone(), calm.paper[0].clone());
    for _ in 0..BURST {
        hasty.send(answer(&of_hasty, "A")).await;
    }
    let seq = calm.send(answer(&of_calm, "B")).await;
    calm.socket().expect_saved(seq).await;
}

/// A drawing of exactly so many bytes of JSON.
fn drawing(bytes: usize) -> Value {
    let drawing = json!({ "d": "x".repeat(bytes - r#"{"d":""}"#.len()) });
    assert_eq!(drawing.to_string().len(), bytes);
    drawing
}

#[tokio::test]
async fn a_drawing_may_be_200_kib_and_no_more() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let question = candidate.paper[0].clone();
    let kept = drawing(DRAWING_BYTES_MAX);
    candidate.send(json!({ "type": "drawing", "questionId": question, "drawing": kept })).await;
    candidate.settle().await;
    candidate
        .socket()
        .send(
            &json!({ "type": "drawing", "seq": 2, "questionId": question, "drawing": drawing(DRAWING_BYTES_MAX + 1) }),
        )
        .await;
    assert_eq!(candidate.socket().expect_error("too_large").await["seq"], 2);
    assert_eq!(candidate.state().await["drawings"][&question], kept);
    let posted =
        candidate.try_post(&json!({ "commands": [{ "type": "drawing", "seq": 3, "questionId": question, "drawing": drawing(DRAWING_BYTES_MAX + 1) }] })).await;
    assert_eq!(posted.json()["replies"][0]["code"], "too_large", "{}", posted.text());
}

#[tokio::test]
async fn large_drawings_on_every_question_come_back_and_are_stored() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    for id in candidate.paper.clone() {
        candidate.send(json!({ "type": "drawing", "questionId": id, "drawing": drawing(DRAWING_BYTES_MAX) })).await;
        candidate.settle().await;
    }
    let resumed = candidate.resume().await;
    assert_eq!(resumed["drawings"].as_object().unwrap().len(), 10);
    candidate.submit().await;
    assert_eq!(hall.stored_session(&candidate.session_id).await["drawings"], resumed["drawings"]);
}
