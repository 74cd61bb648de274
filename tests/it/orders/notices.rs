//! `notice`: a proctor's message reaches the student once.

use serde_json::json;

use super::{Desk, PROCTOR, notice, short_test, sit};
use crate::hall::{Candidate, Hall};

#[tokio::test]
async fn a_student_who_is_there_is_told() {
    let hall = Hall::open().await;
    let desk = Desk::of(&hall).await;
    let mut candidate = sit(&hall, short_test()).await;
    let text = "Sit \"down\",\nplease 🦀";
    desk.done(&candidate, notice(text)).await;
    assert_eq!(candidate.socket().expect("notice").await, json!({ "type": "notice", "text": text, "from": PROCTOR }));
    candidate.resume().await;
    expect_next(&desk, &mut candidate, "and again").await;
}

/// Gives another notice, which is the next that the student is told: no earlier one comes again.
async fn expect_next(desk: &Desk, candidate: &mut Candidate, text: &str) {
    desk.done(candidate, notice(text)).await;
    assert_eq!(candidate.socket().expect("notice").await["text"], text);
}

#[tokio::test]
async fn a_student_who_returns_is_told_once_and_in_order() {
    let mut hall = Hall::open().await;
    let desk = Desk::of(&hall).await;
    let mut candidate = sit(&hall, short_test()).await;
    candidate.cut();
    for text in ["one", "two"] {
        desk.done(&candidate, notice(text)).await;
    }
    hall.restart().await;
    desk.done(&candidate, notice("three")).await;
    candidate.move_to(&hall.base());
    candidate.resume().await;
    for text in ["one", "two", "three"] {
        assert_eq!(candidate.socket().expect("notice").await["text"], text);
    }
    candidate.resume().await;
    expect_next(&desk, &mut candidate, "four").await;
    hall.restart().await;
    candidate.move_to(&hall.base());
    candidate.resume().await;
    expect_next(&desk, &mut candidate, "five").await;
}

#[tokio::test]
async fn of_many_notices_the_last_fifty_are_told() {
    let mut hall = Hall::open().await;
    let desk = Desk::of(&hall).await;
    let mut candidate = sit(&hall, short_test()).await;
    candidate.cut();
    for number in 0..53 {
        desk.done(&candidate, notice(&number.to_string())).await;
    }
    hall.restart().await;
    candidate.move_to(&hall.base());
    candidate.resume().await;
    for number in 3..53 {
        assert_eq!(candidate.socket().expect("notice").await["text"], number.to_string());
    }
    expect_next(&desk, &mut candidate, "the last").await;
}
