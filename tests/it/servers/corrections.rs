//! Servers that follow a correction together, while one of them is killed and another one frozen.

use super::*;
use crate::either_database::sessions::correction_kills::copying;
use crate::hall::{Caller, Candidate};

const COPIES: usize = 6_000;
const PATH: &str = "/api/manager/corrections";

#[tokio::test]
async fn servers_share_the_tests_of_a_correction_and_do_each_once() {
    let mut cluster = Cluster::open(Setup::default()).await;
    let mut candidate = Candidate::start(cluster.base(), json!({ "grade": 5, "questionCount": 10 })).await;
    let question = candidate.paper[0].clone();
    candidate.submit().await;
    for statement in copying(true, COPIES) {
        cluster.change(&statement).await;
    }
    let admin = Caller::new(&cluster.base_of(0), Some(&cluster.admin));
    let scope = json!({ "grade": 5, "from": "2000-01-01", "to": "2100-01-01" });
    let body = json!({ "questionId": question, "kind": "all", "scope": scope });
    let made = admin.post_json(PATH, &body).await;
    assert_eq!(made.status, 200, "{}", made.text());
    let changed = "SELECT COUNT(*) FROM sessions WHERE version = 2";
    while cluster.number(changed).await < 1_000 {
        sleep(Duration::from_millis(20)).await;
    }
    cluster.kill(1).await;
    cluster.server(2).freeze().await;
    sleep(Duration::from_secs(1)).await;
    cluster.server(2).thaw().await;
    let path = format!("{PATH}/{}", made.json()["id"].as_str().unwrap());
    // It is taken back while some have followed and others have not.
    let reverted = crate::hall::Answer::to(admin.request(reqwest::Method::DELETE, &path)).await;
    assert_eq!(reverted.status, 200, "{}", reverted.text());
    let unfinished = "SELECT COUNT(*) FROM correction_steps WHERE finished_at_ms IS NULL";
    let begun = std::time::Instant::now();
    while cluster.number(unfinished).await > 0 {
        assert!(begun.elapsed() < Duration::from_secs(90), "what was left of the killed server is not done");
        sleep(Duration::from_millis(100)).await;
    }
    for (query, expected) in [
        ("SELECT COUNT(*) FROM sessions WHERE version = 2", 0),
        ("SELECT COUNT(*) FROM sessions WHERE version > 3", 0),
        ("SELECT COUNT(*) FROM session_bodies WHERE result LIKE '%\"correction\"%'", 0),
        ("SELECT COUNT(*) FROM sessions WHERE version = 3 AND version_reason <> 'reverted'", 0),
    ] {
        assert_eq!(cluster.number(query).await, expected, "{query}");
    }
    assert!(cluster.number("SELECT COUNT(*) FROM sessions WHERE version = 3").await >= 1_000);
}
