//! A test that ended on one server and goes on by another: the seat that ended writes nothing any more.

use std::time::Instant;

use super::*;
use crate::hall::{Caller, Candidate, answer};

/// How long the proctor may wait for the servers that let go, on a busy machine.
const ANSWERED_WITHIN: Duration = Duration::from_secs(8);

#[tokio::test]
async fn a_test_that_ended_on_one_server_goes_on_by_another() {
    let cluster = Cluster::open(Setup::default()).await;
    reopen_again_and_again(&cluster, true).await;
}

#[tokio::test]
async fn a_test_goes_on_by_another_server_without_redis() {
    let mut cluster = Cluster::open(Setup::default()).await;
    cluster.redis.kill().await;
    // A page hears of it by its next question alone, which may be 25 seconds later.
    reopen_again_and_again(&cluster, false).await;
    cluster.redis.start().await;
}

/// Ends a test on each server in turn, reopens it by the next one, and goes on by the one after that.
async fn reopen_again_and_again(cluster: &Cluster, hears: bool) {
    let start = json!({ "grade": 5, "questionCount": 10, "durationMinutes": 30 });
    let mut candidate = Candidate::start(&cluster.base_of(0), start).await;
    let id = candidate.session_id.clone();
    let orders = format!("/api/live/sessions/{id}/orders");
    for round in 0..4 {
        let (ends, reopens, goes_on) = (round % 3, (round + 1) % 3, (round + 2) % 3);
        candidate.move_to(&cluster.base_of(ends));
        assert_eq!(candidate.resume().await["state"], "active", "round {round}");
        let question = candidate.paper[round].clone();
        candidate.answer(&question, "A").await;
        candidate.submit().await;
        // The seats that know of the end stay at hand, there and where somebody has asked since.
        let old = candidate.state().await;
        assert_eq!(old["state"], "submitted");
        let page = Caller::new(&cluster.base_of(goes_on), Some(&candidate.token));
        let path = format!("/api/live/{id}");
        assert_eq!(page.get(&path).await.json()["state"], "submitted", "round {round}");
        let waiting = format!("{path}?wait=reopening");
        let proctor = Caller::new(&cluster.base_of(reopens), Some(&cluster.admin));
        let order = json!({ "id": format!("again {round}"), "type": "reopen", "force": true });
        let reopening = async {
            sleep(Duration::from_millis(300)).await;
            let given_at = Instant::now();
            let answer = proctor.post_json(&orders, &order).await;
            assert_eq!((answer.status, answer.json()), (200, json!({ "count": 1 })));
            assert!(given_at.elapsed() < ANSWERED_WITHIN, "round {round}: {:?}", given_at.elapsed());
        };
        if hears {
            let (told, ()) = tokio::join!(page.get(&waiting), reopening);
            assert_eq!((told.status, &told.json()["state"]), (200, &json!("active")), "round {round}");
        } else {
            reopening.await;
        }
        // At once by the server where it ended, which must know better than its old seat.
        let seq = candidate.act(answer(&question, "B"));
        let body = candidate.post(&[seq]).await;
        assert_eq!((&body["state"], &body["replies"]), (&json!("active"), &json!([])), "round {round}");
        candidate.move_to(&cluster.base_of(goes_on));
        let resumed = candidate.resume().await;
        assert_eq!(resumed["state"], "active", "round {round}");
        let row = resumed["answers"].as_array().unwrap().iter().find(|row| row["questionId"] == question).unwrap();
        assert_eq!(row["selected"], "B", "round {round}");
    }
    candidate.submit().await;
    let versions = cluster.number("SELECT count(*) FROM session_versions").await;
    let (sessions, ended) = (
        cluster.number("SELECT count(*) FROM sessions").await,
        cluster.number("SELECT count(*) FROM attempts WHERE ended_at_ms IS NOT NULL").await,
    );
    assert_eq!((sessions, ended), (1, 1));
    // The newest one is in `sessions`, whether or not it has a row among the versions too.
    assert!([4, 5].contains(&versions), "{versions}");
}
