//! SIGSTOP of a server for longer than its lease, and SIGCONT: its students are served elsewhere, and it may not write
//! when it wakes.

use super::*;
use crate::hall::{Candidate, Heard, answer};

/// Longer than a lease, and than any wait of a client.
const FROZEN: Duration = Duration::from_secs(20);
/// Far above the numbers that the other road uses: without a fence these commands would win.
const LATE_SEQ: u64 = 1_000;

#[tokio::test]
async fn a_frozen_server_is_replaced_and_may_not_write_when_it_wakes() {
    let cluster = Cluster::open(Setup::default()).await;
    let mut candidate = Candidate::start(&cluster.base_of(0), json!({ "grade": 6, "questionCount": 10 })).await;
    let question = candidate.paper[0].clone();
    candidate.answer(&question, "A").await;
    let exam = Exam::begin(&cluster).await;

    cluster.server(0).freeze().await;
    let mut late = answer(&question, "C");
    late["seq"] = json!(LATE_SEQ);
    // The kernel takes it; the server will read it when it wakes.
    candidate.socket().send(&late).await;
    let mut elsewhere = candidate.elsewhere(&cluster.base_of(1)).await;
    elsewhere.answer(&question, "B").await;
    let thawing = async {
        sleep(FROZEN).await;
        cluster.server(0).thaw().await;
    };
    let saving = async {
        for _ in 0..3 {
            exam.everyone_saves_within(Duration::from_secs(15)).await;
        }
    };
    tokio::join!(thawing, saving);

    expect_nothing_saved(&mut candidate).await;
    let other_question = elsewhere.paper[1].clone();
    elsewhere.answer(&other_question, "D").await;
    let state = elsewhere.state().await;
    let row = state["answers"].as_array().unwrap().iter().find(|row| row["questionId"] == question.as_str()).unwrap();
    assert_eq!(row["selected"], "B", "the frozen server has written: {row}");
    assert_eq!(elsewhere.submit().await["reason"], "student");
    exam.end(&cluster).await;
}

/// The server that has woken closes the socket without having called anything saved.
async fn expect_nothing_saved(candidate: &mut Candidate) {
    while let Heard::Frame(frame) = candidate.socket().hear().await {
        assert_ne!(frame["type"], "saved", "the frozen server called it saved: {frame}");
    }
}
