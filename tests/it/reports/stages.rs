//! What a report says of a live test is read from its attempt.

use serde_json::json;

use super::Report;
use super::edge::words::assert_numbers;
use crate::hall::{Hall, answer};

#[tokio::test]
async fn a_live_adaptive_test_has_its_stages() {
    let hall = Hall::open().await;
    let bank = hall.bank(8).await;
    let mut candidate =
        hall.sit(json!({ "grade": 8, "mode": "adaptive", "annotations": { "studentName": "Ada" } })).await;
    for id in candidate.paper.clone().iter().take(3) {
        candidate.send(answer(id, bank.key(id))).await;
    }
    candidate.next().await;
    let first = candidate.paper[0].clone();
    candidate.answer(&first, bank.key(&first)).await;
    candidate.submit().await;
    let session = hall.stored_session(&candidate.session_id).await;
    let report = Report::of_session(&hall.anonymous(), &candidate.session_id).await;
    let text = report.text();
    assert_numbers(&text, &session);
    assert!(text.contains("Stage 1 3 of 20") && text.contains("Stage 2 (band below 60 %) 1 of 20"), "{text}");
}
