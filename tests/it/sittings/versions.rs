//! Results that change in a sitting: silently until its release, which tells the newest once, and by an event afterwards.

use domain::session::VersionReason;
use serde_json::{Value, json};

use super::School;
use crate::hall::{Call, Receiver, eventually};

/// What each call told of a result.
fn facts(calls: &[Call]) -> Vec<Value> {
    let told = calls.iter().map(|call| call.json());
    told.map(|told| json!([told["event"], told["version"], told["result"]["score"], told["previous"]["version"]]))
        .collect()
}

#[tokio::test]
async fn a_held_result_changes_silently() {
    let receiver = Receiver::open().await;
    let school = School::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
    let sitting = school.sitting(5, json!({ "webhookUrl": receiver.url() })).await;
    school.enrol(&sitting, json!([{ "email": "a@exam.test" }])).await;
    let mut student = school.enter_all(&sitting).await.remove(0);
    school.advance(6);
    student.begin().await;
    student.submit().await;
    let id = student.session_id.clone();
    receiver.wait_for(1).await;
    for score in [640, 700] {
        school.hall.change_result(&id, VersionReason::KeyCorrected, |result| result.score = score).await;
    }
    let anonymous = school.hall.anonymous();
    for query in ["", "?payload=1", "?version=1", "?version=3"] {
        assert_eq!(anonymous.get(&format!("/api/sessions/{id}{query}")).await.status, 403, "{query}");
    }
    assert_eq!(school.admin.get(&format!("/api/sessions/{id}")).await.json()["version"], 3);
    receiver.expect_only(&school.hall, 1).await;
    assert_eq!(school.release(&sitting).await.status, 200);
    let calls = receiver.wait_for(2).await;
    let silent = [json!(["test.completed", 1, null, null]), json!(["result.released", 3, 700, 2])];
    assert_eq!(facts(&calls), silent);
    eventually("webhookSent is true", async || {
        (school.hall.stored_session(&id).await["webhookSent"] == true).then_some(())
    })
    .await;
    school.hall.change_result(&id, VersionReason::Reverted, |result| result.score = 500).await;
    let calls = receiver.wait_for(3).await;
    assert_eq!(facts(&calls[2..]), [json!(["result.changed", 4, 500, 3])]);
    let audited = school.admin.get(&format!("/api/sessions/{id}/versions")).await;
    assert_eq!(audited.json()["versions"].as_array().unwrap().len(), 4);
}

#[tokio::test]
async fn reading_the_versions_of_a_held_result_is_on_record() {
    let school = School::open().await;
    let sitting = school.sitting(5, json!({})).await;
    school.enrol(&sitting, json!([{ "email": "a@exam.test" }])).await;
    let mut student = school.enter_all(&sitting).await.remove(0);
    school.advance(6);
    student.begin().await;
    student.submit().await;
    let id = student.session_id.clone();
    eventually("the test is stored", async || {
        let versions = school.admin.get(&format!("/api/sessions/{id}/versions")).await;
        (versions.status == 200).then_some(())
    })
    .await;
    let found = school.admin.get("/api/admin/audit?action=results.read").await.json();
    let paths: Vec<&Value> = found["entries"].as_array().unwrap().iter().map(|entry| &entry["detail"]).collect();
    assert_eq!(paths, [&json!("/api/sessions/{id}/versions")]);
}
