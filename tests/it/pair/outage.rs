//! The data service is killed in the middle of an exam, and comes back: no student notices, and no test is lost.

use serde_json::json;

use super::{ADMIN, DataServer, ten_questions};
use crate::hall::{Answer, Candidate, Hall, Process, eventually};

/// Answers all questions rightly and submits; the id of the test.
async fn pass(front: &Hall, mut candidate: Candidate) -> String {
    let bank = front.bank(5).await;
    for id in candidate.paper.clone() {
        candidate.answer(&id, bank.key(&id)).await;
    }
    candidate.settle().await;
    assert_eq!(candidate.submit().await["result"]["score"], 800);
    candidate.session_id
}

#[tokio::test]
async fn an_exam_goes_on_while_the_data_service_is_away() {
    let mut data = DataServer::open().await;
    let mut front = data.front().await;
    let cookie = front.cookie(ADMIN).await;
    let begun = front.sit(ten_questions()).await;
    data.kill().await;
    let first = pass(&front, begun).await;
    // Others begin, and hand in by REST, from what is kept here; also after a restart.
    let second = pass(&front, front.sit(ten_questions()).await).await;
    front.restart().await;
    let third = pass(&front, front.sit(ten_questions()).await).await;
    let kept = front.stored_session(&first).await;
    assert_eq!((&kept["sessionId"], &kept["result"]["score"]), (&json!(first), &json!(800)));
    let me = Answer::to(front.anonymous().request(reqwest::Method::GET, "/api/me").header("cookie", &cookie)).await;
    assert_eq!((me.status, &me.json()["role"]), (200, &json!("admin")), "nobody is signed out");
    let questions = Answer::to(
        front.anonymous().request(reqwest::Method::GET, "/api/admin/questions?grade=5").header("cookie", &cookie),
    )
    .await;
    questions.assert_error(502, "External data provider failed");
    data.come_back().await;
    front.clock.advance(std::time::Duration::from_secs(60));
    for id in [first, second, third] {
        assert_eq!(data.session(&id).await, front.stored_session(&id).await);
    }
}

#[tokio::test]
async fn a_test_that_waits_for_the_data_service_outlives_a_kill_here() {
    let mut data = DataServer::open().await;
    let mut front = data.front().await;
    let bank = front.bank(5).await;
    front.stop().await;
    let process = Process::serve(front.settings()).await;
    data.kill().await;
    let mut candidate = Candidate::start(process.base(), ten_questions()).await;
    for id in candidate.paper.clone() {
        candidate.answer(&id, bank.key(&id)).await;
    }
    candidate.settle().await;
    candidate.submit().await;
    eventually("it was sent in vain", async || process.log().contains("does not take what it is sent").then_some(()))
        .await;
    process.kill().await;
    data.come_back().await;
    assert!(!data.has_session(&candidate.session_id).await);
    // Another attempt may have been under way at the kill. By this time its claim is over.
    front.clock.advance(std::time::Duration::from_secs(60));
    front.begin().await;
    let there = data.session(&candidate.session_id).await;
    assert_eq!(there, front.anonymous().get(&format!("/api/sessions/{}", candidate.session_id)).await.json());
}

#[tokio::test]
async fn a_server_starts_without_its_data_service_and_finds_it_later() {
    let mut data = DataServer::open().await;
    data.kill().await;
    let front = data.front().await;
    front.anonymous().get("/api/questions?grade=5").await.assert_error(502, "External data provider failed");
    data.come_back().await;
    let bank = eventually("the bank has come", async || {
        Some(front.anonymous().get("/api/questions?grade=5").await).filter(|answer| answer.status == 200)
    })
    .await;
    assert_eq!(bank.json().as_array().unwrap().len(), 120);
}
