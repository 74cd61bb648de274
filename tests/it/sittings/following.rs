//! Releases while tests still follow a corrected key: nobody is told a score that changes at once.

use std::time::Duration;

use futures_util::future::join;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::correction_embargo::{at_work, correct, versions};
use super::release::let_rules_release_others;
use super::{School, path};
use crate::hall::{Answer, Candidate, eventually};

/// A student has handed in, and a key is corrected. As if another server had their test, it does not follow.
async fn left_behind(school: &School, plan: Value) -> (Value, Candidate) {
    let sitting = school.sitting(5, plan).await;
    let mut student = at_work(school, &sitting).await;
    student.submit().await;
    assert_eq!(foreseen(school, &sitting).await, 0);
    let question = student.paper[0].clone();
    correct(school, &sitting, &question).await;
    assert_eq!(foreseen(school, &sitting).await, 0, "all have followed");
    let session_id: Uuid = student.session_id.parse().unwrap();
    for (statement, values) in [
        ("UPDATE sessions SET corrections_mark = 0 WHERE session_id = $1", vec![session_id.into()]),
        (
            "INSERT INTO correction_pieces (step, piece, first_id, last_id, done, fence, leased_until_ms) \
             VALUES (1, 0, $1, $1, 0, 1, 9000000000000000)",
            vec![session_id.into()],
        ),
        ("UPDATE correction_steps SET finished_at_ms = NULL WHERE number = 1", Vec::new()),
    ] {
        school.execute(statement, values).await.unwrap();
    }
    (sitting, student)
}

/// The other server has died, and the test follows here within seconds.
async fn follow(school: &School) {
    school.execute("UPDATE correction_pieces SET leased_until_ms = 0", Vec::new()).await.unwrap();
    school.hall.clock.advance(Duration::from_secs(3));
}

async fn release(school: &School, sitting: &Value, query: &str) -> Answer {
    Answer::to(school.admin.request(Method::POST, &format!("{}/release{query}", path(sitting)))).await
}

/// How many tests a release would wait for.
async fn foreseen(school: &School, sitting: &Value) -> Value {
    let answer = release(school, sitting, "?dryRun=true").await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["following"].clone()
}

async fn is_released(school: &School, sitting: &Value) -> bool {
    school.read(sitting).await["released"] == true
}

#[tokio::test]
async fn a_release_by_hand_waits_for_tests_that_still_follow() {
    let school = School::open().await;
    let (sitting, student) = left_behind(&school, json!({})).await;
    assert_eq!(foreseen(&school, &sitting).await, 1);
    let refused = school.as_time_passes(release(&school, &sitting, "")).await;
    refused.assert_error(409, "Corrections are being followed");
    assert!(!is_released(&school, &sitting).await);
    // Another sitting has nothing to do with it.
    let template = super::template(&school.admin, 5).await;
    let other = school.sitting(5, json!({ "name": "Other", "templateId": template })).await;
    assert_eq!(foreseen(&school, &other).await, 0);
    let early = async {
        // The release has come by then, and waits. Neither has a lock for which the other would wait.
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert!(!is_released(&school, &sitting).await);
        follow(&school).await;
    };
    let (released, ()) = join(release(&school, &sitting, ""), early).await;
    assert_eq!((released.status, &released.json()["following"]), (200, &json!(0)), "{}", released.text());
    assert_eq!(versions(&school, &student.session_id).await, 2, "what has followed before stays as it is");
}

#[tokio::test]
async fn whoever_insists_waits_no_longer() {
    let school = School::open().await;
    let (sitting, _) = left_behind(&school, json!({})).await;
    let released = school.as_time_passes(release(&school, &sitting, "?force=true")).await;
    assert_eq!(released.status, 200, "{}", released.text());
    assert_eq!(foreseen(&school, &sitting).await, 0, "nothing is foreseen of what has been done");
}

#[tokio::test]
async fn what_never_follows_holds_up_no_release() {
    let school = School::open().await;
    let (sitting, _) = left_behind(&school, json!({})).await;
    school.advance(59);
    assert_eq!(foreseen(&school, &sitting).await, 1);
    school.advance(2);
    assert_eq!(foreseen(&school, &sitting).await, 0);
    assert_eq!(release(&school, &sitting, "").await.status, 200);
}

#[tokio::test]
async fn a_release_by_rule_waits_too() {
    let school = School::open().await;
    let at = school.at(8);
    let (sitting, _) = left_behind(&school, json!({ "results": at })).await;
    school.advance(3);
    let_rules_release_others(&school).await;
    assert!(!is_released(&school, &sitting).await);
    follow(&school).await;
    eventually("it has followed, and is released", async || {
        school.hall.clock.advance(Duration::from_secs(1));
        is_released(&school, &sitting).await.then_some(())
    })
    .await;
}
