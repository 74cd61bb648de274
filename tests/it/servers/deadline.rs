//! The deadline of a student whose server is dead, and who does not come back: the others keep it.

use super::*;
use crate::hall::{Candidate, Receiver, answer, eventually};

/// From now; the lease of the dead server is longer.
const DEADLINE_MS: i64 = 2_000;
const MINUTES: i64 = 15;

#[tokio::test]
async fn the_others_submit_for_a_dead_server() {
    let mut cluster = Cluster::open(Setup::default()).await;
    let receiver = Receiver::open().await;
    let start = json!({ "grade": 5, "questionCount": 10, "durationMinutes": MINUTES, "webhookUrl": receiver.url() });
    let mut candidate = Candidate::start(&cluster.base_of(0), start).await;
    let question = candidate.paper[0].clone();
    candidate.answer(&question, "B").await;
    candidate.send(answer(&candidate.paper[1].clone(), "C")).await;
    candidate.settle().await;
    cluster.kill(0).await;

    // No clock is moved: the test of the dead server is made to have begun earlier, which nobody but the database
    // knows.
    let deadline_ms = chrono::Utc::now().timestamp_millis() + DEADLINE_MS;
    let id = &candidate.session_id;
    let started_at_ms = deadline_ms - MINUTES * 60_000;
    let change = format!(
        "UPDATE attempts SET started_at_ms = {started_at_ms}, deadline_ms = {deadline_ms} WHERE session_id = '{id}'"
    );
    assert_eq!(cluster.change(&change).await, 1);
    let path = format!("/api/sessions/{id}");
    let anonymous = cluster.anonymous();
    let stored = eventually("the others submit", async || {
        Some(anonymous.get(&path).await).filter(|answer| answer.status == 200)
    })
    .await
    .json();
    let line = |index: usize| &stored["result"]["answers"][index]["selected"];
    assert_eq!((line(0), line(1), line(2)), (&json!("B"), &json!("C"), &json!("")));

    cluster.start(0).await;
    receiver.wait_for(1).await;
    receiver.expect_no_more_than(1, Duration::from_secs(2)).await;
    assert_eq!(cluster.number("SELECT count(*) FROM sessions").await, 1);
    assert_eq!(cluster.number("SELECT count(*) FROM attempts WHERE ended_by = 'deadline'").await, 1);
}
